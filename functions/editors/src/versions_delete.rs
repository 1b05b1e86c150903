//! `POST /v2/crdt/versions/delete`: the version is gone at once, its data within the hour.
//!
//! # Errors
//! - NOT_FOUND: the editor has no such version that was added.

use model::{
    EditorId, Millis, VersionId,
    editor::{Compaction, CompactionTask},
};
use service::{NoData, Queue, prelude::*};

use crate::merging::order;

pub enum DeleteVersion {}

/// Delay before the data of a version is removed, in milliseconds.
const SWEPT_AFTER: Millis = 20 * 60 * 1000;

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
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Edit;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for DeleteVersion {
    const PATHS: &'static [&'static str] = &["/v2/crdt/versions/delete"];
    const EFFECT: Effect = Effect::Deletes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = NoData;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<NoData>> {
        let Request { organization_id, document_id, editor_id, version_id } = &request;
        let editors = cx.organization(organization_id).editors().of(document_id);
        editors.check_version(editor_id, version_id).await?;
        // Ordered first, because a crash may prevent it afterwards; a sweep looks for all versions
        // that are over.
        let sweep = order(organization_id, document_id, editor_id, CompactionTask::Sweep);
        let sweep = Compaction { snapshots: vec![version_id.as_str().to_owned()], ..sweep };
        cx.send_at(Queue::Compaction, &sweep, cx.now() + SWEPT_AFTER).await?;
        editors.delete_version(editor_id, version_id).await?;
        Ok(success("Version deleted.", NoData {}))
    }
}
