use std::borrow::Cow;

use base64::{Engine, engine::general_purpose::STANDARD};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize, Serializer};

/// Bytes, as base64 on the wire: the standard alphabet with padding.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Base64(Vec<u8>);

impl TryFrom<String> for Base64 {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        STANDARD.decode(text).map(Self).map_err(|_| "must be base64 with padding")
    }
}

impl From<Vec<u8>> for Base64 {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<Base64> for Vec<u8> {
    fn from(bytes: Base64) -> Self {
        bytes.0
    }
}

impl AsRef<[u8]> for Base64 {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&STANDARD.encode(&self.0))
    }
}

impl JsonSchema for Base64 {
    fn schema_name() -> Cow<'static, str> {
        "Base64".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "contentEncoding": "base64" })
    }

    fn inline_schema() -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::Base64;

    #[test]
    fn bytes_come_back_as_they_were() {
        for bytes in [vec![], vec![0], vec![251, 255, 0], (0..=255).collect()] {
            let text = serde_json::to_string(&Base64::from(bytes.clone())).unwrap();
            assert_eq!(serde_json::from_str::<Base64>(&text).unwrap().as_ref(), bytes);
        }
    }

    #[test]
    fn other_alphabets_are_refused() {
        for text in ["_-8A", "AA", "AAA", "A", "AA==\n", "é"] {
            assert!(Base64::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
