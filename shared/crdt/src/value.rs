//! From shared types to JSON, and from JSON to plain values.

use std::{collections::HashMap, sync::Arc};

use error::Result;
use serde_json::{Map as Object, Number, Value};
use yrs::{
    Any, Array, ArrayRef, GetString, Map, MapRef, Out, ReadTxn, Text, TextRef,
    branch::{Branch, BranchPtr},
    types::text::YChange,
};

use crate::{
    Format, Formed, Kind, MAX_DEPTH,
    forms::{self, Lost},
    xml,
};

/// The largest integer that every peer can read: the limit of JavaScript.
const MAX_INTEGER: i64 = (1 << 53) - 1;

/// The content of a root, read as `kind`.
pub(crate) fn of_root(txn: &impl ReadTxn, kind: Kind, key: &str) -> Value {
    match kind {
        Kind::Text => {
            Value::String(txn.get_text(key).map(|text| text.get_string(txn)).unwrap_or_default())
        }
        Kind::Map => {
            Value::Object(txn.get_map(key).map(|map| of_map(txn, &map, 0)).unwrap_or_default())
        }
        Kind::Array => {
            Value::Array(txn.get_array(key).map(|a| of_array(txn, &a, 0)).unwrap_or_default())
        }
        Kind::Xml => {
            let root = txn.get_xml_fragment(key);
            Value::String(root.map(|root| xml::escaped(txn, &root)).unwrap_or_default())
        }
    }
}

/// The content of a root in a form.
///
/// # Errors
/// RESOURCE_EXHAUSTED, when marks would be written too often.
pub(crate) fn formed(txn: &impl ReadTxn, kind: Kind, key: &str, format: Format) -> Result<Formed> {
    let mut lost = Lost::default();
    match (kind, format) {
        (Kind::Map | Kind::Array, _) | (_, Format::Xml) => {
            Ok(Formed { data: of_root(txn, kind, key), lost: Vec::new() })
        }
        (Kind::Text, Format::Json) => {
            let delta = txn.get_text(key).map(|text| xml::delta::delta(txn, &text));
            Ok(Formed { data: delta.unwrap_or_default(), lost: Vec::new() })
        }
        (Kind::Text, Format::Text) => {
            if let Some(text) = txn.get_text(key) {
                xml::delta::lost_in_text(txn, &text, &mut lost);
            }
            Ok(Formed { data: of_root(txn, kind, key), lost: lost.named() })
        }
        (Kind::Text, Format::Html | Format::Markdown) => {
            if let Some(text) = txn.get_text(key) {
                xml::delta::lost_in_text(txn, &text, &mut lost);
            }
            let text = of_root(txn, kind, key);
            forms::derived(forms::lines(text.as_str().unwrap_or_default()), format, lost)
        }
        (Kind::Xml, _) => {
            let root = txn.get_xml_fragment(key);
            let document = root.map(|root| xml::json::document(txn, &root, &mut lost));
            forms::derived(document.unwrap_or_default(), format, lost)
        }
    }
}

fn of_map(txn: &impl ReadTxn, map: &MapRef, depth: usize) -> Object<String, Value> {
    let entries = map.iter(txn).filter(|(_, value)| !matches!(value, Out::Any(Any::Undefined)));
    entries.map(|(key, value)| (key.to_owned(), of_out(txn, &value, depth + 1))).collect()
}

fn of_array(txn: &impl ReadTxn, array: &ArrayRef, depth: usize) -> Vec<Value> {
    let items = items(txn, array).unwrap_or_default();
    items.iter().map(|value| of_out(txn, value, depth + 1)).collect()
}

/// The items of an array, or the children of an element; none, if there are characters among them.
/// No honest peer puts them there, and the library cannot handle all of them.
pub(crate) fn items(txn: &impl ReadTxn, array: &ArrayRef) -> Option<Vec<Out>> {
    let branch: &Branch = array.as_ref();
    let pieces = TextRef::from(BranchPtr::from(branch)).diff(txn, YChange::identity);
    let is_list = pieces.iter().all(|piece| !matches!(piece.insert, Out::Any(_)));
    is_list.then(|| array.iter(txn).take(array.len(txn) as usize).collect())
}

/// The JSON of a value anywhere in a document. Values without a JSON form are null, as in
/// JavaScript. Excessively nested values are null as well.
pub(crate) fn of_out(txn: &impl ReadTxn, value: &Out, depth: usize) -> Value {
    if depth > 2 * MAX_DEPTH {
        return Value::Null;
    }
    match value {
        Out::Any(any) => of_any(any),
        Out::YText(text) => Value::String(text.get_string(txn)),
        Out::YMap(map) => Value::Object(of_map(txn, map, depth)),
        Out::YArray(array) => Value::Array(of_array(txn, array, depth)),
        Out::YXmlElement(_) | Out::YXmlFragment(_) | Out::YXmlText(_) => {
            Value::String(xml::escaped_node(txn, value))
        }
        _ => Value::Null,
    }
}

/// The JSON of a plain value.
pub(crate) fn of_any(any: &Any) -> Value {
    match any {
        Any::Null | Any::Undefined => Value::Null,
        Any::Bool(value) => Value::Bool(*value),
        Any::Number(yrs::Number::Int(value)) => number(&Number::from(*value)),
        Any::Number(yrs::Number::Float(value)) => {
            Number::from_f64(*value).map_or(Value::Null, |value| number(&value))
        }
        Any::String(value) => Value::String((**value).to_owned()),
        Any::Buffer(bytes) => bytes.iter().map(|byte| Value::from(*byte)).collect(),
        Any::Array(items) => items.iter().map(of_any).collect(),
        Any::Map(entries) => {
            let entries = entries.iter().filter(|(_, value)| **value != Any::Undefined);
            entries.map(|(key, value)| (key.clone(), of_any(value))).collect()
        }
    }
}

/// The canonical form of a number: integers as such, within the range of JavaScript.
pub(crate) fn number(number: &Number) -> Value {
    if let Some(integer) = number.as_i64()
        && integer.unsigned_abs() <= MAX_INTEGER.unsigned_abs()
    {
        return Value::from(integer);
    }
    let float = number.as_f64().unwrap_or_default();
    #[expect(clippy::cast_possible_truncation, reason = "within the range of integers")]
    if float.fract() == 0.0 && float.abs() <= MAX_INTEGER as f64 {
        return Value::from(float as i64);
    }
    Value::from(float)
}

/// The plain value of JSON after [`number`].
pub(crate) fn to_any(value: &Value) -> Any {
    match value {
        Value::Null => Any::Null,
        Value::Bool(value) => Any::Bool(*value),
        Value::Number(value) => Any::Number(match value.as_i64() {
            Some(integer) => yrs::Number::Int(integer),
            None => yrs::Number::Float(value.as_f64().unwrap_or_default()),
        }),
        Value::String(value) => Any::String(Arc::from(value.as_str())),
        Value::Array(items) => Any::Array(items.iter().map(to_any).collect()),
        Value::Object(entries) => {
            let entries = entries.iter().map(|(key, value)| (key.clone(), to_any(value)));
            Any::Map(Arc::new(entries.collect::<HashMap<_, _>>()))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Number, Value, json};

    #[test]
    fn numbers_are_those_that_javascript_reads_back() {
        let number = |value: Value| match value {
            Value::Number(number) => super::number(&number),
            other => other,
        };
        assert_eq!(number(json!(9_007_199_254_740_991_i64)), json!(9_007_199_254_740_991_i64));
        assert!(number(json!(9_007_199_254_740_993_i64)).is_f64());
        assert!(number(json!(u64::MAX)).is_f64());
        assert_eq!(number(json!(1.0)), json!(1));
        assert_eq!(number(json!(-0.0)), json!(0));
        assert_eq!(number(json!(0.5)), json!(0.5));
        assert_eq!(
            number(json!(i64::MIN)),
            Value::Number(Number::from_f64(-(2_f64.powi(63))).expect("finite"))
        );
    }
}
