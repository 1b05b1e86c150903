//! `POST /v2/agents/update`: no version is created.
//!
//! A member that is left out keeps its value; members that belong to a version are ignored. Of a
//! built-in agent only `enabled` can be changed, and it is required.
//!
//! # Errors
//! - NOT_FOUND: the workspace of the API key does not exist.
//! - INTERNAL: the agent does not exist.

use model::{AgentId, Description, Text};
use service::prelude::*;

use crate::views::{Named, is_blank};

pub enum UpdateAgent {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    agent_id: AgentId,
    /// 1 to 1000 characters, not blank; ignored for a built-in agent.
    name: Option<String>,
    /// 1 to 4000 characters, not blank; ignored for a built-in agent.
    description: Option<String>,
    /// Whether it is active.
    enabled: Option<bool>,
}

impl Operation for UpdateAgent {
    const PATHS: &'static [&'static str] = &["/v2/agents/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Named>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let agent_id = request.agent_id.clone();
        if model::agent::is_built_in(&agent_id) {
            let required =
                "is required for a built-in agent, whose other members cannot be changed";
            let enabled = request.enabled.ok_or_else(|| issue(&["enabled"], required))?;
            cx.tenant().agents().switch(&agent_id, enabled).await?;
        } else {
            change(&cx, request).await?;
        }
        Ok(success("Agent updated successfully.", Data(Named { agent_id })))
    }
}

async fn change(cx: &Cx<ApiKey>, request: Request) -> Result<()> {
    let name = request.name.map(Text::try_from).transpose();
    let name = name.map_err(|rule| issue(&["name"], rule))?;
    let description = request.description.map(Description::try_from).transpose();
    let description = description.map_err(|rule| issue(&["description"], rule))?;
    if description.as_ref().is_some_and(is_blank) {
        return Err(issue(&["description"], "must not be blank"));
    }
    let is_there = cx.tenant().agents().change(&request.agent_id, |agent| {
        model::set(&mut agent.name, name.clone());
        model::set(&mut agent.description, description.clone());
        model::set(&mut agent.enabled, request.enabled);
    });
    if is_there.await? {
        return Ok(());
    }
    // INTERNAL is promised here, not NOT_FOUND.
    let id = &request.agent_id;
    let mut error = Error::internal("an agent to update does not exist");
    error.message = format!("The agent {id} could not be updated: it does not exist.").into();
    Err(error)
}
