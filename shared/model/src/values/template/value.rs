use std::borrow::Cow;

use serde_json::Value;

/// What a user is called by, the best one first.
const NAMES: [&str; 3] = ["name", "email", "userId"];

/// A value as a reader sees it: `null` is nothing, a user is their name, several of them are a list.
/// `None` for an object that is no user: its JSON would tell a reader nothing.
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
