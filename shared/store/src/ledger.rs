//! The ledger of webhooks: messages lie under their tenant, what became of them at an endpoint
//! under the endpoint, and so do the attempts; a message has a row for each of its attempts.
//!
//! The id of a message begins with the time of its event, and that of an attempt with its own, so
//! that newest first is the order of the table backwards.

use std::{collections::BTreeSet, future::ready, marker::PhantomData};

use aws::{BatchWrite, Item, Value, Write};
use error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use model::{
    EndpointId, MessageId, Millis,
    event::Event,
    ledger::{AttemptRecord, Delivery, EndpointState, KEPT, Message},
};

use crate::{
    collection::Collection,
    commit::{Fate, Unit},
    db::{PARALLEL, place_of},
    entity::{Entity, Place, Table},
    item::{self, EXPIRES},
    key::Key,
    schedule::{Wake, arm},
    scope::TenantStore,
};

impl Entity for Message {
    const KIND: &'static str = "webhook-message";
    const NOUN: &'static str = "message";
    const TABLE: Table = Table::Schedule;
    type Id = MessageId;
    fn id(&self) -> MessageId {
        self.id.clone()
    }
    fn shown(id: &MessageId) -> &str {
        id.as_str()
    }
    fn place(id: &MessageId) -> Place {
        Place(Key::of(Self::KIND, id.as_str()))
    }
    fn expires(&self) -> Option<Millis> {
        Some(self.at.saturating_add(KEPT))
    }
}

/// In the partition of its endpoint, sorted as messages are.
impl Entity for Delivery {
    const KIND: &'static str = Message::KIND;
    const NOUN: &'static str = "delivery of message";
    const TABLE: Table = Table::Schedule;
    type Id = MessageId;
    fn id(&self) -> MessageId {
        self.message_id.clone()
    }
    fn shown(id: &MessageId) -> &str {
        id.as_str()
    }
    fn place(id: &MessageId) -> Place {
        Message::place(id)
    }
    fn expires(&self) -> Option<Millis> {
        Some(self.created_at.saturating_add(KEPT))
    }
}

/// In the partition of its endpoint. In that of its message lies a row of the same sort key.
impl Entity for AttemptRecord {
    const KIND: &'static str = "attempt";
    const TABLE: Table = Table::Schedule;
    type Id = String;
    fn id(&self) -> String {
        self.id.clone()
    }
    fn shown(id: &String) -> &str {
        id
    }
    fn place(id: &String) -> Place {
        Place(Key::of(Self::KIND, id))
    }
    fn expires(&self) -> Option<Millis> {
        Some(self.at.saturating_add(KEPT))
    }
}

/// In the partition of its endpoint.
impl Entity for EndpointState {
    const KIND: &'static str = "state";
    const NOUN: &'static str = "state of an endpoint";
    const TABLE: Table = Table::Schedule;
    const JSON: &'static [&'static str] = &["health"];
    type Id = ();
    fn id(&self) {}
    fn shown((): &()) -> &str {
        ""
    }
    fn place((): &()) -> Place {
        Place(Key::named(Self::KIND))
    }
}

/// Something of the ledger as it was read, with what its next write has to find.
#[derive(Clone, Debug)]
pub struct Seen<E> {
    /// It.
    pub entity: E,
    pub(crate) version: String,
}

fn seen<E: Entity>(collection: &Collection<E>, item: Item) -> Result<Seen<E>> {
    let version = item::version(&item)?;
    Ok(Seen { entity: collection.decode(item)?, version })
}

/// The endpoint of an attempt in the row of its message.
pub(crate) const OF_ENDPOINT: &str = "endpointId";

impl TenantStore {
    pub(crate) fn at_endpoint<E: Entity>(&self, endpoint: &EndpointId) -> Collection<E> {
        let partition = self.partition().and("webhook-endpoint", endpoint.as_str());
        Collection { partition, ..self.of() }
    }

    pub(crate) fn of_message(&self, message: &MessageId) -> Collection<AttemptRecord> {
        let partition = self.partition().and(Message::KIND, message.as_str());
        Collection { partition, ..self.of() }
    }

    pub(crate) fn messages(&self) -> Collection<Message> {
        self.of()
    }

    /// Keeps a message and where it goes, as far as that is not known yet. `wake` says how a
    /// delivery is woken. One by one, because a transaction costs twice as much and nothing is
    /// gained by it: whoever stops in between begins anew.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; some of it may have been kept.
    pub async fn keep_message(
        &self,
        message: &Message,
        deliveries: &[Delivery],
        wake: impl Fn(&Delivery) -> Result<Wake>,
    ) -> Result<()> {
        self.keep(self.messages().inserted(message, None)?).await?;
        let unit = |delivery: &Delivery| {
            let at = self.at_endpoint(&delivery.endpoint_id);
            let unit = at.inserted(delivery, None)?;
            self.armed(unit, delivery.next_at, || wake(delivery))
        };
        let units = deliveries.iter().map(unit).collect::<Result<Vec<_>>>()?;
        let kept = stream::iter(units).map(|unit| self.keep(unit)).buffer_unordered(PARALLEL);
        kept.try_for_each(|()| ready(Ok(()))).await
    }

    /// Lets the first write of a unit be woken at a time.
    pub(crate) fn armed(
        &self,
        mut unit: Unit,
        at: Option<Millis>,
        wake: impl FnOnce() -> Result<Wake>,
    ) -> Result<Unit> {
        if let (Some(at), Some(Write::Put { item, .. })) = (at, unit.writes.first_mut()) {
            let (partition, sort) = place_of(item);
            let id = &keyring::sha256_hex(&format!("{partition}#{sort}"))[..32];
            item.extend(arm(self, id, at, &wake()?, true));
        }
        Ok(unit)
    }

    /// A message.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub async fn message(&self, id: &MessageId) -> Result<Message> {
        self.messages().get(id).await
    }

    /// What became of a message at an endpoint, if it goes there.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn delivery(
        &self,
        endpoint: &EndpointId,
        message: &MessageId,
    ) -> Result<Option<Seen<Delivery>>> {
        self.seen(&self.at_endpoint(endpoint), message).await
    }

    /// What became of a message at an endpoint, if it goes there, and how the endpoint is doing.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn delivery_and_state(
        &self,
        endpoint: &EndpointId,
        message: &MessageId,
    ) -> Result<(Option<Seen<Delivery>>, Option<Seen<EndpointState>>)> {
        let (deliveries, states) = (self.at_endpoint(endpoint), self.at_endpoint(endpoint));
        let (delivery, state) = (Delivery::place(message).0, EndpointState::place(&()).0);
        let wanted = [delivery.clone(), state.clone()];
        let mut found = self.db.get_all(Delivery::TABLE, &deliveries.partition, wanted).await?;
        let delivery = found.remove(delivery.as_str()).map(|item| seen(&deliveries, item));
        let state = found.remove(state.as_str()).map(|item| seen(&states, item));
        Ok((delivery.transpose()?, state.transpose()?))
    }

    pub(crate) async fn seen<E: Entity>(
        &self,
        collection: &Collection<E>,
        id: &E::Id,
    ) -> Result<Option<Seen<E>>> {
        let found = self.db.get(E::TABLE, &collection.partition, &E::place(id).0).await?;
        found.map(|item| seen(collection, item)).transpose()
    }

    /// Writes what is not there yet.
    async fn keep(&self, unit: Unit) -> Result<()> {
        match self.db.commit(unit).await {
            Fate::Failed(error) => Err(error),
            Fate::Done | Fate::Refused(_) => Ok(()),
        }
    }

    pub(crate) async fn is_done(&self, unit: Unit) -> Result<bool> {
        match self.db.commit(unit).await {
            Fate::Done => Ok(true),
            Fate::Refused(_) => Ok(false),
            Fate::Failed(error) if error.status == error::Status::Aborted => Ok(false),
            Fate::Failed(error) => Err(error),
        }
    }

    /// Writes what became of a message, with the attempt that made it so and what is told of it;
    /// none when somebody was faster.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; it may have been written.
    pub async fn change_delivery(
        &self,
        seen: &Seen<Delivery>,
        delivery: Delivery,
        wake: impl Fn(&Delivery) -> Result<Wake>,
        made: (Option<&AttemptRecord>, Option<Event>),
    ) -> Result<Option<Seen<Delivery>>> {
        let at = self.at_endpoint(&delivery.endpoint_id);
        let unit = at.changed(&delivery, &seen.version, None)?;
        let mut unit = self.armed(unit, delivery.next_at, || wake(&delivery))?;
        if let Some(attempt) = made.0 {
            let put = |item| Write::Put { table: Table::Schedule.name(), item, condition: None };
            unit.writes.extend(self.attempt_rows(attempt)?.map(put));
        }
        unit.told = self.of::<model::api_key::ApiKey>().told(made.1);
        let version = unit.version.clone().unwrap_or_default();
        let is_done = self.is_done(unit).await?;
        Ok(is_done.then_some(Seen { entity: delivery, version }))
    }

    /// Writes an attempt that changes nothing else.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn keep_attempt(&self, attempt: &AttemptRecord) -> Result<()> {
        let rows = self.attempt_rows(attempt)?.map(BatchWrite::Put).into();
        self.db.write_all(Table::Schedule, rows).await.into_iter().collect()
    }

    /// Whether there is such an attempt.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn has_attempt(&self, endpoint: &EndpointId, id: &str) -> Result<bool> {
        let found = self.at_endpoint::<AttemptRecord>(endpoint).find(&id.to_owned()).await?;
        Ok(found.is_some())
    }

    /// The id of an attempt: it begins with its time, and the rest follows from `seed`.
    pub fn attempt_id(&self, at: Millis, seed: &str) -> String {
        let digest = u128::from_str_radix(&keyring::sha256_hex(seed)[..32], 16).unwrap_or_default();
        format!("atm_{}", ulid::Ulid::from_parts(at, digest))
    }

    fn attempt_rows(&self, attempt: &AttemptRecord) -> Result<[Item; 2]> {
        let at = self.at_endpoint(&attempt.endpoint_id);
        let item = at.encode(attempt, &crate::collection::new_version()?)?;
        let near = self.of_message(&attempt.message_id);
        let mut row = item::key(&near.partition, &AttemptRecord::place(&attempt.id).0);
        let endpoint = attempt.endpoint_id.as_str().to_owned();
        row.insert(OF_ENDPOINT.to_owned(), Value::S(endpoint));
        row.extend(item.get(EXPIRES).cloned().map(|at| (EXPIRES.to_owned(), at)));
        Ok([item, row])
    }

    /// How an endpoint is doing, as it was read.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn endpoint_state(&self, id: &EndpointId) -> Result<Option<Seen<EndpointState>>> {
        self.seen(&self.at_endpoint(id), &()).await
    }

    /// Writes how an endpoint is doing; false when somebody was faster.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; it may have been written.
    pub async fn keep_endpoint_state(
        &self,
        id: &EndpointId,
        seen: Option<&Seen<EndpointState>>,
        state: &EndpointState,
    ) -> Result<bool> {
        let at = self.at_endpoint(id);
        let unit = match seen {
            Some(seen) => at.changed(state, &seen.version, None)?,
            None => at.inserted(state, None)?,
        };
        self.is_done(unit).await
    }

    /// The step that forgets how an endpoint was doing.
    pub(crate) fn forget_state(&self, id: &EndpointId) -> Write {
        let at = self.at_endpoint::<EndpointState>(id);
        let key = item::key(&at.partition, &EndpointState::place(&()).0);
        Write::Delete { table: Table::Schedule.name(), key, condition: None }
    }

    /// Tells something that is written nowhere else.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn tell(&self, event: Event) -> Result<()> {
        let told = self.of::<model::api_key::ApiKey>().told(Some(event));
        let unit = Unit { told, ..Unit::default() };
        crate::commit::settle(self.db.commit(unit).await, |_| {
            Error::internal("refused without a condition")
        })
    }

    /// Attempts of endpoints by id, in any order.
    pub(crate) async fn attempts(
        &self,
        of: BTreeSet<(EndpointId, String)>,
    ) -> Result<Vec<AttemptRecord>> {
        let place = |(endpoint, id): (EndpointId, String)| {
            (self.at_endpoint::<AttemptRecord>(&endpoint).partition, AttemptRecord::place(&id).0)
        };
        let places = of.into_iter().map(place).collect();
        let found = self.db.get_across(Table::Schedule, places).await?;
        let all = Collection::<AttemptRecord> { entity: PhantomData, ..self.of() };
        found.into_values().map(|item| all.decode(item)).collect()
    }
}
