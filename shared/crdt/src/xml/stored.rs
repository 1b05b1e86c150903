//! A stored fragment.

use std::{collections::BTreeMap, ops::Range};

use yrs::{
    Any, ArrayRef, GetString, Out, ReadTxn, Text, TextRef, Xml, XmlElementRef, XmlFragmentRef,
    XmlTextRef,
    branch::BranchPtr,
    types::{
        Attrs,
        text::{Diff, YChange},
    },
};

use super::nested::{Nested, block, blocks, has_attributes, has_nested, object};
use crate::{
    MAX_DEPTH,
    value::{items, of_any, of_out},
};

/// The marks of a run by name, with their rendered attributes.
pub(super) type Marks = BTreeMap<String, BTreeMap<String, String>>;

/// Text of one format.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    pub(super) text: String,
    pub(super) marks: Marks,
}

/// One node, or a group of adjacent texts.
pub(super) enum Stored {
    Element(Element),
    Text(StoredText),
    /// A text with texts in it, which cannot be changed here.
    Nested(Nested),
    /// Not representable in XML: the text of a comment that says what it is. It stays in place.
    Other(String),
}

pub(super) struct Element {
    pub(super) shared: XmlElementRef,
    pub(super) name: String,
    pub(super) attributes: BTreeMap<String, Out>,
    pub(super) children: Vec<Stored>,
}

#[derive(Default)]
pub(super) struct StoredText {
    pub(super) members: Vec<XmlTextRef>,
    pub(super) text: String,
    pub(super) pieces: Vec<Piece>,
}

/// A run of equal format, or an embedded object, which has no bytes.
pub(super) struct Piece {
    /// The text of a comment that says what is embedded.
    pub(super) embedded: Option<String>,
    pub(super) member: usize,
    pub(super) bytes: Range<usize>,
    pub(super) attributes: Attrs,
    pub(super) marks: Marks,
}

impl Stored {
    /// Number of children of the shared type that the node takes.
    pub(super) fn places(&self) -> usize {
        match self {
            Self::Element(_) | Self::Nested(_) | Self::Other(_) => 1,
            Self::Text(text) => text.members.len(),
        }
    }
}

/// The children of a fragment.
pub(super) fn read(txn: &impl ReadTxn, root: &XmlFragmentRef) -> Vec<Stored> {
    let list: &ArrayRef = root.as_ref();
    match items(txn, list) {
        Some(list) => children(txn, list, 0),
        // Characters among blocks: the root is itself a text.
        None => {
            let branch: &yrs::branch::Branch = root.as_ref();
            let text = TextRef::from(BranchPtr::from(branch));
            blocks(txn, text.diff(txn, YChange::identity), 0)
        }
    }
}

/// A node outside a fragment.
pub(super) fn read_one(txn: &impl ReadTxn, node: &Out) -> Vec<Stored> {
    match node {
        Out::YXmlFragment(root) => read(txn, root),
        other => children(txn, vec![other.clone()], 0),
    }
}

pub(super) fn children(txn: &impl ReadTxn, list: Vec<Out>, depth: usize) -> Vec<Stored> {
    let mut children = Vec::with_capacity(list.len());
    for node in list {
        match node {
            Out::YXmlElement(shared) => children.push(element(txn, shared, depth)),
            Out::YXmlText(shared) => {
                let pieces = shared.diff(txn, YChange::identity);
                if has_attributes(txn, &shared) || has_nested(&pieces) {
                    children.push(block(txn, &shared, pieces, depth));
                } else {
                    open_text(&mut children).add(shared, pieces);
                }
            }
            other => children.push(Stored::Other(comment(txn, &other, depth))),
        }
    }
    children
}

/// The text at the end of `nodes`.
pub(super) fn open_text(nodes: &mut Vec<Stored>) -> &mut StoredText {
    if !matches!(nodes.last(), Some(Stored::Text(_))) {
        nodes.push(Stored::Text(StoredText::default()));
    }
    match nodes.last_mut() {
        Some(Stored::Text(text)) => text,
        _ => unreachable!("it was pushed"),
    }
}

pub(super) fn element(txn: &impl ReadTxn, shared: XmlElementRef, depth: usize) -> Stored {
    let list: &ArrayRef = shared.as_ref();
    let list = if depth <= 2 * MAX_DEPTH { items(txn, list) } else { None };
    let Some(list) = list else { return Stored::Other("Y.XmlElement".to_owned()) };
    let children = children(txn, list, depth + 1);
    let attributes = shared.attributes(txn).map(|(key, value)| (key.to_owned(), value)).collect();
    let name = shared.try_tag().map(|name| (**name).to_owned()).unwrap_or_default();
    object(txn, Element { shared, name, attributes, children })
}

/// The text of a comment that says what XML cannot hold: its type, and its JSON.
pub(super) fn comment(txn: &impl ReadTxn, value: &Out, depth: usize) -> String {
    let name = match value {
        Out::YText(_) => "Y.Text",
        Out::YArray(_) => "Y.Array",
        Out::YMap(_) => "Y.Map",
        _ => return "Y.XmlFragment".to_owned(),
    };
    named(name, &of_out(txn, value, depth))
}

fn named(name: &str, value: &serde_json::Value) -> String {
    // Two hyphens could end the comment. In JSON they are in strings only.
    format!("{name} {value}").replace("--", "-\\u002d")
}

impl StoredText {
    /// The current state of the same texts.
    pub(super) fn read_again(&self, txn: &impl ReadTxn) -> Self {
        let mut text = Self::default();
        for member in &self.members {
            text.add(member.clone(), member.diff(txn, YChange::identity));
        }
        text
    }

    /// Inputs, one run for each format.
    pub(super) fn runs(&self) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for piece in self.pieces.iter().filter(|piece| !piece.bytes.is_empty()) {
            let part = &self.text[piece.bytes.clone()];
            match runs.last_mut() {
                Some(last) if last.marks == piece.marks => last.text.push_str(part),
                _ => runs.push(Run { text: part.to_owned(), marks: piece.marks.clone() }),
            }
        }
        runs
    }

    fn add(&mut self, shared: XmlTextRef, pieces: Vec<Diff<YChange>>) {
        pieces.into_iter().for_each(|piece| self.push(piece));
        self.members.push(shared);
    }

    /// Adds a run or an embedded object of the next member.
    pub(super) fn push(&mut self, piece: Diff<YChange>) {
        let member = self.members.len();
        let start = self.text.len();
        let embedded = match &piece.insert {
            Out::Any(Any::String(part)) => {
                self.text.push_str(part);
                None
            }
            Out::Any(any) => Some(named("Embed", &of_any(any))),
            _ => None,
        };
        let attributes = piece.attributes.map(|attributes| *attributes).unwrap_or_default();
        let marks = marks(&attributes);
        let bytes = start..self.text.len();
        self.pieces.push(Piece { embedded, member, bytes, attributes, marks });
    }
}

fn marks(attributes: &Attrs) -> Marks {
    attributes.iter().map(|(key, value)| ((**key).to_owned(), mark(value))).collect()
}

/// The attributes of a mark. A format that is neither a boolean nor an object becomes one.
pub(super) fn mark(value: &Any) -> BTreeMap<String, String> {
    match value {
        Any::Map(entries) => {
            let shown =
                entries.iter().filter_map(|(key, value)| Some((key.clone(), shown(value)?)));
            shown.collect()
        }
        Any::Bool(true) | Any::Null | Any::Undefined => BTreeMap::new(),
        other => shown(other).map(|value| ("value".to_owned(), value)).into_iter().collect(),
    }
}

/// A rendered attribute; none, if it counts as absent.
pub(super) fn shown(value: &Any) -> Option<String> {
    match value {
        Any::Null | Any::Undefined => None,
        Any::String(text) => Some((**text).to_owned()),
        other => Some(of_any(other).to_string()),
    }
}

/// A rendered attribute from a possibly shared value.
pub(super) fn shown_out(txn: &impl ReadTxn, value: &Out) -> Option<String> {
    match value {
        Out::Any(any) => shown(any),
        Out::YText(text) => Some(text.get_string(txn)),
        Out::YMap(_) | Out::YArray(_) => Some(of_out(txn, value, 0).to_string()),
        _ => None,
    }
}

/// The attribute as rendered by JavaScript.
pub(super) fn shown_by_javascript(value: &Any) -> String {
    match value {
        Any::Null => "null".to_owned(),
        Any::Undefined => "undefined".to_owned(),
        Any::Map(_) => "[object Object]".to_owned(),
        Any::Array(items) => {
            let shown = items.iter().map(|item| match item {
                Any::Null | Any::Undefined => String::new(),
                item => shown_by_javascript(item),
            });
            shown.collect::<Vec<_>>().join(",")
        }
        other => shown(other).unwrap_or_default(),
    }
}
