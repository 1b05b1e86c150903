//! What users have read and seen (contract `notifications.count`).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    AnnotationId, DocumentId, Millis, NotificationId, OrganizationId, UserId,
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
    /// Those of them that came after the user saw the inbox last.
    pub unseen: u64,
    /// Whether there are older notifications that are not counted.
    pub has_more: bool,
}

/// What users have read, for their connections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The users.
    pub user_ids: BTreeSet<UserId>,
    /// What they have read.
    pub read: Read,
}

/// What a user has read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Read {
    /// A notification.
    Notification {
        /// The notification.
        notification_id: NotificationId,
    },
    /// A notification, which is deleted for the user.
    Deleted {
        /// The notification.
        notification_id: NotificationId,
    },
    /// All notifications.
    All,
    /// The inbox, without reading what is in it.
    Inbox {
        /// When, in epoch milliseconds.
        seen_at: Millis,
    },
    /// A thread.
    Thread {
        /// Its document.
        document_id: DocumentId,
        /// The thread.
        annotation_id: AnnotationId,
        /// When, in epoch milliseconds.
        seen_at: Millis,
    },
}

impl Reading {
    /// What one user has read.
    pub fn by(user: &UserId, organization: &OrganizationId, read: Read) -> Self {
        let organization_id = organization.clone();
        Self { organization_id, user_ids: [user.clone()].into(), read }
    }
}
