//! Decisions that a history has asked for, as a proof that nothing was left out.

use std::collections::BTreeSet;

use crate::{
    Actor, Asked, Call, Level, Org, User, Worlds,
    decide::{Decision, Via},
    facts::{Token, World},
};

impl Worlds {
    /// The rows of the decision table and the kinds of rights that a question is about.
    #[must_use]
    pub fn reached(&self, asked: &Asked) -> BTreeSet<String> {
        let mut reached = BTreeSet::new();
        let Some(world) = self.first() else { return reached };
        match (asked.by, &asked.call) {
            (Actor::Server, Call::Rights(org)) => {
                for user in User::ALL {
                    for level in Level::all() {
                        world.reach(*org, level, user, None, &mut reached);
                    }
                }
            }
            (Actor::Holder(tok), call) => {
                let place = match call {
                    Call::Thread(at, ..)
                    | Call::Comment(at, ..)
                    | Call::React(at, ..)
                    | Call::Presence(at, _)
                    | Call::Live(at, ..)
                    | Call::Append(at, _)
                    | Call::Seen(at, ..)
                    | Call::Read(at, _) => (at.0, Level::Document(at.1)),
                    Call::Inbox(org, ..) => (*org, Level::Organization),
                    _ => return reached,
                };
                if let Some(token) = world.token(tok) {
                    world.reach(place.0, place.1, token.user, Some(token), &mut reached);
                }
            }
            _ => {}
        }
        reached
    }
}

impl World {
    fn reach(
        &self,
        org: Org,
        level: Level,
        user: User,
        token: Option<&Token>,
        reached: &mut BTreeSet<String>,
    ) {
        let asks = if token.is_some() { "end user" } else { "permissions.get" };
        let (decision, organization) = (self.decide(org, level, user, token), self.org(org));
        let mut levels = vec![];
        let (kind, is_there, is_broken, folder) = match level {
            Level::Organization => ("organization", true, false, None),
            Level::Folder(folder) => {
                let slot = organization.folder(folder);
                levels.push(level);
                let parent = slot.row.and_then(|row| row.parent);
                ("folder", slot.row.is_some(), slot.faded.is_some(), parent)
            }
            Level::Document(doc) => {
                let slot = organization.doc(doc);
                levels.push(level);
                let folder = slot.row.and_then(|row| row.folder);
                ("document", slot.row.is_some(), slot.faded.is_some(), folder)
            }
        };
        levels.extend(organization.chain(folder).into_iter().map(Level::Folder));
        let found = |level: &Level| Some((*level, self.right_via(org, *level, user, token)?.1));
        let own = levels.iter().find_map(found);
        let right = own.or_else(|| found(&Level::Organization));
        let row = match decision {
            Decision::LockedOut(true) => "the organization is disabled",
            Decision::LockedOut(false) => "it is disabled",
            Decision::Absent if is_broken => "a folder above is gone",
            Decision::Absent => "it does not exist",
            Decision::Closed(_) => "closed",
            Decision::Open(_) if !is_there => "a right to what does not exist",
            Decision::Open(open) if open.by_public => "public",
            Decision::Open(_) if own.is_some() => "a right to it",
            Decision::Open(_) => "a right in the organization",
        };
        reached.insert(format!("{asks}, {kind}: {row}"));
        if let (Decision::Open(open), Some((level, via))) = (decision, right)
            && !open.by_public
        {
            let level = match level {
                Level::Organization => "organization",
                Level::Folder(_) => "folder",
                Level::Document(_) => "document",
            };
            let via = match via {
                Via::Grant(true) => "a grant that expires",
                Via::Grant(false) => "a grant",
                Via::Membership => "a membership",
                Via::Group => "a group",
                Via::Token => "a token",
            };
            reached.insert(format!("by {via}, {level}"));
        }
    }
}
