//! Replies that several operations share.

use model::{
    AgentId, Description, Metadata, Millis,
    agent::{Agent, BuiltIn},
};
use service::prelude::*;

/// The identity of an agent.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Identity {
    /// Id of the agent, as in `agentId`.
    id: String,
    agent_id: String,
    name: String,
    description: String,
    enabled: bool,
    managed_by: ManagedBy,
    #[serde(flatten)]
    kind: Kind,
}

/// The owner of an agent.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "AgentManager")]
enum ManagedBy {
    Service,
    Customer,
}

/// Members that only one kind of agents has.
#[derive(Serialize, JsonSchema)]
#[serde(untagged, rename_all_fields = "camelCase")]
#[schemars(rename = "AgentKind")]
enum Kind {
    BuiltIn {
        /// True.
        system: bool,
        /// Whether it is enabled; the default unless an update changed it.
        essential_default: bool,
    },
    Custom {
        /// The current version.
        version: u64,
        /// Custom members.
        metadata: Metadata,
        /// Epoch milliseconds.
        created_at: Millis,
        /// Epoch milliseconds.
        last_updated: Millis,
    },
}

impl From<Agent> for Identity {
    fn from(agent: Agent) -> Self {
        Self {
            id: agent.agent_id.to_string(),
            agent_id: agent.agent_id.into(),
            name: agent.name.into(),
            description: agent.description.into(),
            enabled: agent.enabled,
            managed_by: ManagedBy::Customer,
            kind: Kind::Custom {
                version: agent.version,
                metadata: agent.metadata,
                created_at: agent.created_at,
                last_updated: agent.last_updated,
            },
        }
    }
}

impl Identity {
    /// A built-in agent with the stored `enabled` of the tenant.
    pub(crate) fn built_in(agent: &BuiltIn, enabled: bool) -> Self {
        Self {
            id: agent.id.to_owned(),
            agent_id: agent.id.to_owned(),
            name: agent.name.to_owned(),
            description: agent.description.to_owned(),
            enabled,
            managed_by: ManagedBy::Service,
            kind: Kind::BuiltIn { system: true, essential_default: true },
        }
    }
}

/// The agent of a call.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentReference")]
pub struct Named {
    pub(crate) agent_id: AgentId,
}

/// The number of the current version.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "CurrentAgentVersion")]
pub struct Current {
    pub(crate) version: u64,
}

/// Whether a description is blank.
pub(crate) fn is_blank(description: &Description) -> bool {
    description.as_str().trim().is_empty()
}
