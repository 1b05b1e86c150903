//! A stored fragment.

use std::{collections::BTreeMap, ops::Range};

use yrs::{
    Any, ArrayRef, GetString, Out, ReadTxn, Text, Xml, XmlElementRef, XmlFragmentRef, XmlTextRef,
    types::{Attrs, text::YChange},
};

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
    /// Not representable in XML. It stays in place.
    Other,
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
    pub(super) member: usize,
    pub(super) bytes: Range<usize>,
    pub(super) attributes: Attrs,
    pub(super) marks: Marks,
}

impl Stored {
    /// Its number of children in the shared type.
    pub(super) fn places(&self) -> usize {
        match self {
            Self::Element(_) | Self::Other => 1,
            Self::Text(text) => text.members.len(),
        }
    }
}

/// The children of a fragment.
pub(super) fn read(txn: &impl ReadTxn, root: &XmlFragmentRef) -> Vec<Stored> {
    let list: &ArrayRef = root.as_ref();
    children(txn, items(txn, list).unwrap_or_default(), 0)
}

/// A node outside a fragment.
pub(super) fn read_one(txn: &impl ReadTxn, node: &Out) -> Vec<Stored> {
    match node {
        Out::YXmlFragment(root) => read(txn, root),
        other => children(txn, vec![other.clone()], 0),
    }
}

fn children(txn: &impl ReadTxn, list: Vec<Out>, depth: usize) -> Vec<Stored> {
    let mut children = Vec::with_capacity(list.len());
    for node in list {
        match node {
            Out::YXmlElement(shared) if depth <= 2 * MAX_DEPTH => {
                children.push(element(txn, shared, depth));
            }
            Out::YXmlText(shared) => {
                if !matches!(children.last(), Some(Stored::Text(_))) {
                    children.push(Stored::Text(StoredText::default()));
                }
                if let Some(Stored::Text(text)) = children.last_mut() {
                    text.add(txn, shared);
                }
            }
            _ => children.push(Stored::Other),
        }
    }
    children
}

fn element(txn: &impl ReadTxn, shared: XmlElementRef, depth: usize) -> Stored {
    let list: &ArrayRef = shared.as_ref();
    let Some(list) = items(txn, list) else { return Stored::Other };
    let children = children(txn, list, depth + 1);
    let attributes = shared.attributes(txn).map(|(key, value)| (key.to_owned(), value)).collect();
    let name = shared.try_tag().map(|name| (**name).to_owned()).unwrap_or_default();
    Stored::Element(Element { shared, name, attributes, children })
}

impl StoredText {
    /// The current state of the same texts.
    pub(super) fn read_again(&self, txn: &impl ReadTxn) -> Self {
        let mut text = Self::default();
        self.members.iter().for_each(|member| text.add(txn, member.clone()));
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

    fn add(&mut self, txn: &impl ReadTxn, shared: XmlTextRef) {
        let member = self.members.len();
        for piece in shared.diff(txn, YChange::identity) {
            let start = self.text.len();
            if let Out::Any(Any::String(part)) = &piece.insert {
                self.text.push_str(part);
            }
            let attributes = piece.attributes.map(|attributes| *attributes).unwrap_or_default();
            let marks = marks(&attributes);
            let bytes = start..self.text.len();
            self.pieces.push(Piece { member, bytes, attributes, marks });
        }
        self.members.push(shared);
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

/// The same for a possibly shared value.
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
