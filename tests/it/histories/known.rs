//! Histories that showed a fault once, each as short as the judge could make it.

use app::histories::{Broken, Fails, History, Source, Step, Wrong};
use reference::{
    Access, Actor, At, By, Call, Doc, Folder, Holder, KeyKind, Level, Mark, Mutant, Org, Role,
    ThreadNo, Tok, User, Visibility, Want, What,
};

use crate::app;

/// A history, as the judge prints it.
macro_rules! history {
    ($kind:expr; $($step:expr),* $(,)?) => {
        History { kind: $kind, steps: vec![$($step),*] }
    };
}

const ORG: Org = Org(0);
/// A document at the top.
const TOP: At = At(ORG, Doc(0));
/// A document in the folder 0.
const INSIDE: At = At(ORG, Doc(1));
/// A document in the folder 1, which is in the folder 0.
const DEEP: At = At(ORG, Doc(2));
const OF_TOP: Level = Level::Document(Doc(0));
const OF_INSIDE: Level = Level::Document(Doc(1));
const OF_DEEP: Level = Level::Document(Doc(2));
const THREAD: ThreadNo = ThreadNo(0);

fn server(call: Call) -> Step {
    Step::Call(Actor::Server, call)
}

/// By the holder of the first token.
fn holder(call: Call) -> Step {
    Step::Call(Actor::Holder(Tok(0)), call)
}

/// A token without rights, or with a right to the document at the top.
fn token(user: User, rights: &[Level]) -> Step {
    let right = |level: &Level| (ORG, *level, Role::Editor);
    server(Call::Issue(Tok(0), user, rights.iter().map(right).collect()))
}

fn thread(by: User, mark: u16) -> Step {
    server(Call::Thread(TOP, THREAD, Visibility::Public, said(by, mark, false)))
}

fn reply(by: User, mark: u16, long: bool) -> Step {
    server(Call::Comment(TOP, THREAD, said(by, mark, long)))
}

fn said(from: User, mark: u16, long: bool) -> By {
    By { from, mark: Mark(mark), mention: None, notify: true, activity: false, long }
}

/// Parts that are made wrong, each with a history of these that finds it.
pub(crate) const FINDS: [(Wrong, &str); 22] = [
    (Wrong::Rule(Mutant::MissingFolderIsDefault), "a deleted folder does not open its documents"),
    (
        Wrong::Rule(Mutant::DeletedOrganizationLives),
        "a disabled organization that is deleted lets nobody in",
    ),
    (Wrong::Rule(Mutant::GrantForgetsDeparture), "a grant does not forget a departure"),
    (
        Wrong::Rule(Mutant::OrganizationThreadsArePublic),
        "threads of an organization are for its members",
    ),
    (Wrong::Rule(Mutant::ActivitiesAreNotForgotten), "an erasure reaches activities of others"),
    (Wrong::Rule(Mutant::OnlyMembersDepart), "who is no member departs as well"),
    (
        Wrong::Rule(Mutant::ExportWithoutArchive),
        "an export has the user's comments in long threads",
    ),
    (
        Wrong::Rule(Mutant::PlacingAsksNearest),
        "nothing is moved into a subfolder of a deleted folder",
    ),
    (Wrong::Rule(Mutant::InvolvementReachesDeparted), "who has left is not told"),
    (Wrong::Rule(Mutant::ExpiredGrantsAreTold), "who had a right that has expired is not told"),
    (Wrong::Rule(Mutant::InsideOutlivesDeparture), "memberships inside end with the departure"),
    (
        Wrong::Rule(Mutant::OneMemoryForChannels),
        "unmuting a channel and muting another one revives nothing",
    ),
    (Wrong::Rule(Mutant::GroupKeepsMembers), "a group that is added again has no members"),
    (Wrong::Rule(Mutant::GroupRightOutlivesGroup), "a right of a group ends with the group"),
    (
        Wrong::Rule(Mutant::PreferenceOutlivesDocument),
        "a document that is added again has no preferences",
    ),
    (Wrong::Part(Broken::LifeIsForgotten), "a document that is added again has no threads"),
    (Wrong::Part(Broken::CleanUpAsksTimes), "what is changed during a clean-up goes with it"),
    (
        Wrong::Part(Broken::ReplyRevives),
        "a reply does not bring an old thread into the new document",
    ),
    (
        Wrong::Part(Broken::TombstonesExpire),
        "a document knows its life however late the clean-up of the one before is",
    ),
    (
        Wrong::Part(Broken::CallsAreStampedAtTheirEnd),
        "what a call adds while its document is deleted is of no later life",
    ),
    (Wrong::Part(Broken::EndsReplaceEnds), "a revocation does not forget a departure"),
    (
        Wrong::Part(Broken::AgeIsForgotten),
        "what the server merges into live state in a deleted folder goes with it",
    ),
];

/// Each with what it was about.
pub(crate) fn known() -> Vec<(&'static str, History)> {
    let mut all = containers();
    all.extend(lives());
    all.extend(held_writes());
    all.extend(held_ends());
    all.extend(rights());
    all.extend(groups());
    all.extend(people());
    all.extend(preferences());
    all.extend(merges());
    all.extend(order());
    all.extend(rows());
    all.extend(rare());
    all
}

/// Histories of calls and messages that wait, come late or are made again.
fn order() -> Vec<(&'static str, History)> {
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
    ]
}

/// Rows of the decision table that are rarely drawn.
fn rows() -> Vec<(&'static str, History)> {
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

fn containers() -> Vec<(&'static str, History)> {
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
    ]
}

/// Writes by a right in a document that is deleted and added again, each waiting at several requests.
fn held_writes() -> Vec<(&'static str, History)> {
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

/// Tokens that are issued while a user or a right is being removed: the removal ends them as well.
fn held_ends() -> Vec<(&'static str, History)> {
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

fn lives() -> Vec<(&'static str, History)> {
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
    ]
}

fn groups() -> Vec<(&'static str, History)> {
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
    ]
}

fn rights() -> Vec<(&'static str, History)> {
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
    ]
}

fn people() -> Vec<(&'static str, History)> {
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
    ]
}

/// Preferences of before an end, whose clean-up has not come.
fn preferences() -> Vec<(&'static str, History)> {
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
    ]
}

/// Changes of what a deletion takes along: nothing of before comes into the next life with them.
fn merges() -> Vec<(&'static str, History)> {
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
    let in_a_folder = vec![
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
    held.chain(in_a_folder).collect()
}

/// Histories that a million steps showed.
fn rare() -> Vec<(&'static str, History)> {
    let mention = |mark, mention| By { mention, ..said(User::Bob, mark, false) };
    let open =
        |at, mark| Call::Thread(at, THREAD, Visibility::Public, said(User::Ada, mark, false));
    vec![
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
            "an editor of an organization that was added again shows nothing of before",
            history![KeyKind::Readable;
                server(Call::Append(DEEP, Mark(2))),
                server(Call::DeleteOrganization(ORG)),
                server(Call::AddOrganization(ORG)),
                server(Call::Read(DEEP, What::Editor)),
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
            "a group is not added over the tombstone of one in a deleted organization",
            history![KeyKind::Closed;
                Step::Begin(Actor::Server, Call::AddGroup(ORG), 3),
                server(Call::DeleteOrganization(ORG)),
                Step::Dry,
                Step::Settle,
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
            "a document of a deleted organization disables no token",
            history![KeyKind::Closed;
                server(Call::DeleteOrganization(ORG)),
                server(Call::DisableDocument(INSIDE, true)),
                server(Call::AddOrganization(ORG)),
                server(Call::Issue(Tok(0), User::Stranger, vec![(ORG, OF_INSIDE, Role::Editor)])),
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
