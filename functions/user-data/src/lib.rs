//! All that is kept of users: handing it out, and erasing it (spec 4.20; siblings 12).

service::operations! {
    /// Lists everything that is stored about a user in an organization.
    get::GetUserData,
    /// Starts the erasure of everything that is stored about users.
    delete::DeleteUserData,
    /// Shows the progress of an erasure.
    delete_status::GetDeletion,
}

service::workers! {
    /// Erases a user.
    erase::EraseUser,
}
