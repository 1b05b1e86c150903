//! `POST /v2/crdt/add`: stores the first content of an editor.
//!
//! # Errors
//! - ALREADY_EXISTS: the editor has content.
//! - RESOURCE_EXHAUSTED: the content is too large.
//!
//! # Events
//! `crdt.update_data`

use crdt::State;
use model::{EditorId, Text, editor::EditorType};
use serde_json::Value;
use service::prelude::*;

use crate::{
    forms::{SentFormat, Taken, content},
    state::{edits, fits, of_member},
};

pub enum AddEditor {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_id: DocumentId,
    editor_id: EditorId,
    /// As `xml`, a string for `text` and `xml`, an object for `map`, an array for `array`.
    data: Value,
    /// The form of `data`; `xml` when absent.
    format: Option<SentFormat>,
    #[serde(rename = "type")]
    kind: EditorType,
    /// The name of the shared type that holds the content; `content` when absent.
    content_key: Option<Text>,
    /// The author of the change.
    user_id: Option<UserId>,
}

impl Operation for AddEditor {
    const PATHS: &'static [&'static str] = &["/v2/crdt/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Taken;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Taken>> {
        let content = content(request.kind, request.format, request.data)?;
        let organization = cx.organization(&request.organization_id);
        let editors = organization.editors().of(&request.document_id);
        let id = request.editor_id;
        let new = editors.new_editor(id.clone(), request.kind, request.content_key)?;
        let written = {
            let mut state = State::load(new.client(), None, [])?;
            let written = crdt::replace(&mut state, new.content_key(), &content);
            let written = written.map_err(|error| of_member("data", error))?;
            fits(&editors, &id, state, None)?;
            written
        };
        let edits = edits(written.update)?;
        organization.own_record().record_if_missing().await?;
        editing::add(&editors, new, &edits, written.clock, request.user_id.as_ref()).await?;
        Ok(success("CRDT data added.", Taken::new(request.format, written.lost)))
    }
}
