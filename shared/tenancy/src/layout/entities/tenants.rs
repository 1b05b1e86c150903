//! Entities that belong to a tenant as a whole.

use model::{
    AgentId, JobId, MessageId, Millis,
    agent::{Agent, AgentVersion, Switch},
    configuration::{AdvancedWebhookConfig, WebhookConfig},
    user_data::ErasureJob,
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

impl Entity for Agent {
    const KIND: &'static str = "agent";
    const JSON: &'static [&'static str] = &["metadata"];
    type Id = AgentId;
    fn id(&self) -> AgentId {
        self.agent_id.clone()
    }
    fn shown(id: &AgentId) -> &str {
        id.as_str()
    }
    fn place(id: &AgentId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
}

impl Entity for Switch {
    const KIND: &'static str = "agent";
    const NOUN: &'static str = "built-in agent";
    type Id = AgentId;
    fn id(&self) -> AgentId {
        self.agent_id.clone()
    }
    fn shown(id: &AgentId) -> &str {
        id.as_str()
    }
    fn place(id: &AgentId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()).join(&Key::named("built-in")))
    }
}

/// Sorts behind every number.
const CURRENT: &str = "current";

/// The versions of an agent.
pub fn versions_of(id: &AgentId) -> Key {
    Key::pair(AgentVersion::KIND, id.as_str())
}

impl Entity for AgentVersion {
    const KIND: &'static str = "agent-version";
    const NOUN: &'static str = "version of the agent";
    const JSON: &'static [&'static str] = &["behavior"];
    const SECRETS: &'static [&'static str] = &["sealed"];
    /// The agent, and the number of a previous version.
    type Id = (AgentId, Option<u64>);
    fn id(&self) -> Self::Id {
        (self.agent_id.clone(), (!self.is_current).then_some(self.version))
    }
    fn shown((id, _): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((id, number): &Self::Id) -> Place {
        let number = number.map_or_else(|| CURRENT.to_owned(), |number| format!("{number:010}"));
        Place(versions_of(id).and("version", &number))
    }
}

/// The head of the sort keys of messages, and of deliveries at an endpoint.
pub const MESSAGE: &str = "webhook-message";

/// Key of a message of webhooks.
pub fn message_place(id: &MessageId) -> Key {
    Key::pair(MESSAGE, id.as_str())
}

impl Entity for ErasureJob {
    const KIND: &'static str = "erasure";
    const NOUN: &'static str = "job";
    type Id = JobId;
    fn id(&self) -> JobId {
        self.job_id.clone()
    }
    fn shown(id: &JobId) -> &str {
        id.as_str()
    }
    fn place(id: &JobId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn expires(&self) -> Option<Millis> {
        Some(self.ends())
    }
}
