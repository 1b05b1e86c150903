//! `POST /v2/crdt/versions/update`: gives a version another name.
//!
//! # Errors
//! - NOT_FOUND: the editor has no such version that was added.

use model::{EditorId, Text, VersionId};
use service::{prelude::*, store::editors::ListedVersion};

use crate::versions::VersionView;

pub enum UpdateVersion {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    editor_id: EditorId,
    #[end_user]
    version_id: VersionId,
    #[end_user]
    name: Text,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Edit;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for UpdateVersion {
    const PATHS: &'static [&'static str] = &["/v2/crdt/versions/update"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<VersionView>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let editors = cx.organization(&request.organization_id).editors().of(&request.document_id);
        let Request { editor_id, version_id, name, .. } = &request;
        let version = editors.rename_version(editor_id, version_id, name).await?;
        Ok(success("Version updated.", Data(ListedVersion::from(&version).into())))
    }
}
