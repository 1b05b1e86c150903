//! User groups of an organization (contract `user-groups`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Adds user groups to an organization.
    add::AddGroups,
    /// Lists user groups with their members.
    get::GetGroups,
    /// Deletes user groups; their memberships end in the background.
    delete::DeleteGroups,
    /// Adds users of the organization to a user group.
    users_add::AddGroupUsers,
    /// Removes users from a user group, or all of them.
    users_delete::DeleteGroupUsers,
}
