//! Values of attributes and formats, as strings that are compared and written.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use error::Result;
use serde_json::{Value, json};
use yrs::Any;

use super::marks::Shown;
use crate::{
    limits::{MAX_DEPTH, MAX_NODES, too_deep, too_many},
    value::plain::{number, of_any, to_any},
};

/// The key under which a mark has its value, where that is read exactly.
pub(super) const WHOLE: &str = "";

/// How values are read.
#[derive(Clone, Default)]
pub(super) enum Reading {
    /// As XML shows them.
    #[default]
    Shown,
    /// As JSON, with the marks of ProseMirror.
    Exact,
    /// As JSON, with the formats of a delta. Embedded objects are characters.
    Delta(Arc<Embeds>),
}

/// Characters that stand for embedded objects.
#[derive(Default)]
pub(super) struct Embeds {
    pub(super) characters: HashMap<String, char>,
    pub(super) values: HashMap<char, Any>,
}

impl Reading {
    /// The mark of a format.
    pub(super) fn mark(&self, value: &Any) -> Shown {
        let whole = match self {
            Self::Shown => return mark(value),
            Self::Exact => of_mark(value).to_string(),
            Self::Delta(_) => of_any(value).to_string(),
        };
        BTreeMap::from([(WHOLE.to_owned(), whole)])
    }

    /// The value that a string stands for, where that is exact.
    pub(super) fn value(&self, written: &str) -> Option<Any> {
        match self {
            Self::Shown => None,
            Self::Exact | Self::Delta(_) => {
                serde_json::from_str(written).ok().map(|value| to_any(&value))
            }
        }
    }

    /// The character of an embedded object.
    pub(super) fn character(&self, embedded: &Any) -> Option<char> {
        match self {
            Self::Delta(embeds) => embeds.characters.get(&of_any(embedded).to_string()).copied(),
            Self::Shown | Self::Exact => None,
        }
    }

    /// The embedded object of a character.
    pub(super) fn embedded(&self, character: char) -> Option<&Any> {
        match self {
            Self::Delta(embeds) => embeds.values.get(&character),
            Self::Shown | Self::Exact => None,
        }
    }
}

/// The attributes of a mark of ProseMirror. A format that is neither a boolean nor an object becomes
/// one.
pub(super) fn of_mark(value: &Any) -> Value {
    match value {
        Any::Map(_) => of_any(value),
        Any::Bool(true) | Any::Null | Any::Undefined => Value::Object(serde_json::Map::new()),
        other => json!({ "value": of_any(other) }),
    }
}

/// A value that was sent, with numbers as every peer reads them; `count` is that of all values.
///
/// # Errors
/// INVALID_ARGUMENT, when it is too deep or there are too many values.
pub(super) fn canonical(value: &Value, count: &mut usize) -> Result<Value> {
    within(value, 0, count)
}

fn within(value: &Value, depth: usize, count: &mut usize) -> Result<Value> {
    if depth > MAX_DEPTH {
        return Err(too_deep());
    }
    *count += 1;
    if *count > MAX_NODES {
        return Err(too_many());
    }
    Ok(match value {
        Value::Number(it) => number(it),
        Value::Array(items) => {
            let items = items.iter().map(|item| within(item, depth + 1, count));
            Value::Array(items.collect::<Result<_>>()?)
        }
        Value::Object(entries) => {
            let entries = entries
                .iter()
                .map(|(key, entry)| Ok((key.clone(), within(entry, depth + 1, count)?)));
            Value::Object(entries.collect::<Result<_>>()?)
        }
        Value::Null | Value::Bool(_) | Value::String(_) => value.clone(),
    })
}

/// The attributes of a mark. A format that is neither a boolean nor an object becomes one.
pub(super) fn mark(value: &Any) -> Shown {
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
