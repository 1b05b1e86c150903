//! Data of shared editors (contract `editors`): replaced as a whole by callers, edited by peers who
//! exchange Yjs updates.

mod access;
mod forms;
mod state;
mod state_hash;
mod view;

pub use access::ACCESS;

service::operations! {
    /// Adds the data of an editor.
    add::AddEditor,
    /// Lists the data of the editors of a document.
    get::GetEditors,
    /// Replaces the content of an editor, and keeps concurrent edits of peers.
    update::UpdateEditor,
    /// Deletes the data of editors.
    delete::DeleteEditors,
    /// Shows the updates of an editor that a peer lacks.
    state_get::GetState,
    /// Appends updates of a peer to an editor.
    updates_add::AddUpdates,
}

service::workers! {
    /// Merges the updates of an editor into a snapshot.
    compact::Compact,
}
