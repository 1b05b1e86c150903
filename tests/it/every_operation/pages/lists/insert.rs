//! Adding entries to a list.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Id, List, by_document, done};
use crate::app::Caller;

impl List {
    /// Adds new entries; returns their ids.
    pub(crate) async fn insert(self, caller: &Caller<'_>, slots: &[usize]) -> BTreeSet<Id> {
        let ids: BTreeSet<Id> = slots.iter().map(|slot| self.id(*slot)).collect();
        if ids.is_empty() {
            return ids;
        }
        let of = |member: &str| -> Vec<Value> {
            ids.iter().map(|(_, id)| json!({ (member): id })).collect()
        };
        let o = "o";
        match self {
            Self::Organizations => {
                let sent = json!({ "organizations": of("organizationId") });
                done(caller, "organizations.add", sent).await;
            }
            Self::Documents | Self::DocumentsInFolder | Self::DocumentsAtTop => {
                let folder = (self == Self::DocumentsInFolder).then_some("f");
                let sent = json!({
                    "organizationId": o, "folderId": folder, "documents": of("documentId"),
                    "createOrganization": true, "createFolder": folder.map(|_| true),
                });
                done(caller, "documents.add", sent).await;
            }
            Self::Folders => {
                let sent = json!({
                    "organizationId": o, "createOrganization": true, "folders": of("folderId"),
                });
                done(caller, "folders.add", sent).await;
            }
            Self::Users | Self::UsersPicked => {
                let sent = json!({ "organizationId": o, "users": of("userId") });
                done(caller, "users.add", sent).await;
            }
            Self::UsersOfDocument => {
                let sent = json!({
                    "organizationId": o, "documentId": "d", "createDocument": true,
                    "users": of("userId"),
                });
                done(caller, "users.add", sent).await;
            }
            Self::UsersOfFolder => {
                let sent = json!({
                    "organizationId": o, "folderId": "f", "createFolder": true,
                    "users": of("userId"),
                });
                done(caller, "users.add", sent).await;
            }
            Self::UsersInGroups | Self::UsersPickedInGroups => {
                let sent = json!({ "organizationId": o, "users": of("userId") });
                done(caller, "users.add", sent).await;
                let groups = json!([{ "groupId": "g" }, { "groupId": "h" }]);
                let sent = json!({ "organizationId": o, "organizationUserGroups": groups });
                caller.call("user-groups.add", sent).await.ok();
                for (group, only) in [("g", 1), ("h", 0)] {
                    // A third is in one of the groups, a third in the other, the rest in both.
                    let members: Vec<String> = slots
                        .iter()
                        .filter(|slot| *slot % 3 != only)
                        .map(|slot| self.id(*slot).1)
                        .collect();
                    if !members.is_empty() {
                        let sent = json!({
                            "organizationId": o, "organizationUserGroupId": group,
                            "userIds": members,
                        });
                        done(caller, "user-groups.users_add", sent).await;
                    }
                }
            }
            Self::UsersOfDocuments | Self::UsersOfDocumentsPicked | Self::UsersByDocument => {
                for (document, users) in by_document(&ids) {
                    let users: Vec<Value> =
                        users.into_iter().map(|id| json!({ "userId": id })).collect();
                    let sent = json!({
                        "organizationId": o, "documentId": document, "createDocument": true,
                        "users": users,
                    });
                    done(caller, "users.add", sent).await;
                }
            }
            Self::Groups | Self::GroupsPicked => {
                // Members lie between the groups.
                let user = json!({ "organizationId": o, "users": [{ "userId": "\u{10fffd}m" }] });
                caller.call("users.add", user).await.ok();
                let sent = json!({ "organizationId": o, "organizationUserGroups": of("groupId") });
                done(caller, "user-groups.add", sent).await;
                for (_, group) in &ids {
                    let sent = json!({
                        "organizationId": o, "organizationUserGroupId": group,
                        "userIds": ["\u{10fffd}m"],
                    });
                    done(caller, "user-groups.users_add", sent).await;
                }
            }
            Self::Presence | Self::PresencePicked => {
                let sent = json!({ "organizationId": o, "documentId": "d", "users": of("userId") });
                done(caller, "presence.add", sent).await;
            }
            Self::Editors => {
                for (_, id) in &ids {
                    let sent = json!({
                        "organizationId": o, "documentId": "d", "editorId": id,
                        "type": "text", "data": "x",
                    });
                    done(caller, "editors.add", sent).await;
                }
            }
            Self::LiveState => {
                for (_, id) in &ids {
                    let sent = json!({
                        "organizationId": o, "documentId": "d", "liveStateDataId": id, "data": {},
                    });
                    done(caller, "live-state.broadcast", sent).await;
                }
            }
            Self::Notifications
            | Self::NotificationsOfDocument
            | Self::NotificationsOfUser
            | Self::NotificationsOfUserInDocument
            | Self::NotificationsPicked => {
                for slot in slots {
                    let sent = json!({
                        "organizationId": o, "createOrganization": true, "documentId": "n",
                        "createDocument": true, "notificationId": self.id(*slot).1,
                        "actionUser": { "userId": "writer" },
                        // A third names the reader, a third is for everybody, the rest is both.
                        "notifyUsers": [{ "userId": if slot % 3 == 0 { "other" } else { "reader" } }],
                        "notifyAll": slot % 3 != 1,
                        "displayHeadlineMessageTemplate": "x", "displayBodyMessage": "x",
                    });
                    done(caller, "notifications.add", sent).await;
                }
            }
            Self::Recordings | Self::RecordingsOfDocument | Self::RecordingsPicked => {
                let document = if self == Self::RecordingsOfDocument { "e" } else { "f" };
                let sent = json!({
                    "organizationId": o, "createOrganization": true,
                    "documents": [{ "documentId": document }],
                });
                caller.call("documents.add", sent).await.ok();
                let recordings: Vec<Value> = ids
                    .iter()
                    .map(|(_, id)| {
                        json!({
                            "annotationId": id, "recordedTime": { "duration": 1 },
                            "attachments": [],
                        })
                    })
                    .collect();
                let sent = json!({
                    "organizationId": o, "documentId": document, "recordings": recordings,
                });
                done(caller, "recordings.add", sent).await;
            }
            Self::Activities
            | Self::ActivitiesOfDocument
            | Self::ActivitiesOfTarget
            | Self::ActivitiesOfUser
            | Self::ActivitiesPicked => {
                caller.enable_activities(false).await;
                let document = if self == Self::ActivitiesOfDocument { "e" } else { "f" };
                let target = if self == Self::ActivitiesOfTarget { "t" } else { "s" };
                let user = if self == Self::ActivitiesOfUser { "u" } else { "v" };
                let activities: Vec<Value> = ids
                    .iter()
                    .map(|(_, id)| {
                        json!({
                            "id": id, "featureType": "custom", "actionType": "x",
                            "actionUser": { "userId": user }, "targetEntityId": target,
                        })
                    })
                    .collect();
                let sent = json!({
                    "organizationId": o, "documentId": document, "activities": activities,
                });
                done(caller, "activities.add", sent).await;
            }
            list if list.is_of_threads() => {
                let document = list.document_of_threads();
                let folder = (list == Self::ThreadsInFolder).then_some("of-threads");
                let sent = json!({
                    "organizationId": o, "folderId": folder, "createFolder": true,
                    "createOrganization": true, "documents": [{ "documentId": document }],
                });
                caller.call("documents.add", sent).await.ok();
                let marked = |n: usize| {
                    let name = |word: &str, n: usize| format!("{word}{}", n % 2);
                    let author = match list {
                        Self::ThreadsOfAuthors => name("author", n),
                        _ => "somebody".to_owned(),
                    };
                    let mentioned: Vec<Value> = match list {
                        Self::ThreadsMentioning => {
                            vec![name("mentioned", n), name("mentioned", n / 2)]
                        }
                        _ => vec![],
                    }
                    .into_iter()
                    .map(|id| json!({ "userId": id }))
                    .collect();
                    json!([{ "from": { "userId": author }, "taggedUserContacts": mentioned }])
                };
                let threads = ids
                    .iter()
                    .enumerate()
                    .map(|(n, (_, id))| json!({ "annotationId": id, "commentData": marked(n) }));
                let sent = json!({
                    "organizationId": o, "documentId": document,
                    "commentAnnotations": threads.collect::<Vec<_>>(),
                });
                done(caller, "comments.annotations_add", sent).await;
            }
            _ => {
                let mut keys = BTreeSet::new();
                for _ in slots {
                    let sent = json!({ "ownerEmail": "owner@example.com", "type": "testing" });
                    let key = caller.call("workspace.api_key_create", sent).await.data();
                    keys.insert((String::new(), key["apiKey"].as_str().unwrap().to_owned()));
                }
                return keys;
            }
        }
        ids
    }
}
