//! A document in memory.

use std::collections::BTreeMap;

use error::{Error, Result};
use serde_json::Value;
use yrs::{
    ClientID, Doc, OffsetKind, Options, ReadTxn, StateVector, Transact, Update,
    updates::decoder::Decode, updates::encoder::Encode,
};

use crate::{
    Kind, MAX_STATE_BYTES,
    guard::contain,
    order::{Clocks, Facts, causal},
    root::{self, Root},
    value, wire,
};

/// A document built from its stored data.
///
/// Any subset of the updates makes a valid document: merging is commutative and idempotent. An
/// update with missing dependencies is not part of it.
pub struct State {
    pub(crate) doc: Doc,
    /// Amount applied.
    pub(crate) bytes: usize,
    waiting: BTreeMap<usize, usize>,
}

impl State {
    /// Applies a snapshot and then updates, in any order and number, except those with missing
    /// dependencies. Later writes to this document are by `client`.
    ///
    /// # Errors
    /// INTERNAL, when bytes cannot be read: they were checked before they were stored.
    pub fn load<'a>(
        client: u32,
        snapshot: Option<&'a [u8]>,
        updates: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Self> {
        let doc = Doc::with_options(Options {
            client_id: ClientID::new(u64::from(client)),
            offset_kind: OffsetKind::Utf16,
            // Reading must not write: cleaning up would delete blocks that no client knows to be
            // deleted.
            cleanup_formatting: false,
            ..Options::default()
        });
        let mut state = Self { doc, bytes: 0, waiting: BTreeMap::new() };
        if let Some(snapshot) = snapshot {
            wire::check(snapshot, MAX_STATE_BYTES).map_err(Error::internal)?;
            state.integrate(&[snapshot])?;
        }
        let updates: Vec<&[u8]> = updates.into_iter().collect();
        state.waiting = state.apply_all(&updates)?;
        Ok(state)
    }

    /// Applies one more update, unless dependencies are missing; returns whether it did.
    ///
    /// # Errors
    /// INTERNAL, when it cannot be read: it was checked before it was stored. Then the document
    /// must not be used.
    pub fn apply(&mut self, update: &[u8]) -> Result<bool> {
        Ok(self.apply_all(&[update])?.is_empty())
    }

    /// Applies the applicable updates; returns the waiting ones, like [`State::waiting`].
    fn apply_all(&mut self, updates: &[&[u8]]) -> Result<BTreeMap<usize, usize>> {
        let facts = updates.iter().map(|update| wire::check(update, MAX_STATE_BYTES));
        let facts: Vec<Facts> = facts.collect::<Result<_, _>>().map_err(Error::internal)?;
        let mut known = self.clocks();
        let (order, waiting) = causal(&facts, &mut known);
        let ordered: Vec<&[u8]> = order.into_iter().map(|at| updates[at]).collect();
        self.integrate(&ordered)?;
        Ok(waiting.into_iter().map(|at| (at, facts[at].footprint)).collect())
    }

    fn clocks(&self) -> Clocks {
        let vector = self.doc.transact().state_vector();
        vector.iter().map(|(client, clock)| (client.get(), *clock)).collect()
    }

    fn integrate(&mut self, updates: &[&[u8]]) -> Result<()> {
        self.bytes += updates.iter().map(|update| update.len()).sum::<usize>();
        contain(self.bytes, || {
            updates.iter().try_for_each(|update| {
                let update = Update::decode_v1(update).map_err(Error::internal)?;
                // One transaction each: the cost of a commit is the change times the previous size.
                self.doc.transact_mut().apply_update(update).map_err(Error::internal)
            })
        })
    }

    /// The clock of `client` in the document.
    pub fn clock_of(&self, client: u32) -> u32 {
        self.doc.transact().state_vector().get(&ClientID::new(u64::from(client)))
    }

    /// The client that writes to this document.
    pub fn client(&self) -> u32 {
        u32::try_from(self.doc.client_id().get()).unwrap_or_default()
    }

    /// Whether an update waits for dependencies.
    pub fn has_pending(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The waiting updates: their positions among the loaded ones, and the memory of each, in
    /// bytes.
    pub fn waiting(&self) -> &BTreeMap<usize, usize> {
        &self.waiting
    }

    /// Everything as one update: a snapshot, without waiting updates.
    pub fn encode(&self) -> Vec<u8> {
        self.doc.transact().encode_state_as_update_v1(&StateVector::default())
    }

    /// The state vector, for a peer that sends its diff.
    pub fn state_vector(&self) -> Vec<u8> {
        self.doc.transact().state_vector().encode_v1()
    }

    /// The diff for a peer with that state vector, as one update.
    ///
    /// # Errors
    /// INVALID_ARGUMENT, when the bytes are not a state vector.
    pub fn diff(&self, state_vector: &[u8]) -> Result<Vec<u8>> {
        let seen = wire::state_vector(state_vector)
            .map_err(|_| Error::invalid("The state vector cannot be read."))?;
        let seen: StateVector =
            seen.into_iter().map(|(client, clock)| (ClientID::new(client), clock)).collect();
        contain(self.bytes, || Ok(self.doc.transact().encode_state_as_update_v1(&seen)))
    }

    /// The shared types with content. The first one is what people edit: text and XML come before
    /// nested text, that before maps and arrays; among equals `default`, `content`, XML, then by
    /// name.
    ///
    /// # Errors
    /// INTERNAL, when the library fails.
    pub fn roots(&self) -> Result<Vec<Root>> {
        contain(self.bytes, || Ok(root::all(&self.doc.transact())))
    }

    /// The kind of data under `key`; none, when it is empty.
    ///
    /// # Errors
    /// INVALID_ARGUMENT for an unsupported kind: nested text of Lexical or Slate, or a mixture.
    pub fn kind(&self, key: &str) -> Result<Option<Kind>> {
        contain(self.bytes, || root::kind(&self.doc.transact(), key))
    }

    /// The content under `key`, read as `kind`: a string, an object, an array, or a string of XML.
    ///
    /// # Errors
    /// INTERNAL, when the library fails.
    pub fn value(&self, kind: Kind, key: &str) -> Result<Value> {
        contain(self.bytes, || Ok(value::of_root(&self.doc.transact(), kind, key)))
    }
}
