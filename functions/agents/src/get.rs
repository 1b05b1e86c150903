//! `POST /v2/agents/get`: with `agentId` one agent with its current version, otherwise a list
//! without versions.
//!
//! # Errors
//! - NOT_FOUND: the agent or the group does not exist.

use model::{AgentId, Metadata, ResourceId, agent};
use service::{Body, prelude::*};

use crate::views::Identity;

pub enum GetAgents {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Only this agent.
    agent_id: Option<AgentId>,
    /// Kind of the agents to list; all when absent. Ignored with `agentId`.
    filter: Option<Filter>,
    /// Only agents of this group. There are no groups yet.
    group_id: Option<ResourceId>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentFilter")]
enum Filter {
    DefaultOnly,
    CustomOnly,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
#[schemars(rename = "AgentOrAgents")]
pub enum Found {
    One { agent: Box<Whole> },
    List { agents: Vec<Row> },
}

/// An agent; a custom one with its current version.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Agent")]
pub struct Whole {
    #[serde(flatten)]
    identity: Identity,
    /// The blocks of its behavior.
    #[serde(flatten)]
    behavior: Metadata,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentSummary")]
pub struct Row {
    #[serde(flatten)]
    identity: Identity,
    /// Number of runs.
    execution_count: u64,
    /// Epoch milliseconds; null before the first run.
    last_executed_at: Option<u64>,
}

impl Operation for GetAgents {
    const PATHS: &'static [&'static str] = &["/v2/agents/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Found>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        if let Some(group) = request.group_id {
            return Err(Error::not_found(format!("There is no agent group {group}.")));
        }
        Ok(match request.agent_id {
            Some(id) => {
                let agent = Box::new(one(&cx, &id).await?);
                success("Agent retrieved.", Data(Found::One { agent }))
            }
            None => {
                let agents = list(&cx, request.filter).await?;
                success("Agents retrieved.", Data(Found::List { agents }))
            }
        })
    }
}

async fn one(cx: &Cx<ApiKey>, id: &AgentId) -> Result<Whole> {
    if let Some(agent) = agent::built_in(id) {
        let identity = Identity::built_in(agent, cx.tenant().agents().is_enabled(id).await?);
        return Ok(Whole { identity, behavior: Metadata::new() });
    }
    let (agent, version) = cx.tenant().agents().get(id).await?;
    Ok(Whole { identity: agent.into(), behavior: version.behavior })
}

/// Built-in agents first, then custom ones by age.
async fn list(cx: &Cx<ApiKey>, filter: Option<Filter>) -> Result<Vec<Row>> {
    let (custom, switches) = cx.tenant().agents().all().await?;
    let is_enabled = |id: &str| {
        let mut switches = switches.iter();
        switches.find(|(of, _)| of.as_str() == id).is_none_or(|(_, enabled)| *enabled)
    };
    let built_in = agent::BUILT_IN.iter();
    let built_in = built_in.map(|agent| Identity::built_in(agent, is_enabled(agent.id)));
    let custom = custom.into_iter().map(Identity::from);
    let listed = built_in
        .filter(|_| filter != Some(Filter::CustomOnly))
        .chain(custom.filter(|_| filter != Some(Filter::DefaultOnly)));
    let row = |identity| Row { identity, execution_count: 0, last_executed_at: None };
    Ok(listed.map(row).collect())
}
