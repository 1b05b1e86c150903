//! People named by the summary of an archive and by an archived comment.

use std::collections::BTreeMap;

use super::{Archive, ArchivedComment, Involvement};
use crate::{
    UserId,
    people::{Fate, Names, Part, People, Rest},
};

impl Archive {
    /// The people of the archived comments: the comments of a user who leaves are gone, mentions
    /// name a deleted user, and a replaced user is named beside the other, until the comments are
    /// rewritten. Returns whether comments are gone.
    pub(in super::super) fn people(&mut self, walk: &mut dyn People) -> bool {
        let Self { end: _, count, edits: _, people, latest } = self;
        let mut are_gone = false;
        let mut come: BTreeMap<UserId, Involvement> = BTreeMap::new();
        let shared = std::mem::take(people);
        for (user, share) in shared {
            let Involvement { wrote, mentioned, reacted, last: _, named } = share;
            let parts = [
                (Part::Commenter, wrote),
                (Part::Mentioned, mentioned),
                (Part::Reactor, reacted),
                (Part::Beside, named),
            ];
            let is_latest = latest.as_ref().is_some_and(|latest| latest.by == user);
            let (mut stays, mut to) = (true, None);
            for (part, _) in parts.into_iter().filter(|(_, count)| *count > 0) {
                match walk.named(part, user.as_str()) {
                    Fate::Stays => {}
                    Fate::Leaves => stays = false,
                    Fate::Becomes(person) => to = Some(person.user_id.clone()),
                }
            }
            if !stays {
                are_gone |= wrote > 0;
                *count = count.saturating_sub(wrote.into());
                latest.take_if(|_| is_latest);
                if mentioned > 0 {
                    let share = Involvement { mentioned, ..Involvement::default() };
                    come.entry(UserId::deleted()).or_default().add(share);
                }
                continue;
            }
            if let Some(to) = to {
                if let Some(latest) = latest.as_mut().filter(|_| is_latest) {
                    latest.by.clone_from(&to);
                }
                come.entry(to).or_default().add(share);
            }
            people.insert(user, share);
        }
        for (user, share) in come {
            people.entry(user).or_default().add(share);
        }
        are_gone
    }
}

impl Names for ArchivedComment {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { document_id: _, annotation_id: _, comment } = self;
        comment.people(walk)
    }
}
