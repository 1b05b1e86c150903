//! Filters of lists.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Id, List, POOL, USERS};

impl List {
    /// The filters.
    pub(crate) fn filters(self, present: &BTreeSet<Id>) -> Value {
        let o = "o";
        let pool: Vec<String> = (0..POOL).map(|slot| self.id(slot).1).collect();
        let users: Vec<String> = (0..USERS).map(|slot| self.id(slot).1).collect();
        let keys: Vec<&String> = present.iter().map(|(_, key)| key).collect();
        match self {
            Self::Organizations | Self::Keys => json!({}),
            Self::KeysPicked => json!({ "apiKeys": keys }),
            Self::Documents
            | Self::Users
            | Self::Folders
            | Self::Groups
            | Self::Recordings
            | Self::Activities => json!({ "organizationId": o }),
            Self::RecordingsOfDocument | Self::ActivitiesOfDocument => {
                json!({ "organizationId": o, "documentId": "e" })
            }
            Self::RecordingsPicked => json!({ "organizationId": o, "recordingIds": pool }),
            Self::ActivitiesOfTarget => json!({ "organizationId": o, "targetEntityId": "t" }),
            Self::ActivitiesOfUser => json!({ "organizationId": o, "userId": "u" }),
            Self::ActivitiesPicked => json!({ "organizationId": o, "activityIds": pool }),
            Self::DocumentsInFolder | Self::UsersOfFolder => {
                json!({ "organizationId": o, "folderId": "f" })
            }
            Self::DocumentsAtTop => json!({ "organizationId": o, "folderId": "root" }),
            Self::UsersOfDocument => json!({ "organizationId": o, "documentId": "d" }),
            Self::UsersPicked => json!({ "organizationId": o, "userIds": pool }),
            Self::UsersInGroups => {
                json!({ "organizationId": o, "organizationUserGroupIds": ["g", "h"] })
            }
            Self::UsersPickedInGroups => json!({
                "organizationId": o, "organizationUserGroupIds": ["g", "h"], "userIds": pool,
            }),
            Self::UsersOfDocuments => json!({ "organizationId": o, "allDocuments": true }),
            Self::UsersOfDocumentsPicked => {
                json!({ "organizationId": o, "allDocuments": true, "userIds": users })
            }
            Self::UsersByDocument => json!({
                "organizationId": o, "allDocuments": true, "groupByDocumentId": true,
            }),
            Self::Presence | Self::LiveState | Self::Editors => {
                json!({ "organizationId": o, "documentId": "d" })
            }
            Self::PresencePicked => {
                json!({ "organizationId": o, "documentId": "d", "userIds": pool })
            }
            Self::GroupsPicked => {
                json!({ "organizationId": o, "organizationUserGroupIds": pool })
            }
            Self::Notifications => json!({ "organizationId": o, "order": "asc" }),
            Self::NotificationsOfDocument => json!({ "organizationId": o, "documentId": "n" }),
            Self::NotificationsOfUser => json!({ "organizationId": o, "userId": "reader" }),
            Self::NotificationsOfUserInDocument => {
                json!({ "organizationId": o, "userId": "reader", "documentId": "n" })
            }
            Self::NotificationsPicked => json!({ "organizationId": o, "notificationIds": pool }),
            Self::Threads => json!({ "organizationId": o }),
            Self::ThreadsOfDocument => {
                json!({ "organizationId": o, "documentId": self.document_of_threads() })
            }
            Self::ThreadsOfDocuments => {
                let documents = [self.document_of_threads(), "empty".to_owned()];
                json!({ "organizationId": o, "documentIds": documents, "order": "asc" })
            }
            Self::ThreadsInFolder => json!({ "organizationId": o, "folderId": "of-threads" }),
            Self::ThreadsOfAuthors => {
                json!({ "organizationId": o, "userIds": ["author0", "author1"] })
            }
            Self::ThreadsMentioning => {
                json!({ "organizationId": o, "mentionedUserIds": ["mentioned0", "mentioned1"] })
            }
        }
    }
}
