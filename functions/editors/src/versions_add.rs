//! `POST /v2/crdt/versions/add`: keeps the present content until the version is deleted.
//!
//! # Errors
//! - NOT_FOUND: the editor does not exist.
//! - RESOURCE_EXHAUSTED: the editor has 100 versions that were added, or too much of it waits to be
//!   merged.
//!
//! # Events
//! `crdt.version_added`

use model::{EditorId, Text, editor::CompactionTask};
use service::{
    Queue,
    prelude::*,
    store::editors::{EditorStore, ListedVersion},
};

use crate::{
    merging::{Merge, order},
    state::load,
    versions::{VersionView, missing},
};

pub enum AddVersion {}

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
    name: Option<Text>,
    /// The user who adds it.
    #[end_user(own = Id)]
    user_id: Option<UserId>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Edit;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for AddVersion {
    const PATHS: &'static [&'static str] = &["/v2/crdt/versions/add"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<VersionView>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let editors = cx.organization(&request.organization_id).editors().of(&request.document_id);
        merge(&cx, &editors, &request).await?;
        let (id, name, by) = (&request.editor_id, &request.name, &request.user_id);
        let version = editors.add_version(id, name.as_ref(), by.as_ref()).await?;
        Ok(success("Version added.", Data(ListedVersion::from(&version).into())))
    }
}

/// Merges what is not in the snapshot yet: a version is a snapshot.
async fn merge(cx: &Cx<ApiKey>, editors: &EditorStore, request: &Request) -> Result<()> {
    let id = &request.editor_id;
    let stored = editors.find(id).await?.ok_or_else(|| missing(id))?;
    if !stored.has_unmerged() {
        return Ok(());
    }
    let state = load(&stored)?;
    let Some(merge) = Merge::of(editors, &stored, state).await? else {
        return Err(Error::exhausted(format!("The editor {id} is too large for a version.")));
    };
    let Request { organization_id, document_id, .. } = request;
    let order = order(organization_id, document_id, id, CompactionTask::Merge);
    for (sweep, after) in merge.sweeps(&order) {
        cx.send_at(Queue::Compaction, &sweep, cx.now() + after).await?;
    }
    // Another merge that came before has what this call has to keep.
    merge.write(editors, &stored).await.map(drop)
}
