//! Where everything lies: keys, items, and what makes a type one that can be stored.
//!
//! A newcomer reads `entities.rs` first: its table is the whole key layout. [`Key`] is the only way to a
//! partition or sort key; it escapes every value, so no id poses as structure. The partition of an
//! item follows from its sort key (`home.rs`). An [`Entity`] names its
//! kind, its sort key, the indexes and rows by which it is found, and what of it is free JSON or secret;
//! `item.rs` turns it into attributes and back. Names that begin with `_` are the store's own:
//!
//! | Attribute | |
//! |---|---|
//! | `_version` | one for each write, for optimistic concurrency |
//! | `_recent` | versions of the last ten seconds: a repeated call finds its own |
//! | `_written` | when, in epoch milliseconds |
//! | `_events` | what the write tells ([`crate::Carried`]) |
//! | `_gone` | there on a tombstone, which reads treat as absent |
//! | `_links` | the rows by which the item is found |
//! | `expires` | when the item may vanish, in epoch seconds |

mod entities;
mod entity;
mod home;
pub(crate) mod item;
mod key;
pub(crate) mod sealed;
mod timed;

pub(crate) use entities::{in_folder, in_group, of_user, users_at};
pub use entity::{Entity, Index, Indexed, Link, Place, Table};
pub(crate) use entity::{linked_to, named_beside};
pub(crate) use home::{LISTED, home, homes_of_links, is_of_document, listed, listing};
pub(crate) use item::{EVENTS, EXPIRES, GONE, INDEX_PK, MAX_ITEM_BYTES, PK, SK, VERSION, WRITTEN};
pub(crate) use key::Key;
pub(crate) use timed::{EVER, MAX_SCANNED, at, by_actor, of_document, of_kind};
