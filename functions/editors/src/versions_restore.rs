//! `POST /v2/crdt/versions/restore`: makes an editor what it was.
//!
//! The service writes an edit that undoes what came after, so peers keep their cursors and what they
//! do meanwhile; it is a version of its own, and can be undone like any other.
//!
//! # Errors
//! - NOT_FOUND: the editor or the version does not exist, or is not kept any more.
//! - RESOURCE_EXHAUSTED: more edits are behind the version than one call reads, or the editor would
//!   be too large.
//!
//! # Events
//! `crdt.update_data`, `crdt.restored`

use editing::history::restore;
use model::{EditorId, VersionId, editor::VersionKind, time::Instant};
use service::prelude::*;

use crate::{versions::MadeVersion, versions_get::point};

pub enum RestoreVersion {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    editor_id: EditorId,
    /// The version; either this or `at` is sent.
    #[end_user]
    version_id: Option<VersionId>,
    /// A time.
    #[end_user]
    at: Option<Instant>,
    /// The author of the change.
    #[end_user(own = Id)]
    user_id: Option<UserId>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Edit;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for RestoreVersion {
    const PATHS: &'static [&'static str] = &["/v2/crdt/versions/restore"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<MadeVersion>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let point = point(request.version_id, request.at)?;
        let editors = cx.organization(&request.organization_id).editors().of(&request.document_id);
        let by = request.user_id;
        let edit = restore(&editors, &request.editor_id, &point, by.as_ref()).await?;
        let made = MadeVersion::new(edit, VersionKind::Restored, by)?;
        Ok(success("Version restored.", Data(made)))
    }
}
