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
//! | inbox mark | `key#K#organization#O` | `inbox#U` | `user#U` | the sort key |
//! | recording | `key#K#organization#O` | `recording#R` | `document#D`; Kind; Actor: who recorded it | `recording#` time of the first version, id |
//! | activity | its own, `activity#A` | `activity#A` | `history#D`; Kind; Actor: who did it; Target: `target#T` | `activity#` time, id |
//! | named call (`once.rs`, Realtime, expires) | `key#K#named-call#N`, `workspace#W#…`, `admin#…` | `operation#` its name | | |
//! | erasure job (expires) | `key#K` | `erasure#J` | | |
//! | connection, and its subscriptions (crate `rooms`, Realtime, expires) | `connection#C`; its document, or `key#K#organization#O` | `connection`; `live#D#…`, `live-user#U#…` | | |
//! | connection without a token (`connection/unauthenticated.rs` of it, Realtime, expires) | `unauthenticated#M`, its minute | `socket#C` | | |
//! | editor (`editors.rs`) | its document | `crdt#D#` and head, log, snapshot, history, users, version, client or their number | | |
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

mod activities;
mod agents;
mod comments;
mod configuration;
mod containers;
mod documents;
mod folders;
mod live_state;
mod notifications;
mod organizations;
mod permissions;
mod presence;
mod recordings;
mod user_data;
mod user_groups;
mod users;
mod webhook_endpoints;
mod workspace;

use model::{UserId, permissions::Level};

pub use activities::{about, history_of};
pub use agents::versions_of;
pub use comments::{
    ThreadId, archived_at, archived_of, involving, numbered_comment, numbers_of, reacted,
    threads_in, with_annotation_id,
};
pub use containers::Container;
pub use folders::in_folder;
pub use live_state::live_in;
pub use notifications::{
    digests_of, for_everybody, for_everybody_in, notification_time, preferences_of, seen_in,
    seen_of,
};
pub use presence::{presence_of, present_in};
pub use user_groups::in_group;
pub use users::{of_user, users_at};
pub use webhook_endpoints::{ENDPOINT_SECRETS, MESSAGE, WEBHOOK, message_place};

use super::key::Key;

/// Membership and grant of a user at a level; the names are those of organization, document and
/// folder.
fn at_level(names: [&'static str; 3], level: &Level, user: &UserId) -> Key {
    match level {
        Level::Organization => Key::pair(names[0], user.as_str()),
        Level::Document(id) => Key::pair(names[1], id.as_str()).and("user", user.as_str()),
        Level::Folder(id) => Key::pair(names[2], id.as_str()).and("user", user.as_str()),
    }
}
