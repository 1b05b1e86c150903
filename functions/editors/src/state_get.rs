//! `POST /v2/crdt/state/get`: one Yjs v1 update with everything that the peer lacks, or
//! with the beginning of that.
//!
//! # Errors
//! - NOT_FOUND: the editor does not exist.

use std::sync::Arc;

use editing::{EMPTY, Lacking};
use model::{Base64, EditorId};
use serde_json::value::RawValue;
use service::{Written, prelude::*, store::editors::StoredEditor};

use crate::{
    state::{load, of_member, worked_on},
    state_hash,
};

pub enum GetState {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    editor_id: EditorId,
    /// The state vector of the peer in Yjs encoding; empty when absent.
    #[end_user]
    state_vector: Option<Base64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EditorState")]
pub struct StateView {
    /// The updates that the peer lacks.
    update: Base64,
    /// The state vector of the peer after applying them.
    state_vector: Base64,
    /// Whether that is all. Otherwise a call with the state vector of this reply gets the rest.
    is_complete: bool,
    /// SHA-256 of the state vector and the deleted ranges, in a canonical text form, to compare two
    /// replicas. Null while updates wait for missing dependencies.
    state_hash: Option<String>,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, [&self.document_id])
    }
}

impl Operation for GetState {
    const PATHS: &'static [&'static str] = &["/v2/crdt/state/get"];
    const EFFECT: Effect = Effect::Reads;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Written<StateView>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let editors = cx.organization(&request.organization_id).editors().of(&request.document_id);
        let id = request.editor_id;
        let seen = request.state_vector.as_ref().map_or(&EMPTY[..], AsRef::as_ref);
        let asked = (seen != EMPTY).then_some(seen);
        let shown = |stored: &_| worked_on(stored, |stored| view(stored, seen));
        let view = editors.view(&id, asked, shown).await?;
        let missing = || Error::not_found(format!("There is no CRDT data for editor {id}."));
        Ok(success("State retrieved.", Data(Written::new(view.ok_or_else(missing)?))))
    }
}

fn view(stored: &StoredEditor, seen: &[u8]) -> Result<Arc<RawValue>> {
    let state = load(stored)?;
    let (lacking, is_complete) =
        Lacking::for_reply(&state, seen).map_err(|error| of_member("stateVector", error))?;
    Written::write(&StateView {
        update: lacking.update.into(),
        state_vector: lacking.state_vector.into(),
        is_complete,
        state_hash: state_hash::of(&state),
    })
}
