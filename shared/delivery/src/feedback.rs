//! What providers tell of mails, and addresses that take none.

use std::collections::BTreeMap;

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::{Body, Reason, TOMBSTONE};

/// What a provider reported of one mail. A row of its own, since it may be reported before the attempt is
/// recorded, and more than once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Feedback {
    /// The ids of the attempts that the provider took, by their numbers.
    #[serde(default)]
    pub taken: BTreeMap<u32, String>,
    /// Why it did not arrive, or was not wanted: [`Reason::Bounced`] or [`Reason::Suppressed`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<Reason>,
    /// Time of the last report.
    pub at: Millis,
}

impl Body for Feedback {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        Some(self.at + TOMBSTONE)
    }
}

/// An address that takes no mail of this tenant any more; kept until it is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Suppressed {
    /// [`Reason::Bounced`], or [`Reason::Suppressed`] after a complaint.
    pub reason: Reason,
    /// Since when.
    pub at: Millis,
}

impl Body for Suppressed {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        None
    }
}
