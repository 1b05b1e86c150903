//! The history of an editor: what compaction merged, who wrote it, and versions.
//!
//! Compaction keeps the entries of the log that it merges, in a row with the name of the snapshot
//! that it makes, and each such row names the snapshot before. So the rows behind a snapshot lead to
//! the present one, whatever the clocks of their writers say, and a row that no snapshot of the head
//! followed is not among them. A version is a snapshot that is kept, or one with the edits behind it.
//!
//! | Row | Sort key |
//! |---|---|
//! | merged entries; expires | `crdt#D#history#E#epoch#X#version#ULID#part#n` |
//! | users whom entries and authors name, by number | `crdt#D#users#E#epoch#X#part#00` |
//! | version: a kept snapshot | `crdt#D#version#E#epoch#X#at#ULID` |
//!
//! Users are named in one row alone, so that the erasure of a user changes that row. A version of its
//! own for each editor keeps its snapshot until it is deleted or ends; one that compaction keeps, at
//! least one a day, ends a day after the edits behind it.

mod list;
mod load;
mod merged;
mod sweep;
mod users;
mod versions;

use model::Millis;

pub use list::{ListedVersion, VersionFilter};
pub use load::{AddedState, Base, History, Since};
pub use versions::Version;
pub(super) use versions::event_of;

const DAY: Millis = 24 * 60 * 60 * 1000;
/// How long edits are kept, in milliseconds.
pub(super) const RETENTION: Millis = 30 * 24 * 60 * 60 * 1000;
