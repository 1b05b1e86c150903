//! Data of shared editors (contract `editors`): replaced as a whole by callers, edited by peers who
//! exchange Yjs updates.

mod access;
mod forms;
mod merging;
mod state;
mod state_hash;
mod versions;
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
    /// Lists the versions of an editor.
    versions_list::ListVersions,
    /// Shows an editor as it was.
    versions_get::GetVersion,
    /// Adds the present content of an editor as a version.
    versions_add::AddVersion,
    /// Gives a version of an editor another name.
    versions_update::UpdateVersion,
    /// Deletes a version of an editor.
    versions_delete::DeleteVersion,
    /// Makes an editor what it was.
    versions_restore::RestoreVersion,
    /// Shows who changed what in an editor.
    changes_get::GetChanges,
    /// Takes back what a user did in an editor.
    changes_revert::RevertChanges,
    /// Shows who wrote what is in an editor.
    authors_get::GetAuthors,
}

service::workers! {
    /// Merges the updates of an editor into a snapshot.
    compact::Compact,
}
