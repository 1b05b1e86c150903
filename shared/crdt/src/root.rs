//! The type of a root. The wire format does not contain it: it follows from the content.

use error::{Error, Result};
use yrs::{Any, Array, Map, Out, ReadTxn, Text, TextRef, types::text::YChange};

use crate::{Kind, xml};

/// The names of a document's body: the one of Tiptap, and the default of the service.
const USUAL_KEYS: [&str; 2] = ["default", "content"];

/// A root with content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// Name of the root.
    pub key: String,
    /// Kind of the root; XML for nested text and for a mixture.
    pub kind: Kind,
    /// Whether it has text that people edit: text, XML or nested text.
    pub is_text: bool,
}

/// The content of a root.
enum RootContent {
    Empty,
    Kind(Kind),
    /// Text in texts, of Lexical or Slate.
    Nested,
    Mixed,
}

/// The kind of data under `key`; none, when it is empty.
pub(crate) fn kind(txn: &impl ReadTxn, key: &str) -> Result<Option<Kind>> {
    match content(txn, key) {
        RootContent::Empty => Ok(None),
        RootContent::Kind(kind) => Ok(Some(kind)),
        RootContent::Nested => Err(nested_text()),
        RootContent::Mixed => Err(mixed()),
    }
}

/// The roots with content. The first one is what people edit: readable text, then nested text, then
/// maps and arrays; among equals by [`Root::order`].
pub(crate) fn all(txn: &impl ReadTxn) -> Vec<Root> {
    let roots = txn.root_refs().filter_map(|(key, _)| {
        let (rank, kind) = match content(txn, key) {
            RootContent::Empty => return None,
            RootContent::Kind(kind) if kind.is_text() => (0, kind),
            RootContent::Nested => (1, Kind::Xml),
            RootContent::Kind(kind) => (2, kind),
            RootContent::Mixed => (3, Kind::Xml),
        };
        Some((rank, Root { key: key.to_owned(), kind, is_text: rank < 2 }))
    });
    let mut roots: Vec<(u8, Root)> = roots.collect();
    roots.sort_by(|a, b| (a.0, a.1.order()).cmp(&(b.0, b.1.order())));
    roots.into_iter().map(|(_, root)| root).collect()
}

impl Root {
    /// The order of roots of the same rank: the usual names of a document's body, then XML, then by
    /// name.
    pub(crate) fn order(&self) -> (usize, bool, &str) {
        let usual = USUAL_KEYS.iter().position(|usual| *usual == self.key);
        (usual.unwrap_or(USUAL_KEYS.len()), self.kind != Kind::Xml, &self.key)
    }
}

fn content(txn: &impl ReadTxn, key: &str) -> RootContent {
    let (Some(map), Some(array), Some(text)) =
        (txn.get_map(key), txn.get_array(key), txn.get_text(key))
    else {
        return RootContent::Empty;
    };
    let has_entries = map.keys(txn).next().is_some();
    match (has_entries, sequence(txn, &text, array.len(txn))) {
        (false, content) => content,
        (true, RootContent::Empty) => RootContent::Kind(Kind::Map),
        (true, RootContent::Kind(Kind::Xml | Kind::Text) | RootContent::Nested) => {
            RootContent::Nested
        }
        (true, _) => RootContent::Mixed,
    }
}

fn sequence(txn: &impl ReadTxn, text: &TextRef, len: u32) -> RootContent {
    let (mut strings, mut embeds, mut elements, mut shared) = (0, 0, 0, 0);
    for piece in text.diff(txn, YChange::identity) {
        match piece.insert {
            Out::Any(Any::String(part)) => strings += part.encode_utf16().count(),
            Out::Any(_) => embeds += 1,
            Out::YXmlElement(_) | Out::YXmlFragment(_) => elements += 1,
            Out::YXmlText(text) if xml::is_block(txn, &text) => return RootContent::Nested,
            Out::YXmlText(_) => elements += 1,
            _ => shared += 1,
        }
    }
    // Skipped by texts: plain values of an array.
    let plain = (len as usize).saturating_sub(strings + embeds + elements + shared);
    match (strings + embeds > 0, elements > 0, shared + plain > 0) {
        (false, false, false) => RootContent::Empty,
        (true, false, false) => RootContent::Kind(Kind::Text),
        (false, true, false) => RootContent::Kind(Kind::Xml),
        (false, _, true) => RootContent::Kind(Kind::Array),
        (true, _, _) if plain == 0 => RootContent::Nested,
        (true, _, _) => RootContent::Mixed,
    }
}

pub(crate) fn nested_text() -> Error {
    Error::invalid(
        "The data of this editor is nested text, as Lexical and Slate keep it; it can be edited \
         by connected editors only.",
    )
}

fn mixed() -> Error {
    Error::invalid(
        "The data of this editor mixes types; it can be edited by connected editors only.",
    )
}
