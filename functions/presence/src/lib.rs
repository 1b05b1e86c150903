//! Presence: the users in a document (spec 2.11, 4.13, 4.14; siblings 11.1).

mod views;

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
