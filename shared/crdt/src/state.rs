//! A document in memory.

use std::collections::BTreeMap;

use error::{Error, Result};
use serde_json::{Value, json};
use yrs::{
    ClientID, Doc, OffsetKind, Options, ReadTxn, StateVector, Transact, TransactionMut, Update,
    updates::decoder::Decode, updates::encoder::Encode,
};

use crate::{
    Format, Formed, Kind, MAX_STATE_BYTES,
    forms::{self, Lost},
    guard::contain,
    merge::{Known, Merge},
    originals::Originals,
    root::{self, Root},
    value,
    wire::{self, Read},
    xml,
};

/// How much of an update was applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Applied {
    /// The whole update.
    Whole,
    /// A part of the update: structs with missing dependencies wait for them.
    InPart,
}

/// A document built from its stored data, as Yjs builds it.
///
/// Any subset of the updates makes a valid document: merging is commutative and idempotent. Structs
/// with missing dependencies are not part of it.
pub struct State {
    pub(crate) doc: Doc,
    /// Amount applied.
    pub(crate) bytes: usize,
    /// The structs in the document; none after something was written to it.
    pub(crate) known: Option<Known>,
    originals: Originals,
    waiting: BTreeMap<usize, usize>,
}

impl State {
    /// Applies a snapshot and then updates, in any order and number, except what has missing
    /// dependencies. Later writes to this document are by `client`.
    ///
    /// # Errors
    /// INTERNAL, when bytes cannot be read: they were checked before they were stored.
    pub fn load<'a>(
        client: u32,
        snapshot: Option<&'a [u8]>,
        updates: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<Self> {
        let mut state = Self::empty(client, false);
        let before = usize::from(snapshot.is_some());
        let all: Vec<&[u8]> = snapshot.into_iter().chain(updates).collect();
        let waiting = state.merge(&all, &mut |_, _| ())?;
        // Dependencies that a snapshot lacks never come.
        state.waiting = waiting
            .into_iter()
            .filter_map(|(at, footprint)| Some((at.checked_sub(before)?, footprint)))
            .collect();
        Ok(state)
    }

    /// A document that keeps the content of what is deleted, from updates in the order of the log.
    /// `note` sees what each of them, by its position, does to the document; one that releases
    /// others does what they do.
    ///
    /// # Errors
    /// As of [`State::load`].
    pub(crate) fn uncollected(
        client: u32,
        updates: &[&[u8]],
        note: &mut (dyn FnMut(usize, &TransactionMut<'_>) + Send),
    ) -> Result<Self> {
        let mut state = Self::empty(client, true);
        state.waiting = state.merge(updates, note)?;
        Ok(state)
    }

    fn empty(client: u32, skip_gc: bool) -> Self {
        let doc = Doc::with_options(Options {
            client_id: ClientID::new(u64::from(client)),
            offset_kind: OffsetKind::Utf16,
            skip_gc,
            // Reading must not write: cleaning up would delete blocks that no client knows to be
            // deleted.
            cleanup_formatting: false,
            ..Options::default()
        });
        Self {
            doc,
            bytes: 0,
            known: Some(Known::default()),
            originals: Originals::default(),
            waiting: BTreeMap::new(),
        }
    }

    /// Applies one more update, except what has missing dependencies.
    ///
    /// # Errors
    /// INTERNAL, when it cannot be read: it was checked before it was stored. Then the document
    /// must not be used.
    pub fn apply(&mut self, update: &[u8]) -> Result<Applied> {
        match self.merge(&[update], &mut |_, _| ())?.is_empty() {
            true => Ok(Applied::Whole),
            false => Ok(Applied::InPart),
        }
    }

    /// Merges updates; returns the waiting ones, like [`State::waiting`].
    fn merge(
        &mut self,
        updates: &[&[u8]],
        note: &mut (dyn FnMut(usize, &TransactionMut<'_>) + Send),
    ) -> Result<BTreeMap<usize, usize>> {
        let read = updates.iter().map(|update| wire::read(update, MAX_STATE_BYTES));
        let read: Vec<Read<'_>> = read.collect::<Result<_, _>>().map_err(Error::internal)?;
        self.bytes += updates.iter().map(|update| update.len()).sum::<usize>();
        let known = match self.known.take() {
            Some(known) => known,
            None => known_of(&self.encode())?,
        };
        let originals = std::mem::take(&mut self.originals);
        let (originals, (known, waiting)) = contain(self.bytes, || {
            let mut merge = Merge::into(known);
            merge.originals = originals;
            for (at, update) in read.iter().enumerate() {
                let ready = merge.add(update).map_err(Error::internal)?;
                // One transaction each: the cost of a commit is the change times the previous size.
                let mut txn = self.doc.transact_mut();
                for update in ready {
                    let update = Update::decode_v1(&update).map_err(Error::internal)?;
                    txn.apply_update(update).map_err(Error::internal)?;
                }
                merge.known.delete(txn.delete_set());
                note(at, &txn);
            }
            Ok((std::mem::take(&mut merge.originals), merge.finish()))
        })?;
        (self.known, self.originals) = (Some(known), originals);
        Ok(waiting.into_iter().map(|at| (at, read[at].footprint)).collect())
    }

    /// The clock of `client` in the document.
    pub fn clock_of(&self, client: u32) -> u32 {
        self.doc.transact().state_vector().get(&ClientID::new(u64::from(client)))
    }

    /// The client that writes to this document.
    pub fn client(&self) -> u32 {
        u32::try_from(self.doc.client_id().get()).unwrap_or_default()
    }

    /// Whether an update waits for dependencies, wholly or in part.
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
        self.originals.restore(self.doc.transact().encode_diff_v1(&StateVector::default()))
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
        let diff = contain(self.bytes, || Ok(self.doc.transact().encode_diff_v1(&seen)))?;
        Ok(self.originals.restore(diff))
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

    /// The content under `key` in a form; maps and arrays have one form.
    ///
    /// # Errors
    /// As of [`Self::value`].
    pub fn formed(&self, kind: Kind, key: &str, format: Format) -> Result<Formed> {
        let form = || formed(&self.doc.transact(), kind, key, format);
        contain(self.bytes, || xml::bounded(form)?)
    }

    /// The parts of the rich text under `key` that a form cannot hold.
    ///
    /// # Errors
    /// As of [`Self::value`].
    pub(crate) fn hidden(&self, key: &str, format: Format) -> Result<Vec<String>> {
        let hidden = || {
            let mut lost = Lost::default();
            let document = document(&self.doc.transact(), key, &mut lost);
            forms::hidden(document, format, lost)
        };
        contain(self.bytes, || xml::bounded(hidden)?)
    }

    /// The content under `key`, read as `kind`: a string, an object, an array, or a string of XML.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED, when marks would be written too often; INTERNAL, when the library fails.
    pub fn value(&self, kind: Kind, key: &str) -> Result<Value> {
        contain(self.bytes, || xml::bounded(|| value::of_root(&self.doc.transact(), kind, key)))
    }
}

/// The structs in an encoded document.
fn known_of(document: &[u8]) -> Result<Known> {
    let mut merge = Merge::into(Known::default());
    let read = wire::read(document, document.len()).map_err(Error::internal)?;
    merge.add(&read).map_err(Error::internal)?;
    Ok(merge.finish().0)
}

/// The content of a root in a form.
///
/// # Errors
/// RESOURCE_EXHAUSTED, when marks would be written too often.
fn formed(txn: &impl ReadTxn, kind: Kind, key: &str, format: Format) -> Result<Formed> {
    let mut lost = Lost::default();
    match (kind, format) {
        (Kind::Map | Kind::Array, _) | (_, Format::Xml) => {
            Ok(Formed { data: value::of_root(txn, kind, key), lost: Vec::new() })
        }
        (Kind::Text, Format::Json) => {
            let delta = txn.get_text(key).map(|text| xml::delta::delta(txn, &text));
            Ok(Formed { data: delta.unwrap_or_else(|| json!({ "ops": [] })), lost: Vec::new() })
        }
        (Kind::Text, Format::Text) => {
            if let Some(text) = txn.get_text(key) {
                xml::delta::lost_in_text(txn, &text, &mut lost);
            }
            Ok(Formed { data: value::of_root(txn, kind, key), lost: lost.named() })
        }
        (Kind::Text, Format::Html | Format::Markdown) => {
            if let Some(text) = txn.get_text(key) {
                xml::delta::lost_in_text(txn, &text, &mut lost);
            }
            let text = value::of_root(txn, kind, key);
            forms::derived(forms::lines(text.as_str().unwrap_or_default()), format, lost)
        }
        (Kind::Xml, _) => {
            let document = document(txn, key, &mut lost);
            forms::derived(document, format, lost)
        }
    }
}

/// A rich text as JSON of ProseMirror.
fn document(txn: &impl ReadTxn, key: &str, lost: &mut Lost) -> Value {
    let root = txn.get_xml_fragment(key);
    let document = root.map(|root| xml::json::document(txn, &root, lost));
    document.unwrap_or_else(|| json!({ "type": "doc", "content": [] }))
}
