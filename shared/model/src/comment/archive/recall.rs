//! Moving comments of a thread into its archive, and recalling them to show or change them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::super::{Comment, Thread};
use crate::{AnnotationId, DocumentId, Millis, UserId};

/// A larger first comment is archived as well, in bytes.
const MAX_FIRST_BYTES: usize = 1_000;

/// Result of changing recalled comments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PutBack {
    /// Changed comments.
    pub changed: Vec<Comment>,
    /// Removed comments.
    pub removed: Vec<Comment>,
}

impl Thread {
    /// Number of comments in the thread and its archive.
    pub fn comments_count(&self) -> u64 {
        self.archive.count + self.comments.len() as u64
    }

    /// Loads archived comments into the thread, to show or change them.
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

    /// Whether a comment is recalled from the archive at present.
    pub(in super::super) fn is_recalled(&self, comment: &Comment) -> bool {
        self.recalled.contains(&comment.comment_id)
    }

    /// Removes recalled comments from the thread and returns the result.
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

    /// Position of the first archivable comment: the first comment of the thread stays, unless it
    /// is large.
    fn movable_from(&self) -> usize {
        let is_first = |comment: &&Comment| {
            let stays = self.archive.end == 0 || comment.position < self.archive.end;
            stays && comment.bytes() <= MAX_FIRST_BYTES
        };
        self.comments.first().filter(is_first).map_or(0, |_| 1)
    }

    /// The oldest comments to archive in order to save this many bytes; at most `limit`, never the
    /// newest comment.
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

    /// Archives comments that are already written. They have to be the oldest archivable ones,
    /// unchanged; otherwise nothing happens. Returns whether they were archived.
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

    /// Whether a user commented or reacted since a time.
    pub fn has_acted_since(&self, user: &UserId, time: Millis) -> bool {
        self.last_act_of(user).is_some_and(|at| at > time)
    }

    /// When a user commented or reacted last.
    pub fn last_act_of(&self, user: &UserId) -> Option<Millis> {
        let by = self.comments.iter().flat_map(|comment| &comment.reactions);
        let by = by.flat_map(|reaction| &reaction.from_users);
        let reacted = by.filter(|by| by.from.user_id == *user).map(|by| by.last_updated);
        let own = self.comments.iter().filter(|comment| comment.from.user_id == *user);
        let archived = self.archive.people.get(user).map(|share| share.last);
        own.map(Comment::there_since).chain(reacted).chain(archived).max()
    }
}

impl Thread {
    /// The size of its comments, in bytes.
    pub fn bytes(&self) -> usize {
        self.comments.iter().map(Comment::bytes).sum()
    }
}

impl Comment {
    /// Size of the comment within the thread, in bytes.
    pub fn bytes(&self) -> usize {
        serde_json::to_string(self).map_or(0, |text| text.len() + 1)
    }
}

/// An archived comment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArchivedComment {
    /// The document.
    pub document_id: DocumentId,
    /// The thread.
    pub annotation_id: AnnotationId,
    /// The comment.
    pub comment: Comment,
}

impl ArchivedComment {
    /// A comment of a thread.
    pub fn new(thread: &Thread, comment: Comment) -> Self {
        let (document_id, annotation_id) =
            (thread.document_id.clone(), thread.annotation_id.clone());
        Self { document_id, annotation_id, comment }
    }
}
