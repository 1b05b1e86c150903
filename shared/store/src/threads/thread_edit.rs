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
use model::comment::{Annotation, ArchivedComment, Comment};
use tenancy::{
    layout::{Entity, ThreadId, item},
    prelude::*,
    scopes::ATTEMPTS,
    writing::Edit,
};

use crate::features::Comments;

/// Size of a thread above which older comments are archived, in bytes.
const MAX_BYTES: usize = 2_560;
/// Comments archived at once.
const MAX_MOVED: usize = 60;

/// Comments read from the archive, with its end and its number of edits.
#[derive(Default)]
struct Recalled {
    comments: Vec<Comment>,
    archive: (u64, u64),
}

/// An edit, and the numbers of archived comments that it deletes.
type Made = (Edit<Annotation>, Vec<u64>);

/// The step that an edit of a thread needs first.
enum Open {
    /// Load comments that may be archived.
    Recall(Annotation, Vec<u64>),
    /// Write comments to the archive.
    Move(Annotation, Vec<Comment>),
}

impl Comments<'_> {
    /// Like [`Collection::edit`], for a thread with the comments of these numbers loaded, archived
    /// or not.
    ///
    /// # Errors
    /// The errors of `edit`; ABORTED under contention.
    pub async fn edit_comments(
        &self,
        id: &ThreadId,
        comments: &[u64],
        mut edit: impl FnMut(Option<Annotation>) -> Result<Edit<Annotation>> + Send,
    ) -> Result<Annotation> {
        let (mut recalled, mut moved) = (Recalled::default(), Vec::new());
        for _ in 0..ATTEMPTS {
            let (mut open, mut removed) = (None, Vec::new());
            let edited = self.1.edit(id, |stored| {
                open = None;
                let Some(stored) = stored else { return edit(None) };
                match self.attempt(&stored, comments, (&recalled, &moved), &mut edit)? {
                    Ok((made, gone)) => {
                        removed = gone;
                        Ok(made)
                    }
                    Err(missing) => {
                        open = Some(missing);
                        Ok(Edit::keep(stored))
                    }
                }
            });
            let edited = edited.await?;
            match open {
                None => {
                    // If that fails, the link rows have no target and are deleted with the thread.
                    self.remove_numbers(id, &removed).await;
                    return Ok(edited);
                }
                Some(Open::Recall(thread, ids)) => {
                    let comments = self.archived(&thread, ids).await?;
                    recalled = Recalled { comments, archive: state(&thread) };
                }
                Some(Open::Move(thread, comments)) => {
                    self.write_out(&thread, &comments).await?;
                    moved = comments;
                }
            }
        }
        Err(Error::aborted())
    }

    /// Makes an edit of a stored thread, unless another step is needed first.
    fn attempt(
        &self,
        stored: &Annotation,
        comments: &[u64],
        (recalled, moved): (&Recalled, &[Comment]),
        edit: &mut impl FnMut(Option<Annotation>) -> Result<Edit<Annotation>>,
    ) -> Result<std::result::Result<Made, Open>> {
        let missing = comments.iter().copied().filter(|id| stored.comment(*id).is_none());
        let missing: Vec<u64> = missing.filter(|_| stored.archive.count > 0).collect();
        let is_known = missing.is_empty() || recalled.archive == state(stored);
        if !is_known {
            return Ok(Err(Open::Recall(stored.clone(), missing)));
        }
        let old: Vec<Comment> = recalled
            .comments
            .iter()
            .filter(|comment| missing.contains(&comment.comment_id))
            .cloned()
            .collect();
        let mut thread = stored.clone();
        thread.recall(old.clone());
        let mut made = edit(Some(thread))?;
        let Some(thread) = made.written() else { return Ok(Ok((made, vec![]))) };
        let back = thread.put_back(&old);
        let surplus = item::size(&self.1.rows().encode(thread, "")?).saturating_sub(MAX_BYTES);
        if !thread.move_out(moved) && surplus > 0 {
            let surplus = thread.surplus(surplus, MAX_MOVED).iter();
            let is_stored = |one: &&Comment| stored.comment(one.comment_id) == Some(one);
            let surplus: Vec<Comment> = surplus.take_while(is_stored).cloned().collect();
            if !surplus.is_empty() {
                return Ok(Err(Open::Move(stored.clone(), surplus)));
            }
        }
        let thread = thread.clone();
        for comment in back.changed {
            made = made.and_replace(ArchivedComment::of(&thread, comment));
        }
        for comment in &back.removed {
            made = made.and_remove::<ArchivedComment>((thread.id(), comment.position));
        }
        Ok(Ok((made, back.removed.iter().map(|comment| comment.comment_id).collect())))
    }

    /// Writes comments of a stored thread to its archive, behind its end.
    async fn write_out(&self, thread: &Annotation, comments: &[Comment]) -> Result<()> {
        let of = |comment: &Comment| ArchivedComment::of(thread, comment.clone());
        let wanted: Vec<ArchivedComment> = comments.iter().map(of).collect();
        let ids: Vec<_> = wanted.iter().map(ArchivedComment::id).collect();
        let archived = self.1.rows().near::<ArchivedComment>();
        for may_overwrite in [false, true] {
            let found_others = AtomicBool::new(false);
            let edit = |n: usize, stored: Option<ArchivedComment>| {
                let wanted = wanted[n].clone();
                Ok(match stored {
                    Some(stored) if stored == wanted => Edit::keep(stored),
                    Some(stored) if !may_overwrite => {
                        found_others.store(true, Ordering::Relaxed);
                        Edit::keep(stored)
                    }
                    _ => Edit::put(wanted),
                })
            };
            archived.edit_all(&ids, edit).await?.into_iter().try_for_each(|it| it.map(drop))?;
            if !found_others.into_inner() {
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
    pub async fn tidy(&self, thread: &Annotation) {
        let _ = self.try_to_tidy(thread).await;
    }

    async fn try_to_tidy(&self, thread: &Annotation) -> Result<()> {
        let mut left = thread.clone();
        // Each round archives some, unless another process did.
        for _ in 0..=thread.comments.len() / MAX_MOVED {
            if item::size(&self.1.rows().encode(&left, "")?) <= 2 * MAX_BYTES
                || left.comments.len() < 2
            {
                return Ok(());
            }
            let gone = || Error::not_found("The thread is gone.");
            let edit = |stored: Option<Annotation>| stored.map(Edit::put).ok_or_else(gone);
            left = self.edit_comments(&thread.id(), &[], edit).await?;
        }
        Ok(())
    }
}

/// The version of an archive.
fn state(thread: &Annotation) -> (u64, u64) {
    (thread.archive.end, thread.archive.edits)
}
