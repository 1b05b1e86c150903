//! Partial updates in which `null` means something.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};

/// A nullable member of an update: absent keeps the stored value, `null` clears it, a value
/// replaces it. Needs `#[serde(default)]`.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Patch<T> {
    /// Not sent.
    #[default]
    Keep,
    /// `null`.
    Clear,
    /// A value.
    Set(T),
}

impl<T> Patch<T> {
    /// Whether it was not sent.
    pub const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// The value, if one was sent.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }

    /// Applies the update.
    pub fn apply(self, stored: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *stored = None,
            Self::Set(value) => *stored = Some(value),
        }
    }

    /// The value to store where a default replaces an unset member; none when it was not sent.
    pub fn or_default(self) -> Option<T>
    where
        T: Default,
    {
        match self {
            Self::Keep => None,
            Self::Clear => Some(T::default()),
            Self::Set(value) => Some(value),
        }
    }

    /// Maps the value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Patch<U> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(value) => Patch::Set(change(value)),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Patch<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let sent = Option::<T>::deserialize(deserializer)?;
        Ok(sent.map_or(Self::Clear, Self::Set))
    }
}

impl<T: JsonSchema> JsonSchema for Patch<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Patch{}", T::schema_name()).into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Option::<T>::json_schema(generator)
    }

    fn inline_schema() -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::Patch;

    #[derive(Deserialize)]
    struct Sent {
        #[serde(default)]
        n: Patch<u8>,
    }

    #[test]
    fn absent_keeps_null_clears_and_a_value_replaces() {
        for (json, expected) in [("{}", Some(1)), (r#"{"n":null}"#, None), (r#"{"n":2}"#, Some(2))]
        {
            let mut stored = Some(1);
            serde_json::from_str::<Sent>(json).unwrap().n.apply(&mut stored);
            assert_eq!(stored, expected, "{json}");
        }
    }
}
