//! Folders (contract `folders`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Adds folders to an organization.
    add::AddFolders,
    /// Lists the folders of an organization, flat or as a tree.
    get::GetFolders,
    /// Renames folders, or moves them with everything below them.
    update::UpdateFolders,
    /// Sets the access type of folders, or lets them inherit it.
    access_update::UpdateFolderAccess,
    /// Deletes a folder, and its contents in the background.
    delete::DeleteFolder,
}
