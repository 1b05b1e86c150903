//! Rights of users, apart from membership (siblings 6.2 to 6.4).

service::operations! {
    /// Gives a user rights for organizations, folders and documents.
    add::AddPermissions,
    /// Lists the rights of users in an organization, its folders and its documents.
    get::GetPermissions,
    /// Removes rights of a user.
    remove::RemovePermissions,
}
