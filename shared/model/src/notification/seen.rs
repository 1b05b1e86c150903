//! Seen marks of users (rule N7).

use serde::{Deserialize, Serialize};

use crate::{
    AnnotationId, DocumentId, Millis, UserId,
    people::{self, Names, People, Rest},
};

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

impl Names for SeenMark {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { document_id: _, annotation_id: _, user_id, seen_at: _ } = self;
        people::owned(walk, user_id)
    }
}
