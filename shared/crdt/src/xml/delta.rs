//! A text as a delta: its runs with their formats, and its embedded objects.

use std::{
    collections::{HashSet, hash_map::Entry},
    sync::Arc,
};

use error::Result;
use serde_json::{Map, Value, json};
use yrs::{
    Any, Out, ReadTxn, Text, TextRef, TransactionMut, XmlTextRef,
    branch::{Branch, BranchPtr},
    types::text::YChange,
};

use super::{
    marks::{Marks, Run, Shown, size_of},
    render::pay,
    runs,
    stored::StoredText,
    values::{Embeds, Reading, WHOLE, canonical},
    wanted::Vocabulary,
};
use crate::{
    budget::Budget,
    forms::{DELTA, Lost},
    limits::{MAX_MARKS, too_many_marks},
    value::{of_any, to_any},
};

/// The characters that may stand for embedded objects: they are for private use, and one unit of
/// UTF-16 each.
const PRIVATE: std::ops::RangeInclusive<char> = '\u{e000}'..='\u{f8ff}';

/// One insertion as it was sent.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    insert: Value,
    formats: Marks,
}

/// The delta of a text.
pub(crate) fn delta(txn: &impl ReadTxn, text: &TextRef) -> Value {
    let mut ops: Vec<Value> = Vec::new();
    for op in text.diff(txn, YChange::identity) {
        let Out::Any(insert) = &op.insert else { continue };
        let attributes: Map<String, Value> = op
            .attributes
            .into_iter()
            .flat_map(|attributes| *attributes)
            .map(|(key, value)| ((*key).to_owned(), of_any(&value)))
            .collect();
        let attributes = (!attributes.is_empty()).then_some(Value::Object(attributes));
        if !pay(size(attributes.as_ref())) {
            break;
        }
        if let (Some(last), Any::String(words)) = (ops.last_mut(), insert)
            && last.get("attributes") == attributes.as_ref()
            && let Some(Value::String(before)) = last.get_mut("insert")
        {
            before.push_str(words);
            continue;
        }
        let mut op = Map::from_iter([("insert".to_owned(), of_any(insert))]);
        op.extend(attributes.map(|attributes| ("attributes".to_owned(), attributes)));
        ops.push(Value::Object(op));
    }
    json!({ "ops": ops })
}

/// Notes the formats and embedded objects of a text, of which only the words are shown.
pub(crate) fn lost_in_text(txn: &impl ReadTxn, text: &TextRef, lost: &mut Lost) {
    for piece in text.diff(txn, YChange::identity) {
        if !matches!(piece.insert, Out::Any(Any::String(_))) {
            lost.add("value", "Embed");
        }
        piece.attributes.iter().flat_map(|it| it.keys()).for_each(|key| lost.add("format", key));
    }
}

fn size(attributes: Option<&Value>) -> usize {
    attributes.map_or(0, |attributes| attributes.to_string().len())
}

/// Reads a delta that is a document: insertions only.
///
/// # Errors
/// INVALID_ARGUMENT, when it is none, or too large.
pub(crate) fn parse(delta: &Value) -> Result<Vec<Op>> {
    let ops = match delta {
        Value::Object(members) if members.keys().eq(["ops"]) => members["ops"].as_array(),
        _ => None,
    };
    let ops = ops.ok_or_else(|| DELTA.refuses("it is no object with the member ops alone"))?;
    let mut count = 0;
    ops.iter().map(|op| read(op, &mut count)).collect()
}

fn read(op: &Value, count: &mut usize) -> Result<Op> {
    let Value::Object(members) = op else { return Err(DELTA.refuses("an operation is no object")) };
    if let Some(other) =
        members.keys().find(|key| !["insert", "attributes"].contains(&key.as_str()))
    {
        return Err(DELTA.refuses(&format!("an operation cannot have the member {other}")));
    }
    let insert = match members.get("insert") {
        None => return Err(DELTA.refuses("an operation inserts nothing")),
        Some(Value::String(text)) if text.is_empty() => {
            return Err(DELTA.refuses("an insertion is empty"));
        }
        Some(insert) => canonical(insert, count)?,
    };
    let formats = match members.get("attributes") {
        None => Marks::new(),
        Some(Value::Object(attributes)) => {
            let format = |(key, value): (&String, &Value)| {
                let whole = canonical(value, count)?.to_string();
                Ok((key.as_str().into(), Arc::new(Shown::from([(WHOLE.to_owned(), whole)]))))
            };
            attributes
                .iter()
                .filter(|(_, value)| !value.is_null())
                .map(format)
                .collect::<Result<_>>()?
        }
        Some(_) => return Err(DELTA.refuses("attributes are no object")),
    };
    Ok(Op { insert, formats })
}

/// Changes a text into what `ops` insert.
///
/// # Errors
/// INVALID_ARGUMENT for more different embedded objects than a text may have; RESOURCE_EXHAUSTED for
/// formats that would be stored too often.
pub(crate) fn replace(
    txn: &mut TransactionMut<'_>,
    text: &TextRef,
    ops: &[Op],
    budget: &Budget,
) -> Result<()> {
    let stored = text.diff(txn, YChange::identity);
    let embeds = embeds(stored.iter().map(|piece| &piece.insert), ops)?;
    let reading = Reading::Delta(Arc::new(embeds));
    let mut old = StoredText::new(reading.clone());
    let branch: &Branch = text.as_ref();
    old.add(XmlTextRef::from(BranchPtr::from(branch)), stored);
    let new = runs(ops, &reading);
    if new.iter().map(|run| size_of(&run.marks)).sum::<usize>() > MAX_MARKS {
        return Err(too_many_marks());
    }
    runs::replace(txn, &old, &new, &Vocabulary::of_text(&old, reading), budget);
    Ok(())
}

fn runs(ops: &[Op], reading: &Reading) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for op in ops {
        let text = match &op.insert {
            Value::String(text) => text.clone(),
            object => reading.character(&to_any(object)).map(String::from).unwrap_or_default(),
        };
        match runs.last_mut() {
            Some(last) if last.marks == op.formats => last.text.push_str(&text),
            _ => runs.push(Run { text, marks: op.formats.clone() }),
        }
    }
    runs
}

/// A character for each embedded object that is stored or was sent, which no text has.
fn embeds<'a>(stored: impl Iterator<Item = &'a Out>, ops: &[Op]) -> Result<Embeds> {
    let mut used = HashSet::new();
    let mut objects = Vec::new();
    let is_private = |c: &char| PRIVATE.contains(c);
    for insert in stored {
        match insert {
            Out::Any(Any::String(text)) => used.extend(text.chars().filter(is_private)),
            Out::Any(object) => objects.push(object.clone()),
            _ => (),
        }
    }
    for op in ops {
        match &op.insert {
            Value::String(text) => used.extend(text.chars().filter(is_private)),
            object => objects.push(to_any(object)),
        }
    }
    let mut free = PRIVATE.filter(|c| !used.contains(c));
    let mut embeds = Embeds::default();
    for object in objects {
        if let Entry::Vacant(entry) = embeds.characters.entry(of_any(&object).to_string()) {
            let next =
                free.next().ok_or_else(|| DELTA.refuses("it has too many embedded objects"))?;
            entry.insert(next);
            embeds.values.insert(next, object);
        }
    }
    Ok(embeds)
}
