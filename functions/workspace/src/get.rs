//! `POST /v2/workspace/get`: the workspace that makes the call.
//!
//! The reply is that of its creation without `authToken`: the service stores its hash only.

use model::workspace::WorkspaceView;
use service::{Body, Workspace, prelude::*};

pub enum GetWorkspace {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {}

impl Operation for GetWorkspace {
    const PATHS: &'static [&'static str] = &["/v2/workspace/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = Workspace;
    type Request = Request;
    type Response = Data<WorkspaceView>;

    async fn handle(cx: Cx<Workspace>, _: Request) -> Result<Success<Self::Response>> {
        let keys = cx.scope().api_keys().all().await?;
        let view = WorkspaceView::new(cx.scope().workspace(), keys);
        Ok(success("Workspace retrieved.", Data(view)))
    }
}
