//! Requests dynoxide cannot read.

use dynoxide::DynoxideError;

/// The error of a request that is not of its operation's shape.
///
/// dynoxide marks with a prefix which error a value is refused with; its own server, which is
/// more exact about the wording than its public interface allows, reads the same prefixes.
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
