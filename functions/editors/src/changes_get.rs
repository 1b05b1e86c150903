//! `POST /v2/crdt/changes/get`: who changed what, for editors that show it.
//!
//! # Errors
//! - NOT_FOUND: the editor does not exist, or its history does not reach back to `from`.
//! - RESOURCE_EXHAUSTED: more edits are behind `from` than one call reads, or they are too large for
//!   a reply.

use crdt::history::IdRange;
use editing::history::{Attribution, changes};
use model::{Base64, EditorId, Millis, time::Instant};
use service::prelude::*;

use crate::changes_revert::span;

pub enum GetChanges {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    editor_id: EditorId,
    /// From this time on; from the oldest edit that is kept when absent.
    #[end_user]
    from: Option<Instant>,
    /// Up to this time; until now when absent.
    #[end_user]
    to: Option<Instant>,
    /// Only the attributions of this user.
    #[end_user]
    user_id: Option<UserId>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EditorChanges")]
pub struct ChangesView {
    /// The document before, as one Yjs v1 update.
    before: Base64,
    /// The changes, with the content of what was deleted meanwhile: one Yjs v1 update.
    update: Base64,
    /// Who did it, in the order of the edits.
    attributions: Vec<AttributionView>,
}

/// The changes of a user at a time.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EditorAttribution")]
struct AttributionView {
    /// Null when unknown.
    user_id: Option<UserId>,
    /// When the service accepted it, in epoch milliseconds.
    at: Millis,
    /// Yjs items, each as the client, its first clock, and their number.
    inserts: Vec<[u64; 3]>,
    /// As `inserts`.
    deletes: Vec<[u64; 3]>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Edit;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for GetChanges {
    const PATHS: &'static [&'static str] = &["/v2/crdt/changes/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<ChangesView>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let span = span(request.from.as_ref(), request.to.as_ref())?;
        let editors = cx.organization(&request.organization_id).editors().of(&request.document_id);
        let found = changes(&editors, &request.editor_id, span).await?;
        let is_asked = |by: &Attribution| request.user_id.is_none() || by.user == request.user_id;
        let attributions = found.attributions.into_iter().filter(is_asked);
        let view = ChangesView {
            before: found.before.into(),
            update: found.update.into(),
            attributions: attributions.map(AttributionView::from).collect(),
        };
        Ok(success("Changes retrieved.", Data(view)))
    }
}

impl From<Attribution> for AttributionView {
    fn from(by: Attribution) -> Self {
        let ranges = |ranges: Vec<IdRange>| ranges.into_iter().map(triple).collect();
        Self {
            user_id: by.user,
            at: by.at,
            inserts: ranges(by.inserts),
            deletes: ranges(by.deletes),
        }
    }
}

fn triple(range: IdRange) -> [u64; 3] {
    [range.client, range.clock.into(), range.length.into()]
}
