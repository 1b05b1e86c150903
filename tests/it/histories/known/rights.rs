//! Rights, and their ends.

use app::histories::{History, Step};
use reference::{
    Actor, Call, Doc, Folder, Holder, KeyKind, Level, Mark, Role, ThreadNo, Tok, User, Visibility,
    What,
};

use super::{
    DEEP, INSIDE, Known, OF_DEEP, OF_INSIDE, OF_TOP, ORG, THREAD, TOP, holder, said, server, token,
};
use crate::app;

pub(super) fn all() -> Vec<Known> {
    rights().into_iter().chain(rows()).collect()
}

fn rights() -> Vec<Known> {
    let leave = || server(Call::RemoveUser(ORG, Level::Organization, User::Ada));
    vec![
        (
            "a right to a document of a deleted folder opens nothing that was in it",
            history![KeyKind::Open;
                server(Call::Thread(DEEP, THREAD, Visibility::Public, said(User::Ada, 1, false))),
                server(Call::Presence(DEEP, User::Ada)),
                server(Call::Append(DEEP, Mark(2))),
                server(Call::DeleteFolder(ORG, Folder(1))),
                token(User::Eve, &[Level::Document(Doc(2))]),
                holder(Call::Read(DEEP, What::Threads)),
                holder(Call::Comment(DEEP, THREAD, said(User::Eve, 3, false))),
                holder(Call::Thread(DEEP, ThreadNo(1), Visibility::Public, said(User::Eve, 4, false))),
                holder(Call::Presence(DEEP, User::Eve)),
                holder(Call::Read(DEEP, What::Presence)),
            ],
        ),
        (
            "an organization that was implied is disabled",
            history![KeyKind::Restricted;
                server(Call::DeleteOrganization(ORG)),
                token(User::Eve, &[OF_TOP]),
                server(Call::Presence(TOP, User::Eve)),
                server(Call::DisableOrganization(ORG, true)),
                holder(Call::Read(TOP, What::Presence)),
            ],
        ),
        (
            "a departure ends the membership of a call that had begun",
            history![KeyKind::Restricted;
                Step::Begin(
                    Actor::Server,
                    Call::AddUser(ORG, Level::Organization, User::Eve, None),
                    2,
                ),
                server(Call::RemoveUser(ORG, Level::Organization, User::Eve)),
                Step::Release,
                server(Call::Rights(ORG)),
                Step::Settle,
                server(Call::Users(ORG, Level::Organization)),
            ],
        ),
        (
            "a membership in a document of a deleted folder gives no right",
            history![KeyKind::Closed;
                token(User::Eve, &[]),
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::AddUser(ORG, Level::Document(Doc(1)), User::Eve, Some(Role::Editor))),
                holder(Call::Read(INSIDE, What::Threads)),
                Step::Settle,
                holder(Call::Read(INSIDE, What::Threads)),
            ],
        ),
        (
            "a member of a deleted organization may leave it",
            history![KeyKind::Restricted;
                server(Call::DeleteOrganization(ORG)),
                server(Call::RemoveUser(ORG, Level::Organization, User::Ada)),
            ],
        ),
        (
            "a grant does not forget a departure",
            history![KeyKind::Restricted;
                token(User::Ada, &[OF_TOP]),
                leave(),
                server(Call::Grant(
                    ORG, Level::Organization, Holder::User(User::Ada), Role::Viewer, None,
                )),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "a revocation does not forget a departure",
            history![KeyKind::Restricted;
                token(User::Ada, &[OF_TOP]),
                leave(),
                server(Call::Revoke(ORG, Level::Organization, Holder::User(User::Ada))),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "memberships inside end with the departure",
            history![KeyKind::Restricted;
                server(Call::AddUser(ORG, OF_TOP, User::Ada, None)),
                token(User::Ada, &[]),
                leave(),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "who is no member departs as well",
            history![KeyKind::Restricted;
                server(Call::AddUser(ORG, OF_TOP, User::Eve, None)),
                token(User::Eve, &[]),
                server(Call::RemoveUser(ORG, Level::Organization, User::Eve)),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "a membership that is changed after the departure ends with it",
            history![KeyKind::Restricted;
                server(Call::AddUser(ORG, OF_TOP, User::Ada, None)),
                leave(),
                server(Call::UpdateUser(ORG, OF_TOP, User::Ada)),
                Step::Settle,
                server(Call::Users(ORG, OF_TOP)),
            ],
        ),
        (
            "threads of an organization are for its members",
            history![KeyKind::Open;
                server(Call::Thread(
                    TOP, THREAD, Visibility::Organization(ORG), said(User::Ada, 1, false),
                )),
                token(User::Stranger, &[]),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "a second deletion that hangs ends rights that were given before it was done",
            history![KeyKind::Closed;
                server(Call::DeleteDocument(INSIDE)),
                Step::Begin(Actor::Server, Call::DeleteDocument(INSIDE), 2),
                server(Call::Issue(Tok(0), User::Bob, vec![(ORG, OF_INSIDE, Role::Commenter)])),
                server(Call::AddDocument(INSIDE, None)),
                Step::Release,
                holder(Call::Read(INSIDE, What::Presence)),
            ],
        ),
        (
            "who is removed from a document that fades has no right there by a token",
            history![KeyKind::Readable;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::AddUser(ORG, OF_DEEP, User::Eve, None)),
                server(Call::Issue(Tok(0), User::Eve, vec![(ORG, OF_DEEP, Role::Viewer)])),
                server(Call::RemoveUser(ORG, OF_DEEP, User::Eve)),
                holder(Call::Read(DEEP, What::Editor)),
            ],
        ),
        (
            "a member is not added to an organization that was deleted meanwhile",
            history![KeyKind::Closed;
                Step::Begin(
                    Actor::Server,
                    Call::AddUser(ORG, Level::Organization, User::Ada, Some(Role::Viewer)),
                    3,
                ),
                server(Call::DeleteOrganization(ORG)),
                Step::Settle,
            ],
        ),
        (
            "a member of before is removed once more",
            history![KeyKind::Closed;
                server(Call::DeleteOrganization(ORG)),
                server(Call::AddUser(ORG, Level::Organization, User::Eve, None)),
                server(Call::RemoveUser(ORG, Level::Organization, User::Ada)),
            ],
        ),
        (
            "a removal that began before an addition does not undo it",
            history![KeyKind::Open;
                Step::Begin(
                    Actor::Server, Call::RemoveUser(ORG, Level::Organization, User::Eve), 4,
                ),
                server(Call::AddUser(ORG, Level::Organization, User::Eve, Some(Role::Editor))),
                Step::Settle,
                server(Call::Rights(ORG)),
            ],
        ),
        (
            "a member of a deleted document is removed before the clean-up is there",
            history![KeyKind::Open;
                server(Call::AddUser(ORG, OF_INSIDE, User::Ada, Some(Role::Commenter))),
                server(Call::DeleteDocument(INSIDE)),
                server(Call::RemoveUser(ORG, OF_INSIDE, User::Ada)),
            ],
        ),
        (
            "a member of a deleted folder is removed before the clean-up is there",
            history![KeyKind::Closed;
                server(Call::AddUser(ORG, Level::Folder(Folder(0)), User::Eve, None)),
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::RemoveUser(ORG, Level::Folder(Folder(0)), User::Eve)),
            ],
        ),
        (
            "who is added to a document after a departure began stays there",
            history![KeyKind::Closed;
                Step::Begin(
                    Actor::Server, Call::RemoveUser(ORG, Level::Organization, User::Ada), 3,
                ),
                server(Call::AddUser(ORG, OF_INSIDE, User::Ada, None)),
                server(Call::Rights(ORG)),
                Step::Settle,
                server(Call::Rights(ORG)),
            ],
        ),
    ]
}

/// Rows of the decision table that are rarely drawn.
fn rows() -> Vec<Known> {
    vec![
        (
            "a disabled document does not exist for end users",
            history![KeyKind::Open;
                token(User::Eve, &[OF_TOP]),
                server(Call::DisableDocument(TOP, true)),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "a right to a disabled document is told to servers",
            history![KeyKind::Closed;
                server(Call::Grant(
                    ORG, OF_TOP, Holder::User(User::Eve), Role::Viewer, None,
                )),
                server(Call::DisableDocument(TOP, true)),
                server(Call::Rights(ORG)),
            ],
        ),
        (
            "a member of a folder reads what is in it",
            history![KeyKind::Restricted;
                server(Call::AddUser(
                    ORG, Level::Folder(Folder(0)), User::Eve, Some(Role::Editor),
                )),
                token(User::Eve, &[]),
                holder(Call::Read(INSIDE, What::Threads)),
            ],
        ),
        (
            "a disabled organization has no inbox",
            history![KeyKind::Open;
                token(User::Ada, &[]),
                server(Call::DisableOrganization(ORG, true)),
                holder(Call::Inbox(ORG, User::Ada, false)),
            ],
        ),
        (
            "a right to a document that nobody added is told to servers",
            history![KeyKind::Closed;
                server(Call::DeleteDocument(TOP)),
                server(Call::Grant(
                    ORG, OF_TOP, Holder::User(User::Eve), Role::Viewer, None,
                )),
                server(Call::Rights(ORG)),
            ],
        ),
    ]
}
