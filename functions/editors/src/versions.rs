//! Versions in replies.

use model::{EditorId, Millis, VersionId, editor::VersionKind};
use service::{
    prelude::*,
    store::editors::{EditId, ListedVersion},
};

/// A version of an editor.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "EditorVersion")]
pub struct VersionView {
    /// The id of the version: an edit, or what was added.
    version_id: VersionId,
    kind: VersionKind,
    /// When its first edit was accepted, in epoch milliseconds.
    from: Millis,
    /// When its last edit was accepted, or it was added, in epoch milliseconds.
    to: Millis,
    /// The users who wrote it, or added it; nobody who is unknown.
    user_ids: Vec<UserId>,
    /// The number of its edits.
    edits: u64,
    /// Null without a name.
    name: Option<String>,
}

/// The version that an editor became.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "MadeEditorVersion")]
pub struct MadeVersion {
    /// Null when nothing had to change.
    version: Option<VersionView>,
}

impl From<ListedVersion> for VersionView {
    fn from(version: ListedVersion) -> Self {
        Self {
            version_id: version.id,
            kind: version.kind,
            from: version.from,
            to: version.to,
            user_ids: version.users.into_iter().collect(),
            edits: version.edits,
            name: version.name.map(String::from),
        }
    }
}

impl MadeVersion {
    /// The version that an edit of the service made.
    ///
    /// # Errors
    /// INTERNAL when the edit has no id.
    pub(crate) fn new(edit: Option<EditId>, kind: VersionKind, by: Option<UserId>) -> Result<Self> {
        let Some(edit) = edit else { return Ok(Self { version: None }) };
        let version_id =
            edit.to_string().try_into().map_err(|_| Error::internal("an edit without an id"))?;
        let (at, user_ids) = (edit.at(), by.into_iter().collect());
        let version =
            VersionView { version_id, kind, from: at, to: at, user_ids, edits: 1, name: None };
        Ok(Self { version: Some(version) })
    }
}

/// The error for an editor that is not there.
pub(crate) fn missing(editor: &EditorId) -> Error {
    Error::not_found(format!("There is no CRDT data for editor {editor}."))
}
