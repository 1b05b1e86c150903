//! The key of each resource. This module, `key.rs` and `home.rs` (the partitions of an organization)
//! are the key layout of the service; rows without a type of the model follow the same table where
//! their feature is, and those of webhooks in the crate `webhook`.
//!
//! | Entity | Partition | Sort key | Index partition (behind the partition) | Index sort key |
//! |---|---|---|---|---|
//! | workspace | `workspace#W` | `workspace` | | |
//! | API key | `key#K` | `key` | `workspace#W` (alone) | `key#K` |
//! | configuration | `key#K` | `config#email` … | | |
//! | agent | `key#K` | `agent#A` | | |
//! | switch of a built-in agent | `key#K` | `agent#A#built-in` | | |
//! | agent version | `key#K` | `agent-version#A#version#current`, `…#0000000001` for those before | | |
//! | number of agents | `key#K` | `agent-count` | | |
//! | webhook endpoint | `key#K` | `webhook#endpoint#E`, the advanced configuration `webhook#settings` | | |
//! | number of its endpoints | `key#K` | `webhook-count` | | |
//! | its basic configuration | `key#K` | `webhook#urls` | | |
//! | its uid | `key#K` | `webhook-uid#U` | | |
//! | organization | `key#K` | `organization#O` | | |
//! | document | `key#K#organization#O` | `document#D` | `folder#F` (`root` in none) | `document#D` |
//! | folder | same | `folder#F` | `folder#P` (its parent) | `folder#F` |
//! | number of folders (`room.rs`) | same | `folder-count` | | |
//! | user | same | `user#U`, `document-user#D#user#U`, `folder-user#F#user#U` | `user#U` | the sort key |
//! | grant | same | `organization-grant#U`, `document-grant#D#user#U`, `folder-grant#F#user#U` | `user#U` | the sort key |
//! | group | same | `group#G#group` | | |
//! | group member | same | `group#G#user#U` | `user#U` | the sort key |
//! | number of its members | same | `group-count#G#members` | | |
//! | presence (Realtime) | its document | `presence#D#user#U` | | |
//! | live state (Realtime) | its document | `live-state#D#data#L` | | |
//! | notification | `key#K#organization#O` | `notification#N` | `document#D`; Kind: `kind#notification`; for everybody also Target: `everybody`, Actor: `everybody#document#D` | `notification#T#id#N` |
//! | preference | `key#K#organization#O` | `preference#document#D#user#U`, `preference#organization#user#U` | `user#U`; Target: `document#D` | the sort key |
//! | comment annotation | its document | `annotation#D#id#A` | `document#D`; Kind; Target: `annotation-id#A` | `annotation#` time of creation, id |
//! | its older comments | its document | `archived#D#id#A#position#P`, found by `comment-id#D#id#A#comment#C` | | |
//! | seen mark | its document | `seen#D#annotation#A#user#U` | `user#U` | `seen#D#annotation#A` |
//! | recording | `key#K#organization#O` | `recording#R` | `document#D`; Kind; Actor: who recorded it | `recording#` time of the first version, id |
//! | activity | its own, `activity#A` | `activity#A` | `history#D`; Kind; Actor: who did it; Target: `target#T` | `activity#` time, id |
//! | named call (`once.rs`, Realtime, expires) | `key#K#named-call#N`, `workspace#W#…`, `admin#…` | `operation#` its name | | |
//! | erasure job (expires) | `key#K` | `erasure#J` | | |
//! | connection, and its subscriptions (crate `rooms`, Realtime, expires) | `connection#C`; its document, or `key#K#organization#O` | `connection`; `live#D#…`, `live-user#U#…` | | |
//! | connection without a token (`connection/unauthenticated.rs` of it, Realtime, expires) | `unauthenticated#M`, its minute | `socket#C` | | |
//! | editor (`editors.rs`) | its document | `crdt#D#` and head, log, snapshot, client or their number | | |
//! | link of a user | `links#…`, by the user | `link#U#` and where the target is sorted for that user | | |
//! | document whose content nothing else leads to (Realtime, Crdt) | `key#K#organization#O` | `listed#D#document` | | |
//!
//! A digest of notifications has link rows from its further documents,
//! `digest-of#D#notification#T#id#N`. Pending work of a user (`work.rs`, Schedule) is in
//! `key#K#organization#O#recipient#U`.
//!
//! Link rows of users who are named in passing are `link#U#beside#` and the sort key of the target,
//! of many at once that of [`UserId::crowd`].
//!
//! The index is `Container` unless another is named; kinds sorted by time have its 13 digits behind
//! the kind (`timed.rs`). An organization's own users are not in the index, because leaving the
//! organization names them anyway. A link row is found by its prefix and has the sort key of its
//! item in `target`; an item lists its link rows in `_links`, so that they are deleted with it,
//! unless they follow from it (`Entity::LISTS_LINKS`).

mod containers;
mod contents;
mod inbox;
mod tenants;

use model::{
    DocumentId, FolderId, GroupId, Millis, OrganizationId, UserId,
    api_key::ApiKey,
    configuration::{ActivityConfig, EmailConfig, NotificationConfig},
    document::Document,
    folder::Folder,
    organization::Organization,
    permissions::{Grant, Level},
    user::User,
    user_group::{Group, GroupMember},
    workspace::Workspace,
};

pub use containers::Container;
pub use contents::{
    ThreadId, about, annotations_of, archived_at, archived_of, history_of, involving, live_in,
    numbered_comment, numbers_of, presence_of, present_in, reacted, with_annotation_id,
};
pub use inbox::{
    digests_of, for_everybody, for_everybody_in, notification_time, preferences_of, seen_in,
    seen_of,
};
pub use tenants::{ENDPOINT_SECRETS, MESSAGE, WEBHOOK, message_place, versions_of};

use super::{
    entity::{Entity, Indexed, Place},
    key::Key,
};

/// Items of a user, in the index of the organization.
pub fn of_user(user: &UserId) -> Key {
    Key::pair("user", user.as_str())
}

/// Items in a folder, in the index of the organization.
pub fn in_folder(folder: &FolderId) -> Key {
    Key::pair("folder", folder.as_str())
}

impl Entity for Workspace {
    const KIND: &'static str = "workspace";
    type Id = ();
    fn id(&self) {}
    fn shown((): &()) -> &str {
        ""
    }
    fn place((): &()) -> Place {
        Place(Key::named(Self::KIND))
    }
}

impl Entity for ApiKey {
    const KIND: &'static str = "key";
    const NOUN: &'static str = "API key";
    const SECRETS: &'static [&'static str] = &["customerApiKey"];
    const INDEXED_ALONE: bool = true;
    type Id = ();
    fn id(&self) {}
    fn shown((): &()) -> &str {
        ""
    }
    fn place((): &()) -> Place {
        Place(Key::named(Self::KIND))
    }
    fn indexes(&self) -> Vec<Indexed> {
        if self.deleted_at.is_some() {
            return vec![];
        }
        let partition = Key::pair("workspace", self.workspace_id.as_str());
        Indexed::within(partition, Key::pair(Self::KIND, self.id.as_str()))
    }
}

/// Declares a configuration: one per tenant.
macro_rules! configs {
    ($($entity:ident, $name:literal, $secrets:expr;)+) => {$(
        impl Entity for $entity {
            const KIND: &'static str = "config";
            const NOUN: &'static str = concat!($name, " configuration");
            const SECRETS: &'static [&'static str] = $secrets;
            type Id = ();
            fn id(&self) {}
            fn shown((): &()) -> &str {
                ""
            }
            fn place((): &()) -> Place {
                Place(Key::pair(Self::KIND, $name))
            }
        }
    )+};
}

configs! {
    ActivityConfig, "activity", &[];
    EmailConfig, "email", &["apiKey"];
    NotificationConfig, "notification", &[];
}

impl Entity for Organization {
    const KIND: &'static str = "organization";
    const JSON: &'static [&'static str] = &["metadata"];
    type Id = OrganizationId;
    fn id(&self) -> OrganizationId {
        self.organization_id.clone()
    }
    fn shown(id: &OrganizationId) -> &str {
        id.as_str()
    }
    fn place(id: &OrganizationId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
}

impl Entity for Document {
    const KIND: &'static str = "document";
    const JSON: &'static [&'static str] = &["metadata"];
    type Id = DocumentId;
    fn id(&self) -> DocumentId {
        self.document_id.clone()
    }
    fn shown(id: &DocumentId) -> &str {
        id.as_str()
    }
    fn place(id: &DocumentId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = Self::place(&self.document_id).0;
        let folder = self.folder_id.clone().unwrap_or_else(FolderId::root);
        Indexed::within(in_folder(&folder), sort)
    }
}

impl Entity for Folder {
    const KIND: &'static str = "folder";
    type Id = FolderId;
    fn id(&self) -> FolderId {
        self.folder_id.clone()
    }
    fn shown(id: &FolderId) -> &str {
        id.as_str()
    }
    fn place(id: &FolderId) -> Place {
        Place(Key::pair(Self::KIND, id.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = Self::place(&self.folder_id).0;
        Indexed::within(in_folder(&self.parent_folder_id), sort)
    }
}

/// The sort keys of the users of a level.
pub fn users_at(level: &Level) -> Key {
    match level {
        Level::Organization => Key::named(User::KIND),
        Level::Document(id) => Key::pair("document-user", id.as_str()).join(&Key::named("user")),
        Level::Folder(id) => Key::pair("folder-user", id.as_str()).join(&Key::named("user")),
    }
}

/// Membership and grant of a user at a level; the names are those of organization, document and
/// folder.
fn at_level(names: [&'static str; 3], level: &Level, user: &UserId) -> Key {
    match level {
        Level::Organization => Key::pair(names[0], user.as_str()),
        Level::Document(id) => Key::pair(names[1], id.as_str()).and("user", user.as_str()),
        Level::Folder(id) => Key::pair(names[2], id.as_str()).and("user", user.as_str()),
    }
}

impl Entity for User {
    const KIND: &'static str = "user";
    type Id = (Level, UserId);
    fn id(&self) -> Self::Id {
        (self.level.clone(), self.user_id.clone())
    }
    fn shown((_, id): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((level, id): &Self::Id) -> Place {
        Place(at_level(["user", "document-user", "folder-user"], level, id))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = Self::place(&self.id()).0;
        match self.level {
            Level::Organization => vec![],
            _ => Indexed::within(of_user(&self.user_id), sort),
        }
    }
}

impl Entity for Grant {
    const KIND: &'static str = "grant";
    type Id = (Level, UserId);
    fn id(&self) -> Self::Id {
        (self.level.clone(), self.user_id.clone())
    }
    fn shown((_, id): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((level, id): &Self::Id) -> Place {
        Place(at_level(["organization-grant", "document-grant", "folder-grant"], level, id))
    }
    fn expires(&self) -> Option<Millis> {
        self.forgotten_at()
    }
    fn indexes(&self) -> Vec<Indexed> {
        // The clean-up of a departure finds rights by this index; an erasure the records of ends as
        // well, except for its own.
        if self.granted.is_none() && self.level == Level::Organization {
            return vec![];
        }
        let sort = Self::place(&self.id()).0;
        Indexed::within(of_user(&self.user_id), sort)
    }
}

/// A group and its members, in this order: one query reads both.
pub fn in_group(group: &GroupId) -> Key {
    Key::pair("group", group.as_str())
}

impl Entity for Group {
    const KIND: &'static str = "group";
    const NOUN: &'static str = "user group";
    type Id = GroupId;
    fn id(&self) -> GroupId {
        self.group_id.clone()
    }
    fn shown(id: &GroupId) -> &str {
        id.as_str()
    }
    fn place(id: &GroupId) -> Place {
        Place(in_group(id).join(&Key::named("group")))
    }
}

impl Entity for GroupMember {
    const KIND: &'static str = "group";
    const NOUN: &'static str = "group member";
    type Id = (GroupId, UserId);
    fn id(&self) -> Self::Id {
        (self.group_id.clone(), self.user_id.clone())
    }
    fn shown((_, id): &Self::Id) -> &str {
        id.as_str()
    }
    fn place((group, user): &Self::Id) -> Place {
        Place(in_group(group).and("user", user.as_str()))
    }
    fn indexes(&self) -> Vec<Indexed> {
        let sort = Self::place(&self.id()).0;
        Indexed::within(of_user(&self.user_id), sort)
    }
}
