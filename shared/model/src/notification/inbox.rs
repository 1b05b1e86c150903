//! How much users have read and seen (contract `notifications.count`).

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Millis, UserId,
    people::{self, Names, People, Rest},
};

/// The times until which a user has read and seen all notifications in an organization.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct InboxMark {
    /// The user.
    pub user_id: UserId,
    /// Notifications up to this time name the user among their readers: a count begins behind it.
    pub read_until: Millis,
    /// The time at which the user saw the inbox last.
    pub seen_until: Millis,
}

impl InboxMark {
    /// The mark of a user who has read and seen nothing.
    pub const fn none(user_id: UserId) -> Self {
        Self { user_id, read_until: 0, seen_until: 0 }
    }
}

impl Names for InboxMark {
    fn people(&mut self, walk: &mut dyn People) -> Rest {
        let Self { user_id, read_until: _, seen_until: _ } = self;
        people::owned(walk, user_id)
    }
}

/// How many notifications of a user are unread and unseen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NotificationCount")]
pub struct InboxCount {
    /// Notifications that the user has not read.
    pub unread: u64,
    /// Unread ones that came after the user saw the inbox last.
    pub unseen: u64,
    /// Whether there are older notifications that are not counted.
    pub has_more: bool,
}
