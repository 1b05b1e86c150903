//! Readings of users, for their other connections (contract `live`).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{AnnotationId, DocumentId, Millis, NotificationId, OrganizationId, UserId};

/// A reading by users, for their connections.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The users.
    pub user_ids: BTreeSet<UserId>,
    /// The subject of the reading.
    pub read: Read,
}

/// The subject of a reading.
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
        /// The document of the thread.
        document_id: DocumentId,
        /// The thread.
        annotation_id: AnnotationId,
        /// When, in epoch milliseconds.
        seen_at: Millis,
    },
}

impl Reading {
    /// A reading by one user.
    pub fn by(user: &UserId, organization: &OrganizationId, read: Read) -> Self {
        let organization_id = organization.clone();
        Self { organization_id, user_ids: [user.clone()].into(), read }
    }
}
