//! Images of items in the records of a stream.

use aws::{Item, Value};
use serde_json::Value as Json;

/// An image as an item, without its binary attributes.
pub fn image(image: &Json) -> Item {
    let attributes = image.as_object().into_iter().flatten();
    attributes.filter_map(|(name, value)| Some((name.clone(), attribute(value)?))).collect()
}

fn attribute(value: &Json) -> Option<Value> {
    let (kind, value) = value.as_object()?.iter().next()?;
    Some(match (kind.as_str(), value) {
        ("S", Json::String(text)) => Value::S(text.clone()),
        ("N", Json::String(number)) => Value::N(number.clone()),
        ("BOOL", Json::Bool(is_true)) => Value::Bool(*is_true),
        ("NULL", _) => Value::Null(true),
        ("L", Json::Array(elements)) => Value::L(elements.iter().filter_map(attribute).collect()),
        ("M", members) => Value::M(image(members)),
        _ => return None,
    })
}
