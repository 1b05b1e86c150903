//! Webhook endpoints and the configurations that are sorted with them; messages of webhooks.

use model::{
    MessageId,
    configuration::{AdvancedWebhookConfig, WebhookConfig},
};

use crate::layout::{Entity, Key, Place};

/// The sort key follows those of all endpoints, so that one descending query reads this
/// configuration and then them.
impl Entity for AdvancedWebhookConfig {
    const KIND: &'static str = WEBHOOK;
    const NOUN: &'static str = "advanced webhook configuration";
    type Id = ();
    fn id(&self) {}
    fn shown((): &()) -> &str {
        ""
    }
    fn place((): &()) -> Place {
        Place(Key::named(Self::KIND).join(&Key::named("settings")))
    }
}

/// The kind of webhook endpoints, whose type is in the crate `webhook`: sorted with both
/// configurations.
pub const WEBHOOK: &str = "webhook";

/// The members of webhook endpoints that are sealed.
pub const ENDPOINT_SECRETS: &[&str] = &["secret"];

/// The sort key is beside that of the advanced configuration, so that the same query reads this
/// one, too.
impl Entity for WebhookConfig {
    const KIND: &'static str = WEBHOOK;
    const NOUN: &'static str = "webhook configuration";
    const SECRETS: &'static [&'static str] = &["authToken"];
    type Id = ();
    fn id(&self) {}
    fn shown((): &()) -> &str {
        ""
    }
    fn place((): &()) -> Place {
        Place(Key::named(Self::KIND).join(&Key::named("urls")))
    }
}

/// The head of the sort keys of messages, and of deliveries at an endpoint.
pub const MESSAGE: &str = "webhook-message";

/// Key of a message of webhooks.
pub fn message_place(id: &MessageId) -> Key {
    Key::pair(MESSAGE, id.as_str())
}
