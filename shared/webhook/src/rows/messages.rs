//! Entries of the journal: events with subscribers. An entry with webhooks is also the message of
//! their ledger, in the partition of its tenant: its id begins with the time of the event, so that
//! the reverse order of the table is newest first.

use std::collections::BTreeSet;

use aws::{Item, Update, Value, Write};
use error::{Error, Result};
use model::{EndpointId, MessageId, Millis, event::Event};
use store::{
    journal::{EVENT_BODY, StoredEvent},
    prelude::*,
};
use tenancy::{
    layout::{EXPIRES, Entity, Key, Table, item, message_place},
    prelude::*,
    reading::Collection,
    writing::{Unit, absent, present},
};

use super::Webhooks;
use crate::types::{Context, Message, RETENTION};

/// Size of an entry without its keys; an item has room for 400 KB.
const MAX_BYTES: usize = 390_000;
/// Size of a context: the largest body, with room for escapes.
const MAX_CONTEXT: usize = 300_000;

const CONTEXT: &str = "context";
const ENDPOINTS: &str = "endpoints";
const EXPUNGED: &str = "expungedAt";

/// Data of an entry besides its event.
#[derive(Clone, Debug, Default)]
pub(crate) struct MessageContent {
    /// The endpoints of webhooks.
    pub(crate) endpoints: BTreeSet<EndpointId>,
    /// Data of their bodies besides the event.
    pub(crate) context: Context,
}

pub(super) fn decode(mut row: Item) -> Result<Message> {
    let mut text = |name: &str| match row.remove(name) {
        Some(Value::S(text)) => Some(text),
        _ => None,
    };
    let body = text(EVENT_BODY).ok_or_else(|| Error::internal("an entry without its event"))?;
    let stored: StoredEvent = serde_json::from_str(&body).map_err(Error::internal)?;
    let context = text(CONTEXT).map(|text| serde_json::from_str(&text)).transpose();
    let endpoints = match row.remove(ENDPOINTS) {
        Some(Value::Ss(ids)) => ids,
        _ => vec![],
    };
    let endpoints = endpoints.into_iter().filter_map(|id| EndpointId::try_from(id).ok());
    let expunged_at = item::number(&row, EXPUNGED);
    Ok(Message {
        id: stored.message_id()?,
        seq: stored.seq,
        at: stored.at,
        event: stored.event,
        context: context.map_err(Error::internal)?.unwrap_or_default(),
        endpoints: endpoints.collect(),
        expunged_at,
    })
}

fn expiry(at: Millis) -> Value {
    Value::N(at.saturating_add(RETENTION).div_ceil(1000).to_string())
}

impl Webhooks<'_> {
    /// A new event without a write of its own; the same `seed` at the same time gives the same
    /// event.
    pub(crate) fn new_event(self, event: Event, seed: &str) -> StoredEvent {
        let at = self.0.now();
        let digest = u128::from_str_radix(&keyring::sha256_hex(seed)[..32], 16).unwrap_or_default();
        let (id, tenant) = (ulid::Ulid::from_parts(at, digest).to_string(), self.0.to_ref());
        StoredEvent { id, seq: None, at, ahead: self.0.clock_ahead(), tenant, event }
    }

    /// Stores the entry of an event with its subscribers. An existing one stays unchanged, so that
    /// every attempt of a message sends the same.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; some of it may be stored.
    pub(crate) async fn keep_message(
        self,
        stored: &StoredEvent,
        content: &MessageContent,
    ) -> Result<()> {
        let mut context = serde_json::to_string(&content.context).map_err(Error::internal)?;
        if context.len() > MAX_CONTEXT {
            let partial = Context { is_partial: true, ..Context::default() };
            context = serde_json::to_string(&partial).map_err(Error::internal)?;
        }
        let ids = content.endpoints.iter().map(|id| id.as_str().to_owned());
        let ids: Vec<String> = ids.collect();
        let taken = context.len() + ids.iter().map(String::len).sum::<usize>();
        let body = stored.text(MAX_BYTES.saturating_sub(taken))?;
        let mut row = item::key(self.0.partition(), &message_place(&stored.message_id()?));
        row.insert(EVENT_BODY.to_owned(), Value::S(body));
        row.insert(CONTEXT.to_owned(), Value::S(context));
        row.insert(EXPIRES.to_owned(), expiry(stored.at));
        if !ids.is_empty() {
            row.insert(ENDPOINTS.to_owned(), Value::Ss(ids));
        }
        let (table, condition) = (Table::Events.name(), Some(absent()));
        let write = Write::Put { table, item: row, condition };
        let version = stored.id.clone();
        self.keep(Unit::new(vec![write]).versioned(version)).await
    }

    /// A message.
    ///
    /// # Errors
    /// NOT_FOUND.
    pub(crate) async fn message(self, id: &MessageId) -> Result<Message> {
        let found = self.0.db().get(Table::Events, self.0.partition(), &message_place(id)).await?;
        let missing = || Error::not_found(format!("There is no message {id}."));
        decode(found.ok_or_else(missing)?)
    }

    /// Adds an endpoint to a message, for a manual delivery.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn add_endpoint_to(
        self,
        message: &MessageId,
        endpoint: &EndpointId,
    ) -> Result<()> {
        let id = Value::Ss(vec![endpoint.as_str().to_owned()]);
        self.update_message(message, "ADD #a :a", [(ENDPOINTS, id)]).await
    }

    /// Writes the reduced message after the erasure of a user it named.
    pub(super) async fn write_expunged(self, message: &Message) -> Result<()> {
        let ahead = self.0.clock_ahead();
        let stored = StoredEvent {
            id: message.id.as_str().trim_start_matches("msg_").to_owned(),
            seq: message.seq,
            at: message.at,
            ahead,
            tenant: self.0.to_ref(),
            event: message.event.clone(),
        };
        let body = Value::S(stored.text(MAX_BYTES)?);
        let context = serde_json::to_string(&message.context).map_err(Error::internal)?;
        let at = Value::N(message.expunged_at.unwrap_or_default().to_string());
        let members = [(EVENT_BODY, body), (CONTEXT, Value::S(context)), (EXPUNGED, at)];
        self.update_message(&message.id, "SET #a = :a, #b = :b, #c = :c", members).await
    }

    /// Changes members of an existing message.
    async fn update_message<const N: usize>(
        self,
        id: &MessageId,
        expression: &str,
        members: [(&str, Value); N],
    ) -> Result<()> {
        let is_there = present();
        let mut update = Update {
            expression: expression.to_owned(),
            condition: Some(is_there.expression),
            names: is_there.names,
            values: Item::new(),
        };
        for ((name, value), letter) in members.into_iter().zip('a'..) {
            update.names.insert(format!("#{letter}"), name.to_owned());
            update.values.insert(format!(":{letter}"), value);
        }
        let key = item::key(self.0.partition(), &message_place(id));
        let write = Write::Update { table: Table::Events.name(), key, update };
        self.0.db().commit(Unit::new(vec![write])).await.was_executed().map(drop)
    }

    /// The context of an event's body, in one read.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn context_of(self, event: &Event) -> Result<Context> {
        let Event::Domain(event) = event else { return Ok(Context::default()) };
        let inside = self.0.organization(&event.organization_id);
        let (documents, organizations) = (inside.documents().all(), self.0.organizations().all());
        fn at<E: Entity>(of: &Collection<E>, id: &E::Id) -> (Table, Key, Key) {
            (E::TABLE, of.rows().partition().clone(), E::place(id).into_key())
        }
        let document = at(&documents, &event.document_id);
        let organization = at(&organizations, &event.organization_id);
        let mut found = self.0.db().get_tables([document.clone(), organization.clone()]).await?;
        let mut context = Context::default();
        if let Some(item) = found.take(&document) {
            let document = documents.rows().decode(item)?;
            context.document_name = document.document_name.map(|name| name.to_string());
            context.document_metadata = Some(document.metadata);
        }
        if let Some(item) = found.take(&organization) {
            let organization = organizations.rows().decode(item)?;
            context.organization_name = organization.organization_name.map(|name| name.to_string());
            context.organization_metadata = Some(organization.metadata);
        }
        Ok(context)
    }
}
