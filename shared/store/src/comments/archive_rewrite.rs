//! Rewriting the whole archive of a thread: for the erasure or replacement of a user.

use error::Result;
use model::{
    comment::{ArchivedComment, Thread},
    people::Forgotten,
};

use crate::{comments::Comments, deletion::Progress};

use aws::Query;
use error::Status;
use tenancy::{
    layout::{Entity, ThreadId, archived_of},
    prelude::*,
    reading::missing,
    scopes::Deadline,
    writing::Edit,
};

/// Archived comments processed at a time.
const STEP: i32 = 500;

fn edit_of<E: Entity>(entity: E, done: Forgotten) -> Edit<E> {
    match done {
        Forgotten::Unchanged => Edit::keep(entity),
        Forgotten::Changed => Edit::put(entity),
        Forgotten::Gone => Edit::remove(entity),
    }
}

impl Comments<'_> {
    /// Rewrites each archived comment of a thread and then the thread itself; until `deadline`. The
    /// thread comes last: while it names a user in its archive, the user leads to it. An
    /// interrupted call starts again and finds the rest.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn rewrite(
        &self,
        id: &ThreadId,
        deadline: Deadline,
        rewrite: impl Fn(&mut ArchivedComment) -> Forgotten + Send + Sync,
        finish: impl Fn(&mut Thread) -> Forgotten + Send + Sync,
    ) -> Result<Progress> {
        let archived = self.1.rows().sibling::<ArchivedComment>();
        while let Some(thread) = self.1.find(id).await? {
            let mut archive = thread.archive.rewritten();
            let mut start = None;
            loop {
                if self.1.rows().db().clock().is_past(deadline) {
                    return Ok(Progress::More);
                }
                let query = archived.rows().under(archived_of(id).prefix());
                let found = self.1.rows().db().query(Query { start, limit: STEP, ..query }).await?;
                let mut changed = Vec::new();
                for item in found.items {
                    let before = archived.rows().decode(item)?;
                    let mut after = before.clone();
                    let done = rewrite(&mut after);
                    if done != Forgotten::Unchanged {
                        changed.push(before.id());
                    }
                    if done != Forgotten::Gone && after.comment.position < archive.end {
                        archive.take_in(&after.comment);
                    }
                }
                let edit = |n: usize, stored: Option<ArchivedComment>| {
                    let mut stored =
                        stored.ok_or_else(|| missing::<ArchivedComment>(&changed[n]))?;
                    let done = rewrite(&mut stored);
                    Ok(edit_of(stored, done))
                };
                let edited = archived.edit_all(&changed, edit).await?;
                for result in edited {
                    match result {
                        Err(error) if error.status != Status::NotFound => return Err(error),
                        _ => {}
                    }
                }
                start = found.next;
                if start.is_none() {
                    break;
                }
            }
            // Skips comments that were archived or changed meanwhile.
            let mut is_same = true;
            let edit = |stored: Option<Thread>| {
                let mut stored = stored.ok_or_else(|| missing::<Thread>(id))?;
                is_same = thread.archive.version() == stored.archive.version();
                if !is_same {
                    return Ok(Edit::keep(stored));
                }
                let done = finish(&mut stored);
                if done != Forgotten::Gone {
                    stored.archive = archive.clone();
                    stored.refresh();
                }
                Ok(edit_of(
                    stored,
                    match done {
                        Forgotten::Unchanged => Forgotten::Changed,
                        done => done,
                    },
                ))
            };
            match self.1.edit(id, edit).await {
                Err(error) if error.status == Status::NotFound => break,
                Err(error) => return Err(error),
                Ok(_) if is_same => break,
                Ok(_) => {}
            }
        }
        Ok(Progress::Done)
    }
}
