//! Facts of a world.
//!
//! A deletion begins another object: what was in the old one is not in the new one, so a resource
//! that is added again under its id needs no rule of its own. The order of facts is a number, and
//! only what the contract gives in seconds is compared with a clock.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Access, Asked, At, Folder, KeyKind, Level, Mark, Mutant, Org, Refusal, Role, ThreadNo, User,
    Visibility, Want,
};

/// Order of calls; 0 is before all of them.
pub(crate) type Tick = u64;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct World {
    pub(crate) kind: KeyKind,
    pub(crate) mutant: Option<Mutant>,
    /// Epoch milliseconds.
    pub(crate) now: u64,
    pub(crate) tick: Tick,
    pub(crate) orgs: [Organization; 2],
    pub(crate) tokens: [Option<Token>; 3],
    /// When tokens were reset: the order and the time.
    pub(crate) reset: Option<(Tick, u64)>,
    pub(crate) events: Vec<Event>,
    /// Users whom an erasure has made nobody.
    pub(crate) erased: BTreeSet<User>,
    pub(crate) pending: Vec<Pending>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Organization {
    /// When the object began: with the deletion of the one before.
    pub(crate) since: Tick,
    pub(crate) there: bool,
    pub(crate) implied: Implied,
    pub(crate) disabled: bool,
    pub(crate) rights: Rights,
    pub(crate) left: BTreeMap<User, Tick>,
    pub(crate) folders: [FolderSlot; 2],
    pub(crate) documents: [Document; 3],
    /// The members of the group.
    pub(crate) group: Option<BTreeSet<User>>,
    /// Members whom the clean-up of a departure may not have reached.
    pub(crate) leaving: BTreeSet<User>,
    /// Members of the group of a deleted organization, for a model that is wrong.
    pub(crate) ghosts: BTreeSet<User>,
    /// For the documents without their own.
    pub(crate) preferences: Preferences,
    pub(crate) activities: BTreeSet<Mark>,
    /// Users whom activities may name.
    pub(crate) named: BTreeSet<User>,
    /// Users whom custom activities do name: the actor, and somebody in what the actor did, which
    /// an erasure of the actor takes along.
    pub(crate) recorded: BTreeSet<(User, Option<User>)>,
    /// The deleted one before, of which the tenant's server may still see something.
    pub(crate) before: Option<Box<Self>>,
    /// The deleted organization that this one, added again, hides: its own deletion shows it.
    pub(crate) hidden: Option<Box<Self>>,
}

/// Whether a write recorded an organization that nobody added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Implied {
    #[default]
    No,
    Maybe,
    Yes,
}

/// The rights that are stored at a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rights {
    pub(crate) users: BTreeMap<User, Said>,
    /// The right of the group.
    pub(crate) group: Option<Given>,
    /// Members whom the clean-up of a departure may not have reached.
    pub(crate) leaving: BTreeSet<User>,
    /// Members of a deleted document or folder of this id, whom the clean-up may not have reached.
    pub(crate) outlived: BTreeSet<User>,
}

impl Rights {
    /// The rights at the next object of the id.
    pub(crate) fn after(&self) -> Self {
        let members = self.users.iter().filter(|(_, said)| said.member.is_some());
        let members = members.map(|(user, _)| *user).chain(self.leaving.iter().copied());
        let outlived = members.chain(self.outlived.iter().copied()).collect();
        Self { outlived, ..Self::default() }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) grant: Option<Given>,
    pub(crate) member: Option<Role>,
    /// The last end of a right here.
    pub(crate) ended: Tick,
    /// The last grant here, also one that expired since.
    pub(crate) granted: Tick,
    /// When the member was added last.
    pub(crate) joined: Tick,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Given {
    pub(crate) role: Role,
    /// Epoch seconds.
    pub(crate) until: Option<u64>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FolderSlot {
    pub(crate) since: Tick,
    pub(crate) row: Option<FolderRow>,
    pub(crate) rights: Rights,
    /// The folder that the clean-up of a folder above may not have reached.
    pub(crate) faded: Option<Box<Self>>,
    /// The folder, added again since, that what the clean-up may not have reached was in.
    pub(crate) ghost: Option<Folder>,
    /// The folder that was in that one: nobody finds it, but a call of the tenant's server may
    /// reach it.
    pub(crate) lost: Option<Box<Self>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FolderRow {
    pub(crate) parent: Option<Folder>,
    pub(crate) access: Option<Access>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Document {
    pub(crate) since: Tick,
    pub(crate) row: Option<DocumentRow>,
    pub(crate) rights: Rights,
    pub(crate) threads: BTreeMap<ThreadNo, Thread>,
    /// Until when, in epoch milliseconds.
    pub(crate) present: BTreeMap<User, u64>,
    /// Records that the clean-up of a departure may not have reached.
    pub(crate) leaving: BTreeMap<User, u64>,
    pub(crate) live: Between,
    pub(crate) editor: Between,
    pub(crate) recordings: BTreeMap<Mark, User>,
    pub(crate) preferences: Preferences,
    pub(crate) faded: Option<Box<Self>>,
    /// As those of a folder.
    pub(crate) ghost: Option<Folder>,
    pub(crate) lost: Option<Box<Self>>,
}

pub(crate) type Preferences = BTreeMap<User, Preference>;

/// The activities that a user wants to be told of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Preference {
    /// Inbox and mail.
    pub(crate) channels: [Option<Want>; 2],
    /// When the oldest of it was said.
    pub(crate) said: Tick,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DocumentRow {
    pub(crate) folder: Option<Folder>,
    pub(crate) access: Option<Access>,
    pub(crate) disabled: bool,
}

/// Marks that must be there, and marks that may be there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Between {
    pub(crate) must: BTreeSet<Mark>,
    pub(crate) may: BTreeSet<Mark>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thread {
    /// Names the object.
    pub(crate) serial: Tick,
    /// None if erased.
    pub(crate) author: Option<User>,
    /// None if it named an erased user.
    pub(crate) visibility: Option<Visibility>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) assignee: Option<User>,
    /// The user who was named as having changed the status last.
    pub(crate) updated_by: Option<User>,
    /// Mentioned by the tenant's server.
    pub(crate) vouched: BTreeSet<User>,
    /// Mentioned by anybody.
    pub(crate) mentioned: BTreeSet<User>,
    /// When a user last acted in it: the order and the time.
    pub(crate) acted: BTreeMap<User, (Tick, u64)>,
    /// When a user last saw it, or acted in it.
    pub(crate) seen: BTreeMap<User, Tick>,
    /// Whether an erasure took comments.
    pub(crate) erased: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    pub(crate) mark: Mark,
    pub(crate) author: User,
    pub(crate) long: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) user: User,
    pub(crate) issued: Tick,
    /// Epoch milliseconds.
    pub(crate) at: u64,
    pub(crate) rights: BTreeMap<(Org, Level), Role>,
    /// Whether the call that it came with was allowed when that was decided.
    pub(crate) is_allowed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) at: At,
    pub(crate) thread: ThreadNo,
    pub(crate) serial: Tick,
    pub(crate) mark: Mark,
    pub(crate) actor: User,
    pub(crate) tick: Tick,
    /// Epoch milliseconds.
    pub(crate) due: u64,
    /// Users whom the tenant's server named in this very comment.
    pub(crate) named: BTreeSet<User>,
    /// Members of a group that the comment mentions.
    pub(crate) by_group: BTreeSet<User>,
    /// Users whom the event involves.
    pub(crate) involved: BTreeSet<User>,
    /// Users who were part of the thread by then, without a mention by an end user.
    pub(crate) part: BTreeSet<User>,
    /// Users whose preference allowed each channel at its time.
    pub(crate) wanted: [BTreeSet<User>; 2],
    pub(crate) could: [BTreeSet<User>; 2],
    pub(crate) must: [BTreeSet<User>; 2],
}

/// A held call in a world, and what it will answer if it has counted already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pending {
    pub(crate) held: u64,
    pub(crate) asked: Asked,
    pub(crate) verdict: Option<Verdict>,
    /// When it began: the order and the time.
    pub(crate) begun: (Tick, u64),
    /// The document as it was then.
    pub(crate) row: Option<DocumentRow>,
    /// The token that it came with, which its slot may not have any more.
    pub(crate) token: Option<Token>,
    /// The token, once the call was allowed: what it writes is later than the decision about it.
    pub(crate) allowed: Option<Token>,
}

/// The answer of a call that changes something.
pub(crate) type Verdict = Result<(), Refusal>;
pub(crate) type Outcomes = Vec<(World, Verdict)>;

pub(crate) fn one(world: World, verdict: Verdict) -> Outcomes {
    vec![(world, verdict)]
}
