//! What the conversation about a thread is called in a mailbox.

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::Body;

/// After which time a thread that is still talked about may be called anew.
const KEPT: Millis = 365 * 24 * 60 * 60 * 1000;

/// What the document of a thread was called in the first mail about that: mailboxes tell
/// conversations by the subject, which must not follow a new name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Topic {
    /// The name.
    pub document_name: String,
    /// Its time.
    pub at: Millis,
}

impl Body for Topic {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        Some(self.at.saturating_add(KEPT))
    }
}
