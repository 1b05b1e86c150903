//! All data of a user in an organization: four lists, paged together. A page token has the position
//! in each list (`user_lists.rs`).

use aws::Query;
use error::Result;
use futures_util::future::try_join4;
use model::{
    PageToken, UserId,
    comment::{Comment, ReactionView, Thread, ThreadView},
    notification::{Notification, NotificationView},
    people::{Names, Part},
    recording::{Recording, RecordingView},
};
use tenancy::{
    layout::{EVER, Entity, Index, Key, by_actor, involving, linked_to, named_beside},
    prelude::*,
    reading::{MAX_SCANNED, Page},
};

use super::lists::{List, Listed, Lists};
use crate::{comments::Comments, prelude::*, user_data::OrganizationUserData};

/// Archived comments read at a time.
const COMMENTS: usize = 200;
/// The marker of a finished list in a token; no sort key equals it.
const END: &str = "end";

/// One page of a user's data, as in replies.
pub struct UserData {
    /// Threads that name the user, with all comments that do. A long thread may be in several pages,
    /// each time with other comments.
    pub comments: Vec<ThreadView>,
    /// Reactions of the user, which others may share.
    pub reactions: Vec<ReactionView>,
    /// Recordings of the user.
    pub recordings: Vec<RecordingView>,
    /// Notifications that name the user, as a recipient or otherwise.
    pub notifications: Vec<NotificationView>,
    /// Start of the next page; none on the last.
    pub next: Option<PageToken>,
}

/// Continuation of a list.
#[derive(Clone, Debug)]
pub(crate) enum At {
    Start,
    /// Behind the row with this sort key, without what all rows have in common, and either the sort
    /// key in the index, if the list is from one, or the position in what the next row leads to.
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

impl OrganizationUserData<'_> {
    /// One page of a user's data: of each list up to the page size, fewer if they are large.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn export(self, user: &UserId, page: &Page) -> Result<UserData> {
        let at = |n: usize| match page.cursor() {
            None => At::Start,
            Some(parts) => parts.chunks(2).nth(n).map_or(At::End, At::read),
        };
        let limit = page.limit();
        let threads = self.0.comments();
        let annotations = threads.all();
        let under = |rows: Key| annotations.rows().under(rows.prefix());
        let rows = [
            under(involving(user)),
            under(named_beside::<Thread>(user)),
            under(named_beside::<Thread>(&UserId::crowd())),
        ];
        let shown = Threads { comments: &threads, user };
        let comments = Lists::of_links(annotations, rows.into()).page(at(0), limit, &shown);
        let reactions = threads.reactions_of(user, at(1), limit);
        let recordings = self.0.recordings().all();
        let recorded = recordings.rows().during(Index::Actor, &by_actor(user), EVER, false);
        let shown = Recordings(self);
        let recordings = Lists::of_index(&recordings, recorded).page(at(2), limit, &shown);
        let notifications = self.0.notifications().all();
        let named = linked_to(user).join(&Key::named(Notification::KIND));
        let beside = [user.clone(), UserId::crowd()];
        let beside = beside.map(|user| named_beside::<Notification>(&user));
        let rows = [named].into_iter().chain(beside);
        let rows: Vec<Query> = rows.map(|rows| notifications.rows().under(rows.prefix())).collect();
        let shown = Notifications { removal: self, user };
        let notifications = Lists::of_links(&notifications, rows).page(at(3), limit, &shown);
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

/// The rows of the crowd lead to what names many, who may be others.
const CROWD: usize = 2;

/// Whether a value is in the list of the crowd for a user: those in other parts have rows of their
/// own.
fn is_in_crowd(value: &(impl Names + Clone), user: &UserId) -> bool {
    let found = value.found();
    found.names(user) && found.parts(user).all(|part| part == Part::Beside)
}

struct Recordings<'a>(OrganizationUserData<'a>);

impl List<Recording> for Recordings<'_> {
    type View = RecordingView;

    async fn show(
        &self,
        _: usize,
        recording: Recording,
        _: &str,
        _: usize,
    ) -> Result<Listed<RecordingView>> {
        let organization = self.0.0;
        Ok(Listed::one(recording.shown(&organization.tenant().api_key().id, organization.id())))
    }
}

struct Notifications<'a> {
    removal: OrganizationUserData<'a>,
    user: &'a UserId,
}

impl List<Notification> for Notifications<'_> {
    type View = NotificationView;

    async fn show(
        &self,
        group: usize,
        notification: Notification,
        _: &str,
        _: usize,
    ) -> Result<Listed<NotificationView>> {
        if group == CROWD && !is_in_crowd(&notification, self.user) {
            return Ok(Listed::none());
        }
        let organization = self.removal.0;
        Ok(Listed::one(notification.shown(&organization.tenant().api_key().id, organization.id())))
    }
}

struct Threads<'a> {
    comments: &'a Comments<'a>,
    user: &'a UserId,
}

impl List<Thread> for Threads<'_> {
    type View = ThreadView;

    /// The thread as lists show it, with the archived comments that name the user from the position
    /// `inside` on, as far as there is `room`; later ones are shown alone.
    async fn show(
        &self,
        group: usize,
        mut thread: Thread,
        inside: &str,
        room: usize,
    ) -> Result<Listed<ThreadView>> {
        let scope = self.comments.0;
        let (api_key, organization) = (&scope.tenant().api_key().id, scope.id());
        let (is_first, from) = (inside.is_empty(), inside.parse().unwrap_or_default());
        let mut is_theirs = group != CROWD || is_in_crowd(&thread, self.user);
        let (mut found, mut rest) = (Vec::new(), None);
        if thread.archive.names(self.user) {
            let room = if is_first { room.saturating_sub(thread.bytes()) } else { room };
            (found, rest) = self.archived(&thread, from, room, is_first).await?;
            is_theirs |= !found.is_empty();
        }
        let view = match (is_theirs, is_first) {
            (false, _) => None,
            (true, true) => {
                thread.recall(found);
                Some(thread.shown(api_key, organization))
            }
            (true, false) if found.is_empty() => None,
            (true, false) => Some(thread.shown_with(found, api_key, organization)),
        };
        let rest = rest.map(|position: u64| position.to_string());
        Ok(Listed { views: view.into_iter().collect(), rest })
    }
}

impl Threads<'_> {
    /// The archived comments of a thread that name the user, from a position on, and the
    /// continuation. Without room for one it is still shown, unless there `may_be_none`.
    async fn archived(
        &self,
        thread: &Thread,
        from: u64,
        room: usize,
        may_be_none: bool,
    ) -> Result<(Vec<Comment>, Option<u64>)> {
        let (mut found, mut next, mut bytes, mut scanned) = (Vec::new(), from, 0, 0);
        loop {
            let (comments, more) =
                self.comments.archived_in(thread, next..u64::MAX, false, COMMENTS).await?;
            scanned += comments.len();
            for comment in comments {
                let position = comment.position;
                next = position + 1;
                // Reactions have a list of their own.
                let mut parts = Vec::from_iter(comment.found().parts(self.user));
                parts.retain(|part| *part != Part::Reactor);
                if parts.is_empty() {
                    continue;
                }
                bytes += comment.bytes();
                if bytes > room && (may_be_none || !found.is_empty()) {
                    return Ok((found, Some(position)));
                }
                found.push(comment);
            }
            if !more {
                return Ok((found, None));
            }
            if scanned >= MAX_SCANNED {
                return Ok((found, Some(next)));
            }
        }
    }
}
