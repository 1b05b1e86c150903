//! Data of shared editors, as opaque bytes.
//!
//! Each editor has a head, a log of updates, and a snapshot of the updates merged so far. Readers
//! load the log, then the head, then the snapshot that the head names; compaction writes in the
//! opposite order: snapshot, head, and only then removes the merged updates. A reader may therefore
//! see an update twice, which is harmless, and never misses one.
//!
//! | Row | Sort key |
//! |---|---|
//! | head; its tombstone has clients of deleted editors (`former.rs`) | `crdt#D#head#E` |
//! | accepted write, or updates put aside | `crdt#D#log#E#epoch#X#update#ULID#part#n` |
//! | snapshot | `crdt#D#snapshot#E#epoch#X#version#ULID#part#n` |
//! | user of a Yjs client (`clients.rs`) | `crdt#D#client#E#epoch#X#id#C` |
//! | merged entries, their users, versions (`history.rs`) | `crdt#D#history#E#epoch#X#…`, `crdt#D#users#…`, `crdt#D#version#…` |
//! | number of editors (`room.rs`) | `crdt#D#editor-count` |
//!
//! Compaction keeps what it merges for the history (`history.rs`).
//!
//! Updates with missing dependencies are put aside, so that the log stays short.
//!
//! The epoch distinguishes an editor from a deleted one with the same id, so that remaining rows of
//! the latter are ignored. Updates of peers do not write the head, so that peers do not contend.

mod bounds;
mod clients;
mod compact;
mod edits;
mod former;
mod head;
mod history;
mod limits;
mod log;
mod read;
mod rooms;
mod write;

use aws::{Item, Query, Value};
use error::{Error, Result};
use model::{DocumentId, EditorId, UserId, event::Event, user::User};
use tenancy::{
    layout::{Key, Table, item},
    prelude::*,
    scopes::{Db, OrganizationStore},
    writing::Emitted,
};

pub use clients::Decoder;
pub use compact::{MergedState, Prepared, SnapshotWrite};
pub use edits::{Appended, ContentType, EditId, Edits, HistoryUsers, PastEdit, Reverts};
pub use history::{AddedState, Base, History, ListedVersion, Since, Version, VersionFilter};
pub use limits::{Extent, is_lifted};
pub use read::StoredEditor;
pub use rooms::{Announced, Rooms};
pub use write::{NewEditor, Replaced, Replacing};

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Editors of documents.
    editors: Editors,
}

impl Editors<'_> {
    /// Editors of a document.
    pub fn of(self, document: &DocumentId) -> EditorStore {
        EditorStore::new(self.0, document)
    }
}

/// Editors of one document. The document itself need not exist.
#[derive(Clone)]
pub struct EditorStore {
    organization: OrganizationStore,
    document: DocumentId,
}

/// All rows of the editors of a document.
pub(crate) fn of_document(document: &DocumentId) -> Key {
    Key::pair("crdt", document.as_str())
}

/// The parts of an editor besides its head and the number of editors.
pub(crate) const PARTS: [&str; 6] = ["client", "history", "log", "snapshot", "users", "version"];

/// The rows of an editor besides its head.
pub(crate) fn made_of(document: &DocumentId, editor: &EditorId, epoch: &str) -> [Key; 6] {
    PARTS.map(|part| of_document(document).and(part, editor.as_str()).and("epoch", epoch))
}

impl EditorStore {
    pub(crate) fn new(organization: &OrganizationStore, document: &DocumentId) -> Self {
        Self { organization: organization.clone(), document: document.clone() }
    }

    fn db(&self) -> &Db {
        self.organization.tenant().db()
    }

    fn head_key(&self, editor: &EditorId) -> Key {
        of_document(&self.document).and("head", editor.as_str())
    }

    fn rows_key(&self, part: &'static str, editor: &EditorId) -> Key {
        of_document(&self.document).and(part, editor.as_str())
    }

    fn key(&self, sort: &Key) -> Item {
        item::key(self.organization.partition(), sort)
    }

    /// The query of all rows whose sort keys start like this.
    fn under(&self, prefix: String, only: Vec<&'static str>) -> Query {
        let base = self.organization.collection::<User>().rows().under(prefix);
        Query { table: Table::Crdt.name(), limit: 1000, only, ..base }
    }

    fn emitted(&self, event: Event) -> Vec<Emitted> {
        self.organization.collection::<User>().rows().emitted(Some(event))
    }
}

fn missing(editor: &EditorId) -> Error {
    Error::not_found(format!("There is no CRDT data for editor {editor}."))
}

fn text(item: &Item, name: &str) -> Option<String> {
    item.get(name).and_then(|value| value.as_s().ok()).cloned()
}

fn bytes<'a>(item: &'a Item, name: &str) -> Option<&'a [u8]> {
    item.get(name).and_then(|value| value.as_b().ok()).map(AsRef::as_ref)
}

fn user(item: &Item, name: &str) -> Result<Option<UserId>> {
    text(item, name).map(UserId::try_from).transpose().map_err(|e| Error::internal(e.to_string()))
}

fn n(number: impl Into<u64>) -> Value {
    Value::N(number.into().to_string())
}

/// The value behind `name` in a sort key: no value contains a `#`.
fn part_of<'a>(sort: &'a str, name: &str) -> Option<&'a str> {
    let mut steps = sort.split('#');
    steps.by_ref().skip(4).find(|step| *step == name)?;
    steps.next()
}
