//! Rights of users, apart from membership (contract `permissions`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Gives a user rights for organizations, folders and documents.
    add::AddPermissions,
    /// Lists the rights of users in an organization, its folders and its documents.
    get::GetPermissions,
    /// Removes rights of a user.
    remove::RemovePermissions,
}
