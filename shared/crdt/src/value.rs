//! From shared types to JSON.

use serde_json::{Map as Object, Value};
use yrs::{
    Any, Array, ArrayRef, GetString, Map, MapRef, Out, ReadTxn, Text, TextRef,
    branch::{Branch, BranchPtr},
    types::text::YChange,
};

use crate::{Kind, MAX_DEPTH, xml};
pub(crate) use plain::{number, of_any, to_any};

pub(crate) mod plain;

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
