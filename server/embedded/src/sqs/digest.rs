//! The MD5 digests by which a client verifies a message.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

pub(super) fn of_body(body: &str) -> String {
    format!("{:x}", md5::compute(body))
}

/// The digest of message attributes: of each, in the order of the names, its name, data type,
/// kind of value and value, the texts after their lengths.
pub(super) fn of_attributes(attributes: &Map<String, Value>) -> String {
    let mut bytes = Vec::new();
    for (name, attribute) in attributes.iter().collect::<BTreeMap<_, _>>() {
        let (kind, value) = value(attribute);
        push(&mut bytes, name.as_bytes());
        push(&mut bytes, attribute["DataType"].as_str().unwrap_or_default().as_bytes());
        bytes.push(kind);
        push(&mut bytes, &value);
    }
    format!("{:x}", md5::compute(bytes))
}

/// The value of an attribute, and 1 for text or 2 for bytes.
pub(super) fn value(attribute: &Value) -> (u8, Vec<u8>) {
    match attribute["BinaryValue"].as_str() {
        Some(encoded) => (2, STANDARD.decode(encoded).unwrap_or_default()),
        None => (1, attribute["StringValue"].as_str().unwrap_or_default().as_bytes().to_vec()),
    }
}

fn push(bytes: &mut Vec<u8>, part: &[u8]) {
    let length = u32::try_from(part.len()).unwrap_or(u32::MAX);
    bytes.extend(length.to_be_bytes());
    bytes.extend(part);
}
