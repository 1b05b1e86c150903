//! The requested content in the terms of the document: elements, marks, their local names, and
//! attribute types.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use yrs::{Any, Number, Out, ReadTxn};

use super::{
    Node,
    marks::{Marks, Run, Shown, place, size_of},
    parse::{Element, is_hash},
    stored::{Stored, StoredText, attribute},
    values::{Reading, WHOLE, shown, shown_by_javascript},
};

/// A requested node.
#[derive(Debug)]
pub(super) enum Wanted {
    Element { name: String, attributes: BTreeMap<String, String>, children: Vec<Wanted> },
    Text(Vec<Run>),
}

/// Marks with different names in different editors. A document with none of these names uses the
/// sent one.
const MARKS: [&[&str]; 13] = [
    &["bold", "strong", "b"],
    &["italic", "em", "i"],
    &["strike", "s", "del"],
    &["underline", "u", "ins"],
    &["link", "a"],
    &["subscript", "sub"],
    &["superscript", "sup"],
    &["highlight", "mark"],
    &["code"],
    &["textStyle"],
    // Of BlockNote.
    &["textColor"],
    &["backgroundColor"],
    &["comment"],
];

/// Attributes that editors store as numbers, booleans or lists. ProseMirror deletes a cell of a table
/// whose width is a string.
const NUMBERS: [&str; 8] =
    ["level", "start", "colspan", "rowspan", "order", "indent", "tabindex", "previewWidth"];
const BOOLEANS: [&str; 5] = ["checked", "open", "disabled", "isToggleable", "showPreview"];
const LISTS: [&str; 1] = ["colwidth"];

/// The names in a document, and the types of its attributes.
#[derive(Default)]
pub(super) struct Vocabulary {
    /// By their lower case.
    elements: HashMap<String, String>,
    marks: HashMap<String, String>,
    /// By the lower case of the element or mark, and the attribute.
    types: HashMap<(String, String), Any>,
    /// A value of each mark.
    values: HashMap<String, Any>,
    /// By the type of marks that may overlap, and their value: the names under which they are stored.
    pub(super) overlapping: HashMap<String, HashMap<String, String>>,
    /// By the address of a link: the whole of one.
    pub(super) links: HashMap<String, String>,
    pub(super) reading: Reading,
}

impl Vocabulary {
    pub(super) fn from_nodes(nodes: &[Stored], reading: Reading) -> Self {
        let mut words = Self { reading, ..Self::default() };
        words.learn(nodes);
        words
    }

    fn learn(&mut self, nodes: &[Stored]) {
        for node in nodes {
            match node {
                Stored::Element(node) => {
                    let lower = node.name.to_lowercase();
                    for (key, value) in &node.attributes {
                        if let Out::Any(value) = value {
                            self.types.insert((lower.clone(), key.clone()), value.clone());
                        }
                    }
                    self.elements.insert(lower, node.name.clone());
                    self.learn(&node.children);
                }
                Stored::Text(text) => self.learn_marks(text),
                Stored::Nested(_) | Stored::Other(_) => (),
            }
        }
    }

    /// The names in a text.
    pub(super) fn of_text(text: &StoredText, reading: Reading) -> Self {
        let mut words = Self { reading, ..Self::default() };
        words.learn_marks(text);
        words
    }

    fn learn_marks(&mut self, text: &StoredText) {
        let mut known = HashSet::new();
        for (key, value) in text.pieces.iter().flat_map(|piece| &piece.attributes) {
            if let Some(place) = place(value)
                && !known.insert((Arc::as_ptr(key).addr(), place))
            {
                continue;
            }
            let lower = key.to_lowercase();
            if let Any::Map(entries) = value {
                for (attribute, value) in entries.iter() {
                    self.types.insert((lower.clone(), attribute.clone()), value.clone());
                }
            }
            self.learn_overlapping(key, value);
            if matches!(self.reading, Reading::Exact)
                && let Any::Map(entries) = value
                && let Some(Any::String(href)) = entries.get("href")
                && let Some(whole) = self.reading.mark(value).remove(WHOLE)
            {
                self.links.entry((**href).to_owned()).or_insert(whole);
            }
            self.values.insert((**key).to_owned(), value.clone());
            self.marks.insert(lower, (**key).to_owned());
        }
    }

    fn learn_overlapping(&mut self, key: &str, value: &Any) {
        if matches!(self.reading, Reading::Exact)
            && type_of(key) != key
            && let Some(whole) = self.reading.mark(value).remove(WHOLE)
        {
            let known = self.overlapping.entry(type_of(key).to_owned()).or_default();
            known.insert(whole, key.to_owned());
        }
    }

    /// The local name of a mark.
    fn mark(&self, name: &str) -> Option<String> {
        if self.values.contains_key(name) {
            return Some(name.to_owned());
        }
        let lower = name.to_lowercase();
        if let Some(known) = self.marks.get(&lower) {
            return Some(known.clone());
        }
        if self.elements.contains_key(&lower) {
            return None;
        }
        if name.rsplit_once("--").is_some_and(|(_, hash)| is_hash(hash)) {
            return Some(name.to_owned());
        }
        let group =
            MARKS.iter().find(|group| group.iter().any(|mark| mark.to_lowercase() == lower))?;
        let known = group.iter().find_map(|mark| self.marks.get(&mark.to_lowercase()));
        Some(known.cloned().unwrap_or_else(|| name.to_owned()))
    }

    fn element(&self, name: &str) -> String {
        self.elements.get(&name.to_lowercase()).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// A name as it is compared: a browser writes those of elements in lower case.
    pub(super) fn folded(&self, name: &str) -> String {
        match self.reading {
            Reading::Shown => name.to_lowercase(),
            Reading::Exact | Reading::Delta(_) => name.to_owned(),
        }
    }

    /// Whether a stored attribute is the one that was sent.
    pub(super) fn says(&self, txn: &impl ReadTxn, stored: &Out, value: &str) -> bool {
        match (&self.reading, stored) {
            (Reading::Shown, Out::Any(any)) => says(any, value),
            (reading, stored) => attribute(reading, txn, stored).as_deref() == Some(value),
        }
    }

    /// The value to store for an attribute; `old` is the stored one.
    pub(super) fn attribute(&self, owner: &str, key: &str, value: &str, old: Option<&Any>) -> Any {
        if let Some(exact) = self.reading.value(value) {
            return exact;
        }
        let sample = self.types.get(&(owner.to_lowercase(), key.to_owned()));
        for like in [old, sample].into_iter().flatten() {
            if says(like, value) {
                return like.clone();
            }
            if let Some(typed) = typed(like, value) {
                return typed;
            }
            if !matches!(like, Any::Null | Any::Undefined) {
                return Any::from(value);
            }
        }
        let like = if NUMBERS.contains(&key) {
            Any::from(0)
        } else if BOOLEANS.contains(&key) {
            Any::from(true)
        } else if LISTS.contains(&key) {
            Any::Array(Arc::from([]))
        } else {
            return Any::from(value);
        };
        typed(&like, value).unwrap_or_else(|| Any::from(value))
    }

    /// The value to store for a mark.
    pub(super) fn mark_value(&self, name: &str, attributes: &Shown) -> Any {
        if let Some(sample) = self.values.get(name)
            && self.reading.mark(sample) == *attributes
        {
            return sample.clone();
        }
        if let Some(exact) = attributes.get(WHOLE).and_then(|whole| self.reading.value(whole)) {
            return exact;
        }
        let entries = attributes
            .iter()
            .map(|(key, value)| (key.clone(), self.attribute(name, key, value, None)));
        Any::from(entries.collect::<HashMap<_, _>>())
    }
}

/// The type of a mark: its name without the hash that tells overlapping ones apart.
pub(super) fn type_of(key: &str) -> &str {
    match key.rsplit_once("--") {
        Some((of_type, hash)) if is_hash(hash) => of_type,
        _ => key,
    }
}

/// Whether `any` is rendered as `value`, by us or by a browser.
fn says(any: &Any, value: &str) -> bool {
    shown(any).as_deref() == Some(value) || shown_by_javascript(any) == value
}

/// `value` with the type of `like`.
fn typed(like: &Any, value: &str) -> Option<Any> {
    let number = |value: &str| {
        let number: f64 = value.parse().ok().filter(|number: &f64| number.is_finite())?;
        let number = serde_json::Number::from_f64(number)?;
        Some(crate::value::to_any(&crate::value::number(&number)))
    };
    match like {
        Any::Number(Number::Int(_) | Number::Float(_)) => {
            // Only if it is rendered as sent: "007" is not a number.
            number(value).filter(|number| shown(number).as_deref() == Some(value))
        }
        Any::Bool(_) => match value {
            "true" => Some(Any::Bool(true)),
            "false" => Some(Any::Bool(false)),
            _ => None,
        },
        Any::Array(_) | Any::Map(_) => {
            let read = |json: &str| serde_json::from_str::<serde_json::Value>(json).ok();
            let parsed = read(value).filter(|it| it.is_array() || it.is_object());
            // HTML has a list without brackets.
            let is_bare = matches!(like, Any::Array(_)) && !value.is_empty();
            let parsed = parsed.or_else(|| read(&format!("[{value}]")).filter(|_| is_bare))?;
            Some(crate::value::to_any(&parsed))
        }
        _ => None,
    }
}

/// The requested content in the terms of the document.
pub(super) fn resolve(nodes: &[Node], words: &Vocabulary) -> Vec<Wanted> {
    let mut wanted = Vec::with_capacity(nodes.len());
    add(nodes, words, &Marks::new(), &mut wanted);
    wanted
}

fn add(nodes: &[Node], words: &Vocabulary, marks: &Marks, wanted: &mut Vec<Wanted>) {
    for (at, node) in nodes.iter().enumerate() {
        match node {
            Node::Space(_) if is_layout(nodes, at, words) => (),
            Node::Text(text) | Node::Space(text) => push(text, marks, wanted),
            Node::Element(element) => {
                if let Some(name) = mark_of(element, words) {
                    let mut marks = marks.clone();
                    marks.insert(
                        name.into(),
                        Arc::new(element.attributes.iter().cloned().collect()),
                    );
                    add(&element.children, words, &marks, wanted);
                } else {
                    wanted.push(Wanted::Element {
                        name: words.element(&element.name),
                        attributes: element.attributes.iter().cloned().collect(),
                        children: resolve(&element.children, words),
                    });
                }
            }
        }
    }
}

pub(super) fn push(text: &str, marks: &Marks, wanted: &mut Vec<Wanted>) {
    if !matches!(wanted.last(), Some(Wanted::Text(_))) {
        wanted.push(Wanted::Text(Vec::new()));
    }
    if let Some(Wanted::Text(runs)) = wanted.last_mut() {
        match runs.last_mut() {
            Some(last) if last.marks == *marks => last.text.push_str(text),
            _ => runs.push(Run { text: text.to_owned(), marks: marks.clone() }),
        }
    }
}

/// Bytes of the marks of all runs: each run is stored with its own.
pub(super) fn marks_size(nodes: &[Wanted]) -> usize {
    let size = |node: &Wanted| match node {
        Wanted::Element { children, .. } => marks_size(children),
        Wanted::Text(runs) => runs.iter().map(|run| size_of(&run.marks)).sum(),
    };
    nodes.iter().map(size).sum()
}

/// The mark name of an element. An element with nested elements, or without text, is no mark.
fn mark_of(element: &Element, words: &Vocabulary) -> Option<String> {
    let name = words.mark(&element.name)?;
    marks_text(element, words).then_some(name)
}

fn marks_text(element: &Element, words: &Vocabulary) -> bool {
    !element.children.is_empty()
        && element.children.iter().all(|child| match child {
            Node::Text(_) | Node::Space(_) => true,
            Node::Element(child) => words.mark(&child.name).is_some() && marks_text(child, words),
        })
}

/// Whether white space is only between elements.
fn is_layout(nodes: &[Node], at: usize, words: &Vocabulary) -> bool {
    let is_element = |node: &Node| match node {
        Node::Element(element) => mark_of(element, words).is_none(),
        Node::Text(_) | Node::Space(_) => false,
    };
    let before = at.checked_sub(1).and_then(|at| nodes.get(at)).map(is_element);
    let after = nodes.get(at + 1).map(is_element);
    (before == Some(true) || after == Some(true)) && before != Some(false) && after != Some(false)
}
