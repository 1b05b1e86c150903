//! Updates to be written, and edits as the history keeps them.

mod coded;
mod users;

use std::collections::{BTreeMap, BTreeSet};

use error::{Error, Result};
use model::editor::{EditorType, VersionKind};

pub use coded::{EditId, PastEdit, Reverts};
pub(super) use coded::{decode, encode, time_of};
pub use users::HistoryUsers;
pub(super) use users::USERS;

/// The type of an editor, and the name of its shared type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContentType {
    /// The type.
    pub kind: EditorType,
    /// The name.
    pub key: String,
}

/// Updates to be written.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// Each update.
    pub updates: Vec<Vec<u8>>,
    /// Size of the updates in memory, in bytes.
    pub footprint: usize,
    /// Whether the writer itself relays them to connected clients.
    pub relayed: bool,
    /// The text that they begin, if any: it decides an open type.
    pub text: Option<ContentType>,
    /// The Yjs clients of their structs, each with whether its first struct is among them.
    pub clients: BTreeMap<u64, bool>,
    /// The kind that they have in the history.
    pub kind: VersionKind,
    /// The edits that they take back, if they do.
    pub reverts: Option<Reverts>,
}

/// Updates as they are stored.
#[derive(Clone, Debug, Default)]
pub struct Appended {
    /// Each update, without what was left out.
    pub updates: Vec<Vec<u8>>,
    /// Clients of other users, whose structs were left out although they are new.
    pub foreign: BTreeSet<u64>,
}

impl Appended {
    /// Refuses what was left out; the rest is stored.
    ///
    /// # Errors
    /// PERMISSION_DENIED.
    pub fn check(&self) -> Result<()> {
        self.foreign.first().map_or(Ok(()), |client| Err(foreign(*client)))
    }

    /// The refusal of an update with structs of these clients, if some were left out.
    pub fn refusal<'a>(&self, mut clients: impl Iterator<Item = &'a u64>) -> Option<Error> {
        clients.find(|client| self.foreign.contains(client)).map(|client| foreign(*client))
    }
}

impl Edits {
    /// Adds later updates.
    pub fn extend(&mut self, later: Self) {
        for (client, is_first) in later.clients {
            *self.clients.entry(client).or_default() |= is_first;
        }
        self.updates.extend(later.updates);
        self.footprint += later.footprint;
        self.text = self.text.take().or(later.text);
    }

    /// Size of the updates in bytes.
    pub fn bytes(&self) -> usize {
        self.updates.iter().map(Vec::len).sum()
    }
}

/// The error for what is written under the client of another user.
pub(super) fn foreign(client: u64) -> Error {
    Error::denied(format!(
        "The Yjs client {client} belongs to another user; use a client id of your own."
    ))
}
