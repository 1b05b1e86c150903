//! Threads of comments (contract `comments`): annotations, their comments, reactions and
//! subscriptions.

mod access;
mod agents;
mod append;
mod each_comment;
mod mentions;
mod one_write;
mod permissions;
mod publish;
mod results;
mod selection;
mod thread;

pub use access::ACCESS;

service::operations! {
    /// Adds threads of comments to a document.
    annotations_add::AddAnnotations,
    /// Lists threads of comments, the newest first.
    annotations_get::GetAnnotations,
    /// Changes threads of comments: status, priority, assignee, visibility and more.
    annotations_update::UpdateAnnotations,
    /// Deletes threads of comments.
    annotations_delete::DeleteAnnotations,
    /// Counts threads of comments by document, and those a user has not read.
    annotations_count::CountAnnotations,
    /// Subscribes a user to a thread of comments.
    annotations_subscribe::Subscribe,
    /// Unsubscribes a user from a thread of comments.
    annotations_unsubscribe::Unsubscribe,
    /// Adds comments to a thread.
    add::AddComments,
    /// Lists the comments of a thread.
    get::GetComments,
    /// Edits comments of a thread.
    update::UpdateComments,
    /// Deletes comments of a thread.
    delete::DeleteComments,
    /// Adds a reaction of a user to a comment.
    reactions_add::AddReaction,
    /// Removes a reaction of a user from a comment.
    reactions_delete::DeleteReaction,
}
