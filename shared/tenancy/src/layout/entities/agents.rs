//! Agents, their versions and switches.

use model::{
    AgentId,
    agent::{Agent, AgentVersion, Switch},
};

use crate::layout::{Entity, Key, Place};

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
