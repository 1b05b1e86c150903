//! Documents (contract `documents`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Adds documents to an organization or a folder of it.
    add::AddDocuments,
    /// Lists documents by id, by folder or all, page by page.
    get::GetDocuments,
    /// Counts documents of an organization, of a folder or of none.
    count::CountDocuments,
    /// Renames documents and changes their custom members.
    update::UpdateDocuments,
    /// Deletes documents, and their data in the background.
    delete::DeleteDocuments,
    /// Moves documents into a folder or out of any, all of them or none.
    move_documents::MoveDocuments,
    /// Sets the access type of documents.
    access_update::UpdateDocumentAccess,
    /// Locks the end users of documents out, or lets them in again.
    disable::DisableDocuments,
}
