//! `POST /v2/agents/versions/list`: the newest version first.
//!
//! The list of an unknown agent is empty.
//!
//! # Errors
//! - RESOURCE_EXHAUSTED: the versions are too large for one reply.

use model::{AgentId, Metadata, Millis, agent::AgentVersion};
use service::prelude::*;

pub enum ListAgentVersions {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    agent_id: AgentId,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AgentVersions")]
pub struct Versions {
    versions: Vec<VersionView>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AgentVersion")]
struct VersionView {
    /// `v` and the number.
    id: String,
    version: u64,
    /// Epoch milliseconds.
    created_at: Millis,
    /// The blocks of the behavior.
    #[serde(flatten)]
    behavior: Metadata,
}

impl Operation for ListAgentVersions {
    const PATHS: &'static [&'static str] = &["/v2/agents/versions/list"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Versions>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let versions = cx.tenant().agents().history(&request.agent_id).await?;
        let versions = versions.into_iter().map(VersionView::from).collect();
        Ok(success("Agent versions retrieved.", Data(Versions { versions })))
    }
}

impl From<AgentVersion> for VersionView {
    fn from(version: AgentVersion) -> Self {
        Self {
            id: format!("v{}", version.version),
            version: version.version,
            created_at: version.created_at,
            behavior: version.behavior,
        }
    }
}
