//! Updates to be written.

use std::collections::BTreeMap;

use super::head::ContentType;

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
}

impl Edits {
    pub(super) fn bytes(&self) -> usize {
        self.updates.iter().map(Vec::len).sum()
    }
}
