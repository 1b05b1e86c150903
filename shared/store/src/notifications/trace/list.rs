//! Delivery states of events, page by page (contract `notifications.trace_get`).

use error::{Error, Result};
use model::{
    UserId,
    event::{Event, EventType},
    trace::{TraceFilter, TraceRow, TraceState},
};
use notification::{Activity, ActivityState, Channel};
use tenancy::reading::{Page, Paged};

use crate::notifications::{eligibility::custom_id, notices::notification_of};
use crate::{journal::StoredEvent, notifications::Notifications, prelude::*};

/// Maximum numbers of activities and events read for one page.
const MAX_ACTIVITIES: usize = 1_000;
const MAX_EVENTS: usize = 2_000;
/// Events read at a time. Most of them have no recipients.
const EVENTS_AT_ONCE: usize = 200;

/// A page under construction: its start, and its content.
struct Filling<'a> {
    page: &'a Page,
    rows: Vec<TraceRow>,
    activities: usize,
    events: usize,
    /// The last processed event; the rest is behind it.
    after: String,
    /// The last processed recipient of the next event.
    user: String,
    /// Number of shown rows of the next activity.
    skip: usize,
}

impl<'a> Filling<'a> {
    fn new(page: &'a Page) -> Result<Self> {
        let (after, user, skip) = match page.cursor() {
            None => (String::new(), String::new(), 0),
            Some([after, user, skip]) => {
                (after.clone(), user.clone(), skip.parse().map_err(Error::internal)?)
            }
            Some(_) => return Err(Error::internal("a page token of another shape")),
        };
        Ok(Self { page, rows: Vec::new(), activities: 0, events: 0, after, user, skip })
    }

    /// The continuation, except at the beginning.
    fn start(&self) -> Option<&str> {
        Some(self.after.as_str()).filter(|after| !after.is_empty())
    }

    /// Adds rows of one activity; false when the page has no room for all of them.
    fn take(&mut self, rows: Vec<TraceRow>) -> bool {
        for row in rows.into_iter().skip(self.skip) {
            if self.rows.len() == self.page.limit() {
                return false;
            }
            self.rows.push(row);
            self.skip += 1;
        }
        self.skip = 0;
        self.activities += 1;
        true
    }

    fn is_tired(&self) -> bool {
        self.activities >= MAX_ACTIVITIES || self.events >= MAX_EVENTS
    }

    fn over(self) -> Paged<TraceRow> {
        Paged { items: self.rows, next: None }
    }

    fn unfinished(self) -> Result<Paged<TraceRow>> {
        let next = self.page.token(&[&self.after, &self.user, &self.skip.to_string()])?;
        Ok(Paged { items: self.rows, next: Some(next) })
    }
}

/// The delivery state of an activity by channel.
fn rows_of(activity: &Activity) -> Vec<TraceRow> {
    let event_id = custom_id(activity)
        .map_or_else(|| activity.event_id().to_owned(), |id| id.as_str().to_owned());
    let row = |channel: Channel| {
        let pending = |at| (TraceState::Pending, None, Some(at));
        let dropped = |reason| (TraceState::Dropped, reason, None);
        let (state, reason, due_at) = match &activity.state {
            ActivityState::Pending => pending(activity.release_at),
            ActivityState::Claimed { at, .. } => pending(*at),
            ActivityState::Batched { until } => pending(*until),
            ActivityState::Delivered { withheld, .. } => match activity.channels().has(channel) {
                true => (TraceState::Delivered, None, None),
                false => dropped(withheld.get(&channel).copied()),
            },
            ActivityState::Dropped { reasons, .. } => dropped(reasons.get(&channel).copied()),
        };
        let delivered = state == TraceState::Delivered;
        TraceRow {
            event_id: event_id.clone(),
            user_id: Some(activity.user_id.clone()),
            channel,
            state,
            reason,
            due_at,
            notification_id: notification_of(activity).filter(|_| delivered),
            mailed: mailed(activity).filter(|_| delivered && channel == Channel::Email),
        }
    };
    activity.allowed.iter().map(row).collect()
}

/// The digest whose mail contains an activity, and the event.
fn mailed(activity: &Activity) -> Option<(String, String)> {
    match &activity.state {
        ActivityState::Delivered { generation, .. } => {
            Some((generation.clone(), activity.event_id().to_owned()))
        }
        _ => None,
    }
}

impl Notifications<'_> {
    /// One page of delivery states: the latest events first.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn trace(self, filter: &TraceFilter, page: &Page) -> Result<Paged<TraceRow>> {
        let filling = Filling::new(page)?;
        let mut found = match (&filter.event_id, &filter.user_id) {
            (Some(id), _) => self.trace_event(filling, filter, id.as_str()).await,
            (None, _) => self.trace_events(filling, filter).await,
        }?;
        self.trace_mails(&mut found.items).await?;
        Ok(found)
    }

    async fn trace_events(
        self,
        mut filling: Filling<'_>,
        filter: &TraceFilter,
    ) -> Result<Paged<TraceRow>> {
        loop {
            let (events, more) = self.latest_events(filling.start(), EVENTS_AT_ONCE).await?;
            for event in events {
                let id = self.told_as(&event).filter(|_| {
                    let Event::Domain(event) = &event.event else { return false };
                    filter.document_id.as_ref().is_none_or(|id| *id == event.document_id)
                });
                if let Some(id) = id
                    && !self.trace_recipients(&mut filling, &id, filter.user_id.as_ref()).await?
                {
                    return filling.unfinished();
                }
                filling.events += 1;
                (filling.after, filling.user) = (event.id, String::new());
            }
            if !more {
                return Ok(filling.over());
            }
            if filling.is_tired() {
                return filling.unfinished();
            }
        }
    }

    /// One event. If the configuration excluded all recipients, the trace says so; users whose
    /// preference excluded it are not recorded (rule N4).
    async fn trace_event(
        self,
        mut filling: Filling<'_>,
        filter: &TraceFilter,
        id: &str,
    ) -> Result<Paged<TraceRow>> {
        let stored = self.find_event(id).await?;
        let known_as = stored.as_ref().and_then(|stored| self.told_as(stored));
        let ids = [Some(id.to_owned()), known_as, Some(self.custom_event_id(id))];
        for id in ids.into_iter().flatten() {
            let known =
                self.0.tenant().notifications().pending_events([id.clone()]).await?.remove(&id);
            let Some(known) = known else { continue };
            let is_in_document =
                filter.document_id.as_ref().is_none_or(|id| *id == known.event.document_id);
            if known.event.organization_id != *self.0.id() || !is_in_document {
                continue;
            }
            return match self.trace_recipients(&mut filling, &id, filter.user_id.as_ref()).await? {
                true => Ok(filling.over()),
                false => filling.unfinished(),
            };
        }
        let Some(stored) = stored.filter(|stored| self.told_as(stored).is_some()) else {
            return Ok(filling.over());
        };
        let Event::Domain(event) = &stored.event else { return Ok(filling.over()) };
        if filter.document_id.as_ref().is_some_and(|id| *id != event.document_id) {
            return Ok(filling.over());
        }
        let configured = self.0.tenant().notifications().configured(event.event, stored.at).await?;
        let row = |channel: Channel| {
            Some(TraceRow {
                event_id: id.to_owned(),
                user_id: filter.user_id.clone(),
                channel,
                state: TraceState::Dropped,
                reason: Some(configured.obstacle(channel)?),
                due_at: None,
                notification_id: None,
                mailed: None,
            })
        };
        let rows = [Channel::Inbox, Channel::Email].into_iter().filter_map(row).collect();
        match filling.take(rows) {
            true => Ok(filling.over()),
            false => filling.unfinished(),
        }
    }

    /// The recipients of an event, or one of them; false when the page is full.
    async fn trace_recipients(
        self,
        filling: &mut Filling<'_>,
        id: &str,
        only: Option<&UserId>,
    ) -> Result<bool> {
        let begun = filling.user.clone();
        let left = self.0.tenant().notifications().activities_of(id, only).await?.into_iter();
        for activity in left.filter(|activity| activity.user_id.as_str() > begun.as_str()) {
            if filling.is_tired() || !filling.take(rows_of(&activity)) {
                return Ok(false);
            }
            filling.user = activity.user_id.as_str().to_owned();
        }
        Ok(true)
    }

    /// The id of an event in notifications, if it has recipients.
    pub(crate) fn told_as(self, stored: &StoredEvent) -> Option<String> {
        let Event::Domain(event) = &stored.event else { return None };
        match event.event {
            EventType::NotificationAdd => {
                Some(self.custom_event_id(event.data.get("id")?.as_str()?))
            }
            _ => event.notify.then(|| stored.id.clone()),
        }
    }
}
