//! Rights of users, apart from membership (contract `permissions`).

mod access;
mod holder;
mod shown;

pub use access::ACCESS;

service::operations! {
    /// Gives a user or a user group rights for organizations, folders and documents.
    add::AddPermissions,
    /// Lists the rights of users or user groups in an organization, its folders and its documents.
    get::GetPermissions,
    /// Removes rights of a user or a user group.
    remove::RemovePermissions,
}
