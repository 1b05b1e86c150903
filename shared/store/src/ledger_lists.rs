//! Lists of the ledger of webhooks, newest first, walked both ways.

use std::collections::BTreeMap;

use aws::{Item, Query};
use error::{Error, Result};
use model::{
    EndpointId, MessageId, Millis,
    ledger::{AttemptRecord, Delivery, Message},
};

use crate::{
    collection::Collection,
    db::place_of,
    entity::Entity,
    item,
    key::Key,
    ledger::OF_ENDPOINT,
    scope::TenantStore,
    walk::{Walk, Walked},
};

/// Behind every id of the time.
const LAST: &str = "~";
/// Attempts of one message that are looked at, at most.
const MAX_ATTEMPTS: usize = 10_000;
/// Deliveries that are looked at together.
const AT_ONCE: usize = 100;

/// The least id of a message of a time or later.
fn first_at(time: Millis) -> String {
    let id = ulid::Ulid::from_parts(time, 0).to_string();
    format!("{}#msg_{}", Message::KIND, &id[..10])
}

/// A query of the messages since a time.
fn since(query: Query, time: Option<Millis>) -> Query {
    let Some(time) = time else { return query };
    let between = Some((item::SK, first_at(time), format!("{}#{LAST}", Message::KIND)));
    Query { prefix: None, between, ..query }
}

impl TenantStore {
    /// One page of the messages since a time, of those that go to an endpoint if one is named.
    ///
    /// # Errors
    /// FAILED_PRECONDITION.
    pub async fn list_messages(
        &self,
        walk: &Walk,
        endpoint: Option<&EndpointId>,
        from: Option<Millis>,
    ) -> Result<Walked<Message>> {
        self.require_webhooks().await?;
        let all = self.messages();
        let prefix = Key::named(Message::KIND).prefix();
        let Some(endpoint) = endpoint else {
            let query = walk.query(since(all.under(prefix), from));
            let (items, more) = all.fetch(query, walk.limit).await?;
            let items = items.into_iter().map(|item| all.decode(item));
            return walk.walked(items.collect::<Result<_>>()?, more);
        };
        let at: Collection<Delivery> = self.at_endpoint(endpoint);
        let query = walk.query(since(at.under(prefix), from));
        let (items, more) = at.fetch(query, walk.limit).await?;
        let ids = items.into_iter().map(|item| Ok(at.decode(item)?.message_id));
        let ids = ids.collect::<Result<Vec<MessageId>>>()?;
        let mut found = all.find_all(ids.iter().cloned()).await?;
        walk.walked(ids.iter().filter_map(|id| found.remove(id)).collect(), more)
    }

    /// One page of the attempts of a message, at an endpoint, or both.
    ///
    /// # Errors
    /// FAILED_PRECONDITION; NOT_FOUND when there is no such message.
    pub async fn list_attempts(
        &self,
        walk: &Walk,
        message: Option<&MessageId>,
        endpoint: Option<&EndpointId>,
    ) -> Result<Walked<AttemptRecord>> {
        self.require_webhooks().await?;
        let prefix = Key::named(AttemptRecord::KIND).prefix();
        let Some(message) = message else {
            let endpoint = endpoint.ok_or_else(|| Error::internal("a list of nothing"))?;
            let at = self.at_endpoint::<AttemptRecord>(endpoint);
            let (items, more) = at.fetch(walk.query(at.under(prefix)), walk.limit).await?;
            let items = items.into_iter().map(|item| at.decode(item));
            return walk.walked(items.collect::<Result<_>>()?, more);
        };
        self.message(message).await?;
        let near = self.of_message(message);
        let (rows, more) = match endpoint {
            None => near.fetch(walk.query(near.under(prefix)), walk.limit).await?,
            Some(endpoint) => {
                let mut rows = near.all_items(near.under(prefix), MAX_ATTEMPTS).await?;
                rows.retain(|row| of_endpoint(row).is_some_and(|of| of == *endpoint));
                walk.slice(rows)
            }
        };
        let id = |row: &Item| Some((of_endpoint(row)?, attempt_of(row)?));
        let ids: Vec<(EndpointId, String)> = rows.iter().filter_map(id).collect();
        let found = self.attempts(ids.iter().cloned().collect()).await?;
        let mut found: BTreeMap<String, AttemptRecord> =
            found.into_iter().map(|attempt| (attempt.id.clone(), attempt)).collect();
        walk.walked(ids.iter().filter_map(|(_, id)| found.remove(id)).collect(), more)
    }

    /// Deliveries of an endpoint since a time, or after a message if one is named, the oldest
    /// first; and whether there are more.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn deliveries_since(
        &self,
        endpoint: &EndpointId,
        from: Millis,
        after: Option<&MessageId>,
    ) -> Result<(Vec<Delivery>, bool)> {
        let at: Collection<Delivery> = self.at_endpoint(endpoint);
        let mut query = since(at.under(String::new()), Some(from));
        query.start = after.map(|id| item::key(&at.partition, &Delivery::place(id).0));
        let (items, more) = at.fetch(query, AT_ONCE).await?;
        let items = items.into_iter().map(|item| at.decode(item));
        Ok((items.collect::<Result<_>>()?, more))
    }
}

pub(crate) fn of_endpoint(row: &Item) -> Option<EndpointId> {
    let text = row.get(OF_ENDPOINT)?.as_s().ok()?;
    EndpointId::try_from(text.clone()).ok()
}

pub(crate) fn attempt_of(row: &Item) -> Option<String> {
    let (_, sort) = place_of(row);
    sort.strip_prefix(&Key::named(AttemptRecord::KIND).prefix()).map(str::to_owned)
}
