//! The key layout: keys, items, and the traits of stored types.
//!
//! Start with `entities.rs`: its table is the whole key layout. [`Key`] is the only way to a
//! partition or sort key; it escapes every value, so no id can imitate structure. The partition of
//! an item follows from its sort key (`home.rs`). An [`Entity`] names its kind, its sort key, its
//! indexes and link rows, and its members of free JSON or secrets; `item.rs` converts it to
//! attributes and back. Names that begin with `_` are reserved for the store:
//!
//! | Attribute | |
//! |---|---|
//! | `_version` | one for each write, for optimistic concurrency |
//! | `_recent` | versions of the last ten seconds, by which a repeated call finds its own |
//! | `_written` | time of the write, in epoch milliseconds |
//! | `_events` | the events of the write ([`Carried`](crate::writing::Carried)) |
//! | `_gone` | marks a tombstone, which reads treat as absent |
//! | `_since` | of a container (organization, folder, document, group): the end of its life before |
//! | `_ended` | of its tombstone: the end |
//! | `_in` | of what is in a container: the life of that in which it was added |
//! | `_kept` | of a row that needs no container and was changed: the time of the oldest thing in it |
//! | `_links` | the link rows of the item |
//! | `expires` | the expiry of the item, in epoch seconds |

mod belonging;
mod entities;
mod entity;
mod home;
mod image;
pub mod item;
mod item_size;
mod key;
pub mod lives;
pub mod pack;
pub mod sealed;
mod timed;

pub use belonging::{Belonging, Bond, belonging, belonging_of, stamp};
pub(crate) use belonging::{is_judged, outer, text};
pub use entities::{
    Container, ENDPOINT_SECRETS, MESSAGE, ThreadId, WEBHOOK, about, archived_at, archived_of,
    digests_of, for_everybody, for_everybody_in, history_of, in_folder, in_group, involving,
    live_in, message_place, notification_time, numbered_comment, numbers_of, of_user,
    preferences_of, presence_of, present_in, reacted, seen_in, seen_of, threads_in, users_at,
    versions_of, with_annotation_id,
};
pub use entity::{Entity, Index, Indexed, Link, Place, Table};
pub use entity::{linked_to, named_beside};
pub use home::{LISTED, home, homes_of_links, is_of_document, listed, listing};
pub use image::image;
pub(crate) use item::GONE;
pub use item::{EVENTS, EXPIRES, INDEX_PK, PK, SK, VERSION, WRITTEN};
pub(crate) use item_size::MAX_ITEM_BYTES;
pub use key::{Key, unescaped};
pub use lives::{ENDED, IN, KEPT, NEWEST, SINCE};
pub(crate) use lives::{keep, put_in};
pub(crate) use timed::at;
pub use timed::{EVER, by_actor, of_document, of_kind};
