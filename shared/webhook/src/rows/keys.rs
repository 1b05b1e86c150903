//! The keys of webhooks in the tables of a tenant.

use model::{EndpointId, MessageId, Millis, names_nobody};
use tenancy::layout::{
    ENDPOINT_SECRETS, Entity, Key, MESSAGE, Place, Table, WEBHOOK, message_place,
};

use crate::types::{Delivery, EndpointState, RETENTION, WebhookEndpoint};

// People are in the messages, which `expunge.rs` erases with the replies in deliveries.
names_nobody!(WebhookEndpoint, Delivery, EndpointState);

impl Entity for WebhookEndpoint {
    const KIND: &'static str = WEBHOOK;
    const NOUN: &'static str = "webhook endpoint";
    const JSON: &'static [&'static str] = &["metadata"];
    const SECRETS: &'static [&'static str] = ENDPOINT_SECRETS;
    type Id = EndpointId;
    fn id(&self) -> EndpointId {
        self.id.clone()
    }
    fn shown(id: &EndpointId) -> &str {
        id.as_str()
    }
    fn place(id: &EndpointId) -> Place {
        Place::new(Key::named(Self::KIND).join(&Key::pair("endpoint", id.as_str())))
    }
}

/// In the partition of its endpoint, sorted like messages.
impl Entity for Delivery {
    const KIND: &'static str = MESSAGE;
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
        Place::new(message_place(id))
    }
    fn expires(&self) -> Option<Millis> {
        Some(self.created_at.saturating_add(RETENTION))
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
        Place::new(Key::named(Self::KIND))
    }
}
