//! Archived comments of a long thread, each in an item of its own beside the thread.
//!
//! A thread keeps its first comment and its newest ones. The others are archived in the order of
//! their positions: the archive contains every comment before [`Archive::end`] that is not in the
//! thread. The thread stores a summary of the archive (counts, users, the latest comment), so that
//! most operations need not read it. To change an archived comment, it is
//! [recalled](super::Thread::recall) into the thread, changed like any other, and [put
//! back](super::Thread::put_back).

mod names;
mod recall;

pub use recall::{ArchivedComment, PutBack};

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Comment, Latest};
use crate::{Millis, UserId, people::Names};

/// The thread's summary of its archive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Archive {
    /// End of the archive: all archived comments are before this position.
    pub end: u64,
    /// Number of archived comments.
    pub count: u64,
    /// Number of changes of archived comments.
    pub edits: u64,
    people: BTreeMap<UserId, Involvement>,
    latest: Option<Latest>,
}

/// The version of an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArchiveVersion {
    end: u64,
    edits: u64,
}

/// A user's involvement in archived comments: numbers of comments, mentions and reactions, the time
/// of the last action, and the number of comments that name the user in passing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredInvolvement", into = "StoredInvolvement")]
struct Involvement {
    wrote: u32,
    mentioned: u32,
    reacted: u32,
    last: Millis,
    named: u32,
}

/// Most users are not named in passing.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum StoredInvolvement {
    Involved(u32, u32, u32, Millis),
    Named(u32, u32, u32, Millis, u32),
}

impl From<StoredInvolvement> for Involvement {
    fn from(stored: StoredInvolvement) -> Self {
        let (wrote, mentioned, reacted, last, named) = match stored {
            StoredInvolvement::Involved(wrote, mentioned, reacted, last) => {
                (wrote, mentioned, reacted, last, 0)
            }
            StoredInvolvement::Named(wrote, mentioned, reacted, last, named) => {
                (wrote, mentioned, reacted, last, named)
            }
        };
        Self { wrote, mentioned, reacted, last, named }
    }
}

impl From<Involvement> for StoredInvolvement {
    fn from(share: Involvement) -> Self {
        let Involvement { wrote, mentioned, reacted, last, named } = share;
        match named {
            0 => Self::Involved(wrote, mentioned, reacted, last),
            named => Self::Named(wrote, mentioned, reacted, last, named),
        }
    }
}

impl Involvement {
    fn is_none(self) -> bool {
        self.wrote + self.mentioned + self.reacted + self.named == 0
    }

    fn add(&mut self, other: Self) {
        self.wrote += other.wrote;
        self.mentioned += other.mentioned;
        self.reacted += other.reacted;
        self.named += other.named;
        self.last = self.last.max(other.last);
    }

    fn subtract(&mut self, other: Self) {
        self.wrote = self.wrote.saturating_sub(other.wrote);
        self.mentioned = self.mentioned.saturating_sub(other.mentioned);
        self.reacted = self.reacted.saturating_sub(other.reacted);
        self.named = self.named.saturating_sub(other.named);
    }
}

/// Involvement of users in a comment.
fn shares_in(comment: &Comment) -> BTreeMap<UserId, Involvement> {
    let mut shares: BTreeMap<UserId, Involvement> = BTreeMap::new();
    let author = Involvement { wrote: 1, last: comment.there_since(), ..Involvement::default() };
    shares.entry(comment.from.user_id.clone()).or_default().add(author);
    let mentioned: BTreeSet<UserId> = comment.mentioned().map(|user| user.user_id).collect();
    for user in mentioned {
        shares.entry(user).or_default().add(Involvement { mentioned: 1, ..Involvement::default() });
    }
    for by in comment.reactions.iter().flat_map(|reaction| &reaction.from_users) {
        let reactor = Involvement { reacted: 1, last: by.last_updated, ..Involvement::default() };
        shares.entry(by.from.user_id.clone()).or_default().add(reactor);
    }
    for user in comment.found().beside() {
        shares.entry(user).or_default().add(Involvement { named: 1, ..Involvement::default() });
    }
    shares
}

impl Archive {
    /// Version of the archive, which differs whenever a comment was archived or an archived one
    /// changed.
    pub fn version(&self) -> ArchiveVersion {
        ArchiveVersion { end: self.end, edits: self.edits }
    }

    /// Whether no comment was ever archived.
    pub fn is_new(&self) -> bool {
        *self == Self::default()
    }

    /// Whether another user wrote one of the comments.
    pub(super) fn has_author_besides(&self, user: &UserId) -> bool {
        self.people.iter().any(|(id, share)| share.wrote > 0 && id != user)
    }

    /// An empty archive with the same end, to add all comments again.
    pub fn rewritten(&self) -> Self {
        Self { end: self.end, edits: self.edits + 1, ..Self::default() }
    }

    /// Adds a comment to the summary.
    pub fn take_in(&mut self, comment: &Comment) {
        self.count += 1;
        for (user, share) in shares_in(comment) {
            self.people.entry(user).or_default().add(share);
        }
        let latest = Latest { by: comment.from.user_id.clone(), at: comment.there_since() };
        if self.latest.as_ref().is_none_or(|known| known.at <= latest.at) {
            self.latest = Some(latest);
        }
    }

    fn give_out(&mut self, comment: &Comment) {
        self.count = self.count.saturating_sub(1);
        for (user, share) in shares_in(comment) {
            if let Some(known) = self.people.get_mut(&user) {
                known.subtract(share);
            }
        }
        self.people.retain(|_, share| !share.is_none());
        let is_by = |latest: &mut Latest| {
            latest.by == comment.from.user_id && latest.at == comment.there_since()
        };
        // The previous latest comment is unknown; the ones in the thread are nearly always later.
        self.latest.take_if(is_by);
    }

    /// Users whose involvement in archived comments matches `of`.
    fn users(&self, of: impl Fn(&Involvement) -> bool) -> impl Iterator<Item = &UserId> {
        self.people.iter().filter(move |(_, share)| of(share)).map(|(user, _)| user)
    }

    /// Authors of archived comments and users mentioned in them.
    pub(super) fn participants(&self) -> impl Iterator<Item = &UserId> {
        self.users(|share| share.wrote + share.mentioned > 0)
    }

    /// Users mentioned in archived comments.
    pub(super) fn mentioned(&self) -> impl Iterator<Item = &UserId> {
        self.users(|share| share.mentioned > 0)
    }

    /// Users who reacted to archived comments.
    pub(super) fn reactors(&self) -> impl Iterator<Item = &UserId> {
        self.users(|share| share.reacted > 0)
    }

    /// Whether archived comments may name a user.
    pub fn names(&self, user: &UserId) -> bool {
        self.people.contains_key(user) || self.people.contains_key(&UserId::crowd())
    }

    /// Whether a user wrote an archived comment.
    pub(super) fn has_comments_of(&self, user: &UserId) -> bool {
        self.people.get(user).is_some_and(|share| share.wrote > 0)
    }

    /// Whether a user reacted to an archived comment.
    pub fn has_reactions_of(&self, user: &UserId) -> bool {
        self.people.get(user).is_some_and(|share| share.reacted > 0)
    }

    /// The latest archived comment, as far as known.
    pub(super) fn latest(&self) -> Option<&Latest> {
        self.latest.as_ref()
    }
}

#[cfg(test)]
mod tests;
