//! What users have seen (design note on notifications, N7).

use serde::{Deserialize, Serialize};

use crate::{AnnotationId, DocumentId, Millis, UserId};

/// Up to when a user has seen a thread. Comments added after it are unread.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenMark {
    /// The document of the thread.
    pub document_id: DocumentId,
    /// The thread.
    pub annotation_id: AnnotationId,
    /// Who has seen it.
    pub user_id: UserId,
    /// When.
    pub seen_at: Millis,
}
