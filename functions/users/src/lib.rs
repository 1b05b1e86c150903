//! Users and their tokens (contract `users`).

mod access;
mod level;

pub use access::ACCESS;

service::operations! {
    /// Adds users to an organization, a document or a folder.
    add::AddUsers,
    /// Lists users of an organization, of a document, of a folder or of all documents.
    get::GetUsers,
    /// Counts users of an organization, of a document or of all documents.
    count::CountUsers,
    /// Changes users.
    update::UpdateUsers,
    /// Removes users from an organization, a document or a folder.
    delete::DeleteUsers,
    /// Issues a token to an end user.
    generate_token::GenerateToken,
}
