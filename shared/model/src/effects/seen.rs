//! Seen marks of users (rule N7).

use serde::{Deserialize, Serialize};

use crate::{AnnotationId, DocumentId, Millis, UserId};

/// The time until which a user has seen a thread. Later comments are unread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenMark {
    /// The document of the thread.
    pub document_id: DocumentId,
    /// The thread.
    pub annotation_id: AnnotationId,
    /// The user.
    pub user_id: UserId,
    /// Time.
    pub seen_at: Millis,
}
