//! The data of users: export and erasure (contract `user-data`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Lists all stored data of a user in an organization.
    get::GetUserData,
    /// Starts the erasure of users' data.
    delete::DeleteUserData,
    /// Shows the progress of an erasure.
    delete_status::GetDeletion,
}

service::workers! {
    /// Erases a user.
    erase::EraseUser,
}
