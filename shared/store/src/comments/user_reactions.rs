//! The reactions of a user: link rows refer to the threads, whose comments are searched, including
//! archived ones if the user reacted there.

use aws::Query;
use error::{Error, Result};
use model::{
    UserId,
    comment::{Comment, ReactionView, Thread},
};
use tenancy::{
    layout::{item, reacted},
    prelude::*,
    reading::{MAX_SCANNED, cursor, start_key},
};

use crate::{comments::Comments, user_data::At};

/// Threads whose rows are read at a time.
const ROWS: usize = 25;
/// Archived comments read at a time.
const COMMENTS: usize = 500;

/// Continuation within a thread.
#[derive(Clone, Copy, Default)]
struct Inside {
    /// The position of a comment.
    position: u64,
    /// The number of its reactions that are listed already.
    skipped: usize,
}

impl Comments<'_> {
    /// The next reactions of a user, and the continuation of the list: behind a row, or in the next
    /// thread.
    pub(crate) async fn reactions_of(
        &self,
        user: &UserId,
        at: At,
        limit: usize,
    ) -> Result<(Vec<ReactionView>, At)> {
        let annotations = self.all();
        let query = annotations.rows().under(reacted(user).prefix());
        let head = reacted(user).prefix();
        let (mut before, mut inside): (String, Inside) = match at {
            At::End => return Ok((vec![], At::End)),
            At::Start => (String::new(), Inside::default()),
            At::Behind(row, inside) => (row, read(&inside)?),
        };
        let (mut shown, mut scanned) = (Vec::new(), 0);
        loop {
            let start = match before.as_str() {
                "" => None,
                row => {
                    let sort = format!("{head}{row}");
                    let partition = query.partition.1.clone();
                    Some(start_key(&query, &[sort.clone(), sort, partition])?)
                }
            };
            let (rows, more) =
                annotations.rows().fetch(Query { start, ..query.clone() }, ROWS).await?;
            let mut threads =
                annotations.rows().links().follow(&rows).await?.into_iter().peekable();
            for row in &rows {
                let sort = cursor(row, item::SK)[0];
                if let Some((_, thread)) = threads.next_if(|(link, _)| link == sort) {
                    let rest = limit.saturating_sub(shown.len());
                    let (found, next) = self.reactions_in(&thread, user, inside, rest).await?;
                    scanned += found.len().max(1);
                    shown.extend(found);
                    if let Some(Inside { position, skipped }) = next {
                        return Ok((shown, At::Behind(before, format!("{position}.{skipped}"))));
                    }
                }
                inside = Inside::default();
                before = sort.strip_prefix(head.as_str()).unwrap_or(sort).to_owned();
            }
            if !more {
                return Ok((shown, At::End));
            }
            if shown.len() >= limit || scanned >= MAX_SCANNED {
                return Ok((shown, At::Behind(before, String::new())));
            }
        }
    }

    /// The next reactions of a user in a thread, and the continuation, if any.
    async fn reactions_in(
        &self,
        thread: &Thread,
        user: &UserId,
        inside: Inside,
        limit: usize,
    ) -> Result<(Vec<ReactionView>, Option<Inside>)> {
        let Inside { position, mut skipped } = inside;
        let (mut comments, more) = match thread.archive.has_reactions_of(user) {
            true => self.archived_in(thread, position..u64::MAX, false, COMMENTS).await?,
            false => (vec![], false),
        };
        let horizon = comments.last().filter(|_| more).map_or(u64::MAX, |last| last.position);
        let is_due = |one: &&Comment| (position..=horizon).contains(&one.position);
        comments.extend(thread.comments.iter().filter(is_due).cloned());
        comments.sort_by_key(|comment| comment.position);
        let mut shown = Vec::new();
        for comment in &comments {
            let api_key = &self.0.tenant().api_key().id;
            let views = thread.shown_reactions(comment, user, api_key, self.0.id());
            let views = views.into_iter().map(|view| view.in_reply(thread));
            for (n, view) in views.enumerate().skip(skipped) {
                if shown.len() >= limit {
                    let next = Inside { position: comment.position, skipped: n };
                    return Ok((shown, Some(next)));
                }
                shown.push(view);
            }
            skipped = 0;
        }
        let last = comments.last().filter(|_| more);
        Ok((shown, last.map(|last| Inside { position: last.position + 1, skipped: 0 })))
    }
}

fn read(inside: &str) -> Result<Inside> {
    let Some((position, skipped)) = inside.split_once('.') else { return Ok(Inside::default()) };
    let position = position.parse().map_err(Error::internal)?;
    Ok(Inside { position, skipped: skipped.parse().map_err(Error::internal)? })
}
