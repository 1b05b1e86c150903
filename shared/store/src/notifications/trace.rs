//! Delivery states of events for their recipients: read from the rows of pending work, some at a
//! time.

mod list;
mod mails;

use aws::{Item, Query};
use error::{Error, Result};
use model::{UserId, event::EventRef};
use notification::{Activity, ActivityState, PageRef, Recipients, RowBody, RowKey};
use tenancy::{
    layout::{Key, Table, item},
    prelude::*,
    scopes::Deadline,
};

use crate::{
    deletion::Progress,
    journal::{EVENT_BODY, StoredEvent},
    notifications::{Notifications, TenantNotifications},
    prelude::*,
};

/// Rows removed at a time; a batch has room for 25, and some run concurrently.
const STEP: i32 = 100;
/// Pages of recipients read at a time.
const PAGES: usize = 50;

impl TenantNotifications<'_> {
    /// The activities of an event, or of one recipient, in the order of the recipients.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn activities_of(
        self,
        event_id: &str,
        only: Option<&UserId>,
    ) -> Result<Vec<Activity>> {
        let Some(event) = self.pending_events([event_id.to_owned()]).await?.remove(event_id) else {
            return Ok(vec![]);
        };
        let is_meant = |user: &UserId, _: &ActivityState| only.is_none_or(|only| only == user);
        let mut found = event.activities(&PageRef::first(event_id), &event.first, is_meant);
        let of = |page| PageRef { event_id: event_id.to_owned(), page };
        let further: Vec<PageRef> = (1..event.pages).map(of).collect();
        for pages in further.chunks(PAGES) {
            let keys: Vec<RowKey> = pages.iter().map(PageRef::key).collect();
            for (page, stored) in pages.iter().zip(self.0.schedule().load(&keys).await?) {
                let Some(stored) = stored else { continue };
                let recipients = Recipients::from_row(stored.row)?;
                found.extend(event.activities(page, &recipients.page, is_meant));
            }
        }
        found.sort_by(|a, b| a.user_id.cmp(&b.user_id));
        Ok(found)
    }
}

impl Notifications<'_> {
    /// Events of the organization, the latest first, behind the named one; and whether there are
    /// more.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn latest_events(
        self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<StoredEvent>, bool)> {
        let start = after.map(|id| item::key(self.0.partition(), &Key::pair("event", id)));
        let query = Query {
            table: Table::Events.name(),
            prefix: Some((item::SK, Key::named("event").prefix())),
            ascending: false,
            start,
            ..self.0.users().all().rows().under(String::new())
        };
        let (items, more) = self.0.users().all().rows().fetch(query, limit).await?;
        let event = |item: Item| {
            let body = item.get(EVENT_BODY).and_then(|body| body.as_s().ok());
            let body = body.ok_or_else(|| Error::internal("an event without its body"))?;
            serde_json::from_str(body).map_err(Error::internal)
        };
        Ok((items.into_iter().map(event).collect::<Result<_>>()?, more))
    }

    /// An event of the organization, if it is still stored.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn find_event(self, event_id: &str) -> Result<Option<StoredEvent>> {
        let organization_id = Some(self.0.id().clone());
        self.0
            .tenant()
            .events()
            .get(&EventRef { organization_id, event_id: event_id.to_owned() })
            .await
    }

    /// Removes all pending work for a user (rule N17); stops at `deadline`.
    pub(crate) async fn forget_work(self, user: &UserId, deadline: Deadline) -> Result<Progress> {
        let (db, partition) = (self.0.tenant().db(), self.recipient(user));
        let query = Query {
            table: Table::Schedule.name(),
            partition: (item::PK, partition.as_str().to_owned()),
            prefix: None,
            limit: STEP,
            ..self.0.users().all().rows().under(String::new())
        };
        loop {
            if db.clock().is_past(deadline) {
                return Ok(Progress::More);
            }
            // Removed rows are not found by the next query.
            let found = db.query(query.clone()).await?;
            let key = |item: Item| {
                item.into_iter().filter(|(name, _)| name == item::PK || name == item::SK).collect()
            };
            let writes: Vec<_> =
                found.items.into_iter().map(key).map(aws::BatchWrite::Delete).collect();
            if writes.is_empty() {
                return Ok(Progress::Done);
            }
            let removed = db.write_all(Table::Schedule, writes).await;
            removed.into_iter().collect::<Result<Vec<()>>>()?;
        }
    }
}
