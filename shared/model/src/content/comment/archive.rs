//! Older comments of a long thread, which lie beside it, each in an item of its own.
//!
//! A thread keeps its first comment and its newest ones. The others were moved out in the order of
//! their positions: whatever lies before [`Archive::end`] and is not in the thread is in its
//! archive. What follows from all comments (how many there are, whom they concern, which is the
//! latest) the thread knows of the archive without reading it. To change an old comment it is
//! [recalled](Annotation::recall) into the thread, changed like any other, and
//! [put back](Annotation::put_back).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::{Annotation, Comment, UserReplacement, annotation::Latest};
use crate::{AnnotationId, DocumentId, Millis, UserId, erasure::Forgotten, user::Person};

/// A first comment of more bytes is moved out, too.
const MAX_FIRST_BYTES: usize = 1_000;

/// What a thread knows of its comments that were moved out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Archive {
    /// Where it ends: no comment from this position on was moved out.
    pub end: u64,
    /// How many comments there are in it.
    pub count: u64,
    /// How many times something in it was changed.
    pub edits: u64,
    people: BTreeMap<UserId, Share>,
    latest: Option<Latest>,
}

/// What a user has to do with archived comments: how many the user wrote, how many mention the
/// user, how many reactions are theirs, and when they last did something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u32, u32, Millis)", into = "(u32, u32, u32, Millis)")]
struct Share {
    wrote: u32,
    mentioned: u32,
    reacted: u32,
    last: Millis,
}

impl From<(u32, u32, u32, Millis)> for Share {
    fn from((wrote, mentioned, reacted, last): (u32, u32, u32, Millis)) -> Self {
        Self { wrote, mentioned, reacted, last }
    }
}

impl From<Share> for (u32, u32, u32, Millis) {
    fn from(share: Share) -> Self {
        (share.wrote, share.mentioned, share.reacted, share.last)
    }
}

impl Share {
    fn is_none(self) -> bool {
        self.wrote + self.mentioned + self.reacted == 0
    }

    fn add(&mut self, other: Self) {
        self.wrote += other.wrote;
        self.mentioned += other.mentioned;
        self.reacted += other.reacted;
        self.last = self.last.max(other.last);
    }

    fn subtract(&mut self, other: Self) {
        self.wrote = self.wrote.saturating_sub(other.wrote);
        self.mentioned = self.mentioned.saturating_sub(other.mentioned);
        self.reacted = self.reacted.saturating_sub(other.reacted);
    }
}

/// What users have to do with a comment.
fn shares_in(comment: &Comment) -> BTreeMap<UserId, Share> {
    let mut shares: BTreeMap<UserId, Share> = BTreeMap::new();
    let author = Share { wrote: 1, last: comment.created_at, ..Share::default() };
    shares.entry(comment.from.user_id.clone()).or_default().add(author);
    let mentioned: BTreeSet<UserId> = comment.mentioned().map(|user| user.user_id).collect();
    for user in mentioned {
        shares.entry(user).or_default().add(Share { mentioned: 1, ..Share::default() });
    }
    for by in comment.reactions.iter().flat_map(|reaction| &reaction.from_users) {
        let reactor = Share { reacted: 1, last: by.last_updated, ..Share::default() };
        shares.entry(by.from.user_id.clone()).or_default().add(reactor);
    }
    shares
}

impl Archive {
    /// Whether nothing was ever moved out.
    pub fn is_new(&self) -> bool {
        *self == Self::default()
    }

    /// An archive of no comments that ends where another does, for all of them to be taken in.
    pub fn rewritten(&self) -> Self {
        Self { end: self.end, edits: self.edits + 1, ..Self::default() }
    }

    /// Takes note of a comment that is in it.
    pub fn take_in(&mut self, comment: &Comment) {
        self.count += 1;
        for (user, share) in shares_in(comment) {
            self.people.entry(user).or_default().add(share);
        }
        let latest = Latest { by: comment.from.user_id.clone(), at: comment.created_at };
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
            latest.by == comment.from.user_id && latest.at == comment.created_at
        };
        // Which was the latest before it is not known; those in the thread are nearly always later.
        self.latest.take_if(is_by);
    }

    /// Users who have to do with an archived comment in a way that `of` tells.
    fn users(&self, of: impl Fn(&Share) -> bool) -> impl Iterator<Item = &UserId> {
        self.people.iter().filter(move |(_, share)| of(share)).map(|(user, _)| user)
    }

    /// Users who wrote an archived comment or are mentioned in one.
    pub(super) fn participants(&self) -> impl Iterator<Item = &UserId> {
        self.users(|share| share.wrote + share.mentioned > 0)
    }

    /// Users who are mentioned in an archived comment.
    pub(super) fn mentioned(&self) -> impl Iterator<Item = &UserId> {
        self.users(|share| share.mentioned > 0)
    }

    /// Users who reacted to an archived comment.
    pub(super) fn reactors(&self) -> impl Iterator<Item = &UserId> {
        self.users(|share| share.reacted > 0)
    }

    /// Whether a user has anything to do with archived comments.
    pub fn names(&self, user: &UserId) -> bool {
        self.people.contains_key(user)
    }

    /// Whether a user reacted to an archived comment.
    pub fn has_reactions_of(&self, user: &UserId) -> bool {
        self.people.get(user).is_some_and(|share| share.reacted > 0)
    }

    /// The latest of the archived comments, as far as it is known.
    pub(super) fn latest(&self) -> Option<&Latest> {
        self.latest.as_ref()
    }

    /// Lets a user share what another has to do with archived comments, until those are rewritten.
    pub(super) fn share(&mut self, old: &UserId, new: &UserId) {
        let Some(share) = self.people.get(old).copied().filter(|_| old != new) else { return };
        self.people.entry(new.clone()).or_default().add(share);
        if let Some(latest) = self.latest.as_mut().filter(|latest| latest.by == *old) {
            latest.by = new.clone();
        }
    }

    /// Takes note that a user was erased from the archived comments: what they wrote is gone, a
    /// mention is one of `deleted`. Answers whether they wrote any.
    pub(super) fn forget(&mut self, user: &UserId, deleted: &UserId) -> bool {
        let Some(Share { wrote, mentioned, .. }) = self.people.remove(user) else { return false };
        self.count = self.count.saturating_sub(wrote.into());
        self.latest.take_if(|latest| latest.by == *user);
        if mentioned > 0 {
            let share = Share { mentioned, ..Share::default() };
            self.people.entry(deleted.clone()).or_default().add(share);
        }
        wrote > 0
    }
}

/// The outcome of comments that were recalled from the archive.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PutBack {
    /// They changed.
    pub changed: Vec<Comment>,
    /// They were removed.
    pub removed: Vec<Comment>,
}

impl Annotation {
    /// How many comments the thread has, archived ones included.
    pub fn comments_count(&self) -> u64 {
        self.archive.count + self.comments.len() as u64
    }

    /// Takes comments of the archive into the thread, for them to be shown or changed.
    pub fn recall(&mut self, archived: Vec<Comment>) {
        for comment in archived {
            if self.comments.iter().all(|one| one.comment_id != comment.comment_id) {
                self.archive.give_out(&comment);
                self.recalled.insert(comment.comment_id);
                self.comments.push(comment);
            }
        }
        self.comments.sort_by_key(|comment| comment.position);
    }

    /// Whether a comment is in the thread for now, and in the archive otherwise.
    pub(super) fn is_recalled(&self, comment: &Comment) -> bool {
        self.recalled.contains(&comment.comment_id)
    }

    /// Takes comments that were recalled out of the thread; answers with their outcomes.
    pub fn put_back(&mut self, recalled: &[Comment]) -> PutBack {
        let mut done = PutBack::default();
        self.recalled.clear();
        for before in recalled {
            let is_it = |comment: &Comment| comment.comment_id == before.comment_id;
            let Some(at) = self.comments.iter().position(is_it) else {
                done.removed.push(before.clone());
                continue;
            };
            let comment = self.comments.remove(at);
            self.archive.take_in(&comment);
            if comment != *before {
                done.changed.push(comment);
            }
        }
        if done != PutBack::default() {
            self.archive.edits += 1;
        }
        self.refresh();
        done
    }

    /// Where the comments begin that may be moved out: the first of the thread stays, unless it is
    /// large.
    fn movable_from(&self) -> usize {
        let is_first = |comment: &&Comment| {
            let stays = self.archive.end == 0 || comment.position < self.archive.end;
            stays && comment.bytes() <= MAX_FIRST_BYTES
        };
        self.comments.first().filter(is_first).map_or(0, |_| 1)
    }

    /// The oldest comments that have to be moved out for the thread to become smaller by this many
    /// bytes; at most `limit`, never the newest comment.
    pub fn surplus(&self, bytes: usize, limit: usize) -> &[Comment] {
        let first = self.movable_from();
        let movable = &self.comments[first..];
        let movable = &movable[..movable.len().saturating_sub(1).min(limit)];
        let mut freed = 0;
        let is_needed = |comment: &&Comment| {
            let needed = freed < bytes;
            freed += comment.bytes();
            needed
        };
        &movable[..movable.iter().take_while(is_needed).count()]
    }

    /// Moves comments into the archive where they were written already. They are the oldest that
    /// may be moved out, unchanged; otherwise nothing happens. Answers whether it did.
    pub fn move_out(&mut self, written: &[Comment]) -> bool {
        let first = self.movable_from();
        let Some(last) = written.last() else { return false };
        let end = first + written.len();
        if self.comments.get(first..end) != Some(written) {
            return false;
        }
        for comment in self.comments.drain(first..end) {
            self.archive.take_in(&comment);
        }
        self.archive.end = last.position + 1;
        true
    }

    /// Users who reacted to a comment of the thread.
    pub fn reactors(&self) -> BTreeSet<UserId> {
        let reactions = self.comments.iter().flat_map(|comment| &comment.reactions);
        let by = reactions.flat_map(|reaction| &reaction.from_users).map(|by| &by.from.user_id);
        by.chain(self.archive.reactors()).cloned().collect()
    }

    /// Whether a user has written in the thread or reacted in it since a time.
    pub fn has_acted_since(&self, user: &UserId, time: Millis) -> bool {
        let by = self.comments.iter().flat_map(|comment| &comment.reactions);
        let mut by = by.flat_map(|reaction| &reaction.from_users);
        let mut comments = self.comments.iter();
        comments.any(|comment| comment.from.user_id == *user && comment.created_at > time)
            || by.any(|by| by.from.user_id == *user && by.last_updated > time)
            || self.archive.people.get(user).is_some_and(|share| share.last > time)
    }
}

impl Comment {
    /// How many bytes it takes in its thread.
    pub fn bytes(&self) -> usize {
        serde_json::to_string(self).map_or(0, |text| text.len() + 1)
    }
}

/// A comment that was moved out of its thread.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArchivedComment {
    /// Where the thread is.
    pub document_id: DocumentId,
    /// The thread.
    pub annotation_id: AnnotationId,
    /// The comment.
    pub comment: Comment,
}

impl ArchivedComment {
    /// A comment of a thread.
    pub fn of(thread: &Annotation, comment: Comment) -> Self {
        let (document_id, annotation_id) =
            (thread.document_id.clone(), thread.annotation_id.clone());
        Self { document_id, annotation_id, comment }
    }

    /// Takes a user out who is erased: what they wrote goes.
    pub fn forget(&mut self, user: &UserId) -> Forgotten {
        if self.comment.from.user_id == *user {
            return Forgotten::Gone;
        }
        let before = self.comment.clone();
        self.comment.forget(user);
        self.comment.replace_user(user, &Person::deleted());
        if self.comment == before { Forgotten::Unchanged } else { Forgotten::Changed }
    }

    /// Puts users into the place of others.
    pub fn replace_users(&mut self, replaced: &[UserReplacement]) -> Forgotten {
        let before = self.comment.clone();
        for UserReplacement { old_user, new_user } in replaced {
            self.comment.replace_user(&old_user.user_id, new_user);
        }
        if self.comment == before { Forgotten::Unchanged } else { Forgotten::Changed }
    }
}

#[cfg(test)]
mod tests;
