//! `POST /v2/agents/version/update`: creates the next version of a custom agent.
//!
//! The merge is one level deep: within a block, each member that is sent replaces the stored member
//! as a whole. Metadata is replaced as a whole and is not part of a version.
//!
//! # Errors
//! - NOT_FOUND: there is no such custom agent.
//! - RESOURCE_EXHAUSTED: the agent has 1,000 versions.

use model::{AgentId, agent, behavior};
use service::prelude::*;

use crate::{
    behavior::{custom_only, refused},
    views::Current,
};

pub enum UpdateAgentVersion {}

with_behavior! {
    pub struct Request {
        agent_id: AgentId,
    }
}

impl Operation for UpdateAgentVersion {
    const PATHS: &'static [&'static str] = &["/v2/agents/version/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Current>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        custom_only(&request.agent_id)?;
        let sent = request.behavior()?;
        if sent.is_empty() && request.metadata.is_none() {
            return Err(Error::invalid("At least one member of the behavior must be sent."));
        }
        let version = cx.tenant().agents().add_version(&request.agent_id, |agent, current| {
            model::set(&mut agent.metadata, request.metadata.clone());
            let stored = current.revealed();
            let mut merged = stored.clone();
            behavior::merge(&mut merged, sent.clone());
            agent::unmask(&mut merged, &stored).map_err(Error::invalid)?;
            behavior::check(&merged).map_err(refused)?;
            Ok(merged)
        });
        let current = Current { version: version.await? };
        Ok(success("Agent version created successfully.", Data(current)))
    }
}
