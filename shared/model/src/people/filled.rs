//! A deserializer that fills every member of a type with the same user.

use serde::{
    Deserializer,
    de::{
        DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
        VariantAccess, Visitor, value::Error,
    },
    forward_to_deserialize_any,
};
use serde_json::{Value, json};

/// The user in every id and text.
pub(super) const USER: &str = "zoe";

/// A value of a type with all its members.
pub(super) fn filled<T: DeserializeOwned>() -> T {
    T::deserialize(Filled("")).expect("a value of every member")
}

/// Every place of free JSON in which a person can stand.
pub(super) fn free() -> Value {
    json!({
        "id": "x", "by": { "userId": USER, "name": USER, "email": "zoe@example.com" },
        "lastUpdatedBy": USER, "ownerUserId": USER, "userIds": [USER, "bob"],
        "notifyUsers": { "zoe": true, "bob": true }, "comments": [
            { "commentId": 1, "from": { "userId": USER }, "commentText": "Words of zoe" },
            { "commentId": 2, "from": { "userId": "bob" }, "commentText": "{{zoe}}" },
        ],
    })
}

/// The value of a member with this name.
struct Filled(&'static str);

impl Filled {
    fn text(&self) -> &'static str {
        match self.0 {
            "email" => "zoe@example.com",
            "photoUrl" | "url" | "iconUrl" => "https://example.com/",
            "commentText" | "commentHtml" | "displayBodyMessage" | "title" | "description" => {
                "{{zoe}}"
            }
            _ => USER,
        }
    }

    /// The members of a map: of flattened types with what those need.
    fn members(&self) -> Value {
        let mut members = free();
        match self.0 {
            "holders" => return json!({ "g": { "role": "viewer", "given": 1 } }),
            "suggestion" => members["status"] = json!("pending"),
            "reason" => {
                for (name, value) in
                    [("title", "{{zoe}}"), ("description", "{{zoe}}"), ("severity", "low")]
                {
                    members[name] = json!(value);
                }
            }
            _ => {}
        }
        members
    }
}

impl<'de> Deserializer<'de> for Filled {
    type Error = Error;

    /// Free JSON, or a number of any kind.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            "duration" => visitor.visit_u64(1),
            _ => free().into_deserializer().deserialize_any(visitor).map_err(custom),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.text())
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.text())
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_bool(true)
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u64(1)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_u32(1)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i32(1)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_i64(1)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_f64(1.0)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Elements { name: self.0, left: 1 })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Elements { name: self.0, left: len })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_map(Members { fields, at: "" })
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            "subscribed" | "unsubscribed" | "notifyUsers" => {
                visitor.visit_map(Members { fields: &[USER], at: "" })
            }
            "changes" => visitor.visit_map(Members { fields: &["assignedTo", "userIds"], at: "" }),
            "recordingEditVersions" => visitor.visit_map(Members { fields: &["1"], at: "" }),
            // A summary is a list of numbers.
            "people" => json!({ "zoe": [1, 1, 1, 1, 1] })
                .into_deserializer()
                .deserialize_map(visitor)
                .map_err(custom),
            _ => self.members().into_deserializer().deserialize_map(visitor).map_err(custom),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(Variant(variants[0]))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_str(self.0)
    }

    forward_to_deserialize_any! {
        i8 i16 i128 u8 u16 u128 f32 char bytes byte_buf unit unit_struct tuple_struct ignored_any
    }
}

fn custom(error: serde_json::Error) -> Error {
    serde::de::Error::custom(error)
}

struct Elements {
    name: &'static str,
    left: usize,
}

impl<'de> SeqAccess<'de> for Elements {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        seed.deserialize(Filled(self.name)).map(Some)
    }
}

struct Members {
    fields: &'static [&'static str],
    at: &'static str,
}

impl<'de> MapAccess<'de> for Members {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Error> {
        let [first, rest @ ..] = self.fields else { return Ok(None) };
        (self.at, self.fields) = (first, rest);
        match first.parse::<u64>() {
            Ok(number) => seed.deserialize(number.into_deserializer()).map(Some),
            Err(_) => seed.deserialize(first.into_deserializer()).map(Some),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Filled(self.at))
    }
}

struct Variant(&'static str);

impl<'de> EnumAccess<'de> for Variant {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let value = seed.deserialize(self.0.into_deserializer())?;
        Ok((value, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(Filled(""))
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Elements { name: "", left: len })
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_map(Members { fields, at: "" })
    }
}
