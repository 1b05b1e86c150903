//! What became of events for those who were to be notified of them: read from the rows of work,
//! some at a time.

use aws::{Item, Query};
use delivery::{Activity, Audience, Body, Held, RowKey};
use error::{Error, Result};
use model::{UserId, event::EventRef};

use crate::{
    db::place_of,
    entity::Table,
    event::{EVENT_BODY, StoredEvent},
    item,
    key::Key,
    purge::Progress,
    scope::{OrganizationStore, TenantStore},
    work,
};

/// Rows removed at a time; a batch has room for 25, and some are under way at once.
const STEP: i32 = 100;
/// Pages of recipients read at a time.
const PAGES: u32 = 50;

/// Activities of a user, each with where the list goes on behind it.
pub(crate) struct Traced {
    /// The activities, the latest first; none where one has expired.
    pub(crate) activities: Vec<(String, Option<Activity>)>,
    /// Whether there are more.
    pub(crate) more: bool,
}

impl TenantStore {
    /// All recipients of an event who were recorded, in the order in which that was done; and the
    /// event, as long as it is kept.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn recipients(&self, event_id: &str) -> Result<Option<(Held, Vec<UserId>)>> {
        let Some(held) = self.held([event_id.to_owned()]).await?.remove(event_id) else {
            return Ok(None);
        };
        let mut users = held.users.clone();
        let mut next = 1;
        loop {
            let key = |page| RowKey::Audience { event_id: event_id.to_owned(), page };
            let keys: Vec<RowKey> = (next..next + PAGES).map(key).collect();
            let found = self.load_rows(&keys).await?;
            let is_last = found.iter().any(Option::is_none);
            for stored in found.into_iter().map_while(|stored| stored) {
                users.extend(Audience::from_row(stored.row)?.users);
            }
            if is_last {
                return Ok(Some((held, users)));
            }
            next += PAGES;
        }
    }
}

impl OrganizationStore {
    /// The activities of users for an event, in the order of the users.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn activities_of(
        &self,
        event_id: &str,
        users: &[UserId],
    ) -> Result<Vec<Activity>> {
        let key = |user_id: &UserId| RowKey::Activity {
            organization_id: self.id.clone(),
            user_id: user_id.clone(),
            event_id: event_id.to_owned(),
        };
        let keys: Vec<RowKey> = users.iter().map(key).collect();
        let found = self.tenant.load_rows(&keys).await?;
        found.into_iter().flatten().map(|stored| Activity::from_row(stored.row)).collect()
    }

    /// Activities of a user, the latest first, from behind `after` on.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn trace_of(
        &self,
        user: &UserId,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Traced> {
        let partition = self.recipient(user);
        let start = after.map(|sort| item::named_key(&partition, sort));
        let query = Query {
            table: Table::Schedule.name(),
            partition: (item::PK, partition.as_str().to_owned()),
            prefix: Some((item::SK, Key::named("activity").prefix())),
            ascending: false,
            start,
            ..self.users().under(String::new())
        };
        let (items, more) = self.users().fetch(query, limit).await?;
        let now = self.tenant.now();
        let mut activities = Vec::new();
        for found in items {
            let (_, sort) = place_of(&found);
            let stored = work::stored(found)?;
            // Expired rows are removed by the database when it finds the time.
            let is_there = stored.row.expires.is_none_or(|at| at > now);
            let activity = is_there.then(|| Activity::from_row(stored.row)).transpose()?;
            activities.push((sort, activity));
        }
        Ok(Traced { activities, more })
    }

    /// Events of the organization, the latest first, from behind the one named on; and whether
    /// there are more.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn latest_events(
        &self,
        after: Option<&str>,
        limit: usize,
    ) -> Result<(Vec<StoredEvent>, bool)> {
        let start = after.map(|id| item::key(&self.partition, &Key::of("event", id)));
        let query = Query {
            table: Table::Events.name(),
            prefix: Some((item::SK, Key::named("event").prefix())),
            ascending: false,
            start,
            ..self.users().under(String::new())
        };
        let (items, more) = self.users().fetch(query, limit).await?;
        let event = |item: Item| {
            let body = item.get(EVENT_BODY).and_then(|body| body.as_s().ok());
            let body = body.ok_or_else(|| Error::internal("an event without its body"))?;
            serde_json::from_str(body).map_err(Error::internal)
        };
        Ok((items.into_iter().map(event).collect::<Result<_>>()?, more))
    }

    /// An event of the organization, if it is still kept.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn find_event(&self, event_id: &str) -> Result<Option<StoredEvent>> {
        let organization_id = Some(self.id.clone());
        self.tenant.event(&EventRef { organization_id, event_id: event_id.to_owned() }).await
    }

    /// Removes all work for a user (rule N17); stops at `deadline`.
    pub(crate) async fn forget_work(&self, user: &UserId, deadline: u64) -> Result<Progress> {
        let (db, partition) = (&self.tenant.db, self.recipient(user));
        let query = Query {
            table: Table::Schedule.name(),
            partition: (item::PK, partition.as_str().to_owned()),
            prefix: None,
            limit: STEP,
            ..self.users().under(String::new())
        };
        loop {
            if db.clock.now() >= deadline {
                return Ok(Progress::More);
            }
            // What was found is gone when the query is made again.
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
