//! Removing entries of a list.

use std::collections::BTreeSet;

use serde_json::json;

use super::{Id, List, by_document, done};
use crate::app::Caller;

impl List {
    /// Deletes existing entries.
    pub(crate) async fn delete(self, caller: &Caller<'_>, ids: &BTreeSet<Id>) {
        if ids.is_empty() {
            return;
        }
        let o = "o";
        let own: Vec<&String> = ids.iter().map(|(_, id)| id).collect();
        let (operation, sent) = match self {
            Self::Organizations => ("organizations.delete", json!({ "organizationIds": own })),
            Self::Documents | Self::DocumentsInFolder | Self::DocumentsAtTop => {
                ("documents.delete", json!({ "organizationId": o, "documentIds": own }))
            }
            Self::Folders => {
                for folder in own {
                    let sent = json!({ "organizationId": o, "folderId": folder });
                    done(caller, "folders.delete", sent).await;
                }
                return;
            }
            Self::Users | Self::UsersPicked => {
                ("users.delete", json!({ "organizationId": o, "userIds": own }))
            }
            Self::UsersOfDocument => {
                ("users.delete", json!({ "organizationId": o, "documentId": "d", "userIds": own }))
            }
            Self::UsersOfFolder => {
                ("users.delete", json!({ "organizationId": o, "folderId": "f", "userIds": own }))
            }
            Self::UsersInGroups | Self::UsersPickedInGroups => {
                for group in ["g", "h"] {
                    let sent = json!({
                        "organizationId": o, "organizationUserGroupId": group, "userIds": own,
                    });
                    caller.call("user-groups.users_delete", sent).await.ok();
                }
                return;
            }
            Self::UsersOfDocuments | Self::UsersOfDocumentsPicked | Self::UsersByDocument => {
                for (document, users) in by_document(ids) {
                    let sent =
                        json!({ "organizationId": o, "documentId": document, "userIds": users });
                    done(caller, "users.delete", sent).await;
                }
                return;
            }
            Self::Groups | Self::GroupsPicked => (
                "user-groups.delete",
                json!({ "organizationId": o, "organizationUserGroupIds": own }),
            ),
            Self::Presence | Self::PresencePicked => (
                "presence.delete",
                json!({ "organizationId": o, "documentId": "d", "userIds": own }),
            ),
            Self::Editors => (
                "editors.delete",
                json!({ "organizationId": o, "documentId": "d", "editorIds": own }),
            ),
            Self::LiveState => panic!("live state is not deleted"),
            Self::Notifications
            | Self::NotificationsOfDocument
            | Self::NotificationsOfUser
            | Self::NotificationsOfUserInDocument
            | Self::NotificationsPicked => {
                ("notifications.delete", json!({ "organizationId": o, "notificationIds": own }))
            }
            Self::Recordings | Self::RecordingsOfDocument | Self::RecordingsPicked => {
                ("recordings.delete", json!({ "organizationId": o, "recordingIds": own }))
            }
            Self::Activities
            | Self::ActivitiesOfDocument
            | Self::ActivitiesOfTarget
            | Self::ActivitiesOfUser
            | Self::ActivitiesPicked => {
                ("activities.delete", json!({ "organizationId": o, "activityIds": own }))
            }
            list if list.is_of_threads() => {
                let sent = json!({
                    "organizationId": o, "documentId": list.document_of_threads(),
                    "annotationIds": own,
                });
                ("comments.annotations_delete", sent)
            }
            _ => panic!("a key is not deleted"),
        };
        done(caller, operation, sent).await;
    }
}
