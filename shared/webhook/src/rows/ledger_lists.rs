//! Lists of the ledger of webhooks, newest first, with two directions.

use std::collections::BTreeSet;

use aws::Query;
use error::{Error, Result};
use model::{EndpointId, MessageId, Millis};
use tenancy::{
    layout::{Entity, Key, MESSAGE, Table, item, message_place},
    prelude::*,
    reading::{Collection, MAX_PAGE_BYTES, Walk, Walked},
};

use super::{Webhooks, messages};
use crate::types::{Delivery, ListedAttempt, Message};

/// Sorts behind every id of the time.
const LAST: &str = "~";
/// Deliveries read together.
const AT_ONCE: usize = 100;
/// Rows read at a time for attempts: a row has up to 20 of them.
const ROWS: usize = 25;

/// The least id of a message of a time or later.
fn first_at(time: Millis) -> String {
    let id = ulid::Ulid::from_parts(time, 0).to_string();
    format!("{MESSAGE}#msg_{}", &id[..10])
}

/// A query of the messages since a time.
fn since(query: Query, time: Option<Millis>) -> Query {
    let Some(time) = time else { return query };
    let between = Some((item::SK, first_at(time), format!("{MESSAGE}#{LAST}")));
    Query { prefix: None, between, ..query }
}

fn message_key(message: &Message) -> String {
    message_place(&message.id).into()
}

/// The attempts of a page, collected row by row.
struct AttemptPage<'a> {
    walk: &'a Walk,
    key: fn(&ListedAttempt) -> String,
    attempts: Vec<ListedAttempt>,
    bytes: usize,
}

impl<'a> AttemptPage<'a> {
    fn new(walk: &'a Walk, key: fn(&ListedAttempt) -> String) -> Self {
        Self { walk, key, attempts: vec![], bytes: 0 }
    }

    /// Adds the attempts of a row that belong to the page.
    fn take(&mut self, row: Delivery) {
        let Delivery { message_id, endpoint_id, mut attempts, .. } = row;
        if !self.walk.is_back() {
            attempts.reverse();
        }
        let listed = attempts.into_iter().map(|attempt| ListedAttempt {
            message_id: message_id.clone(),
            endpoint_id: endpoint_id.clone(),
            attempt,
        });
        for attempt in listed {
            if self.walk.has_to_come((self.key)(&attempt).as_str()) && !self.is_full() {
                self.bytes += attempt.attempt.response.len();
                self.attempts.push(attempt);
            }
        }
    }

    fn is_full(&self) -> bool {
        self.attempts.len() > self.walk.limit()
            || (self.bytes > MAX_PAGE_BYTES && self.attempts.len() > 1)
    }

    fn page(mut self) -> Result<Walked<ListedAttempt>> {
        let more = self.is_full();
        if more {
            self.attempts.pop();
        }
        self.walk.walked_by(self.attempts, more, self.key)
    }
}

fn key_at_endpoint(listed: &ListedAttempt) -> String {
    format!("{}#{}", message_place(&listed.message_id).as_str(), listed.attempt.id)
}

fn key_of_message(listed: &ListedAttempt) -> String {
    format!("{}#{}", listed.endpoint_id, listed.attempt.id)
}

impl Webhooks<'_> {
    fn messages(self) -> Query {
        let all = self.0.collection::<Delivery>();
        let query = all.rows().under(Key::named(MESSAGE).prefix());
        Query { table: Table::Events.name(), ..query }
    }

    /// The messages from one on, the oldest first, and whether there are more.
    pub(super) async fn messages_after(
        self,
        after: Option<&MessageId>,
        limit: i32,
    ) -> Result<(Vec<Message>, bool)> {
        let start = after.map(|id| item::key(self.0.partition(), &message_place(id)));
        let found = self.0.db().query(Query { start, limit, ..self.messages() }).await?;
        let found_all = found.items.into_iter().map(messages::decode);
        Ok((found_all.collect::<Result<_>>()?, found.next.is_some()))
    }

    /// One page of the messages since a time, only those of an endpoint if one is named.
    ///
    /// # Errors
    /// FAILED_PRECONDITION.
    pub async fn list_messages(
        self,
        walk: &Walk,
        endpoint: Option<&EndpointId>,
        from: Option<Millis>,
    ) -> Result<Walked<Message>> {
        self.require_any_enabled().await?;
        let all = self.0.collection::<Delivery>();
        let Some(endpoint) = endpoint else {
            let query = walk.query(since(self.messages(), from));
            let (items, more) = all.rows().fetch(query, walk.limit()).await?;
            let items = items.into_iter().map(messages::decode).collect::<Result<_>>()?;
            return walk.walked_by(items, more, message_key);
        };
        let at: Collection<Delivery> = self.at_endpoint(endpoint);
        let query = walk.query(since(at.rows().under(Key::named(MESSAGE).prefix()), from));
        let (items, more) = at.rows().fetch(query, walk.limit()).await?;
        let ids = items.into_iter().map(|item| Ok(at.rows().decode(item)?.message_id));
        let ids = ids.collect::<Result<Vec<MessageId>>>()?;
        let sorts = ids.iter().map(message_place);
        let mut found = self.0.db().get_all(Table::Events, self.0.partition(), sorts).await?;
        let found = ids.iter().filter_map(|id| found.remove(message_place(id).as_str()));
        walk.walked_by(found.map(messages::decode).collect::<Result<_>>()?, more, message_key)
    }

    /// One page of the attempts of a message, at an endpoint, or both: of the newest message first,
    /// or of the newest endpoint; of one message at one endpoint, the newest first.
    ///
    /// # Errors
    /// FAILED_PRECONDITION; NOT_FOUND for an unknown message.
    pub async fn list_attempts(
        self,
        walk: &Walk,
        message: Option<&MessageId>,
        endpoint: Option<&EndpointId>,
    ) -> Result<Walked<ListedAttempt>> {
        self.require_any_enabled().await?;
        match (message, endpoint) {
            (Some(message), endpoint) => {
                let mut endpoints = self.message(message).await?.endpoints;
                endpoints.retain(|id| endpoint.is_none_or(|endpoint| id == endpoint));
                self.attempts_of(walk, message, endpoints).await
            }
            (None, Some(endpoint)) => self.attempts_at(walk, endpoint).await,
            (None, None) => Err(Error::internal("a list of nothing")),
        }
    }

    async fn attempts_at(
        self,
        walk: &Walk,
        endpoint: &EndpointId,
    ) -> Result<Walked<ListedAttempt>> {
        let at: Collection<Delivery> = self.at_endpoint(endpoint);
        let mut gathered = AttemptPage::new(walk, key_at_endpoint);
        let mut query = walk.query_rows(at.rows().under(Key::named(MESSAGE).prefix()));
        query.limit = i32::try_from(ROWS.min(walk.limit() + 1)).unwrap_or(1);
        loop {
            let found = self.0.db().query(query.clone()).await?;
            for item in found.items {
                gathered.take(at.rows().decode(item)?);
            }
            query.start = found.next;
            if query.start.is_none() || gathered.is_full() {
                return gathered.page();
            }
        }
    }

    async fn attempts_of(
        self,
        walk: &Walk,
        message: &MessageId,
        endpoints: BTreeSet<EndpointId>,
    ) -> Result<Walked<ListedAttempt>> {
        let mut gathered = AttemptPage::new(walk, key_of_message);
        // Sorts behind every key of an attempt there; the row in which a page ends is read again.
        let has_to_come = |id: &EndpointId| match walk.is_back() {
            true => walk.has_to_come(&format!("{id}#{LAST}")),
            false => walk.has_to_come(&format!("{id}#")),
        };
        let mut endpoints: Vec<EndpointId> = endpoints.into_iter().filter(has_to_come).collect();
        if !walk.is_back() {
            endpoints.reverse();
        }
        for chunk in endpoints.chunks(ROWS) {
            for row in self.deliveries_of(message, chunk).await? {
                gathered.take(row);
            }
            if gathered.is_full() {
                break;
            }
        }
        gathered.page()
    }

    /// The existing deliveries of a message at endpoints, in their order.
    pub(super) async fn deliveries_of(
        self,
        message: &MessageId,
        endpoints: &[EndpointId],
    ) -> Result<Vec<Delivery>> {
        let place = |id: &EndpointId| {
            let at = self.at_endpoint::<Delivery>(id);
            (Delivery::TABLE, at.rows().partition().clone(), Delivery::place(message).into_key())
        };
        let places: Vec<_> = endpoints.iter().map(place).collect();
        let mut found = self.0.db().get_tables(places.clone()).await?;
        let found = places.iter().filter_map(|place| found.take(place));
        found.map(|item| self.0.collection().rows().decode(item)).collect()
    }

    /// Deliveries of an endpoint since a time, or after a message if one is named, the oldest
    /// first; and whether there are more.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn deliveries_since(
        self,
        endpoint: &EndpointId,
        from: Millis,
        after: Option<&MessageId>,
    ) -> Result<(Vec<Delivery>, bool)> {
        let at: Collection<Delivery> = self.at_endpoint(endpoint);
        let mut query = since(at.rows().under(String::new()), Some(from));
        query.start =
            after.map(|id| item::key(at.rows().partition(), &Delivery::place(id).into_key()));
        let (items, more) = at.rows().fetch(query, AT_ONCE).await?;
        let items = items.into_iter().map(|item| at.rows().decode(item));
        Ok((items.collect::<Result<_>>()?, more))
    }
}
