//! All that is kept of a user in an organization: four lists, walked together. A page token says of
//! each list where it goes on.

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

use crate::{
    layout::{EVER, Entity, Index, Key, by_actor, home, item, linked_to},
    reading::{Collection, Page, cursor, sort_name, start_key},
    scopes::OrganizationStore,
    threads::involving,
};

/// Bytes of one list in a reply, which may have 5 MB; a longer one goes on on the next page.
const MAX_BYTES: usize = 1_000_000;
/// Items read at once because rows lead to them, and at first, when it is not known how large they
/// are.
const AT_ONCE: usize = 10;
const FIRST: usize = 2;
/// What a token says of a list that is at its end; no sort key is like this.
const END: &str = "end";

/// One page of records of a user, as callers see it.
pub struct UserData {
    /// Threads that involve the user.
    pub comments: Vec<AnnotationView>,
    /// Reactions the user chose, maybe with others.
    pub reactions: Vec<ReactionView>,
    /// What the user recorded.
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
    /// Behind the row with these sort keys: in the table, without what all rows of the list begin
    /// with, and in the index, if the list is from one.
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

impl OrganizationStore {
    /// One page of records of a user: of each list as many as the page has, unless they are
    /// large.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn user_data(&self, user: &UserId, page: &Page) -> Result<UserData> {
        let at = |n: usize| match page.cursor.as_deref() {
            None => At::Start,
            Some(parts) => parts.chunks(2).nth(n).map_or(At::End, At::read),
        };
        let (api_key, own) = (&self.tenant.api_key().id, linked_to(user));
        let annotations = self.annotations();
        let involved = annotations.under(involving(user).prefix());
        let comments = part(&annotations, involved, at(0), page.limit, |_, thread| {
            Some(thread.shown(api_key, &self.id))
        });
        let reactions = self.reactions_of(user, at(1), page.limit);
        let recordings = self.recordings();
        let recorded = recordings.during(Index::Actor, &by_actor(user), EVER, false);
        let shown = |_: &str, recording: Recording| Some(recording.shown(api_key, &self.id));
        let recordings = part(&recordings, recorded, at(2), page.limit, shown);
        let notifications = self.notifications();
        let named = notifications.under(own.join(&Key::named(Notification::KIND)).prefix());
        let shown = |_: &str, it: Notification| Some(it.shown(api_key, &self.id));
        let notifications = part(&notifications, named, at(3), page.limit, shown);
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

/// The next of a list, as callers see it, and where it goes on. A list from the table is of link
/// rows to its items.
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
            let partition = home(&collection.partition, &sort).into();
            let behind = [sort, time.clone(), partition];
            Some(start_key(&query, &behind)?)
        }
    };
    let (by, is_linked) = (sort_name(&query), query.index.is_none());
    let (rows, more) = collection.fetch(Query { start, ..query }, limit).await?;
    let behind = |row: &Item| {
        let cursor = cursor(row, by);
        let time = if is_linked { "" } else { cursor[1] };
        let sort = cursor[0].strip_prefix(head.as_str()).unwrap_or(cursor[0]);
        At::Behind(sort.to_owned(), time.to_owned())
    };
    let (mut shown, mut bytes, mut last) = (Vec::new(), 0, at);
    // What the reply has no room for is not read, as far as that can be known before: the next are as
    // large as those before them.
    let mut left = rows.as_slice();
    while !left.is_empty() {
        let room = match shown.len() {
            0 => FIRST,
            count => MAX_BYTES.saturating_sub(bytes) * count / bytes.max(1),
        };
        if room == 0 {
            return Ok((shown, last));
        }
        let (rows, rest) = left.split_at(room.min(AT_ONCE).min(left.len()));
        left = rest;
        let found = match is_linked {
            true => collection.follow(rows).await?,
            false => {
                let decode =
                    |row: &Item| Ok((sort_of(row).to_owned(), collection.decode(row.clone())?));
                rows.iter().map(decode).collect::<Result<_>>()?
            }
        };
        let mut found = found.into_iter().peekable();
        for row in rows {
            // What a row leads to may be gone.
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
