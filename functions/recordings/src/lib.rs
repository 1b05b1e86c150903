//! Recordings (contract `recordings`).

mod access;
mod generated;
mod sent;

pub use access::ACCESS;

service::operations! {
    /// Adds recordings to a document, or a new version of existing ones.
    add::AddRecordings,
    /// Lists recordings by id, by document or all, the oldest first, page by page.
    get::GetRecordings,
    /// Deletes recordings with all their versions.
    delete::DeleteRecordings,
}
