//! `POST /v2/agents/create`: the agent starts with version 1.
//!
//! # Errors
//! - RESOURCE_EXHAUSTED: the API key has 100 custom agents.

use model::{
    AgentId, Description, Metadata, Text,
    agent::{self, Agent, AgentVersion},
    behavior,
};
use service::{prelude::*, random_text};

use crate::{
    behavior::refused,
    views::{Named, is_blank},
};

pub enum CreateAgent {}

with_behavior! {
    pub struct Request {
        /// Display name.
        name: Text,
        /// Purpose of the agent; not blank.
        description: Description,
        /// Whether it is active.
        enabled: bool,
    }
}

impl Operation for CreateAgent {
    const PATHS: &'static [&'static str] = &["/v2/agents/create"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Named>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        if is_blank(&request.description) {
            return Err(issue(&["description"], "must not be blank"));
        }
        let mut behavior = request.behavior()?;
        agent::unmask(&mut behavior, &Metadata::new()).map_err(Error::invalid)?;
        behavior::check(&behavior).map_err(refused)?;
        let now = cx.now();
        let id = AgentId::try_from(format!("agent_{}", random_text::<16>()?));
        let agent = Agent {
            agent_id: id.map_err(|e| Error::internal(e.to_string()))?,
            name: request.name,
            description: request.description,
            enabled: request.enabled,
            version: 1,
            created_at: now,
            last_updated: now,
            metadata: request.metadata.unwrap_or_default(),
        };
        let version = AgentVersion::new(agent.agent_id.clone(), 1, behavior, now);
        cx.tenant().agents().add(&agent, &version).await?;
        Ok(success("Agent created successfully.", Data(Named { agent_id: agent.agent_id })))
    }
}
