//! A fragment as the JSON of ProseMirror, and back: nothing is guessed, and nothing is renamed.

use std::{collections::BTreeMap, sync::Arc};

use error::Result;
use serde_json::{Map, Value, json};
use yrs::{ReadTxn, TransactionMut, XmlFragmentRef};

use super::{
    marks::{Marks, Shown, size_of},
    render::pay,
    stored::{self, Stored, StoredText, exact, exactly},
    values::{Reading, WHOLE, canonical, of_mark},
    wanted::{self, Vocabulary, Wanted, type_of},
    write,
};
use crate::{
    Format,
    budget::Budget,
    forms::{JSON, Lost},
    limits::{MAX_DEPTH, MAX_MARKS, MAX_NODES, too_deep, too_many, too_many_marks},
};

/// A node as it was sent. Values are JSON.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    Element { name: String, attributes: BTreeMap<String, String>, children: Vec<Given> },
    Text { text: String, marks: Vec<(String, Arc<Shown>)> },
}

/// The document of ProseMirror that a fragment is.
pub(crate) fn document(txn: &impl ReadTxn, root: &XmlFragmentRef, lost: &mut Lost) -> Value {
    json!({ "type": "doc", "content": nodes(txn, &stored::read(txn, root), lost) })
}

fn nodes(txn: &impl ReadTxn, list: &[Stored], lost: &mut Lost) -> Vec<Value> {
    let mut found = Vec::new();
    for node in list {
        match node {
            Stored::Element(it) => {
                let attributes = it.attributes.iter();
                let attributes =
                    attributes.filter_map(|(key, value)| Some((key.clone(), exact(txn, value)?)));
                found.push(element(&it.name, attributes.collect(), nodes(txn, &it.children, lost)));
            }
            Stored::Nested(it) => {
                let attributes = it.attributes.iter();
                let attributes = attributes.map(|(key, value)| (key.clone(), json!(value)));
                found.push(element(&it.name, attributes.collect(), nodes(txn, &it.children, lost)));
            }
            Stored::Text(it) => texts(it, &mut found, lost),
            Stored::Other(what) => lose(what, lost),
        }
    }
    found
}

fn element(name: &str, attributes: Map<String, Value>, content: Vec<Value>) -> Value {
    let mut node = Map::new();
    node.insert("type".to_owned(), json!(name));
    if !attributes.is_empty() {
        node.insert("attrs".to_owned(), Value::Object(attributes));
    }
    if !content.is_empty() {
        node.insert("content".to_owned(), Value::Array(content));
    }
    Value::Object(node)
}

fn texts(text: &StoredText, nodes: &mut Vec<Value>, lost: &mut Lost) {
    let start = nodes.len();
    for piece in &text.pieces {
        if let Some(what) = &piece.embedded {
            lose(what, lost);
        }
        if piece.bytes.is_empty() {
            continue;
        }
        if !pay(size_of(&piece.marks)) {
            return;
        }
        let marks = piece.attributes.iter().map(|(key, value)| match of_mark(value) {
            Value::Object(attrs) if attrs.is_empty() => json!({ "type": type_of(key) }),
            attrs => json!({ "type": type_of(key), "attrs": attrs }),
        });
        let mut marks: Vec<Value> = marks.collect();
        marks.sort_by_cached_key(|mark| (mark["type"].to_string(), mark.to_string()));
        let words = &text.text[piece.bytes.clone()];
        let is_same =
            |last: &Value| last["marks"].as_array().map_or(&[][..], Vec::as_slice) == marks;
        if let Some(last) = nodes[start..].last_mut().filter(|last| is_same(last)) {
            if let Some(Value::String(before)) = last.get_mut("text") {
                before.push_str(words);
            }
            continue;
        }
        nodes.push(match marks.is_empty() {
            true => json!({ "type": "text", "text": words }),
            false => json!({ "type": "text", "text": words, "marks": marks }),
        });
    }
}

/// Notes the type of a value that is no node. The rest of what it is may be long.
fn lose(what: &str, lost: &mut Lost) {
    lost.add("value", what.split(' ').next().unwrap_or_default());
}

/// Reads a document of ProseMirror.
///
/// # Errors
/// INVALID_ARGUMENT, when it is none, has what a fragment cannot hold, or is too large or too deep.
pub(crate) fn parse(document: &Value) -> Result<Vec<Given>> {
    let Value::Object(members) = document else { return Err(JSON.refuses("it is no object")) };
    if document["type"] != "doc" {
        return Err(JSON.refuses("its type is not doc"));
    }
    only(members, &["type", "content"], "the document")?;
    let mut count = 0;
    children(members, 1, &mut count)
}

fn children(members: &Map<String, Value>, depth: usize, count: &mut usize) -> Result<Vec<Given>> {
    match members.get("content") {
        None => Ok(Vec::new()),
        Some(Value::Array(list)) if list.is_empty() => Ok(Vec::new()),
        Some(Value::Array(_)) if depth > MAX_DEPTH => Err(too_deep()),
        Some(Value::Array(list)) => list.iter().map(|node| given(node, depth, count)).collect(),
        Some(_) => Err(JSON.refuses("content is no list")),
    }
}

fn given(node: &Value, depth: usize, count: &mut usize) -> Result<Given> {
    *count += 1;
    if *count > MAX_NODES {
        return Err(too_many());
    }
    let Value::Object(members) = node else { return Err(JSON.refuses("a node is no object")) };
    let Some(Value::String(name)) = members.get("type") else {
        return Err(JSON.refuses("a node has no type"));
    };
    match members.get("text") {
        None => {
            let of = format!("a node of type {name}");
            only(members, &["type", "attrs", "content"], &of)?;
            let mut attributes = BTreeMap::new();
            for (key, value) in object(members, &of)? {
                let value = canonical(value, count)?;
                // An attribute of null counts as absent.
                if !value.is_null() {
                    attributes.insert(key.clone(), value.to_string());
                }
            }
            let children = children(members, depth + 1, count)?;
            Ok(Given::Element { name: name.clone(), attributes, children })
        }
        Some(Value::String(text)) if name == "text" && !text.is_empty() => {
            only(members, &["type", "text", "marks"], "a text")?;
            Ok(Given::Text { text: text.clone(), marks: marks(members, count)? })
        }
        Some(_) => Err(JSON.refuses("the text of a node is no text, or is empty")),
    }
}

fn marks(members: &Map<String, Value>, count: &mut usize) -> Result<Vec<(String, Arc<Shown>)>> {
    let list = match members.get("marks") {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(JSON.refuses("marks are no list")),
    };
    let mark = |mark: &Value| {
        let Value::Object(members) = mark else { return Err(JSON.refuses("a mark is no object")) };
        let Some(Value::String(name)) = members.get("type") else {
            return Err(JSON.refuses("a mark has no type"));
        };
        let of = format!("a mark of type {name}");
        only(members, &["type", "attrs"], &of)?;
        let attributes = object(members, &of)?;
        let attributes = attributes.map(|(key, it)| Ok((key.clone(), canonical(it, count)?)));
        let attributes: Map<String, Value> = attributes.collect::<Result<_>>()?;
        let whole = Value::Object(attributes).to_string();
        Ok((name.clone(), Arc::new(Shown::from([(WHOLE.to_owned(), whole)]))))
    };
    list.iter().map(mark).collect()
}

/// The entries of the member `attrs`.
fn object<'a>(
    members: &'a Map<String, Value>,
    of: &str,
) -> Result<impl Iterator<Item = (&'a String, &'a Value)>> {
    match members.get("attrs") {
        None | Some(Value::Null) => Ok(None.into_iter().flatten()),
        Some(Value::Object(attributes)) => Ok(Some(attributes).into_iter().flatten()),
        Some(_) => Err(JSON.refuses(&format!("attrs of {of} are no object"))),
    }
}

/// Refuses members that an editor cannot hold.
fn only(members: &Map<String, Value>, known: &[&str], of: &str) -> Result<()> {
    match members.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(JSON.refuses(&format!("{of} cannot have the member {key}"))),
        None => Ok(()),
    }
}

/// Changes `root` into `nodes`.
///
/// # Errors
/// As of [`super::replace`].
pub(crate) fn replace(
    txn: &mut TransactionMut<'_>,
    root: &XmlFragmentRef,
    nodes: &[Given],
    format: Format,
    budget: &Budget,
) -> Result<()> {
    let mut old = stored::read(txn, root);
    if stored::has_nested_in(&old) {
        return Err(crate::root::nested_text());
    }
    exactly(&mut old);
    let mut words = Vocabulary::from_nodes(&old, Reading::Exact);
    overlap(nodes, &mut words);
    // Links in Markdown say only where they lead to.
    if format != Format::Markdown {
        words.links.clear();
    }
    let new = resolve(nodes, &words);
    if wanted::marks_size(&new) > MAX_MARKS {
        return Err(too_many_marks());
    }
    write::children(txn, root.as_ref(), &old, &new, &words, budget);
    Ok(())
}

/// Learns which marks overlap others of their type.
fn overlap(nodes: &[Given], words: &mut Vocabulary) {
    for node in nodes {
        match node {
            Given::Element { children, .. } => overlap(children, words),
            Given::Text { marks, .. } => {
                for (at, (name, _)) in marks.iter().enumerate() {
                    if marks[..at].iter().any(|(before, _)| before == name) {
                        words.overlapping.entry(name.clone()).or_default();
                    }
                }
            }
        }
    }
}

/// The nodes with the names under which the document stores their marks.
fn resolve(nodes: &[Given], words: &Vocabulary) -> Vec<Wanted> {
    let mut wanted = Vec::with_capacity(nodes.len());
    for node in nodes {
        match node {
            Given::Element { name, attributes, children } => wanted.push(Wanted::Element {
                name: name.clone(),
                attributes: attributes.clone(),
                children: resolve(children, words),
            }),
            Given::Text { text, marks } => {
                wanted::push(text, &stored_marks(marks, words), &mut wanted)
            }
        }
    }
    wanted
}

fn stored_marks(marks: &[(String, Arc<Shown>)], words: &Vocabulary) -> Marks {
    let mut stored = Marks::new();
    for (name, shown) in marks {
        let shown = if name == "link" { &known_link(shown, words) } else { shown };
        let whole = shown.get(WHOLE).map_or("", String::as_str);
        let overlapping = words.overlapping.get(name);
        let key = match overlapping.map(|known| known.get(whole)) {
            Some(Some(key)) => key.clone(),
            Some(None) => format!("{name}--{}", hash(whole)),
            None => name.clone(),
        };
        stored.insert(key.into(), Arc::clone(shown));
    }
    stored
}

/// The link that the document has to the same address.
fn known_link(shown: &Arc<Shown>, words: &Vocabulary) -> Arc<Shown> {
    let sent = shown.get(WHOLE).and_then(|whole| serde_json::from_str::<Value>(whole).ok());
    let href = sent.as_ref().and_then(|sent| sent["href"].as_str());
    match href.and_then(|href| words.links.get(href)) {
        Some(whole) => Arc::new(Shown::from([(WHOLE.to_owned(), whole.clone())])),
        None => Arc::clone(shown),
    }
}

/// Eight characters that tell marks of one type apart, by FNV-1a.
fn hash(whole: &str) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = whole.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    let digit = |at: u32| char::from(DIGITS[(hash >> (6 * at)) as usize % 64]);
    (0..8).map(digit).collect()
}
