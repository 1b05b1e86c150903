//! Activities, the audit log (contract `activities`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Adds activities to a document, or replaces them.
    add::AddActivities,
    /// Lists activities by document, target, user, kind or id, page by page.
    get::GetActivities,
    /// Changes activities.
    update::UpdateActivities,
    /// Deletes activities by id, or those of a document or about a target.
    delete::DeleteActivities,
}
