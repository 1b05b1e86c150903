//! `POST /v2/crdt/versions/get`: an editor as it was.
//!
//! # Errors
//! - NOT_FOUND: the editor or the version does not exist, or is not kept any more.
//! - RESOURCE_EXHAUSTED: more edits are behind the version than one call reads, or its content is too
//!   large for a reply.

use editing::{
    EMPTY, Lacking,
    history::{Point, version},
};
use model::{Base64, EditorId, Text, VersionId, editor::EditorType, time::Instant};
use serde_json::Value;
use service::{prelude::*, store::editors::StoredEditor};

use crate::{forms::ShownFormat, state::of_member};

pub enum GetVersion {}

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
    /// The state vector of a peer in Yjs encoding: the reply has what it lacks. Empty when absent.
    #[end_user]
    state_vector: Option<Base64>,
    /// The form of the content, which the reply has only then. Maps and arrays are JSON in every form.
    #[end_user]
    format: Option<ShownFormat>,
    /// The name of a shared type of any type; that of the editor when absent.
    #[end_user]
    content_key: Option<Text>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EditorVersionState")]
pub struct VersionState {
    /// The updates that the peer lacks.
    update: Base64,
    /// The state vector of the peer after applying them.
    state_vector: Base64,
    /// Whether that is all. Otherwise a call with the state vector of this reply gets the rest.
    is_complete: bool,
    /// Null without `format`, and when nothing is under `contentKey`.
    content: Option<VersionContent>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EditorVersionContent")]
struct VersionContent {
    #[serde(rename = "type")]
    kind: EditorType,
    /// The name of the shared type that holds the content.
    content_key: String,
    /// A string, an object or an array, according to `type` and `format`.
    data: Value,
    /// The parts that the form cannot hold, such as `mark bold`; at most 50.
    lost: Vec<String>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Edit;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for GetVersion {
    const PATHS: &'static [&'static str] = &["/v2/crdt/versions/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<VersionState>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let point = point(request.version_id, request.at)?;
        let editors = cx.organization(&request.organization_id).editors().of(&request.document_id);
        let (stored, state) = version(&editors, &request.editor_id, &point).await?;
        let seen = request.state_vector.as_ref().map_or(&EMPTY[..], AsRef::as_ref);
        let (lacking, is_complete) =
            Lacking::for_reply(&state, seen).map_err(|error| of_member("stateVector", error))?;
        let key = request.content_key.as_ref().map(Text::as_str);
        let content = match request.format {
            Some(format) => content(&stored, &state, key, format)?,
            None => None,
        };
        let (update, state_vector) = (lacking.update.into(), lacking.state_vector.into());
        let view = VersionState { update, state_vector, is_complete, content };
        Ok(success("Version retrieved.", Data(view)))
    }
}

fn content(
    stored: &StoredEditor,
    state: &crdt::State,
    key: Option<&str>,
    format: ShownFormat,
) -> Result<Option<VersionContent>> {
    let found = editing::formed(stored, state, key, format.into())?;
    Ok(found.map(|(of, formed)| VersionContent {
        kind: of.kind,
        content_key: of.key,
        data: formed.data,
        lost: formed.lost,
    }))
}

/// The place that a call names.
///
/// # Errors
/// INVALID_ARGUMENT unless exactly one is named.
pub(crate) fn point(version: Option<VersionId>, at: Option<Instant>) -> Result<Point> {
    match (version, at) {
        (Some(version), None) => Ok(Point::of(version)),
        (None, Some(at)) => Ok(Point::Time(at.get())),
        (None, None) => Err(issue(&["versionId"], "must be sent, unless at is")),
        (Some(_), Some(_)) => Err(issue(&["at"], "must not be sent with versionId")),
    }
}
