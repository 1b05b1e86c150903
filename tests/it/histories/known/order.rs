//! Calls and messages that wait, come late or are made again.

use app::histories::{Fails, History, Step};
use reference::{
    Actor, At, By, Call, Doc, Folder, Holder, KeyKind, Level, Mark, Role, Tok, User, Visibility,
    What,
};

use super::{
    DEEP, INSIDE, Known, OF_INSIDE, OF_TOP, ORG, THREAD, TOP, holder, open, said, server, thread,
    token,
};
use crate::app;

pub(super) fn all() -> Vec<Known> {
    order().into_iter().chain(held_writes()).chain(held_rights()).chain(held_ends()).collect()
}

/// Histories of calls and messages that wait, come late or are made again.
fn order() -> Vec<Known> {
    let at = |at: At, by: By| Call::Thread(at, THREAD, Visibility::Public, by);
    vec![
        (
            "a thread that is added twice leaves no rows",
            history![KeyKind::Open;
                server(at(DEEP, By { activity: true, ..said(User::Bob, 1, true) })),
                server(at(DEEP, said(User::Bob, 3, false))),
                server(Call::DeleteDocument(DEEP)),
                Step::Settle,
            ],
        ),
        (
            "a thread that was throttled may be there or not",
            history![KeyKind::Open;
                Step::Fault(Fails::Throttle, 1, 4),
                thread(User::Ada, 1),
                server(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "a mention of a group is told to its members",
            history![KeyKind::Readable;
                server(at(INSIDE, By { mention: Some(Holder::Group), ..said(User::Bob, 2, false) })),
                Step::Settle,
                server(Call::Inbox(ORG, User::Ada, true)),
            ],
        ),
        (
            "what a folder of before has left takes no ids",
            history![KeyKind::Open;
                server(Call::DeleteFolder(ORG, Folder(1))),
                server(Call::AddFolder(ORG, Folder(1), Some(Folder(0)), None)),
                server(Call::AddDocument(DEEP, None)),
                server(Call::Read(DEEP, What::Threads)),
                Step::Settle,
                server(Call::Documents(ORG)),
            ],
        ),
        (
            "what the subfolders of a folder of before have left takes no ids",
            history![KeyKind::Open;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::AddFolder(ORG, Folder(0), None, None)),
                server(Call::AddDocument(DEEP, None)),
                server(Call::AddFolder(ORG, Folder(1), None, None)),
                Step::Settle,
                server(Call::Documents(ORG)),
                server(Call::Folders(ORG)),
            ],
        ),
        (
            "folders of before are not listed",
            history![KeyKind::Open;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::AddFolder(ORG, Folder(0), None, None)),
                server(Call::Folders(ORG)),
            ],
        ),
        (
            "a group that is deleted before a mention is told names nobody",
            history![KeyKind::Open;
                server(at(DEEP, By { mention: Some(Holder::Group), ..said(User::Bob, 2, true) })),
                server(Call::DeleteGroup(ORG)),
                Step::Settle,
                server(Call::Outbox(User::Ada, true)),
            ],
        ),
        (
            "a member is not added while the organization is deleted",
            history![KeyKind::Closed;
                server(Call::DeleteOrganization(ORG)),
                server(Call::Append(TOP, Mark(2))),
                Step::Begin(Actor::Server, Call::AddUser(ORG, Level::Organization, User::Bob, Some(Role::Commenter)), 3),
                server(Call::DeleteOrganization(ORG)),
                Step::Release,
            ],
        ),
        (
            "what is in a folder of before is not changed",
            history![KeyKind::Open;
                server(Call::DeleteFolder(ORG, Folder(1))),
                server(Call::AddFolder(ORG, Folder(1), Some(Folder(0)), None)),
                server(Call::RenameDocument(DEEP)),
            ],
        ),
        (
            "a thread that exists is not added while its document is deleted",
            history![KeyKind::Open;
                server(at(DEEP, said(User::Eve, 1, false))),
                Step::Begin(Actor::Server, at(DEEP, said(User::Ada, 2, false)), 3),
                server(Call::DeleteDocument(DEEP)),
                Step::Release,
            ],
        ),
        (
            "a document knows its life however late the clean-up of the one before is",
            history![KeyKind::Open;
                thread(User::Ada, 1),
                server(Call::DeleteDocument(TOP)),
                Step::Advance(777_600_000),
                Step::Expire,
                server(Call::AddDocument(TOP, None)),
                server(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "a token of before two deletions of a folder opens nothing in the third",
            history![KeyKind::Restricted;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::Issue(
                    Tok(0), User::Eve, vec![(ORG, Level::Document(Doc(1)), Role::Editor)],
                )),
                server(Call::AddFolder(ORG, Folder(0), None, None)),
                server(Call::DeleteFolder(ORG, Folder(0))),
                holder(Call::Read(INSIDE, What::Presence)),
                Step::Dry,
                holder(Call::Read(INSIDE, What::Presence)),
                Step::Settle,
                server(Call::AddFolder(ORG, Folder(0), None, None)),
                server(Call::AddDocument(INSIDE, Some(Folder(0)))),
                holder(Call::Read(INSIDE, What::Presence)),
            ],
        ),
        (
            "what a call adds while its document is deleted is of no later life",
            history![KeyKind::Restricted;
                token(User::Eve, &[OF_TOP]),
                Step::Begin(Actor::Holder(Tok(0)), at(TOP, said(User::Eve, 1, false)), 3),
                server(Call::DeleteDocument(TOP)),
                server(Call::AddDocument(TOP, None)),
                Step::Release,
                server(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "a call takes less than a day",
            history![KeyKind::Restricted;
                server(Call::Issue(
                    Tok(0), User::Eve, vec![(ORG, Level::Document(Doc(1)), Role::Editor)],
                )),
                Step::Begin(Actor::Holder(Tok(0)), open(INSIDE, 2), 2),
                Step::Advance(777_600_000),
                server(Call::Comment(INSIDE, THREAD, said(User::Eve, 5, true))),
                Step::Release,
            ],
        ),
        (
            "a thread that another one preceded goes with its document",
            history![KeyKind::Closed;
                Step::Begin(Actor::Server, open(DEEP, 1), 2),
                server(open(DEEP, 2)),
                server(Call::DeleteDocument(DEEP)),
                Step::Dry,
                Step::Release,
            ],
        ),
        (
            "a call counts with the token that it came with",
            history![KeyKind::Open;
                server(Call::Issue(Tok(0), User::Ada, vec![])),
                Step::Begin(Actor::Holder(Tok(0)), Call::Append(INSIDE, Mark(1)), 4),
                server(Call::Issue(Tok(2), User::Ada, vec![])),
                server(Call::Issue(Tok(0), User::Ada, vec![(ORG, OF_INSIDE, Role::Commenter)])),
                Step::Call(Actor::Holder(Tok(2)), Call::Read(INSIDE, What::Editor)),
                Step::Settle,
            ],
        ),
        (
            "a call that read a document before its deletion may find a right above it",
            history![KeyKind::Restricted;
                token(User::Ada, &[]),
                Step::Begin(Actor::Holder(Tok(0)), Call::Presence(DEEP, User::Ada), 2),
                server(Call::DeleteDocument(DEEP)),
                server(Call::Grant(
                    ORG, Level::Folder(Folder(1)), Holder::User(User::Ada), Role::Editor, Some(5),
                )),
                Step::Settle,
            ],
        ),
        (
            "a call that read a document before another took its id may find a right above it",
            history![KeyKind::Restricted;
                token(User::Ada, &[]),
                Step::Begin(Actor::Holder(Tok(0)), Call::Presence(DEEP, User::Ada), 2),
                server(Call::DeleteDocument(DEEP)),
                server(Call::AddDocument(DEEP, None)),
                server(Call::Grant(
                    ORG, Level::Folder(Folder(1)), Holder::User(User::Ada), Role::Editor, Some(5),
                )),
                Step::Settle,
            ],
        ),
        (
            "a message is not repeated when no queue has it any more",
            history![KeyKind::Readable;
                server(at(INSIDE, By { activity: true, ..said(User::Bob, 1, false) })),
                Step::Advance(777_600_000),
                Step::Advance(777_600_000),
                Step::Again,
                Step::Settle,
            ],
        ),
    ]
}

/// Writes by a right in a document that is deleted and added again, each waiting at several requests.
fn held_writes() -> Vec<Known> {
    let thread = Call::Thread(TOP, THREAD, Visibility::Public, said(User::Eve, 1, false));
    let writes = [
        (thread, What::Threads),
        (Call::Presence(TOP, User::Eve), What::Presence),
        (Call::Live(TOP, Mark(1), false), What::Live),
        (Call::Append(TOP, Mark(1)), What::Editor),
    ];
    let held = |(call, what): &(Call, What), request: usize| {
        history![KeyKind::Restricted;
            server(Call::Grant(ORG, OF_TOP, Holder::User(User::Eve), Role::Editor, None)),
            token(User::Eve, &[]),
            Step::Begin(Actor::Holder(Tok(0)), call.clone(), request),
            server(Call::DeleteDocument(TOP)),
            server(Call::AddDocument(TOP, None)),
            Step::Release,
            server(Call::Read(TOP, *what)),
        ]
    };
    let all = writes.iter().flat_map(|write| (2..=6).map(|request| held(write, request)));
    all.map(|it| ("a write does not reach a document that was added again", it)).collect()
}

/// Rights that are given by a call that waits, while their user leaves and is given others.
fn held_rights() -> Vec<Known> {
    let level = || Level::Folder(Folder(1));
    let gives = [
        Call::AddUser(ORG, level(), User::Bob, None),
        Call::Grant(ORG, level(), Holder::User(User::Bob), Role::Viewer, None),
    ];
    let held = |call: &Call, request: usize| {
        history![KeyKind::Restricted;
            Step::Begin(Actor::Server, call.clone(), request),
            server(Call::RemoveUser(ORG, Level::Organization, User::Bob)),
            server(Call::AddUser(ORG, level(), User::Bob, Some(Role::Commenter))),
            server(Call::Grant(ORG, level(), Holder::User(User::Bob), Role::Commenter, None)),
            Step::Settle,
            server(Call::Rights(ORG)),
        ]
    };
    let all = gives.iter().flat_map(|call| (2..=6).map(|request| held(call, request)));
    all.map(|it| ("a right that was given since a departure stays", it)).collect()
}

/// Tokens that are issued while a user or a right is being removed: the removal ends them as well.
fn held_ends() -> Vec<Known> {
    let ends = [
        (User::Ada, Call::RemoveUser(ORG, Level::Organization, User::Ada)),
        (User::Eve, Call::RemoveUser(ORG, Level::Organization, User::Eve)),
        (User::Eve, Call::RemoveUser(ORG, OF_TOP, User::Eve)),
        (User::Eve, Call::Revoke(ORG, OF_TOP, Holder::User(User::Eve))),
    ];
    let held = |(user, end): &(User, Call), request: usize| {
        history![KeyKind::Restricted;
            server(Call::AddUser(ORG, OF_TOP, User::Eve, Some(Role::Editor))),
            Step::Begin(Actor::Server, end.clone(), request),
            token(*user, &[OF_TOP]),
            holder(Call::Read(TOP, What::Live)),
            Step::Release,
            holder(Call::Read(TOP, What::Live)),
        ]
    };
    let all = ends.iter().flat_map(|end| (1..=5).map(|request| held(end, request)));
    all.map(|it| ("a removal ends the tokens that were issued during it", it)).collect()
}
