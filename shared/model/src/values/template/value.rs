use std::borrow::Cow;

use serde_json::Value;

/// Display names of a user, in order of preference.
const NAMES: [&str; 3] = ["name", "email", "userId"];

/// A value for readers: `null` is empty, a user is their name, several users are a list. `None` for
/// other objects, whose JSON would not help a reader.
pub(super) fn shown(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::Null => Some(Cow::Borrowed("")),
        Value::Array(items) => Some(list(items)),
        value => single(value),
    }
}

fn single(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Bool(_) | Value::Number(_) => Some(Cow::Owned(value.to_string())),
        Value::Object(user) => NAMES
            .iter()
            .filter_map(|name| user.get(*name)?.as_str())
            .find(|name| !name.trim().is_empty())
            .map(Cow::Borrowed),
        Value::Null | Value::Array(_) => None,
    }
}

/// "A", "A and B", "A, B and 2 others".
fn list(items: &[Value]) -> Cow<'_, str> {
    let mut names = items.iter().filter_map(single);
    let Some(first) = names.next() else { return Cow::Borrowed("") };
    let Some(second) = names.next() else { return first };
    match names.count() {
        0 => format!("{first} and {second}").into(),
        1 => format!("{first}, {second} and 1 other").into(),
        others => format!("{first}, {second} and {others} others").into(),
    }
}
