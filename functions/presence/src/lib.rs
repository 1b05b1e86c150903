//! Presence: the users in a document (contract `presence`).

mod access;
mod views;

pub use access::ACCESS;

service::operations! {
    /// Sets the presence of users in a document.
    add::AddPresence,
    /// Changes the presence of users in a document.
    update::UpdatePresence,
    /// Lists the users in a document.
    get::GetPresence,
    /// Removes the presence of users from a document.
    delete::DeletePresence,
}
