//! `POST /v2/crdt/changes/revert`: takes back what a user did.
//!
//! What the user inserted goes, what the user deleted comes back, and what others did stays, also
//! within it. It is an edit of the service, as a restored version is.
//!
//! # Errors
//! - NOT_FOUND: the editor does not exist, or its history does not reach back to `from`.
//! - RESOURCE_EXHAUSTED: more edits are behind `from` than one call reads, or the editor would be
//!   too large.
//!
//! # Events
//! `crdt.update_data`, `crdt.reverted`

use editing::history::{Span, revert};
use model::{EditorId, editor::VersionKind, time::Instant};
use service::prelude::*;

use crate::versions::MadeVersion;

pub enum RevertChanges {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    editor_id: EditorId,
    /// The user whose changes are taken back.
    #[end_user]
    author_id: UserId,
    /// From this time on; from the oldest edit that is kept when absent.
    #[end_user]
    from: Option<Instant>,
    /// Up to this time; until now when absent.
    #[end_user]
    to: Option<Instant>,
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

impl Operation for RevertChanges {
    const PATHS: &'static [&'static str] = &["/v2/crdt/changes/revert"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<MadeVersion>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let span = span(request.from.as_ref(), request.to.as_ref())?;
        let editors = cx.organization(&request.organization_id).editors().of(&request.document_id);
        let (author, by) = (&request.author_id, request.user_id);
        let edit = revert(&editors, &request.editor_id, author, span, by.as_ref()).await?;
        let made = MadeVersion::new(edit, VersionKind::Reverted, by)?;
        Ok(success("Changes reverted.", Data(made)))
    }
}

/// The time that a call names.
///
/// # Errors
/// INVALID_ARGUMENT when it ends before it begins.
pub(crate) fn span(from: Option<&Instant>, to: Option<&Instant>) -> Result<Span> {
    let span = Span { from: from.map(Instant::get), to: to.map(Instant::get) };
    match (span.from, span.to) {
        (Some(from), Some(to)) if to < from => Err(issue(&["to"], "must not be before from")),
        _ => Ok(span),
    }
}
