//! Text in texts, as Lexical and Slate keep it: a block is a text with attributes, and blocks are in
//! it like characters. It is read as elements, and changed by connected editors only.

use std::collections::BTreeMap;

use yrs::{
    Any, Map, Out, ReadTxn, Text, Xml, XmlTextRef,
    types::text::{Diff, YChange},
};

use super::stored::{Stored, comment, element, open_text, shown_out};
use crate::MAX_DEPTH;

/// A block, or an object in a text.
pub(super) struct Nested {
    pub(super) name: String,
    pub(super) attributes: BTreeMap<String, String>,
    pub(super) children: Vec<Stored>,
}

/// The attributes that name a block: of Lexical and of Slate.
const NAMES: [&str; 2] = ["__type", "type"];

/// The objects of Lexical that say how the characters behind them look.
const RUNS: [&str; 2] = ["text", "tab"];

/// Whether a text is a block: the text of an XML fragment has neither attributes nor nested types.
pub(crate) fn is_block(txn: &impl ReadTxn, text: &XmlTextRef, pieces: &[Diff<YChange>]) -> bool {
    let is_nested = |piece: &Diff<YChange>| !matches!(piece.insert, Out::Any(_));
    text.attributes(txn).next().is_some() || pieces.iter().any(is_nested)
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
    let (name, attributes) = named(txn, attributes);
    let name = name.unwrap_or_else(|| "block".to_owned());
    Stored::Nested(Nested { name, attributes, children: children(txn, pieces, depth + 1) })
}

/// The content of a block.
pub(super) fn children(
    txn: &impl ReadTxn,
    pieces: Vec<Diff<YChange>>,
    depth: usize,
) -> Vec<Stored> {
    let mut children = Vec::new();
    for piece in pieces {
        match piece.insert {
            Out::Any(_) => open_text(&mut children).push(piece),
            Out::YXmlText(text) => {
                let pieces = text.diff(txn, YChange::identity);
                children.push(block(txn, &text, pieces, depth));
            }
            Out::YXmlElement(shared) => children.push(element(txn, shared, depth)),
            Out::YMap(ref map) => {
                let entries = map.iter(txn).map(|(key, value)| (key.to_owned(), value));
                match named(txn, entries) {
                    (Some(name), _) if RUNS.contains(&&*name) => (),
                    (Some(name), attributes) => {
                        children.push(Stored::Nested(Nested {
                            name,
                            attributes,
                            children: vec![],
                        }));
                    }
                    _ => children.push(Stored::Other(comment(txn, &piece.insert, depth))),
                }
            }
            ref other => children.push(Stored::Other(comment(txn, other, depth))),
        }
    }
    children
}

/// The name among attributes, and the other ones that show something.
fn named(
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
