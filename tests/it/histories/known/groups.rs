//! Groups.

use app::histories::{History, Step};
use reference::{Actor, Call, Doc, Folder, Holder, KeyKind, Level, Role, User, What};

use super::{DEEP, Known, OF_INSIDE, OF_TOP, ORG, TOP, holder, server, token};
use crate::app;

pub(super) fn all() -> Vec<Known> {
    let give = || server(Call::Grant(ORG, OF_TOP, Holder::Group, Role::Viewer, None));
    let read = || holder(Call::Read(TOP, What::Threads));
    vec![
        (
            "a group that is deleted while it is added again is added",
            history![KeyKind::Readable;
                Step::Begin(Actor::Server, Call::AddGroup(ORG), 4),
                server(Call::DeleteGroup(ORG)),
                Step::Settle,
                server(Call::Group(ORG)),
            ],
        ),
        (
            "a right of a group ends with the group",
            history![KeyKind::Restricted;
                give(),
                token(User::Ada, &[]),
                server(Call::DeleteGroup(ORG)),
                read(),
            ],
        ),
        (
            "a group that is added again has no rights",
            history![KeyKind::Restricted;
                give(),
                token(User::Ada, &[]),
                server(Call::DeleteGroup(ORG)),
                server(Call::AddGroup(ORG)),
                server(Call::JoinGroup(ORG, User::Ada)),
                read(),
            ],
        ),
        (
            "who comes back to the organization is in no group",
            history![KeyKind::Restricted;
                give(),
                server(Call::RemoveUser(ORG, Level::Organization, User::Ada)),
                server(Call::AddUser(ORG, Level::Organization, User::Ada, None)),
                token(User::Ada, &[]),
                read(),
            ],
        ),
        (
            "a group may be given a right to what lies in a deleted folder",
            history![KeyKind::Readable;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::Grant(
                    ORG, Level::Document(Doc(2)), Holder::Group, Role::Editor, Some(5),
                )),
                server(Call::AddFolder(ORG, Folder(0), None, None)),
                token(User::Ada, &[]),
                holder(Call::Read(DEEP, What::Threads)),
            ],
        ),
        (
            "a member that joins while the group is deleted goes with it",
            history![KeyKind::Open;
                Step::Begin(
                    Actor::Server,
                    Call::AddUser(ORG, Level::Organization, User::Bob, Some(Role::Viewer)),
                    4,
                ),
                Step::Begin(Actor::Server, Call::JoinGroup(ORG, User::Bob), 2),
                server(Call::DeleteGroup(ORG)),
                server(Call::Rights(ORG)),
                Step::Settle,
            ],
        ),
        (
            "a group is not added over the tombstone of one in a deleted organization",
            history![KeyKind::Closed;
                Step::Begin(Actor::Server, Call::AddGroup(ORG), 3),
                server(Call::DeleteOrganization(ORG)),
                Step::Dry,
                Step::Settle,
            ],
        ),
        (
            "who joined a group that was deleted meanwhile leaves no later one",
            history![KeyKind::Restricted;
                Step::Begin(Actor::Server, Call::JoinGroup(ORG, User::Ada), 2),
                server(Call::DeleteGroup(ORG)),
                server(Call::AddGroup(ORG)),
                server(Call::JoinGroup(ORG, User::Ada)),
                Step::Settle,
                server(Call::Group(ORG)),
            ],
        ),
        (
            "nobody is in a group of an earlier life of the organization",
            history![KeyKind::Restricted;
                Step::Begin(Actor::Server, Call::JoinGroup(ORG, User::Ada), 2),
                server(Call::DeleteOrganization(ORG)),
                server(Call::AddUser(
                    ORG, Level::Organization, User::Ada, Some(Role::Viewer),
                )),
                Step::Settle,
            ],
        ),
        (
            "a right of a group that was deleted meanwhile takes no later one away",
            history![KeyKind::Restricted;
                server(Call::JoinGroup(ORG, User::Eve)),
                Step::Begin(
                    Actor::Server,
                    Call::Grant(ORG, OF_INSIDE, Holder::Group, Role::Viewer, None),
                    2,
                ),
                server(Call::DeleteGroup(ORG)),
                server(Call::AddGroup(ORG)),
                server(Call::JoinGroup(ORG, User::Eve)),
                server(Call::Grant(ORG, OF_INSIDE, Holder::Group, Role::Editor, None)),
                Step::Settle,
                server(Call::Rights(ORG)),
            ],
        ),
    ]
}
