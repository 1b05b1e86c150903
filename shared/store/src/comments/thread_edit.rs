//! Changes of the comments of a thread, archived or not.
//!
//! A thread that would exceed [`MAX_BYTES`] archives its older comments. That needs no transaction:
//! first they are written to the archive, as in the stored thread, then the thread without them, on
//! condition that it did not change. Until then they are behind the end of the archive, where
//! readers ignore them; the next call overwrites what an interrupted one left there.
//!
//! A change of an archived comment is a transaction with the thread, which has its summary and
//! carries the event. The number of edits in the thread tells whether the archive is still as it
//! was read.

use std::sync::atomic::{AtomicBool, Ordering};

use error::{Error, Result};
use model::comment::{ArchiveVersion, ArchivedComment, Comment, Thread};
use tenancy::{
    layout::{Entity, ThreadId},
    prelude::*,
    scopes::ATTEMPTS,
    writing::Edit,
};

use crate::comments::Comments;

/// Size of a thread above which older comments are archived, in bytes.
const MAX_BYTES: usize = 2_560;
/// Comments archived at once.
const MAX_MOVED: usize = 60;

/// Comments read from the archive, with its version.
#[derive(Default)]
struct Loaded {
    comments: Vec<Comment>,
    archive: ArchiveVersion,
}

/// The step after an attempt to edit a thread. All but the last one leave the thread and are
/// followed by another attempt.
enum Step {
    /// Load the comments with these numbers, which may be archived.
    LoadArchived(Vec<u64>),
    /// Write these comments to the archive.
    Archive(Vec<Comment>),
    /// The edit is written. Remove the numbers of the archived comments that it deleted.
    Finish { deleted: Vec<u64> },
}

impl Comments<'_> {
    /// Like `Collection::edit` of the kernel, for a thread with the comments of these numbers loaded,
    /// archived or not.
    ///
    /// # Errors
    /// The errors of `edit`; ABORTED under contention.
    pub async fn edit_comments(
        &self,
        id: &ThreadId,
        comments: &[u64],
        mut edit: impl FnMut(Option<Thread>) -> Result<Edit<Thread>> + Send,
    ) -> Result<Thread> {
        let (mut loaded, mut archived) = (Loaded::default(), Vec::new());
        for _ in 0..ATTEMPTS {
            let mut step = Step::Finish { deleted: vec![] };
            let edited = self.1.edit(id, |stored| {
                let Some(stored) = stored else { return edit(None) };
                let (made, next) = self.attempt(stored, comments, &loaded, &archived, &mut edit)?;
                step = next;
                Ok(made)
            });
            let thread = edited.await?;
            match step {
                Step::LoadArchived(numbers) => {
                    let comments = self.archived(&thread, numbers).await?;
                    loaded = Loaded { comments, archive: thread.archive.version() };
                }
                Step::Archive(comments) => {
                    self.write_out(&thread, &comments).await?;
                    archived = comments;
                }
                Step::Finish { deleted } => {
                    // If that fails, the link rows have no target and are deleted with the thread.
                    self.remove_numbers(id, &deleted).await;
                    return Ok(thread);
                }
            }
        }
        Err(Error::aborted())
    }

    /// Makes an edit of a stored thread, which is kept if another step is needed first.
    fn attempt(
        &self,
        stored: Thread,
        comments: &[u64],
        loaded: &Loaded,
        archived: &[Comment],
        edit: &mut impl FnMut(Option<Thread>) -> Result<Edit<Thread>>,
    ) -> Result<(Edit<Thread>, Step)> {
        let missing = comments.iter().copied().filter(|id| stored.comment(*id).is_none());
        let missing: Vec<u64> = missing.filter(|_| stored.archive.count > 0).collect();
        let is_known = missing.is_empty() || loaded.archive == stored.archive.version();
        if !is_known {
            return Ok((Edit::keep(stored), Step::LoadArchived(missing)));
        }
        let old: Vec<Comment> = loaded
            .comments
            .iter()
            .filter(|comment| missing.contains(&comment.comment_id))
            .cloned()
            .collect();
        let mut thread = stored.clone();
        thread.recall(old.clone());
        let mut made = edit(Some(thread))?;
        let Some(thread) = made.written() else {
            return Ok((made, Step::Finish { deleted: vec![] }));
        };
        let back = thread.put_back(&old);
        let surplus = self.1.size(thread)?.saturating_sub(MAX_BYTES);
        if !thread.move_out(archived) && surplus > 0 {
            let surplus = thread.surplus(surplus, MAX_MOVED).iter();
            let is_stored =
                |comment: &&Comment| stored.comment(comment.comment_id) == Some(comment);
            let surplus: Vec<Comment> = surplus.take_while(is_stored).cloned().collect();
            if !surplus.is_empty() {
                return Ok((Edit::keep(stored), Step::Archive(surplus)));
            }
        }
        let thread = thread.clone();
        for comment in back.changed {
            made = made.and_replace(ArchivedComment::new(&thread, comment));
        }
        for comment in &back.removed {
            made = made.and_remove::<ArchivedComment>((thread.id(), comment.position));
        }
        let deleted = back.removed.iter().map(|comment| comment.comment_id).collect();
        Ok((made, Step::Finish { deleted }))
    }

    /// Writes comments of a stored thread to its archive, behind its end.
    async fn write_out(&self, thread: &Thread, comments: &[Comment]) -> Result<()> {
        let archived = |comment: &Comment| ArchivedComment::new(thread, comment.clone());
        let wanted: Vec<ArchivedComment> = comments.iter().map(archived).collect();
        let ids: Vec<_> = wanted.iter().map(ArchivedComment::id).collect();
        let archived = self.1.rows().sibling::<ArchivedComment>();
        for may_overwrite in [false, true] {
            let found_different = AtomicBool::new(false);
            let edit = |n: usize, stored: Option<ArchivedComment>| {
                let wanted = wanted[n].clone();
                Ok(match stored {
                    Some(stored) if stored == wanted => Edit::keep(stored),
                    Some(stored) if !may_overwrite => {
                        found_different.store(true, Ordering::Relaxed);
                        Edit::keep(stored)
                    }
                    _ => Edit::put(wanted),
                })
            };
            archived
                .edit_all(&ids, edit)
                .await?
                .into_iter()
                .try_for_each(|edited| edited.map(drop))?;
            if !found_different.into_inner() {
                return Ok(());
            }
            // Existing items may be left by an interrupted call, or archived concurrently: only the
            // former may be overwritten.
            if self.1.find(&thread.id()).await?.is_none_or(|now| now != *thread) {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Archives older comments of a thread that has become large. If it fails, the next change of
    /// the thread repeats it.
    pub async fn tidy(&self, thread: &Thread) {
        let _ = self.try_to_tidy(thread).await;
    }

    async fn try_to_tidy(&self, thread: &Thread) -> Result<()> {
        let mut current = thread.clone();
        // Each round archives some, unless another process did.
        for _ in 0..=thread.comments.len() / MAX_MOVED {
            if self.1.size(&current)? <= 2 * MAX_BYTES || current.comments.len() < 2 {
                return Ok(());
            }
            let gone = || Error::not_found("The thread is gone.");
            let edit = |stored: Option<Thread>| stored.map(Edit::put).ok_or_else(gone);
            current = self.edit_comments(&thread.id(), &[], edit).await?;
        }
        Ok(())
    }
}
