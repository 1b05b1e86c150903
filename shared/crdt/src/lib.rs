//! Shared editors: Yjs documents that are read, replaced and merged without a session.
//!
//! The crate does no I/O. A [`State`] is built from stored bytes, [`replace`] turns new content
//! into the smallest update, and [`check_update`] validates updates of peers. Everything uses Yjs
//! v1 with UTF-16 offsets, like browsers.

#![warn(missing_docs)]

mod budget;
mod clients;
mod content;
mod forms;
mod guard;
pub mod history;
mod hunks;
mod json;
mod limits;
mod marks;
mod merge;
mod originals;
mod replace;
mod root;
mod split;
mod state;
mod text;
mod value;
mod wire;
mod xml;

pub use clients::without;
pub use content::Content;
pub use forms::{Format, Formed};
pub use limits::{MAX_DEPTH, MAX_NODES};
pub use marks::{Mark, NoRange, mark};
pub use merge::join::joined;
pub use replace::{Replacement, replace};
pub use root::Root;
pub use split::{clients_in, extended, split};
pub use state::{Applied, State};
pub use wire::parts::check_parts;
pub use wire::{Checked, MAX_STATE_BYTES, MAX_UPDATE_BYTES, check_update, footprint};

/// The shape of an editor's data: a `Y.Text`, a `Y.Map`, a `Y.Array` or a `Y.XmlFragment`.
pub use model::editor::EditorType as Kind;
