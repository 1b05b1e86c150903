//! Calls as they are remembered and shown. They are read when somebody looks: a call only keeps its
//! texts.

use serde_json::{Value, json};

/// Longest body that is kept, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Members that nobody has to see to follow a call.
const SECRET: [&str; 6] =
    ["apiKeyCustom", "authToken", "customerApiKey", "password", "secret", "token"];

/// A body as it is kept.
pub(super) fn kept(body: &[u8]) -> Value {
    match (body.len(), std::str::from_utf8(body)) {
        (0..=MAX_BYTES, Ok(text)) => text.into(),
        (size, _) => json!({ "bytes": size }),
    }
}

/// A remembered call with its bodies as JSON, without credentials.
pub(super) fn shown(mut call: Value) -> Value {
    for body in ["request", "reply"] {
        if let Some(text) = call[body].as_str() {
            call[body] = serde_json::from_str(text).unwrap_or_default();
        }
        hide(&mut call[body]);
    }
    call
}

fn hide(json: &mut Value) {
    match json {
        Value::Object(members) => {
            for (name, value) in members {
                match value.is_string() && SECRET.contains(&name.as_str()) {
                    true => *value = "…".into(),
                    false => hide(value),
                }
            }
        }
        Value::Array(elements) => elements.iter_mut().for_each(hide),
        _ => {}
    }
}
