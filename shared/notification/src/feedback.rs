//! Reports of providers about mails, and suppressed addresses.

use std::collections::BTreeMap;

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::{Reason, RowBody, TOMBSTONE};

/// Reports about one mail. A row of its own, because a report may precede the record of the
/// attempt, and may repeat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Feedback {
    /// The message ids of accepted attempts, by number.
    #[serde(default)]
    pub taken: BTreeMap<u32, String>,
    /// The reason of a failure: [`Reason::Bounced`] or [`Reason::Suppressed`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<Reason>,
    /// The time of the last report.
    pub at: Millis,
}

impl RowBody for Feedback {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        Some(self.at + TOMBSTONE)
    }
}

/// A suppressed address of this tenant; stored until it is removed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Suppressed {
    /// [`Reason::Bounced`], or [`Reason::Suppressed`] after a complaint.
    pub reason: Reason,
    /// The time of the report.
    pub at: Millis,
}

impl RowBody for Suppressed {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        None
    }
}
