//! The ledger of webhooks: a delivery is one row with its attempts, in the partition of the
//! endpoint, sorted like messages. It is armed while an attempt is pending.

use aws::{Item, Update, Value, Write};
use error::Result;
use model::{EndpointId, MessageId, Millis, revision::Revision};
use store::{prelude::*, schedule::Wake};
use tenancy::{
    layout::{Entity, Place, Table, item, message_place},
    prelude::*,
    reading::{Collection, new_version},
    writing::Unit,
};

use super::{Receiver, Webhooks, messages};
use crate::types::{Delivery, DeliveryWrite, EndpointState, Message, Versioned};

fn seen<E: Entity>(collection: &Collection<E>, item: Item) -> Result<Versioned<E>> {
    let version = item::version(&item)?;
    Ok(Versioned { entity: collection.rows().decode(item)?, version })
}

/// The input of a first attempt.
pub(crate) struct LoadedDelivery {
    /// The message.
    pub(crate) message: Message,
    /// Delivery of the message so far.
    pub(crate) delivery: Option<Versioned<Delivery>>,
    /// State of the endpoint.
    pub(crate) state: Option<Versioned<EndpointState>>,
    /// Receiver of the message.
    pub(crate) receiver: Receiver,
}

impl Webhooks<'_> {
    pub(super) fn at_endpoint<E: Entity>(self, endpoint: &EndpointId) -> Collection<E> {
        let partition = self.0.partition().and("webhook-endpoint", endpoint.as_str());
        Collection::new(self.0.db(), self.0.to_ref(), partition)
    }

    /// Reads the input of an attempt in one call; none when the message has expired.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn load_delivery(
        self,
        message: &MessageId,
        endpoint: &EndpointId,
    ) -> Result<Option<LoadedDelivery>> {
        let (deliveries, states) = (self.at_endpoint(endpoint), self.at_endpoint(endpoint));
        let entry = (Table::Events, self.0.partition().clone(), message_place(message));
        let at =
            |sort: Place| (Table::Schedule, deliveries.rows().partition().clone(), sort.into_key());
        let (delivery, state) = (at(Delivery::place(message)), at(EndpointState::place(&())));
        let mut places = self.receiver_places(endpoint);
        places.extend([entry.clone(), delivery.clone(), state.clone()]);
        let mut found = self.0.db().get_tables(places).await?;
        let Some(entry) = found.take(&entry) else { return Ok(None) };
        let delivery = found.take(&delivery).map(|item| seen(&deliveries, item)).transpose()?;
        let state = found.take(&state).map(|item| seen(&states, item)).transpose()?;
        let receiver = self.found_receiver(endpoint, found)?;
        Ok(Some(LoadedDelivery { message: messages::decode(entry)?, delivery, state, receiver }))
    }

    /// The delivery of a message at an endpoint, if it is one of its endpoints.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn delivery(
        self,
        endpoint: &EndpointId,
        message: &MessageId,
    ) -> Result<Option<Versioned<Delivery>>> {
        self.seen(&self.at_endpoint(endpoint), message).await
    }

    pub(super) async fn seen<E: Entity>(
        self,
        collection: &Collection<E>,
        id: &E::Id,
    ) -> Result<Option<Versioned<E>>> {
        let found = self
            .0
            .db()
            .get(E::TABLE, collection.rows().partition(), &E::place(id).into_key())
            .await?;
        found.map(|item| seen(collection, item)).transpose()
    }

    /// Writes an item that does not exist yet.
    pub(super) async fn keep(self, unit: Unit) -> Result<()> {
        self.0.db().commit(unit).await.was_executed().map(drop)
    }

    pub(super) async fn is_won(self, unit: Unit) -> Result<bool> {
        self.0.db().commit(unit).await.won_race()
    }

    /// Writes a delivery, unless its version changed.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; it may have been written.
    pub(crate) async fn write_delivery(
        self,
        seen: Option<&Versioned<Delivery>>,
        delivery: Delivery,
        wake: impl Fn(Millis) -> Result<Wake>,
    ) -> Result<DeliveryWrite> {
        let at = self.at_endpoint(&delivery.endpoint_id);
        let unit = match seen {
            Some(seen) => at.rows().changed(&delivery, &seen.version, None)?,
            None => at.rows().inserted(&delivery, None)?,
        };
        let next_at = delivery.next_at;
        let unit = self.0.schedule().armed(unit, next_at, || wake(next_at.unwrap_or_default()))?;
        let version = unit.version().unwrap_or_default().to_owned();
        Ok(match self.is_won(unit).await? {
            true => DeliveryWrite::Written(Versioned { entity: delivery, version }),
            false => DeliveryWrite::Conflict,
        })
    }

    /// The id of an attempt: its time, followed by digits derived from `seed`.
    pub(crate) fn attempt_id(self, at: Millis, seed: &str) -> String {
        let digest = u128::from_str_radix(&keyring::sha256_hex(seed)[..32], 16).unwrap_or_default();
        format!("atm_{}", ulid::Ulid::from_parts(at, digest))
    }

    /// The state of an endpoint, with its version.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn endpoint_state(
        self,
        id: &EndpointId,
    ) -> Result<Option<Versioned<EndpointState>>> {
        self.seen(&self.at_endpoint(id), &()).await
    }

    /// Writes the state of an endpoint; false after a concurrent change.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; it may have been written.
    pub(crate) async fn keep_endpoint_state(
        self,
        id: &EndpointId,
        seen: Option<&Versioned<EndpointState>>,
        state: &EndpointState,
    ) -> Result<bool> {
        let at = self.at_endpoint(id);
        let unit = match seen {
            Some(seen) => at.rows().changed(state, &seen.version, None)?,
            None => at.rows().inserted(state, None)?,
        };
        self.is_won(unit).await
    }

    /// The write after which an endpoint starts without pause, breaker and failures. It keeps the
    /// slots, which belong to the rate.
    pub(super) fn reset_state(self, id: &EndpointId, revision: Revision) -> Result<Write> {
        let at = self.at_endpoint::<EndpointState>(id);
        let key = item::key(at.rows().partition(), &EndpointState::place(&()).into_key());
        let names = [
            ("#version", item::VERSION),
            ("#written", item::WRITTEN),
            ("#url", "urlRevision"),
            ("#health", "health"),
        ];
        let values = [
            (":version", Value::S(new_version()?)),
            (":now", Value::N(self.0.db().clock().now().to_string())),
            (":url", Value::N(revision.url.to_string())),
        ];
        let update = Update {
            expression: "SET #version = :version, #written = :now, #url = :url REMOVE #health"
                .to_owned(),
            condition: None,
            names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
            values: values.map(|(name, value)| (name.to_owned(), value)).into(),
        };
        Ok(Write::Update { table: Table::Schedule.name(), key, update })
    }

    /// The write that deletes the state of an endpoint.
    pub(super) fn forget_state(self, id: &EndpointId) -> Write {
        let at = self.at_endpoint::<EndpointState>(id);
        let key = item::key(at.rows().partition(), &EndpointState::place(&()).into_key());
        Write::Delete { table: Table::Schedule.name(), key, condition: None }
    }
}
