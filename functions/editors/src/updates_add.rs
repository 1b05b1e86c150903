//! `POST /v2/crdt/updates/add`: appends all Yjs v1 updates or none.
//!
//! The service checks that the updates are readable and stores them as they are. No accepted update
//! is lost, in whatever order updates arrive.
//!
//! Edits of peers decide the type of an editor that no caller named: the first text or XML,
//! whatever maps and arrays are beside it. Of several texts in the first update, `default` comes
//! first, then `content`, then XML, then by name. Until text arrives, the first map or array
//! counts.
//!
//! # Errors
//! - NOT_FOUND: the editor does not exist, and its type is not sent. For an end user the editor is
//!   then added with the type of the updates, if these lack no others. It is also the error for an end
//!   user's updates of an editor that was deleted.
//! - ABORTED: the editor does not exist, and the updates of an end user lack others; all of them
//!   together are accepted.
//! - PERMISSION_DENIED: an update of an end user has new structs under the Yjs client of another user.
//!   They are left out, and the rest is stored. Those that are stored already are ignored, because
//!   peers repeat what they have.
//! - RESOURCE_EXHAUSTED: the editor is too large, or too many updates wait for missing ones.
//!
//! # Events
//! `crdt.update_data`

use editing::Writer;
use model::{Base64, EditorId, Text, editor::EditorType};
use service::{NoData, Status, prelude::*};

pub enum AddUpdates {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_id: DocumentId,
    #[end_user]
    editor_id: EditorId,
    /// Each of at most 4.1 MB before base64.
    #[end_user]
    updates: Batch<Base64>,
    /// The type of the content. A missing editor is added with this type. With `contentKey` it also
    /// becomes the type of an editor that only peers edited and that has no text yet.
    #[serde(rename = "type")]
    #[end_user]
    kind: Option<EditorType>,
    /// The name of the shared type that holds the content of an added editor; `content` when
    /// absent.
    #[end_user]
    content_key: Option<Text>,
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

impl Operation for AddUpdates {
    const PATHS: &'static [&'static str] = &["/v2/crdt/updates/add"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = NoData;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<NoData>> {
        let updates = request.updates.into_iter().map(Vec::from);
        let edits = editing::checked(updates).map_err(|(n, error)| match error.status {
            Status::ResourceExhausted => error,
            _ => issue(&["updates", &n.to_string()], &error.message),
        })?;
        let organization = cx.organization(&request.organization_id);
        let editors = organization.editors().of(&request.document_id);
        let id = request.editor_id;
        let new = match request.kind {
            Some(kind) => {
                organization.own_record().record_if_missing().await?;
                Some(editors.new_editor(id.clone(), kind, request.content_key)?)
            }
            None => None,
        };
        let by = Writer { user: request.user_id.as_ref(), connection: None };
        let document = &request.document_id;
        let appended = match (new, cx.tenant().end_user()) {
            (None, Some(_)) => {
                editing::append_or_add(&organization, document, &id, &edits, by).await?
            }
            (new, _) => editing::append(&editors, &id, new, &edits, by).await?,
        };
        appended.check()?;
        Ok(success("Updates added.", NoData {}))
    }
}
