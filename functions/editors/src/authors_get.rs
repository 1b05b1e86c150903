//! `POST /v2/crdt/authors/get`: who wrote what is in an editor.
//!
//! The author is the authenticated user who first delivered the items to the service.
//!
//! # Errors
//! - NOT_FOUND: the editor does not exist.
//! - RESOURCE_EXHAUSTED: too much of the editor waits to be merged.

use editing::history::{Authored, authors_of};
use model::EditorId;
use service::prelude::*;

pub enum GetAuthors {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    editor_id: EditorId,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "EditorAuthors")]
pub struct AuthorsView {
    /// By client and clock; items without a range are nobody's.
    ranges: Vec<AuthorRange>,
}

/// Successive Yjs items of an author.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EditorAuthorRange")]
struct AuthorRange {
    /// The Yjs client.
    client: u64,
    /// The first clock of it.
    clock: u32,
    /// The number of items.
    length: u32,
    /// Null when unknown.
    user_id: Option<UserId>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Edit;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for GetAuthors {
    const PATHS: &'static [&'static str] = &["/v2/crdt/authors/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<AuthorsView>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let editors = cx.organization(&request.organization_id).editors().of(&request.document_id);
        let ranges = authors_of(&editors, &request.editor_id).await?;
        let ranges = ranges.into_iter().map(AuthorRange::from).collect();
        Ok(success("Authors retrieved.", Data(AuthorsView { ranges })))
    }
}

impl From<Authored> for AuthorRange {
    fn from(authored: Authored) -> Self {
        let Authored { client, clock, length, user } = authored;
        Self { client, clock, length, user_id: user }
    }
}
