//! State vectors and XML of strangers: they are read or refused.

use crdt::{Content, Kind, State, replace};
use error::Status;
use proptest::{collection::vec, prelude::*, sample::Index};
use serde_json::{Value, json};

use crate::samples::{self, Dice, KEY, get, put};

/// Text with some characters changed, left out, or more.
fn changed(text: &str, changes: &[(Index, Option<char>)]) -> String {
    let mut changed: Vec<char> = text.chars().collect();
    for (at, by) in changes {
        let at = at.index(changed.len() + 1);
        match by {
            Some(by) => changed.insert(at, *by),
            None if at < changed.len() => drop(changed.remove(at)),
            None => {}
        }
    }
    changed.into_iter().collect()
}

/// Accepted content is written, and written back it changes nothing.
fn is_accepted(source: &str) -> Result<(), TestCaseError> {
    let content = match Content::new(Kind::Xml, json!(source)) {
        Ok(content) => content,
        Err(error) => {
            prop_assert_eq!(error.status, Status::InvalidArgument);
            return Ok(());
        }
    };
    let mut state = samples::empty();
    replace(&mut state, KEY, &content).expect("accepted content");
    let shown = get(&state, Kind::Xml);
    prop_assert!(put(&mut state, Kind::Xml, &shown).update.is_empty(), "{} as {}", source, shown);
    Ok(())
}

fn character() -> impl Strategy<Value = Option<char>> {
    proptest::option::of(prop_oneof![
        proptest::char::any(),
        proptest::sample::select("<>/=\"'&;![]-?x: ".chars().collect::<Vec<_>>()),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn changed_xml_is_accepted_or_refused(
        seed in any::<u64>(), changes in vec((any::<Index>(), character()), 0..4),
    ) {
        let Value::String(source) = samples::content(&mut Dice::new(seed), Kind::Xml) else {
            return Ok(());
        };
        is_accepted(&changed(&source, &changes))?;
    }

    #[test]
    fn any_text_is_accepted_as_xml_or_refused(source in "[<>/=\"'&;!\\[\\]?a-z -]{0,60}|\\PC{0,60}") {
        is_accepted(&source)?;
    }

    #[test]
    fn state_vectors_are_read_or_refused(bytes in vec(any::<u8>(), 0..60), seed in any::<u64>()) {
        let mut state = samples::empty();
        put(&mut state, Kind::Text, &samples::content(&mut Dice::new(seed), Kind::Text));
        match state.diff(&bytes) {
            Ok(update) => {
                let mut again = State::load(1, None, []).expect("an empty document");
                again.apply(&update).expect("an update of ours");
            }
            Err(error) => prop_assert_eq!(error.status, Status::InvalidArgument),
        }
        let whole = state.diff(&[0]).expect("the empty vector");
        prop_assert_eq!(State::load(1, None, [&whole[..]]).expect("all").encode(), state.encode());
        prop_assert!(state.diff(&state.state_vector()).expect("its own").len() < 2 + whole.len());
    }
}
