//! Presence: who is in a document (spec 2.11, 4.13, 4.14; siblings 11.1).

mod views;

service::operations! {
    /// Shows users in a document; what was known of their presence is replaced.
    add::AddPresence,
    /// Changes the presence of users in a document; who is not there is added.
    update::UpdatePresence,
    /// Lists the users in a document.
    get::GetPresence,
    /// No longer shows users in a document.
    delete::DeletePresence,
}
