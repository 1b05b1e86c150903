//! Editors, live state and preferences of what was deleted.

use app::histories::{History, Step};
use reference::{Actor, Call, Doc, Folder, KeyKind, Mark, Role, Tok, User, Want, What};

use super::{DEEP, INSIDE, Known, OF_DEEP, OF_INSIDE, ORG, TOP, holder, server, token};
use crate::app;

pub(super) fn all() -> Vec<Known> {
    editors().into_iter().chain(merges()).collect()
}

/// Editors of what was deleted.
fn editors() -> Vec<Known> {
    vec![
        (
            "an editor of an organization that was added again shows nothing of before",
            history![KeyKind::Readable;
                server(Call::Append(DEEP, Mark(2))),
                server(Call::DeleteOrganization(ORG)),
                server(Call::AddOrganization(ORG)),
                server(Call::Read(DEEP, What::Editor)),
            ],
        ),
        (
            "a fresh right does not open an editor of a deleted organization",
            history![KeyKind::Readable;
                server(Call::Append(DEEP, Mark(3))),
                server(Call::DeleteOrganization(ORG)),
                server(Call::Issue(
                    Tok(0), User::Ada, vec![(ORG, OF_DEEP, Role::Editor)],
                )),
                holder(Call::Read(DEEP, What::Editor)),
                holder(Call::Append(DEEP, Mark(4))),
                holder(Call::Read(DEEP, What::Editor)),
                Step::Settle,
                holder(Call::Read(DEEP, What::Editor)),
            ],
        ),
        (
            "what the server appends after its organization was deleted stays",
            history![KeyKind::Open;
                server(Call::Append(DEEP, Mark(1))),
                server(Call::DeleteOrganization(ORG)),
                server(Call::Append(DEEP, Mark(4))),
                Step::Settle,
                server(Call::Read(DEEP, What::Editor)),
            ],
        ),
        (
            "what the server appends to an editor in a deleted folder goes with it",
            history![KeyKind::Readable;
                server(Call::Append(DEEP, Mark(1))),
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::Append(DEEP, Mark(2))),
                token(User::Bob, &[OF_DEEP]),
                holder(Call::Read(DEEP, What::Editor)),
                server(Call::Read(DEEP, What::Editor)),
                Step::Settle,
                server(Call::Read(DEEP, What::Editor)),
            ],
        ),
        (
            "a right of after the deletion of a folder shows no editor of before",
            history![KeyKind::Closed;
                server(Call::Append(DEEP, Mark(2))),
                server(Call::DeleteFolder(ORG, Folder(1))),
                server(Call::Issue(Tok(0), User::Eve, vec![(ORG, OF_DEEP, Role::Editor)])),
                holder(Call::Read(DEEP, What::Editor)),
                holder(Call::Append(DEEP, Mark(3))),
                holder(Call::Read(DEEP, What::Editor)),
                Step::Settle,
                server(Call::Read(DEEP, What::Editor)),
            ],
        ),
    ]
}

/// Changes of what a deletion takes along: nothing of before comes into the next life with them.
fn merges() -> Vec<Known> {
    let live = |at, mark, merges| server(Call::Live(at, Mark(mark), merges));
    let ada = |inbox, mail| server(Call::Preference(ORG, Some(Doc(1)), User::Ada, inbox, mail));
    let read = |at| server(Call::Read(at, What::Live));
    let while_it_ends = |request: usize| {
        history![KeyKind::Open;
            live(TOP, 1, false),
            Step::Begin(Actor::Server, Call::DeleteDocument(TOP), request),
            live(TOP, 2, true),
            Step::Release,
            read(TOP),
            Step::Settle,
            read(TOP),
        ]
    };
    let held = (1..=3).map(while_it_ends);
    let held = held.map(|it| ("what is merged while a document is deleted goes with it", it));
    let others = vec![
        (
            "what is written while a deletion hangs goes with it",
            history![KeyKind::Closed;
                Step::Begin(Actor::Server, Call::DeleteOrganization(ORG), 1),
                server(Call::Live(DEEP, Mark(2), true)),
                server(Call::Rights(ORG)),
                Step::Settle,
                server(Call::Read(DEEP, What::Live)),
            ],
        ),
        (
            "what the server merges into live state in a deleted folder goes with it",
            history![KeyKind::Open;
                live(INSIDE, 1, false),
                server(Call::DeleteFolder(ORG, Folder(0))),
                live(INSIDE, 2, true),
                read(INSIDE),
                Step::Settle,
                read(INSIDE),
            ],
        ),
        (
            "what the server merges into live state of after a deletion stays",
            history![KeyKind::Open;
                live(INSIDE, 1, false),
                server(Call::DeleteFolder(ORG, Folder(0))),
                live(INSIDE, 2, false),
                live(INSIDE, 3, true),
                read(INSIDE),
                Step::Settle,
                read(INSIDE),
            ],
        ),
        (
            "an end user is shown nothing that was merged into live state in a deleted folder",
            history![KeyKind::Closed;
                live(INSIDE, 1, false),
                server(Call::DeleteFolder(ORG, Folder(0))),
                live(INSIDE, 2, true),
                server(Call::Issue(Tok(0), User::Eve, vec![(ORG, OF_INSIDE, Role::Editor)])),
                holder(Call::Read(INSIDE, What::Live)),
                holder(Call::Live(INSIDE, Mark(3), true)),
                live(INSIDE, 4, true),
                holder(Call::Read(INSIDE, What::Live)),
                Step::Settle,
                holder(Call::Read(INSIDE, What::Live)),
            ],
        ),
        (
            "what the server adds to a preference in a deleted folder goes with it",
            history![KeyKind::Open;
                ada(Some(Want::None), Some(Want::None)),
                server(Call::DeleteFolder(ORG, Folder(0))),
                ada(Some(Want::All), None),
                Step::Settle,
                server(Call::Preferences(ORG, Some(Doc(1)), User::Ada)),
            ],
        ),
        (
            "a preference that replaces one in a deleted folder stays",
            history![KeyKind::Open;
                ada(Some(Want::None), None),
                server(Call::DeleteFolder(ORG, Folder(0))),
                ada(Some(Want::Mine), Some(Want::None)),
                Step::Settle,
                server(Call::Preferences(ORG, Some(Doc(1)), User::Ada)),
            ],
        ),
    ];
    held.chain(others).collect()
}
