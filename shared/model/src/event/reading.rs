//! What users have read, for their other connections (contract `live`).

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{AnnotationId, DocumentId, Millis, NotificationId, OrganizationId, UserId};

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
