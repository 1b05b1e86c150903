//! `POST /v2/agents/delete`: deletes the agent and all its versions.
//!
//! The call is idempotent: it succeeds when the agent does not exist.

use model::AgentId;
use service::prelude::*;

use crate::{behavior::custom_only, views::Named};

pub enum DeleteAgent {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    agent_id: AgentId,
}

impl Operation for DeleteAgent {
    const PATHS: &'static [&'static str] = &["/v2/agents/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Named>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        custom_only(&request.agent_id)?;
        cx.tenant().agents().remove(&request.agent_id).await?;
        let named = Named { agent_id: request.agent_id };
        Ok(success("Agent deleted successfully.", Data(named)))
    }
}
