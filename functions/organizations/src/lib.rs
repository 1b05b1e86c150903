//! Organizations (contract `organizations`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Adds organizations.
    add::AddOrganizations,
    /// Lists organizations, page by page or by id.
    get::GetOrganizations,
    /// Renames organizations and changes their custom members.
    update::UpdateOrganizations,
    /// Deletes organizations, and their data in the background.
    delete::DeleteOrganizations,
    /// Locks the end users of organizations out, or lets them in again.
    disable::DisableOrganizations,
}
