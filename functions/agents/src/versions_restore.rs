//! `POST /v2/agents/versions/restore`: deletes the current version; the previous one becomes
//! current.
//!
//! # Errors
//! - NOT_FOUND: there is no such custom agent.
//! - FAILED_PRECONDITION: the agent has no version before the current one.

use model::AgentId;
use service::prelude::*;

use crate::views::Current;

pub enum RestoreAgentVersion {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    agent_id: AgentId,
}

impl Operation for RestoreAgentVersion {
    const PATHS: &'static [&'static str] = &["/v2/agents/versions/restore"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Current>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let version = cx.tenant().agents().restore_version(&request.agent_id).await?;
        Ok(success("Agent version restored successfully.", Data(Current { version })))
    }
}
