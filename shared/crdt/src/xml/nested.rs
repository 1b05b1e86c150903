//! Text in texts of Lexical and Slate: a block is a text with attributes, and blocks are in it like
//! characters. It is read as elements, and changed by connected editors only.

use std::collections::BTreeMap;

use yrs::{
    Any, Map, Out, ReadTxn, Text, Xml, XmlTextRef,
    types::{
        Attrs,
        text::{Diff, YChange},
    },
};

use super::stored::{Element, Stored, StoredText, comment, element, open_text, shown_out};
use crate::MAX_DEPTH;

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

/// The marks that the bits of a format of Lexical stand for.
const FORMATS: [&str; 11] = [
    "bold",
    "italic",
    "strikethrough",
    "underline",
    "code",
    "subscript",
    "superscript",
    "highlight",
    "lowercase",
    "uppercase",
    "capitalize",
];

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

/// The marks that the attributes of a text of Lexical stand for.
fn formats(attributes: &BTreeMap<String, String>) -> Attrs {
    let bits = attributes.get("__format").and_then(|bits| bits.parse::<u32>().ok());
    let is_set = |bit: &u32| bits.is_some_and(|bits| (bits >> bit) & 1 == 1);
    let marks = (0..).zip(FORMATS).filter(|(bit, _)| is_set(bit));
    marks.map(|(_, name)| (name.into(), Any::from(true))).collect()
}
