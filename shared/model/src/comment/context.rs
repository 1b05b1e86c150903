//! Location and context of a thread, as far as the service interprets them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    Metadata, Only, Text, number_text,
    people::{Names, People, Rest, members},
};

/// Custom context of a thread or a comment; its `access` restricts visibility.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Metadata", into = "Metadata")]
pub struct Context(Metadata);

/// Maximum number of fields in `access`.
const MAX_FIELDS: usize = 200;

impl TryFrom<Metadata> for Context {
    type Error = &'static str;

    fn try_from(mut members: Metadata) -> Result<Self, &'static str> {
        // Derived from `access`.
        members.remove("accessFields");
        match members.get("access") {
            None | Some(Value::Null) => {}
            Some(Value::Object(fields)) => {
                if fields.len() > MAX_FIELDS {
                    return Err("must have at most 200 fields in access");
                }
                if !fields.values().all(|value| value.is_string() || value.is_number()) {
                    return Err("must have strings and numbers only in access");
                }
            }
            Some(_) => return Err("must have an object as access"),
        }
        Ok(Self(members))
    }
}

impl From<Context> for Metadata {
    fn from(context: Context) -> Self {
        context.0
    }
}

impl Context {
    /// One `field:value` for each field of `access`.
    pub fn access_fields(&self) -> Vec<String> {
        let fields = self.0.get("access").and_then(Value::as_object).into_iter().flatten();
        let token = |(field, value): (&String, &Value)| match value {
            Value::String(text) => format!("{field}:{text}"),
            Value::Number(number) => format!("{field}:{}", number_text(number)),
            value => format!("{field}:{value}"),
        };
        fields.map(token).collect()
    }

    /// The context as shown, with derived members.
    pub fn shown(self) -> Metadata {
        let fields = self.access_fields();
        let mut members = self.0;
        if members.contains_key("access") {
            members.insert("accessFields".to_owned(), fields.into());
        }
        members
    }
}

/// A location in the document; its `id` is a text or a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Metadata", into = "Metadata")]
pub struct Location(Metadata);

impl TryFrom<Metadata> for Location {
    type Error = &'static str;

    fn try_from(members: Metadata) -> Result<Self, &'static str> {
        match members.get("id") {
            Some(Value::String(id)) if !id.is_empty() => Ok(Self(members)),
            Some(Value::Number(_)) => Ok(Self(members)),
            _ => Err("must have an id, which is a string or a number"),
        }
    }
}

impl From<Location> for Metadata {
    fn from(location: Location) -> Self {
        location.0
    }
}

impl Location {
    /// A hash of all its members, within the integers of JavaScript (FNV-1a): a short name for callers,
    /// by which nothing is found.
    pub fn hash(&self) -> u64 {
        let text = serde_json::to_string(&self.0).unwrap_or_default();
        let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, step) >> 11
    }

    /// Whether a filter of ids, as texts, lets it through. A number is found by each of its texts.
    pub fn is_among(&self, ids: &Only<String>) -> bool {
        match self.0.get("id") {
            Some(Value::String(id)) => ids.keeps(id.as_str()),
            Some(Value::Number(id)) => {
                let own = number_text(id);
                let is_own = |text: &String| {
                    let number = || serde_json::from_str(text).map(|it| number_text(&it));
                    *text == own || number().is_ok_and(|text| text == own)
                };
                ids.named().is_none_or(|ids| ids.iter().any(is_own))
            }
            _ => ids.named().is_none(),
        }
    }
}

/// The id of a location in free JSON, as a text: of a comment, or as sent with a notification.
pub fn location_id(location: &Metadata) -> Option<Text> {
    match location.get("id")? {
        Value::String(id) => Text::try_from(id.clone()).ok(),
        Value::Number(id) => Text::try_from(number_text(id)).ok(),
        _ => None,
    }
}

/// Declares objects with custom members.
macro_rules! open_objects {
    ($($name:ident: $schema:tt,)+) => {$(
        impl Names for $name {
            fn people(&mut self, walk: &mut dyn People) -> Rest {
                let Self(custom) = self;
                members(walk, custom);
                Rest::Stays
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    )+};
}

open_objects! {
    Context: {
        "type": "object",
        "properties": { "access": {
            "type": "object", "maxProperties": 200,
            "additionalProperties": { "type": ["string", "number"] },
        } },
        "additionalProperties": true,
    },
    Location: {
        "type": "object",
        "properties": { "id": { "type": ["string", "number"] } },
        "required": ["id"],
        "additionalProperties": true,
    },
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, from_value, json};

    use super::{Context, Location};

    fn context(json: Value) -> Result<Context, serde_json::Error> {
        from_value(json)
    }

    #[test]
    fn access_becomes_a_token_for_each_field() {
        let sent = json!({ "a": 1, "access": { "team": "red", "tier": 2 }, "accessFields": ["x"] });
        let context = context(sent).unwrap();
        assert_eq!(context.access_fields(), ["team:red", "tier:2"]);
        let shown = Value::from(context.shown());
        assert_eq!(shown["accessFields"], json!(["team:red", "tier:2"]));
        assert_eq!(shown["a"], 1);
    }

    #[test]
    fn access_holds_up_to_200_texts_and_numbers() {
        let fields = |n: usize| -> Value {
            (0..n).map(|n| (n.to_string(), json!(n))).collect::<serde_json::Map<_, _>>().into()
        };
        assert!(context(json!({ "access": fields(200) })).is_ok());
        assert!(context(json!({ "access": null })).is_ok());
        for access in [fields(201), json!({ "a": true }), json!({ "a": {} }), json!([]), json!("a")]
        {
            assert!(context(json!({ "access": access })).is_err());
        }
    }

    #[test]
    fn a_location_has_an_id() {
        let location = |json| from_value::<Location>(json);
        assert!(location(json!({ "id": 7, "locationName": "x" })).is_ok());
        for json in [json!({}), json!({ "id": "" }), json!({ "id": null }), json!({ "id": [] })] {
            assert!(location(json).is_err());
        }
    }

    #[test]
    fn a_location_at_a_number_is_found_by_each_of_its_texts() {
        let found = |location: &str, by: &str| {
            let location: Location = serde_json::from_str(location).unwrap();
            assert!(location.is_among(&Default::default()));
            assert!(!location.is_among(&[].into()));
            location.is_among(&["other".to_owned(), by.to_owned()].into())
        };
        for id in ["1", "1.0", "1e0", "10e-1"] {
            let location = format!(r#"{{ "id": {id} }}"#);
            assert!(found(&location, "1") && found(&location, "1.0"), "{id}");
            assert!(!found(&location, "2"), "{id}");
            let shown = super::location_id(&serde_json::from_str(&location).unwrap());
            assert_eq!(shown.unwrap().as_str(), "1", "{id}");
        }
        for (id, by) in [
            ("12345678901234567890", "12345678901234567890"),
            ("99999999999999999999", "99999999999999999999"),
            ("1e20", "100000000000000000000"),
            ("-0.0", "0"),
            ("0.5", "0.5"),
        ] {
            assert!(found(&format!(r#"{{ "id": {id} }}"#), by), "{id}");
        }
        assert!(!found(r#"{ "id": "1.0" }"#, "1"), "a text is not a number");
    }
}
