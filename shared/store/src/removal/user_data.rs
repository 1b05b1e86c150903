//! All data of a user in an organization: four lists, paged together. A page token has the position
//! in each list.

use aws::{Item, Query, Value};
use error::{Error, Result};
use futures_util::future::try_join4;
use model::{
    PageToken, UserId,
    comment::{AnnotationView, ReactionView},
    notification::{Notification, NotificationView},
    recording::{Recording, RecordingView},
};
use serde::Serialize;
use tenancy::{
    layout::{EVER, Entity, Index, Key, by_actor, home, involving, item, linked_to},
    prelude::*,
    reading::{Collection, Page, cursor, sort_name, start_key},
};

use crate::{features::Removal, prelude::*};

/// Size of one list in a reply, which may have 5 MB; a longer one continues on the next page.
const MAX_BYTES: usize = 1_000_000;
/// Items of link rows read at once, and at first, while their size is unknown.
const AT_ONCE: usize = 10;
const FIRST: usize = 2;
/// The marker of a finished list in a token; no sort key equals it.
const END: &str = "end";

/// One page of a user's data, as in replies.
pub struct UserData {
    /// Threads that involve the user.
    pub comments: Vec<AnnotationView>,
    /// Reactions of the user, which others may share.
    pub reactions: Vec<ReactionView>,
    /// Recordings of the user.
    pub recordings: Vec<RecordingView>,
    /// Notifications that name the user.
    pub notifications: Vec<NotificationView>,
    /// Start of the next page; none on the last.
    pub next: Option<PageToken>,
}

/// Continuation of a list.
#[derive(Clone, Debug)]
pub(crate) enum At {
    Start,
    /// Behind the row with these sort keys: in the table, without their common prefix, and in the
    /// index, if the list is from one.
    Behind(String, String),
    End,
}

impl At {
    fn read(parts: &[String]) -> Self {
        match parts {
            [sort, _] if sort == END => Self::End,
            [sort, time] if !sort.is_empty() || !time.is_empty() => {
                Self::Behind(sort.clone(), time.clone())
            }
            _ => Self::Start,
        }
    }

    fn parts(&self) -> [&str; 2] {
        match self {
            Self::Start => ["", ""],
            Self::Behind(sort, time) => [sort, time],
            Self::End => [END, ""],
        }
    }
}

impl Removal<'_> {
    /// One page of a user's data: of each list up to the page size, fewer if they are large.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn user_data(self, user: &UserId, page: &Page) -> Result<UserData> {
        let at = |n: usize| match page.cursor() {
            None => At::Start,
            Some(parts) => parts.chunks(2).nth(n).map_or(At::End, At::read),
        };
        let (api_key, own) = (&self.0.tenant().api_key().id, linked_to(user));
        let threads = self.0.comments();
        let annotations = threads.all();
        let involved = annotations.rows().under(involving(user).prefix());
        let comments = part(annotations, involved, at(0), page.limit(), |_, thread| {
            Some(thread.shown(api_key, self.0.id()))
        });
        let reactions = threads.reactions_of(user, at(1), page.limit());
        let recordings = self.0.recordings().all();
        let recorded = recordings.rows().during(Index::Actor, &by_actor(user), EVER, false);
        let shown = |_: &str, recording: Recording| Some(recording.shown(api_key, self.0.id()));
        let recordings = part(&recordings, recorded, at(2), page.limit(), shown);
        let notifications = self.0.notifications().all();
        let named = notifications.rows().under(own.join(&Key::named(Notification::KIND)).prefix());
        let shown = |_: &str, it: Notification| Some(it.shown(api_key, self.0.id()));
        let notifications = part(&notifications, named, at(3), page.limit(), shown);
        let (comments, reactions, recordings, notifications) =
            try_join4(comments, reactions, recordings, notifications).await?;
        let ends = [&comments.1, &reactions.1, &recordings.1, &notifications.1];
        let next = match ends.iter().all(|end| matches!(end, At::End)) {
            true => None,
            false => Some(page.token(&ends.map(At::parts).concat())?),
        };
        let (comments, reactions) = (comments.0, reactions.0);
        let (recordings, notifications) = (recordings.0, notifications.0);
        Ok(UserData { comments, reactions, recordings, notifications, next })
    }
}

/// The next items of a list, as in replies, and its continuation. A list from the table consists of
/// link rows.
async fn part<E: Entity, V: Serialize>(
    collection: &Collection<E>,
    query: Query,
    at: At,
    limit: usize,
    show: impl Fn(&str, E) -> Option<V>,
) -> Result<(Vec<V>, At)> {
    let head = match (&query.prefix, query.index) {
        (Some((_, prefix)), None) => prefix.clone(),
        _ => String::new(),
    };
    let start = match &at {
        At::End => return Ok((vec![], At::End)),
        At::Start => None,
        At::Behind(sort, time) => {
            let sort = format!("{head}{sort}");
            let partition = home(collection.rows().partition(), &sort).into();
            let behind = [sort, time.clone(), partition];
            Some(start_key(&query, &behind)?)
        }
    };
    let (by, is_linked) = (sort_name(&query), query.index.is_none());
    let (rows, more) = collection.rows().fetch(Query { start, ..query }, limit).await?;
    let behind = |row: &Item| {
        let cursor = cursor(row, by);
        let time = if is_linked { "" } else { cursor[1] };
        let sort = cursor[0].strip_prefix(head.as_str()).unwrap_or(cursor[0]);
        At::Behind(sort.to_owned(), time.to_owned())
    };
    let (mut shown, mut bytes, mut last) = (Vec::new(), 0, at);
    // Items beyond the size of the reply are not read, as far as predictable: the next ones are as
    // large as the previous ones.
    let mut unread = rows.as_slice();
    while !unread.is_empty() {
        let room = match shown.len() {
            0 => FIRST,
            count => MAX_BYTES.saturating_sub(bytes) * count / bytes.max(1),
        };
        if room == 0 {
            return Ok((shown, last));
        }
        let (rows, rest) = unread.split_at(room.min(AT_ONCE).min(unread.len()));
        unread = rest;
        let found = match is_linked {
            true => collection.rows().follow(rows).await?,
            false => {
                let decode = |row: &Item| {
                    Ok((sort_of(row).to_owned(), collection.rows().decode(row.clone())?))
                };
                rows.iter().map(decode).collect::<Result<_>>()?
            }
        };
        let mut found = found.into_iter().peekable();
        for row in rows {
            // The target of a link row may be deleted.
            if let Some((sort, entity)) = found.next_if(|(sort, _)| sort == sort_of(row))
                && let Some(view) = show(&sort, entity)
            {
                bytes += serde_json::to_string(&view).map_err(Error::internal)?.len();
                if bytes > MAX_BYTES && !shown.is_empty() {
                    return Ok((shown, last));
                }
                shown.push(view);
            }
            last = behind(row);
        }
    }
    Ok((shown, if more { last } else { At::End }))
}

fn sort_of(row: &Item) -> &str {
    match row.get(item::SK) {
        Some(Value::S(sort)) => sort,
        _ => "",
    }
}
