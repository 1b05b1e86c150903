//! `POST /v2/workspace/create`: a workspace with its first API key.
//!
//! Only this reply has the auth token of the workspace: the service stores its hash.

use model::{
    Bounded, Email, Name, Url, WorkspaceId,
    api_key::{ApiKey, KeyType},
    permissions::AccessType,
    workspace::{Owner, Plan, Workspace, WorkspaceView},
};
use service::{Admin, prelude::*, random_text, sha256_hex};

pub enum CreateWorkspace {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    owner_email: Email,
    /// Name of the owner; the e-mail address when absent.
    name: Option<Name>,
    /// `<name> workspace` when absent.
    workspace_name: Option<Name>,
    /// Picture of the owner.
    avatar: Option<Url>,
    /// `paid` when absent; required for production keys.
    plan: Option<Plan>,
    /// Whether the workspace may create production keys itself; true when absent.
    self_serve_production_keys: Option<bool>,
    /// Maximum number of production keys; 10 when absent.
    max_production_keys: Option<Bounded<0, 1000>>,
    /// Maximum number of testing keys; 100 when absent.
    max_testing_keys: Option<Bounded<0, 1000>>,
    /// The access type of documents of the first key, without one of their own or of their folders;
    /// that of the deployment when absent, initially `organizationPrivate`.
    default_document_access_type: Option<AccessType>,
}

/// A new workspace.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WorkspaceCreated")]
pub struct Created {
    #[serde(flatten)]
    workspace: WorkspaceView,
    /// Shown only once: the service stores its hash.
    auth_token: String,
}

impl Operation for CreateWorkspace {
    const PATHS: &'static [&'static str] = &["/v2/workspace/create"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = Admin;
    type Request = Request;
    type Response = Data<Created>;

    async fn handle(cx: Cx<Admin>, request: Request) -> Result<Success<Self::Response>> {
        let email = request.owner_email.clone();
        let access =
            request.default_document_access_type.unwrap_or(cx.default_document_access_type());
        let token = crate::new_token()?;
        let workspace = request.workspace(&token, cx.now())?;
        let (id, kind) = (workspace.id.clone(), KeyType::Testing);
        let key = ApiKey {
            tokens: vec![cx.scope().workspace().new_token()?],
            ..cx.scope().workspace().new_key(id, email, kind, access)?
        };
        cx.scope().workspace().create(&workspace, &key).await?;
        let workspace = WorkspaceView::new(&workspace, [key]);
        Ok(success("Workspace created.", Data(Created { workspace, auth_token: token })))
    }
}

impl Request {
    fn workspace(self, token: &str, now: model::Millis) -> Result<Workspace> {
        let id = format!("ws_{}", random_text::<16>()?);
        let name = self.name.map_or_else(|| self.owner_email.to_string(), String::from);
        let default_name = || format!("{name} workspace");
        let id = WorkspaceId::try_from(id).map_err(|e| Error::internal(e.to_string()))?;
        let owner = Owner {
            email: self.owner_email,
            id: format!("own_{}", random_text::<16>()?),
            name: name.clone(),
            avatar: self.avatar.map(String::from).unwrap_or_default(),
        };
        let name = self.workspace_name.map_or_else(default_name, String::from);
        let mut workspace = Workspace::new(id, name, owner, sha256_hex(token), now);
        model::set(&mut workspace.plan, self.plan);
        let self_serve = &mut workspace.self_serve_production_keys;
        model::set(self_serve, self.self_serve_production_keys);
        let max_production_keys = self.max_production_keys.map(Bounded::get);
        model::set(&mut workspace.max_production_keys, max_production_keys);
        model::set(&mut workspace.max_testing_keys, self.max_testing_keys.map(Bounded::get));
        Ok(workspace)
    }
}
