//! All that is kept of users: handing it out, and erasing it (spec 4.20; siblings 12).

service::operations! {
    /// Gets everything that is kept of a user in an organization.
    get::GetUserData,
    /// Orders that everything that is kept of users is erased.
    delete::DeleteUserData,
    /// Tells how far a job is that erases users.
    delete_status::GetDeletion,
}

service::workers! {
    /// Erases a user.
    erase::EraseUser,
}
