//! Archived comments of threads ([`model::comment::Archive`]): one item each beside the thread, in
//! the order of their positions, and a link row by number.
//!
//! Readers ignore items behind the end of the archive that the thread states. They are left by an
//! interrupted call, and the thread still has those comments.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

use aws::{BatchWrite, Query};
use error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use model::comment::{ArchivedComment, Comment, Thread};
use tenancy::{
    layout::{Entity, ThreadId, archived_at, archived_of, item, numbered_comment},
    prelude::*,
    reading::{MAX_PAGE_BYTES, MAX_SCANNED, Page, Paged},
    scopes::PARALLEL,
};

use crate::comments::Comments;

impl Comments<'_> {
    /// The archived comments of a thread among these numbers.
    pub(crate) async fn archived(
        &self,
        thread: &Thread,
        ids: impl IntoIterator<Item = u64>,
    ) -> Result<Vec<Comment>> {
        if thread.archive.count == 0 {
            return Ok(vec![]);
        }
        let place = thread.id();
        let rows: Vec<String> =
            ids.into_iter().map(|id| numbered_comment(&place, id).as_str().to_owned()).collect();
        let rows =
            self.1.rows().db().get_named(Thread::TABLE, self.1.rows().partition(), &rows).await?;
        let rows: Vec<aws::Item> = rows.into_values().collect();
        let found = self
            .1
            .rows()
            .sibling::<ArchivedComment>()
            .rows()
            .links()
            .follow(&rows)
            .await?
            .into_iter();
        let comments = found.map(|(_, archived)| archived.comment);
        Ok(comments.filter(|comment| comment.position < thread.archive.end).collect())
    }

    /// Removes the link rows of deleted comments.
    pub(crate) async fn remove_numbers(&self, thread: &ThreadId, ids: &[u64]) {
        let rows = ids
            .iter()
            .map(|id| item::key(self.1.rows().partition(), &numbered_comment(thread, *id)));
        let rows: Vec<BatchWrite> = rows.map(BatchWrite::Delete).collect();
        self.1.rows().db().write_all(Thread::TABLE, rows).await;
    }

    /// Archived comments of a thread in a range of positions, in order or the newest first, and
    /// whether there are more.
    pub(crate) async fn archived_in(
        &self,
        thread: &Thread,
        positions: Range<u64>,
        newest_first: bool,
        limit: usize,
    ) -> Result<(Vec<Comment>, bool)> {
        let Range { start, end } = positions;
        let end = end.min(thread.archive.end);
        if thread.archive.count == 0 || start >= end || limit == 0 {
            return Ok((vec![], false));
        }
        let archived = self.1.rows().sibling::<ArchivedComment>();
        let bound = |position: u64| archived_at(&thread.id(), position).as_str().to_owned();
        let between = Some((item::SK, bound(start), bound(end - 1)));
        let all = archived.rows().under(archived_of(&thread.id()).prefix());
        let query = Query { prefix: None, between, ascending: !newest_first, ..all };
        let (items, more) = archived.rows().fetch(query, limit).await?;
        let comments = items.into_iter().map(|item| Ok(archived.rows().decode(item)?.comment));
        Ok((comments.collect::<Result<_>>()?, more))
    }

    /// Threads with their newest comments, up to `limit` and to the size of a reply.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn with_newest(
        &self,
        threads: Vec<Option<Thread>>,
        limit: usize,
    ) -> Result<Vec<Option<Thread>>> {
        let room = MAX_PAGE_BYTES / threads.len().max(1);
        let recalls = threads.into_iter().map(|thread| async move {
            let Some(mut thread) = thread else { return Ok(None) };
            let missing = limit.saturating_sub(thread.comments.len());
            let (found, _) = self.archived_in(&thread, 0..u64::MAX, true, missing).await?;
            let mut bytes = 0;
            let fits = |comment: &Comment| {
                bytes += comment.bytes();
                bytes <= room
            };
            thread.recall(found.into_iter().take_while(fits).collect());
            Ok(Some(thread))
        });
        stream::iter(recalls.collect::<Vec<_>>()).buffered(PARALLEL).try_collect().await
    }

    /// The numbers of the first comments of a thread.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn next_comments(&self, thread: &Thread, limit: usize) -> Result<Vec<u64>> {
        let (archived, _) = self.archived_in(thread, 0..u64::MAX, false, limit).await?;
        let comments = archived.iter().chain(&thread.comments);
        Ok(comments.map(|comment| comment.comment_id).take(limit).collect())
    }

    /// Existing threads, each with these of its comments loaded, archived or not.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find_with(
        &self,
        wanted: BTreeMap<ThreadId, BTreeSet<u64>>,
    ) -> Result<BTreeMap<ThreadId, Thread>> {
        let mut threads = self.1.find_all(wanted.keys().cloned()).await?;
        for (id, thread) in &mut threads {
            let ids = wanted.get(id).into_iter().flatten().copied();
            let missing: Vec<u64> = ids.filter(|id| thread.comment(*id).is_none()).collect();
            if !missing.is_empty() {
                let found = self.archived(thread, missing).await?;
                thread.recall(found);
            }
        }
        Ok(threads)
    }

    /// One page of the comments of a thread that `keep` keeps, in order. A page is short if the
    /// filter keeps little; the next one continues behind the items read.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn comments(
        &self,
        thread: &Thread,
        page: &Page,
        keep: impl Fn(&Comment) -> bool,
    ) -> Result<Paged<Comment>> {
        let mut next: u64 = match page.cursor() {
            None => 0,
            Some([next]) => next.parse().map_err(Error::internal)?,
            Some(_) => return Err(Error::internal("a page token of another shape")),
        };
        let (mut kept, mut scanned) = (Vec::new(), 0);
        loop {
            let wanted = (page.limit() - kept.len()).max(1);
            let (archived, more) = self.archived_in(thread, next..u64::MAX, false, wanted).await?;
            let horizon = archived.last().filter(|_| more).map_or(u64::MAX, |last| last.position);
            let mut found = archived;
            let is_due = |comment: &&Comment| (next..=horizon).contains(&comment.position);
            found.extend(thread.comments.iter().filter(is_due).cloned());
            found.sort_by_key(|comment| comment.position);
            let ends = found.len() <= wanted && !more;
            found.truncate(wanted);
            let Some(last) = found.last() else { return Ok(Paged { items: kept, next: None }) };
            (next, scanned) = (last.position + 1, scanned + found.len());
            kept.extend(found.into_iter().filter(|comment| keep(comment)));
            if ends {
                return Ok(Paged { items: kept, next: None });
            }
            if kept.len() >= page.limit() || scanned >= MAX_SCANNED {
                let token = page.token(&[next.to_string().as_str()])?;
                return Ok(Paged { items: kept, next: Some(token) });
            }
        }
    }
}
