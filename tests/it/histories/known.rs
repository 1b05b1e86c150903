//! Histories that showed a fault once, each as short as the judge could make it.

use app::histories::{Broken, History, Step, Wrong};
use reference::{
    Actor, At, By, Call, Doc, Holder, Level, Mark, Mutant, Org, Role, ThreadNo, Tok, User,
    Visibility,
};

use crate::app;

/// A history, as the judge prints it.
macro_rules! history {
    ($kind:expr; $($step:expr),* $(,)?) => {
        History { kind: $kind, steps: vec![$($step),*] }
    };
}

#[path = "known/containers.rs"]
mod containers;
#[path = "known/contents.rs"]
mod contents;
#[path = "known/groups.rs"]
mod groups;
#[path = "known/order.rs"]
mod order;
#[path = "known/people.rs"]
mod people;
#[path = "known/rights.rs"]
mod rights;

/// A history, with what it was about.
type Known = (&'static str, History);

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

fn open(at: At, mark: u16) -> Call {
    Call::Thread(at, THREAD, Visibility::Public, said(User::Ada, mark, false))
}

fn mention(mark: u16, mention: Option<Holder>) -> By {
    By { mention, ..said(User::Bob, mark, false) }
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

/// All of them.
pub(crate) fn known() -> Vec<Known> {
    let all = [
        containers::all(),
        contents::all(),
        groups::all(),
        order::all(),
        people::all(),
        rights::all(),
    ];
    all.into_iter().flatten().collect()
}
