//! Users: what they are told, want to be told, and their erasure.

use app::histories::{History, Step};
use reference::{
    Access, Actor, At, By, Call, Doc, Folder, Holder, KeyKind, Level, Mark, Org, Role, ThreadNo,
    Tok, User, Visibility, Want, What,
};

use super::{
    DEEP, INSIDE, Known, OF_DEEP, OF_INSIDE, OF_TOP, ORG, THREAD, TOP, holder, mention, reply,
    said, server, thread, token,
};
use crate::app;

pub(super) fn all() -> Vec<Known> {
    people().into_iter().chain(notices()).chain(preferences()).collect()
}

fn people() -> Vec<Known> {
    vec![
        (
            "an export has threads whose status somebody changed",
            history![KeyKind::Restricted;
                thread(User::Eve, 1),
                server(Call::Assign(TOP, THREAD, User::Stranger, User::Bob)),
                server(Call::Export(ORG, User::Bob)),
            ],
        ),
        (
            "an erasure takes the record of a right that was revoked along",
            history![KeyKind::Closed;
                server(Call::Revoke(ORG, OF_TOP, Holder::User(User::Ada))),
                server(Call::Erase(User::Ada)),
            ],
        ),
        (
            "an erasure reaches the event that waits to be told",
            history![KeyKind::Open;
                server(Call::Thread(DEEP, THREAD, Visibility::Public, said(User::Bob, 1, false))),
                Step::Dry,
                server(Call::Erase(User::Bob)),
            ],
        ),
        (
            "what an actor changed goes with the actor",
            history![KeyKind::Closed;
                server(Call::Activity(TOP, User::Bob, User::Ada, Mark(3))),
                server(Call::Erase(User::Bob)),
                server(Call::Activities(ORG)),
            ],
        ),
        (
            "who has left is not told",
            history![KeyKind::Open;
                thread(User::Ada, 1),
                Step::Dry,
                server(Call::RemoveUser(ORG, Level::Organization, User::Ada)),
                reply(User::Bob, 2, false),
                Step::Settle,
                server(Call::Inbox(ORG, User::Ada, true)),
                server(Call::Outbox(User::Ada, true)),
            ],
        ),
        (
            "who had a right that has expired is not told",
            history![KeyKind::Open;
                server(Call::Grant(
                    ORG, OF_TOP, Holder::User(User::Eve), Role::Viewer, Some(5),
                )),
                Step::Advance(11_000),
                thread(User::Bob, 1),
                Step::Settle,
                server(Call::Inbox(ORG, User::Eve, true)),
            ],
        ),
        (
            "unmuting a channel and muting another one revives nothing",
            history![KeyKind::Open;
                server(Call::Preference(ORG, None, User::Ada, Some(Want::None), None)),
                thread(User::Bob, 1),
                server(Call::Preference(ORG, None, User::Ada, Some(Want::All), None)),
                server(Call::Preference(ORG, None, User::Ada, None, Some(Want::None))),
                Step::Settle,
                server(Call::Inbox(ORG, User::Ada, true)),
            ],
        ),
        (
            "an erasure reaches activities of others",
            history![KeyKind::Open;
                server(Call::Activity(TOP, User::Bob, User::Eve, Mark(2))),
                thread(User::Bob, 1),
                server(Call::Assign(TOP, THREAD, User::Eve, User::Bob)),
                server(Call::Assign(TOP, THREAD, User::Bob, User::Bob)),
                server(Call::Erase(User::Eve)),
                server(Call::Activities(ORG)),
            ],
        ),
        (
            "an erasure ends tokens of who is no member",
            history![KeyKind::Restricted;
                token(User::Eve, &[OF_TOP]),
                server(Call::Erase(User::Eve)),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "an export has the user's comments in long threads",
            history![KeyKind::Open;
                thread(User::Bob, 1),
                reply(User::Eve, 2, true),
                reply(User::Bob, 3, true),
                reply(User::Bob, 4, true),
                server(Call::Export(ORG, User::Eve)),
            ],
        ),
        (
            "an erasure finds who departed from an organization that was deleted",
            history![KeyKind::Closed;
                server(Call::DeleteOrganization(Org(1))),
                server(Call::RemoveUser(Org(1), Level::Organization, User::Ada)),
                server(Call::Erase(User::Ada)),
            ],
        ),
        (
            "an erasure finds whose right ended in an organization that was deleted",
            history![KeyKind::Closed;
                server(Call::DeleteOrganization(Org(1))),
                server(Call::Revoke(Org(1), Level::Document(Doc(0)), Holder::User(User::Ada))),
                server(Call::Erase(User::Ada)),
            ],
        ),
        (
            "an erasure finds who has seen a thread of an organization that was deleted",
            history![KeyKind::Restricted;
                server(Call::DeleteOrganization(Org(1))),
                server(Call::Seen(At(Org(1), Doc(1)), THREAD, User::Bob)),
                server(Call::Erase(User::Bob)),
            ],
        ),
        (
            "an erasure finds the thread of a call that was in flight",
            history![KeyKind::Open;
                Step::Begin(Actor::Server, Call::Thread(
                    TOP, ThreadNo(1), Visibility::Public, said(User::Eve, 1, false),
                ), 3),
                server(Call::Erase(User::Eve)),
                server(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "who is erased meanwhile joins no group",
            history![KeyKind::Readable;
                Step::Begin(Actor::Server, Call::JoinGroup(ORG, User::Ada), 1),
                server(Call::Erase(User::Ada)),
            ],
        ),
        (
            "an erasure ends nothing in an organization that is not there",
            history![KeyKind::Restricted;
                server(Call::DeleteOrganization(ORG)),
                server(Call::Issue(Tok(0), User::Ada, vec![(ORG, OF_DEEP, Role::Editor)])),
                server(Call::DocumentAccess(DEEP, Access::OrganizationPrivate)),
                server(Call::Erase(User::Ada)),
                holder(Call::Read(DEEP, What::Live)),
            ],
        ),
    ]
}

/// Histories of notifications to users.
fn notices() -> Vec<Known> {
    vec![
        (
            "muting counts until a late worker has told",
            history![KeyKind::Open;
                thread(User::Ada, 1),
                server(Call::Preference(
                    ORG, Some(Doc(0)), User::Bob, Some(Want::None), Some(Want::None),
                )),
                server(Call::Grant(
                    ORG, Level::Organization, Holder::User(User::Bob), Role::Commenter, None,
                )),
                Step::Settle,
                server(Call::Inbox(ORG, User::Bob, true)),
            ],
        ),
        (
            "a group names its members in one comment alone",
            history![KeyKind::Open;
                server(Call::Thread(TOP, THREAD, Visibility::Public, mention(2, Some(Holder::Group)))),
                server(Call::Comment(TOP, THREAD, mention(3, Some(Holder::User(User::Bob))))),
                Step::Settle,
                server(Call::Outbox(User::Ada, true)),
            ],
        ),
        (
            "a thread that is added again under its id brings its notifications back",
            history![KeyKind::Closed;
                thread(User::Stranger, 1),
                Step::Dry,
                server(Call::DeleteThread(TOP, THREAD)),
                server(Call::Inbox(ORG, User::Ada, true)),
                thread(User::Ada, 2),
                server(Call::Inbox(ORG, User::Ada, true)),
            ],
        ),
        (
            "who has a part in a thread since an event is no recipient of it",
            history![KeyKind::Open;
                server(Call::Grant(
                    ORG,
                    Level::Folder(Folder(0)),
                    Holder::User(User::Bob),
                    Role::Commenter,
                    None,
                )),
                server(Call::Thread(
                    DEEP,
                    THREAD,
                    Visibility::Public,
                    By { notify: true, ..said(User::Eve, 2, false) },
                )),
                server(Call::Comment(
                    DEEP,
                    THREAD,
                    By {
                        notify: true,
                        mention: Some(Holder::User(User::Bob)),
                        ..said(User::Bob, 3, false)
                    },
                )),
                server(Call::MoveFolder(ORG, Folder(1), None)),
                Step::Settle,
                server(Call::Inbox(ORG, User::Bob, true)),
            ],
        ),
    ]
}

/// Preferences of before an end, whose clean-up has not come.
fn preferences() -> Vec<Known> {
    let mute =
        |doc, user| server(Call::Preference(ORG, doc, user, Some(Want::None), Some(Want::None)));
    let unmute_inbox = |doc| server(Call::Preference(ORG, doc, User::Ada, Some(Want::All), None));
    let wanted = |doc, user| Call::Preferences(ORG, doc, user);
    let (top, inside) = (Some(Doc(0)), Some(Doc(1)));
    vec![
        (
            "a document that is added again has no preferences",
            history![KeyKind::Open;
                mute(top, User::Ada),
                server(Call::DeleteDocument(TOP)),
                server(Call::AddDocument(TOP, None)),
                server(wanted(top, User::Ada)),
            ],
        ),
        (
            "a preference keeps nothing of one for a deleted document",
            history![KeyKind::Open;
                mute(top, User::Ada),
                server(Call::DeleteDocument(TOP)),
                unmute_inbox(top),
                server(Call::AddDocument(TOP, None)),
                Step::Settle,
                server(wanted(top, User::Ada)),
            ],
        ),
        (
            "who had muted a deleted document is told of a comment in the next one",
            history![KeyKind::Open;
                mute(top, User::Ada),
                server(Call::DeleteDocument(TOP)),
                server(Call::AddDocument(TOP, None)),
                thread(User::Bob, 1),
                Step::Settle,
                server(Call::Inbox(ORG, User::Ada, true)),
            ],
        ),
        (
            "an organization that is added again has no preferences",
            history![KeyKind::Open;
                mute(None, User::Ada),
                server(Call::DeleteOrganization(ORG)),
                server(Call::AddOrganization(ORG)),
                server(wanted(None, User::Ada)),
            ],
        ),
        (
            "who comes back has no preferences of before the departure",
            history![KeyKind::Open;
                mute(None, User::Ada),
                server(Call::RemoveUser(ORG, Level::Organization, User::Ada)),
                server(Call::AddUser(ORG, Level::Organization, User::Ada, None)),
                server(wanted(None, User::Ada)),
            ],
        ),
        (
            "a preference keeps nothing of one of before a departure",
            history![KeyKind::Open;
                mute(top, User::Ada),
                server(Call::RemoveUser(ORG, Level::Organization, User::Ada)),
                unmute_inbox(top),
                Step::Settle,
                server(wanted(top, User::Ada)),
            ],
        ),
        (
            "who is no member loses preferences with the departure as well",
            history![KeyKind::Open;
                mute(top, User::Bob),
                server(Call::RemoveUser(ORG, Level::Organization, User::Bob)),
                server(wanted(top, User::Bob)),
            ],
        ),
        (
            "an end user is shown no preference of before the deletion of the folder",
            history![KeyKind::Closed;
                mute(inside, User::Eve),
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::Issue(Tok(0), User::Eve, vec![(ORG, OF_INSIDE, Role::Editor)])),
                holder(wanted(inside, User::Eve)),
                Step::Dry,
                holder(wanted(inside, User::Eve)),
            ],
        ),
        (
            "a quoted comment keeps the name of whom it mentions after an erasure",
            history![KeyKind::Closed;
                server(Call::Thread(INSIDE, THREAD, Visibility::Organization(ORG), By {
                    mention: Some(Holder::User(User::Bob)), ..said(User::Eve, 1, false)
                })),
                Step::Dry,
                server(Call::Erase(User::Bob)),
            ],
        ),
    ]
}
