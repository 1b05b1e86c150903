//! Reports of providers about mails, and addresses that get none: suppressed or unsubscribed.

use std::collections::{BTreeMap, BTreeSet};

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::{Reason, RowBody, TOMBSTONE};

/// Maximum number of users that the row of an address remembers.
const MAX_USERS: usize = 1_000;

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

/// The holder of an address unsubscribed. The preference of each user with the address is set once;
/// later, the user may set another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unsubscribed {
    /// Digests of the users whose preference is set.
    pub users: BTreeSet<String>,
}

impl Unsubscribed {
    /// The row with a further user, as long as there is room.
    pub fn new(mut users: BTreeSet<String>, user: &str) -> Self {
        if users.len() < MAX_USERS {
            users.insert(user.to_owned());
        }
        Self { users }
    }
}

impl RowBody for Unsubscribed {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        None
    }
}
