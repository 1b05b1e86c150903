//! All lists with pages: adding and removing their entries.

mod delete;
mod filters;
mod insert;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::app::{App, Caller};

/// An entry of a list: a user of a document has both ids, all others have one.
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
    Folders,
    Groups,
    GroupsPicked,
    Presence,
    PresencePicked,
    LiveState,
    Editors,
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

pub(super) const ALL: [List; 41] = [
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
    List::Folders,
    List::Groups,
    List::GroupsPicked,
    List::Presence,
    List::PresencePicked,
    List::LiveState,
    List::Editors,
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

/// Maximum number of ids in a filter.
pub(super) const POOL: usize = 30;
/// Number of users in the documents; each is in several documents.
const USERS: usize = 5;

/// An id: some are as unusual as allowed.
fn id(slot: usize) -> String {
    match slot % 10 {
        3 => format!("#{slot}%/\u{10fffd}"),
        4 => format!("\u{10fffd}{slot}"),
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
            Self::Folders => "folders.get",
            Self::Groups | Self::GroupsPicked => "user-groups.get",
            Self::Presence | Self::PresencePicked => "presence.get",
            Self::LiveState => "live-state.get",
            Self::Editors => "editors.get",
            Self::Keys | Self::KeysPicked => "workspace.api_keys_get",
            Self::Recordings | Self::RecordingsOfDocument | Self::RecordingsPicked => {
                "recordings.get"
            }
            Self::Activities
            | Self::ActivitiesOfDocument
            | Self::ActivitiesOfTarget
            | Self::ActivitiesOfUser
            | Self::ActivitiesPicked => "activities.get",
            _ if self.is_of_notifications() => "notifications.get",
            list if list.is_of_threads() => "comments.annotations_get",
            _ => "users.get",
        }
    }

    /// The member of the reply with the next page.
    pub(super) fn token_name(self) -> &'static str {
        match self.operation() {
            "activities.get" | "documents.get" | "notifications.get" | "presence.get"
            | "recordings.get" | "live-state.get" => "pageToken",
            _ => "nextPageToken",
        }
    }

    pub(super) fn max_size(self) -> usize {
        if self.operation() == "workspace.api_keys_get" { 100 } else { 1000 }
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
            (String::new(), format!("{self:?}#%\u{10fffd}{slot}"))
        } else {
            (String::new(), id(slot))
        }
    }

    /// The initial state.
    pub(super) fn beginning(self, app: &App) -> BTreeSet<Id> {
        match self {
            Self::Keys | Self::KeysPicked => [(String::new(), app.key.api_key.clone())].into(),
            _ => BTreeSet::new(),
        }
    }

    /// Whether entries can be added during a walk.
    pub(super) fn grows(self) -> bool {
        self != Self::KeysPicked
    }

    /// Whether entries can be removed.
    pub(super) fn shrinks(self) -> bool {
        !matches!(self.operation(), "workspace.api_keys_get" | "live-state.get")
    }

    /// The content of a page.
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
            "folders.get" => (String::new(), text(item, "folderId")),
            "user-groups.get" => (String::new(), text(item, "groupId")),
            "live-state.get" => (String::new(), text(item, "liveStateDataId")),
            "workspace.api_keys_get" | "notifications.get" | "activities.get" | "editors.get" => {
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

/// Calls an operation whose items all have to succeed.
async fn done(caller: &Caller<'_>, operation: &str, sent: Value) {
    let reply = caller.call(operation, sent).await;
    assert!(!reply.ok().to_string().contains("\"success\":false"), "{operation} {}", reply.text());
}
