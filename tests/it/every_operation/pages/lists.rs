//! Every list that comes in pages: how things get into it, and out of it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::app::{App, Caller};

/// What a list holds: a user of a document is known by both ids, everything else by one.
pub(super) type Id = (String, String);

/// A list: an operation with filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum List {
    Organizations,
    Documents,
    DocumentsInFolder,
    DocumentsAtTop,
    Users,
    UsersOfDocument,
    UsersOfFolder,
    UsersPicked,
    UsersInGroups,
    UsersPickedInGroups,
    UsersOfDocuments,
    UsersOfDocumentsPicked,
    UsersByDocument,
    Groups,
    GroupsPicked,
    Presence,
    PresencePicked,
    LiveState,
    Notifications,
    NotificationsOfDocument,
    NotificationsOfUser,
    NotificationsOfUserInDocument,
    NotificationsPicked,
    Recordings,
    RecordingsOfDocument,
    RecordingsPicked,
    Activities,
    ActivitiesOfDocument,
    ActivitiesOfTarget,
    ActivitiesOfUser,
    ActivitiesPicked,
    Threads,
    ThreadsOfDocument,
    ThreadsOfDocuments,
    ThreadsInFolder,
    ThreadsOfAuthors,
    ThreadsMentioning,
    Keys,
    KeysPicked,
}

pub(super) const ALL: [List; 39] = [
    List::Organizations,
    List::Documents,
    List::DocumentsInFolder,
    List::DocumentsAtTop,
    List::Users,
    List::UsersOfDocument,
    List::UsersOfFolder,
    List::UsersPicked,
    List::UsersInGroups,
    List::UsersPickedInGroups,
    List::UsersOfDocuments,
    List::UsersOfDocumentsPicked,
    List::UsersByDocument,
    List::Groups,
    List::GroupsPicked,
    List::Presence,
    List::PresencePicked,
    List::LiveState,
    List::Notifications,
    List::NotificationsOfDocument,
    List::NotificationsOfUser,
    List::NotificationsOfUserInDocument,
    List::NotificationsPicked,
    List::Recordings,
    List::RecordingsOfDocument,
    List::RecordingsPicked,
    List::Activities,
    List::ActivitiesOfDocument,
    List::ActivitiesOfTarget,
    List::ActivitiesOfUser,
    List::ActivitiesPicked,
    List::Threads,
    List::ThreadsOfDocument,
    List::ThreadsOfDocuments,
    List::ThreadsInFolder,
    List::ThreadsOfAuthors,
    List::ThreadsMentioning,
    List::Keys,
    List::KeysPicked,
];

/// As many things as a filter of ids can name.
pub(super) const POOL: usize = 30;
/// The users in the pool of those of documents; each is in several documents.
const USERS: usize = 5;

/// An id: some are as odd as they may be.
fn id(slot: usize) -> String {
    match slot % 10 {
        3 => format!("#{slot}%/\u{10ffff}"),
        4 => format!("\u{10ffff}{slot}"),
        5 => format!("{slot}{}", "\"".repeat(254)),
        6 => format!("{slot}{}", "#".repeat(254)),
        7 => format!(" {slot} é"),
        _ => format!("i{slot:02}"),
    }
}

impl List {
    pub(super) fn operation(self) -> &'static str {
        match self {
            Self::Organizations => "organizations.get",
            Self::Documents | Self::DocumentsInFolder | Self::DocumentsAtTop => "documents.get",
            Self::Groups | Self::GroupsPicked => "user-groups.get",
            Self::Presence | Self::PresencePicked => "presence.get",
            Self::LiveState => "live-state.get",
            Self::Keys | Self::KeysPicked => "workspace.api_keys_get",
            _ if self.is_of_notifications() => "notifications.get",
            Self::Recordings | Self::RecordingsOfDocument | Self::RecordingsPicked => {
                "recordings.get"
            }
            Self::Activities
            | Self::ActivitiesOfDocument
            | Self::ActivitiesOfTarget
            | Self::ActivitiesOfUser
            | Self::ActivitiesPicked => "activities.get",
            list if list.is_of_threads() => "comments.annotations_get",
            _ => "users.get",
        }
    }

    /// The member of the reply that leads to the next page.
    pub(super) fn token_name(self) -> &'static str {
        match self.operation() {
            "activities.get" | "documents.get" | "live-state.get" | "notifications.get"
            | "presence.get" | "recordings.get" => "pageToken",
            _ => "nextPageToken",
        }
    }

    pub(super) fn max_size(self) -> usize {
        if self.operation() == "workspace.api_keys_get" { 100 } else { 1000 }
    }

    /// What it is filtered by.
    pub(super) fn filters(self, present: &BTreeSet<Id>) -> Value {
        let o = "o";
        let pool: Vec<String> = (0..POOL).map(|slot| self.id(slot).1).collect();
        let users: Vec<String> = (0..USERS).map(|slot| self.id(slot).1).collect();
        let keys: Vec<&String> = present.iter().map(|(_, key)| key).collect();
        match self {
            Self::Organizations | Self::Keys => json!({}),
            Self::KeysPicked => json!({ "apiKeys": keys }),
            Self::Documents | Self::Users | Self::Groups | Self::Recordings | Self::Activities => {
                json!({ "organizationId": o })
            }
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
            Self::Presence | Self::LiveState => {
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

    fn is_of_threads(self) -> bool {
        matches!(
            self,
            Self::Threads
                | Self::ThreadsOfDocument
                | Self::ThreadsOfDocuments
                | Self::ThreadsInFolder
                | Self::ThreadsOfAuthors
                | Self::ThreadsMentioning
        )
    }

    /// The document a thread is in, which is in the folder `of-threads`.
    fn document_of_threads(self) -> String {
        format!("{self:?}")
    }

    fn is_by_document(self) -> bool {
        matches!(
            self,
            Self::UsersOfDocuments | Self::UsersOfDocumentsPicked | Self::UsersByDocument
        )
    }

    fn is_of_notifications(self) -> bool {
        matches!(
            self,
            Self::Notifications
                | Self::NotificationsOfDocument
                | Self::NotificationsOfUser
                | Self::NotificationsOfUserInDocument
                | Self::NotificationsPicked
        )
    }

    fn is_by_time(self) -> bool {
        matches!(self.operation(), "activities.get" | "recordings.get")
    }

    fn id(self, slot: usize) -> Id {
        if self.is_of_notifications() {
            // Letters and digits only, and what one list adds is not in another already.
            (String::new(), format!("{self:?}-{slot}"))
        } else if self.is_by_document() {
            (id(slot / USERS), id(slot % USERS))
        } else if self.is_by_time() {
            // Of its own in each list: what is added again would change its place.
            (String::new(), format!("{self:?}#%\u{10ffff}{slot}"))
        } else {
            (String::new(), id(slot))
        }
    }

    /// What is there before anything is added.
    pub(super) fn beginning(self, app: &App) -> BTreeSet<Id> {
        match self {
            Self::Keys | Self::KeysPicked => [(String::new(), app.key.api_key.clone())].into(),
            _ => BTreeSet::new(),
        }
    }

    /// Whether things can come while it is walked.
    pub(super) fn grows(self) -> bool {
        self != Self::KeysPicked
    }

    /// Whether things can go at all.
    pub(super) fn shrinks(self) -> bool {
        !matches!(self.operation(), "workspace.api_keys_get" | "live-state.get")
    }

    /// Adds things that are not there; answers with their ids.
    pub(super) async fn insert(self, caller: &Caller<'_>, slots: &[usize]) -> BTreeSet<Id> {
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
                let user = json!({ "organizationId": o, "users": [{ "userId": "\u{10ffff}m" }] });
                caller.call("users.add", user).await.ok();
                let sent = json!({ "organizationId": o, "organizationUserGroups": of("groupId") });
                done(caller, "user-groups.add", sent).await;
                for (_, group) in &ids {
                    let sent = json!({
                        "organizationId": o, "organizationUserGroupId": group,
                        "userIds": ["\u{10ffff}m"],
                    });
                    done(caller, "user-groups.users_add", sent).await;
                }
            }
            Self::Presence | Self::PresencePicked => {
                let sent = json!({ "organizationId": o, "documentId": "d", "users": of("userId") });
                done(caller, "presence.add", sent).await;
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

    /// Deletes things that are there.
    pub(super) async fn delete(self, caller: &Caller<'_>, ids: &BTreeSet<Id>) {
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

    /// What a page holds.
    pub(super) fn read(self, data: &Value) -> Vec<Id> {
        let text = |item: &Value, name: &str| {
            item[name].as_str().unwrap_or_else(|| panic!("{name} of {item}")).to_owned()
        };
        let items: Vec<&Value> = match data {
            Value::Array(items) => items.iter().collect(),
            data => {
                let documents = data.as_object().expect("documents").values();
                documents.flat_map(|users| users.as_array().expect("users")).collect()
            }
        };
        assert_eq!(data.is_object(), self == Self::UsersByDocument);
        let id = |item: &Value| match self.operation() {
            "organizations.get" => (String::new(), text(item, "organizationId")),
            "documents.get" => (String::new(), text(item, "documentId")),
            "user-groups.get" => (String::new(), text(item, "groupId")),
            "live-state.get" => (String::new(), text(item, "liveStateDataId")),
            "workspace.api_keys_get" | "activities.get" | "notifications.get" => {
                (String::new(), text(item, "id"))
            }
            "recordings.get" => (String::new(), text(item, "annotationId")),
            "comments.annotations_get" => (String::new(), text(item, "annotationId")),
            _ if self.is_by_document() => (text(item, "documentId"), text(item, "userId")),
            _ => (String::new(), text(item, "userId")),
        };
        items.into_iter().map(id).collect()
    }
}

fn by_document(ids: &BTreeSet<Id>) -> BTreeMap<&str, Vec<&str>> {
    let mut documents: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (document, user) in ids {
        documents.entry(document).or_default().push(user);
    }
    documents
}

/// Calls an operation all of whose items are to succeed.
async fn done(caller: &Caller<'_>, operation: &str, sent: Value) {
    let reply = caller.call(operation, sent).await;
    assert!(!reply.ok().to_string().contains("\"success\":false"), "{operation} {}", reply.text());
}
