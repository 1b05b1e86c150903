//! Activities, the audit log (spec 2.12, 4.16; siblings 10, 15.6).

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
