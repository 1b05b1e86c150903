//! How far users have seen threads.

use serde::{Deserialize, Serialize};

use crate::{AnnotationId, DocumentId, Millis, UserId};

/// When a user last saw a thread. It never moves backwards.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenMark {
    /// The document of the thread.
    pub document_id: DocumentId,
    /// The thread.
    pub annotation_id: AnnotationId,
    /// Who saw it.
    pub user_id: UserId,
    /// When.
    pub seen_at: Millis,
}
