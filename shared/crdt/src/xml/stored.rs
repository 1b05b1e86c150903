//! A stored fragment.
//!
//! Text in texts of Lexical and Slate: a block is a text with attributes, and blocks are in it like
//! characters. It is read as elements, and changed by connected editors only.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Range,
    sync::Arc,
};

use yrs::{
    Any, ArrayRef, GetString, Map, Out, ReadTxn, Text, TextRef, Xml, XmlElementRef, XmlFragmentRef,
    XmlTextRef,
    branch::BranchPtr,
    types::{
        Attrs,
        text::{Diff, YChange},
    },
};

use super::{
    lexical::formats,
    marks::{Marks, Run, Shown, place},
    values::{Reading, shown},
};
use crate::{
    MAX_DEPTH,
    value::{items, of_any, of_out},
};

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
    /// Marks that pieces have, by the place of their value in memory, where a piece keeps it.
    shown: HashMap<usize, Arc<Shown>>,
    reading: Reading,
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

/// Whether there is nested text among nodes.
pub(super) fn has_nested_in(nodes: &[Stored]) -> bool {
    nodes.iter().any(|node| match node {
        Stored::Nested(_) => true,
        Stored::Element(element) => has_nested_in(&element.children),
        Stored::Text(_) | Stored::Other(_) => false,
    })
}

/// Reads the marks of all texts exactly.
pub(super) fn exactly(nodes: &mut [Stored]) {
    for node in nodes {
        match node {
            Stored::Element(element) => exactly(&mut element.children),
            Stored::Text(text) => text.exactly(),
            Stored::Nested(_) | Stored::Other(_) => (),
        }
    }
}

impl StoredText {
    /// A text without content, which is read like this.
    pub(super) fn new(reading: Reading) -> Self {
        Self { reading, ..Self::default() }
    }

    fn exactly(&mut self) {
        self.reading = Reading::Exact;
        self.shown.clear();
        let mut pieces = std::mem::take(&mut self.pieces);
        for piece in &mut pieces {
            piece.marks = self.marks(&piece.attributes);
        }
        self.pieces = pieces;
    }

    /// The current state of the same texts.
    pub(super) fn read_again(&self, txn: &impl ReadTxn) -> Self {
        let mut text = Self::new(self.reading.clone());
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

    pub(super) fn add(&mut self, shared: XmlTextRef, pieces: Vec<Diff<YChange>>) {
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
            Out::Any(any) => match self.reading.character(any) {
                Some(character) => {
                    self.text.push(character);
                    None
                }
                None => Some(named("Embed", &of_any(any))),
            },
            _ => None,
        };
        let attributes = piece.attributes.map(|attributes| *attributes).unwrap_or_default();
        let marks = self.marks(&attributes);
        let bytes = start..self.text.len();
        self.pieces.push(Piece { embedded, member, bytes, attributes, marks });
    }

    fn marks(&mut self, attributes: &Attrs) -> Marks {
        attributes.iter().map(|(key, value)| (Arc::clone(key), self.shown(value))).collect()
    }

    fn shown(&mut self, value: &Any) -> Arc<Shown> {
        let reading = &self.reading;
        let shown = || Arc::new(reading.mark(value));
        match place(value) {
            Some(place) => Arc::clone(self.shown.entry(place).or_insert_with(shown)),
            None => shown(),
        }
    }
}

/// An attribute as it is read; none, if it counts as absent.
pub(super) fn attribute(reading: &Reading, txn: &impl ReadTxn, value: &Out) -> Option<String> {
    match reading {
        Reading::Shown => shown_out(txn, value),
        Reading::Exact | Reading::Delta(_) => Some(exact(txn, value)?.to_string()),
    }
}

/// The JSON of an attribute; none, if it counts as absent, as null does.
pub(super) fn exact(txn: &impl ReadTxn, value: &Out) -> Option<serde_json::Value> {
    let value = of_out(txn, value, 0);
    (!value.is_null()).then_some(value)
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

/// A block, or an object in a text.
pub(super) struct Nested {
    pub(super) name: String,
    pub(super) attributes: BTreeMap<String, String>,
    pub(super) children: Vec<Stored>,
}

/// The attributes that name a block: of Lexical and of Slate.
const NAMES: [&str; 2] = ["__type", "type"];

/// The objects of Lexical that say only how the characters behind them look.
const RUNS: [&str; 3] = ["text", "tab", "code-highlight"];

/// The name that Yjs gives an element without one: Lexical names a picture by an attribute.
const UNNAMED: &str = "UNDEFINED";

/// Whether a text is a block: the text of an XML fragment has neither attributes nor nested types.
pub(crate) fn is_block(txn: &impl ReadTxn, text: &XmlTextRef) -> bool {
    // Pieces are copies of the whole text.
    has_attributes(txn, text) || has_nested(&text.diff(txn, YChange::identity))
}

pub(super) fn has_attributes(txn: &impl ReadTxn, text: &XmlTextRef) -> bool {
    text.attributes(txn).next().is_some()
}

pub(super) fn has_nested(pieces: &[Diff<YChange>]) -> bool {
    pieces.iter().any(|piece| !matches!(piece.insert, Out::Any(_)))
}

/// A block with its content.
pub(super) fn block(
    txn: &impl ReadTxn,
    text: &XmlTextRef,
    pieces: Vec<Diff<YChange>>,
    depth: usize,
) -> Stored {
    if depth > 2 * MAX_DEPTH {
        return Stored::Other("Y.XmlText".to_owned());
    }
    let attributes = text.attributes(txn).map(|(key, value)| (key.to_owned(), value));
    let (name, attributes) = described(txn, attributes);
    let name = name.unwrap_or_else(|| "block".to_owned());
    Stored::Nested(Nested { name, attributes, children: blocks(txn, pieces, depth + 1) })
}

/// The content of a block.
pub(super) fn blocks(txn: &impl ReadTxn, pieces: Vec<Diff<YChange>>, depth: usize) -> Vec<Stored> {
    let mut children = Vec::new();
    // How the characters behind an object of Lexical look.
    let mut look = Attrs::new();
    let mut pieces = pieces.into_iter().peekable();
    while let Some(mut piece) = pieces.next() {
        match piece.insert {
            Out::Any(_) => {
                if !look.is_empty() {
                    piece.attributes.get_or_insert_default().extend(look.clone());
                }
                open_text(&mut children).push(piece);
                continue;
            }
            Out::YXmlText(text) => {
                let pieces = text.diff(txn, YChange::identity);
                children.push(block(txn, &text, pieces, depth));
            }
            Out::YXmlElement(shared) => children.push(element(txn, shared, depth)),
            Out::YMap(ref map) => {
                let entries = map.iter(txn).map(|(key, value)| (key.to_owned(), value));
                match described(txn, entries) {
                    (Some(name), attributes) if RUNS.contains(&&*name) => {
                        look = formats(&attributes);
                        continue;
                    }
                    (Some(name), attributes) => {
                        // A text of another kind, such as a mention, has its characters behind it.
                        let is_text = |next: &Diff<YChange>| matches!(next.insert, Out::Any(_));
                        let mut text = StoredText::default();
                        while let Some(piece) = pieces.next_if(is_text) {
                            text.push(piece);
                        }
                        let is_filled = !text.pieces.is_empty();
                        let text = is_filled.then_some(Stored::Text(text)).into_iter().collect();
                        children.push(Stored::Nested(Nested { name, attributes, children: text }));
                    }
                    _ => children.push(Stored::Other(comment(txn, &piece.insert, depth))),
                }
            }
            ref other => children.push(Stored::Other(comment(txn, other, depth))),
        }
        look.clear();
    }
    children
}

/// The name among attributes, and the other ones that show something.
fn described(
    txn: &impl ReadTxn,
    attributes: impl Iterator<Item = (String, Out)>,
) -> (Option<String>, BTreeMap<String, String>) {
    let mut attributes: BTreeMap<String, Out> = attributes.collect();
    let is_name = |key: &&&str| matches!(attributes.get(**key), Some(Out::Any(Any::String(_))));
    let name = NAMES.iter().find(is_name).and_then(|key| attributes.remove(*key));
    let name = name.and_then(|name| shown_out(txn, &name));
    let shown =
        attributes.into_iter().filter_map(|(key, value)| Some((key, shown_out(txn, &value)?)));
    (name, shown.collect())
}

/// An element, or an object of Lexical, which is an element without a name.
pub(super) fn object(txn: &impl ReadTxn, element: Element) -> Stored {
    if element.name != UNNAMED || !element.attributes.contains_key(NAMES[0]) {
        return Stored::Element(element);
    }
    let (name, attributes) = described(txn, element.attributes.into_iter());
    let name = name.unwrap_or(element.name);
    Stored::Nested(Nested { name, attributes, children: element.children })
}
