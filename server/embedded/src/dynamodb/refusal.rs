//! Requests that dynoxide cannot parse.

use dynoxide::DynoxideError;

/// The error of a request with the wrong shape.
///
/// dynoxide marks the error of a refused value with a prefix; its own server, whose wording is more
/// precise than its public interface, reads the same prefixes.
pub(super) fn unreadable(operation: &str, error: &serde_json::Error) -> DynoxideError {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or(&text);
    if let Some(message) = text.strip_prefix("VALIDATION_REQUEST:") {
        return DynoxideError::ValidationException(match operation {
            "PutItem" | "UpdateItem" | "DeleteItem" => {
                format!("1 validation error detected: {message}")
            }
            _ => message.to_owned(),
        });
    }
    for prefix in ["VALIDATION_AS_READ:", "VALIDATION:"] {
        if let Some(message) = text.strip_prefix(prefix) {
            return DynoxideError::ValidationException(message.to_owned());
        }
    }
    for prefix in ["SERIALIZATION_AS_READ:", "SERIALIZATION:"] {
        if let Some(message) = text.strip_prefix(prefix) {
            return DynoxideError::SerializationException(message.to_owned());
        }
    }
    let validation = ["missing field", "unknown variant", "invalid type: null", "AttributeValue"];
    if validation.iter().any(|part| text.contains(part)) {
        DynoxideError::ValidationException(text.to_owned())
    } else {
        DynoxideError::SerializationException(text.to_owned())
    }
}
