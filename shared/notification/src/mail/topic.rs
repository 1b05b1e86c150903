//! The subject of a thread in mails.

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::RowBody;

/// Retention of the subject of an active thread.
const RETENTION: Millis = 365 * 24 * 60 * 60 * 1000;

/// The document name in the first mail about a thread: mail clients group conversations by subject,
/// which must not follow a rename.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Topic {
    /// The name.
    pub document_name: String,
    /// The time of the first mail.
    pub at: Millis,
}

impl RowBody for Topic {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        Some(self.at.saturating_add(RETENTION))
    }
}
