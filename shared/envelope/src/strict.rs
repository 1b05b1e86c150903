//! Decodes typed values from parsed JSON more strictly than serde_json, which accepts an array for
//! any object; and records unknown members.

use serde::{
    Deserializer,
    de::{
        Error as _, IntoDeserializer, Unexpected, Visitor,
        value::{MapDeserializer, SeqDeserializer},
    },
    forward_to_deserialize_any,
};
use serde_json::{Error, Value};

use crate::unknown::Seen;

#[derive(Clone, Copy)]
pub(crate) struct Strict<'a> {
    value: &'a Value,
    seen: &'a Seen<'a>,
}

impl<'a> Strict<'a> {
    /// Decodes `value`, and records unknown members in `seen`.
    pub(crate) fn new(value: &'a Value, seen: &'a Seen<'a>) -> Self {
        Self { value, seen }
    }
}

impl<'a> IntoDeserializer<'a, Error> for Strict<'a> {
    type Deserializer = Self;
    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Strict<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_unit(),
            Value::Bool(value) => visitor.visit_bool(*value),
            Value::Number(number) => {
                if let Some(n) = number.as_u64() {
                    visitor.visit_u64(n)
                } else if let Some(n) = number.as_i64() {
                    visitor.visit_i64(n)
                } else {
                    visitor.visit_f64(number.as_f64().unwrap_or(f64::NAN))
                }
            }
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Array(elements) => {
                let mut list =
                    SeqDeserializer::new(elements.iter().map(|value| Self { value, ..self }));
                let value = visitor.visit_seq(&mut list)?;
                list.end()?;
                Ok(value)
            }
            Value::Object(members) => {
                let members =
                    members.iter().map(|(name, value)| (name.as_str(), Self { value, ..self }));
                let mut map = MapDeserializer::new(members);
                let value = visitor.visit_map(&mut map)?;
                map.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if let Value::Array(_) = self.value {
            return Err(Error::invalid_type(Unexpected::Seq, &"an object"));
        }
        self.seen.note(self.value, fields);
        self.deserialize_any(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.value {
            Value::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.value.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf
        unit unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}
