//! Containers that are deleted and added again.

use app::histories::{History, Source, Step};
use reference::{
    Access, Actor, At, Call, Doc, Folder, Holder, KeyKind, Level, Mark, Org, Role, Tok, User,
    Visibility, What,
};

use super::{
    DEEP, INSIDE, Known, OF_DEEP, OF_INSIDE, OF_TOP, ORG, THREAD, TOP, holder, open, reply, said,
    server, thread, token,
};
use crate::app;

pub(super) fn all() -> Vec<Known> {
    containers().into_iter().chain(lives()).collect()
}

fn containers() -> Vec<Known> {
    vec![
        (
            "no list has what a folder that was added again had in it",
            history![KeyKind::Readable;
                server(Call::DeleteFolder(ORG, Folder(1))),
                server(Call::AddFolder(ORG, Folder(1), None, None)),
                server(Call::Documents(ORG)),
            ],
        ),
        (
            "a deleted folder does not open its documents",
            history![KeyKind::Open;
                server(Call::FolderAccess(ORG, Folder(0), Some(Access::Restricted))),
                token(User::Eve, &[]),
                server(Call::DeleteFolder(ORG, Folder(0))),
                holder(Call::Read(INSIDE, What::Threads)),
            ],
        ),
        (
            "a deleted folder does not open documents of its subfolders",
            history![KeyKind::Open;
                token(User::Eve, &[]),
                server(Call::DeleteFolder(ORG, Folder(0))),
                holder(Call::Read(DEEP, What::Live)),
            ],
        ),
        (
            "a disabled organization that is deleted lets nobody in",
            history![KeyKind::Open;
                token(User::Eve, &[]),
                server(Call::DisableOrganization(ORG, true)),
                server(Call::DeleteOrganization(ORG)),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "what is changed during a clean-up goes with it",
            history![KeyKind::Open;
                server(Call::DeleteFolder(ORG, Folder(0))),
                Step::Advance(180_000),
                server(Call::RenameDocument(INSIDE)),
                Step::Settle,
            ],
        ),
        (
            "a clean-up that begins late leaves nothing",
            history![KeyKind::Open;
                server(Call::DeleteFolder(ORG, Folder(0))),
                Step::Advance(777_600_000),
                Step::Settle,
            ],
        ),
        (
            "nothing is moved into a subfolder of a deleted folder",
            history![KeyKind::Open;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::MoveDocument(TOP, Some(Folder(1)))),
            ],
        ),
        (
            "nothing is added to a subfolder of a deleted folder",
            history![KeyKind::Open;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::DeleteDocument(TOP)),
                server(Call::AddDocument(TOP, Some(Folder(1)))),
            ],
        ),
        (
            "a folder has the access type that it hands down",
            history![KeyKind::Closed; server(Call::Rights(ORG))],
        ),
        (
            "a document that was added again goes with a deletion that began before",
            history![KeyKind::Restricted;
                Step::Begin(Actor::Server, Call::DeleteOrganization(ORG), 1),
                server(Call::DeleteDocument(DEEP)),
                server(Call::AddDocument(DEEP, None)),
                Step::Settle,
            ],
        ),
        (
            "what lies below a folder that the clean-up has removed first",
            history![KeyKind::Closed;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::AddFolder(ORG, Folder(0), None, None)),
                Step::Work(Source::Cleanup, 0),
                Step::Work(Source::Cleanup, 1),
                server(Call::Documents(ORG)),
            ],
        ),
        (
            "a document is not added over the tombstone of one in a deleted organization",
            history![KeyKind::Restricted;
                Step::Begin(Actor::Server, Call::AddDocument(INSIDE, None), 2),
                Step::Begin(Actor::Server, open(INSIDE, 2), 1),
                server(Call::DeleteOrganization(ORG)),
                Step::Dry,
                Step::Settle,
            ],
        ),
        (
            "what recorded a deleted organization outlives the end of a call that began before",
            history![KeyKind::Open;
                server(Call::DeleteOrganization(ORG)),
                Step::Begin(Actor::Server, Call::DeleteOrganization(ORG), 2),
                server(Call::Activity(INSIDE, User::Eve, User::Stranger, Mark(3))),
                Step::Settle,
                server(Call::Activities(ORG)),
            ],
        ),
        (
            "an activity that waits records its organization before it is written",
            history![KeyKind::Open;
                server(Call::DeleteOrganization(ORG)),
                Step::Begin(
                    Actor::Server, Call::Activity(DEEP, User::Ada, User::Bob, Mark(1)), 3,
                ),
                server(Call::DeleteOrganization(ORG)),
                Step::Settle,
                server(Call::Activities(ORG)),
            ],
        ),
        (
            "a document of a deleted organization disables no token",
            history![KeyKind::Closed;
                server(Call::DeleteOrganization(ORG)),
                server(Call::DisableDocument(INSIDE, true)),
                server(Call::AddOrganization(ORG)),
                server(Call::Issue(Tok(0), User::Stranger, vec![(ORG, OF_INSIDE, Role::Editor)])),
            ],
        ),
    ]
}

fn lives() -> Vec<Known> {
    let begun = Call::Thread(TOP, THREAD, Visibility::Public, said(User::Bob, 5, false));
    vec![
        (
            "a document that is added again has no threads",
            history![KeyKind::Open;
                thread(User::Ada, 1),
                server(Call::DeleteDocument(TOP)),
                server(Call::AddDocument(TOP, None)),
                server(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "a reply does not bring an old thread into the new document",
            history![KeyKind::Open;
                thread(User::Ada, 1),
                server(Call::DeleteDocument(TOP)),
                server(Call::AddDocument(TOP, None)),
                reply(User::Bob, 2, false),
                Step::Settle,
                server(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "an organization that is added again has no documents",
            history![KeyKind::Open;
                server(Call::DeleteOrganization(ORG)),
                server(Call::AddOrganization(ORG)),
                server(Call::Documents(ORG)),
            ],
        ),
        (
            "an organization that is deleted twice may show its server both lives",
            history![KeyKind::Open;
                server(Call::DeleteOrganization(ORG)),
                server(Call::AddOrganization(ORG)),
                server(Call::DeleteOrganization(ORG)),
                server(Call::Documents(ORG)),
            ],
        ),
        (
            "what only an earlier life of an organization has may still be deleted",
            history![KeyKind::Open;
                server(Call::DeleteOrganization(ORG)),
                server(Call::AddOrganization(ORG)),
                server(Call::DeleteDocument(DEEP)),
                server(Call::DeleteGroup(ORG)),
            ],
        ),
        (
            "a call in flight may record the organization that is deleted meanwhile",
            history![KeyKind::Readable;
                server(Call::Issue(Tok(0), User::Ada, vec![])),
                Step::Begin(Actor::Holder(Tok(0)), Call::Append(At(Org(0), Doc(0)), Mark(2)), 2),
                server(Call::DeleteOrganization(Org(0))),
                Step::Release,
                server(Call::Read(At(Org(0), Doc(0)), What::Editor)),
                server(Call::Organizations),
            ],
        ),
        (
            "a group that is added again has no members",
            history![KeyKind::Open;
                server(Call::AddGroup(ORG)),
                server(Call::JoinGroup(ORG, User::Ada)),
                server(Call::DeleteGroup(ORG)),
                server(Call::AddGroup(ORG)),
                server(Call::Group(ORG)),
            ],
        ),
        (
            "a right that was taken away stays away from the document that is added again",
            history![KeyKind::Restricted;
                token(User::Eve, &[OF_TOP]),
                server(Call::Revoke(ORG, OF_TOP, Holder::User(User::Eve))),
                server(Call::DeleteDocument(TOP)),
                Step::Dry,
                server(Call::AddDocument(TOP, None)),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "a token of before a deletion opens nothing afterwards",
            history![KeyKind::Restricted;
                token(User::Eve, &[OF_TOP]),
                server(Call::DeleteDocument(TOP)),
                server(Call::AddDocument(TOP, None)),
                holder(Call::Read(TOP, What::Threads)),
            ],
        ),
        (
            "the deletion of a folder of a deleted organization ends no right given since",
            history![KeyKind::Readable;
                server(Call::DeleteOrganization(ORG)),
                token(User::Ada, &[OF_DEEP]),
                server(Call::DeleteFolder(ORG, Folder(1))),
                Step::Work(Source::Events, 3),
                Step::Dry,
                holder(Call::Read(DEEP, What::Threads)),
            ],
        ),
        (
            "an id in a folder that was added again is free also when the clean-up is half done",
            history![KeyKind::Open;
                server(Call::DeleteFolder(ORG, Folder(0))),
                Step::Work(Source::Events, 0),
                Step::Work(Source::Cleanup, 1),
                server(Call::AddFolder(ORG, Folder(0), None, None)),
                server(Call::AddDocument(DEEP, None)),
            ],
        ),
        (
            "a document that was moved out of a deleted folder is not moved into it by a call in flight",
            history![KeyKind::Open;
                Step::Begin(Actor::Server, Call::MoveDocument(TOP, Some(Folder(1))), 3),
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::MoveDocument(TOP, None)),
                Step::Release,
                Step::Dry,
                server(Call::Rights(ORG)),
            ],
        ),
        (
            "what is added to live state in a folder that is deleted twice may go with it",
            history![KeyKind::Readable;
                server(Call::DeleteFolder(ORG, Folder(1))),
                server(Call::Live(DEEP, Mark(1), false)),
                server(Call::AddFolder(ORG, Folder(1), None, None)),
                server(Call::DeleteFolder(ORG, Folder(1))),
                server(Call::Live(DEEP, Mark(2), true)),
                Step::Settle,
                server(Call::Read(DEEP, What::Live)),
            ],
        ),
        (
            "what is added to live state in a folder may go with a later folder above it",
            history![KeyKind::Closed;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::AddFolder(ORG, Folder(0), None, None)),
                server(Call::AddFolder(ORG, Folder(1), Some(Folder(0)), None)),
                server(Call::Live(DEEP, Mark(5), true)),
                server(Call::DeleteFolder(ORG, Folder(0))),
                Step::Settle,
                server(Call::Read(DEEP, What::Live)),
            ],
        ),
        (
            "what is added to live state in a folder that is deleted thrice may go with it",
            history![KeyKind::Closed;
                server(Call::DeleteFolder(ORG, Folder(1))),
                server(Call::AddFolder(ORG, Folder(1), None, None)),
                server(Call::Live(DEEP, Mark(5), false)),
                server(Call::DeleteFolder(ORG, Folder(1))),
                server(Call::AddFolder(ORG, Folder(1), None, None)),
                server(Call::DeleteFolder(ORG, Folder(1))),
                server(Call::AddDocument(DEEP, None)),
                server(Call::Read(DEEP, What::Live)),
                Step::Settle,
                server(Call::Read(DEEP, What::Live)),
            ],
        ),
        (
            "a token of between two deletions of a folder opens nothing of the first one's documents",
            history![KeyKind::Closed;
                server(Call::DeleteFolder(ORG, Folder(0))),
                server(Call::Live(DEEP, Mark(2), true)),
                server(Call::AddFolder(ORG, Folder(1), None, None)),
                server(Call::Issue(
                    Tok(0), User::Stranger, vec![(ORG, Level::Document(Doc(2)), Role::Editor)],
                )),
                server(Call::DeleteFolder(ORG, Folder(1))),
                holder(Call::Live(DEEP, Mark(5), false)),
                Step::Settle,
                server(Call::Read(DEEP, What::Live)),
            ],
        ),
        (
            "a thread is added again also while the clean-up removes the one before",
            history![KeyKind::Restricted;
                thread(User::Eve, 3),
                server(Call::DeleteDocument(TOP)),
                server(Call::AddDocument(TOP, None)),
                Step::Begin(Actor::Server, begun, 4),
                Step::Dry,
                Step::Release,
            ],
        ),
    ]
}
