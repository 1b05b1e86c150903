//! Histories that showed a fault once.

use app::histories::{History, Judge, Step};
use reference::{Actor, At, Call, Doc, Folder, KeyKind, Level, Org, Role, Tok, User, What};

use crate::app;

/// A history, as the judge prints it.
macro_rules! history {
    ($kind:expr; $($step:expr),* $(,)?) => {
        History { kind: $kind, steps: vec![$($step),*] }
    };
}

#[test]
fn known_histories_show_no_fault_any_more() {
    let mut judge = Judge::new(None);
    for (name, history) in known() {
        let found = judge.run(&history);
        assert!(found.is_none(), "{name}: {}", found.expect("a fault"));
    }
}

fn known() -> Vec<(&'static str, History)> {
    vec![
        (
            "a document that was never added is open to its right alone",
            history![KeyKind::Closed;
                Step::Call(Actor::Server, Call::Issue(Tok(0), User::Eve, vec![(Org(0), Level::Document(Doc(0)), Role::Editor)])),
                Step::Call(Actor::Holder(Tok(0)), Call::Read(At(Org(0), Doc(0)), What::Threads)),
                Step::Call(Actor::Holder(Tok(0)), Call::Read(At(Org(0), Doc(1)), What::Threads)),
                Step::Settle,
            ],
        ),
        (
            "a deleted folder takes its documents along",
            history![KeyKind::Open;
                Step::Call(Actor::Server, Call::DeleteFolder(Org(0), Folder(0))),
                Step::Settle,
                Step::Call(Actor::Server, Call::Documents(Org(0))),
            ],
        ),
    ]
}
