//! `POST /v2/workspace/update`: replies with the settings after the change.
//!
//! A member that is left out keeps its value. A maximum below the present number removes nothing.
//!
//! # Errors
//! - NOT_FOUND: the workspace does not exist.

use model::{
    Bounded, Name, WorkspaceId,
    workspace::{Plan, Workspace},
};
use service::{Admin, prelude::*};

pub enum UpdateWorkspace {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    id: WorkspaceId,
    /// Name of the workspace.
    name: Option<Name>,
    /// Production keys need `paid`.
    plan: Option<Plan>,
    /// Whether the workspace may create production keys itself.
    self_serve_production_keys: Option<bool>,
    /// Maximum number of production keys.
    max_production_keys: Option<Bounded<0, 1000>>,
    /// Maximum number of testing keys.
    max_testing_keys: Option<Bounded<0, 1000>>,
    /// Maximum number of webhook endpoints of each of its keys.
    max_webhook_endpoints: Option<Bounded<0, 2000>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WorkspaceSettings")]
pub struct Rights {
    id: WorkspaceId,
    name: String,
    plan: Plan,
    self_serve_production_keys: bool,
    max_production_keys: u64,
    /// Number of production keys.
    production_keys: u64,
    max_testing_keys: u64,
    /// Number of testing keys.
    testing_keys: u64,
    max_webhook_endpoints: u64,
}

impl Operation for UpdateWorkspace {
    const PATHS: &'static [&'static str] = &["/v2/workspace/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = Admin;
    type Request = Request;
    type Response = Data<Rights>;

    async fn handle(cx: Cx<Admin>, request: Request) -> Result<Success<Self::Response>> {
        let max_production_keys = request.max_production_keys.map(Bounded::get);
        let max_testing_keys = request.max_testing_keys.map(Bounded::get);
        let max_webhook_endpoints = request.max_webhook_endpoints.map(Bounded::get);
        let changed = cx.scope().workspace().change(&request.id, |workspace| {
            model::set(&mut workspace.name, request.name.clone().map(String::from));
            model::set(&mut workspace.plan, request.plan);
            let self_serve = &mut workspace.self_serve_production_keys;
            model::set(self_serve, request.self_serve_production_keys);
            model::set(&mut workspace.max_production_keys, max_production_keys);
            model::set(&mut workspace.max_testing_keys, max_testing_keys);
            model::set(&mut workspace.max_webhook_endpoints, max_webhook_endpoints);
        });
        Ok(success("Workspace updated.", Data(changed.await?.into())))
    }
}

impl From<Workspace> for Rights {
    fn from(workspace: Workspace) -> Self {
        Self {
            id: workspace.id,
            name: workspace.name,
            plan: workspace.plan,
            self_serve_production_keys: workspace.self_serve_production_keys,
            max_production_keys: workspace.max_production_keys,
            production_keys: workspace.production_keys,
            max_testing_keys: workspace.max_testing_keys,
            testing_keys: workspace.testing_keys,
            max_webhook_endpoints: workspace.max_webhook_endpoints,
        }
    }
}
