use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, de};

/// An integer of the closed range `MIN..=MAX`. `10.0` is accepted, `10.5`, `"10"` and `true` are
/// not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Bounded<const MIN: u64, const MAX: u64>(u64);

impl<const MIN: u64, const MAX: u64> Bounded<MIN, MAX> {
    /// The value of the range closest to `n`.
    pub const fn nearest(n: u64) -> Self {
        if n < MIN {
            Self(MIN)
        } else if n > MAX {
            Self(MAX)
        } else {
            Self(n)
        }
    }

    /// The number.
    pub fn get(self) -> u64 {
        self.0
    }
}

impl<'de, const MIN: u64, const MAX: u64> Deserialize<'de> for Bounded<MIN, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Clone, Copy)]
        struct Visitor<const MIN: u64, const MAX: u64>;

        impl<const MIN: u64, const MAX: u64> de::Visitor<'_> for Visitor<MIN, MAX> {
            type Value = u64;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "an integer between {MIN} and {MAX}")
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> Result<u64, E> {
                let invalid = || E::invalid_value(de::Unexpected::Unsigned(n), &self);
                if (MIN..=MAX).contains(&n) { Ok(n) } else { Err(invalid()) }
            }

            fn visit_i64<E: de::Error>(self, n: i64) -> Result<u64, E> {
                let n = u64::try_from(n);
                self.visit_u64(n.map_err(|_| E::invalid_value(de::Unexpected::Signed(-1), &self))?)
            }

            fn visit_f64<E: de::Error>(self, n: f64) -> Result<u64, E> {
                // Above 2^53 not every integer has a float of its own.
                if n.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&n) {
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_sign_loss,
                        reason = "checked"
                    )]
                    return self.visit_u64(n as u64);
                }
                Err(E::invalid_value(de::Unexpected::Float(n), &self))
            }
        }

        deserializer.deserialize_u64(Visitor::<MIN, MAX>).map(Self)
    }
}

impl<const MIN: u64, const MAX: u64> JsonSchema for Bounded<MIN, MAX> {
    fn schema_name() -> Cow<'static, str> {
        format!("Integer{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "integer", "minimum": MIN, "maximum": MAX })
    }

    fn inline_schema() -> bool {
        true
    }
}

/// Maximum number of items on a page; 1000 by default (contract `conventions.paging`).
pub type PageSize = Bounded<1, 1000>;

/// Maximum number of items on a page of a list with two directions; 50 by default (contract
/// `webhook-endpoints.get`).
pub type WalkSize = Bounded<1, 250>;

/// The one text of a number: `1.0` and `1e0` are the integer 1, as every client reads them.
pub fn number_text(number: &serde_json::Number) -> String {
    const DIGITS: f64 = 1e21;
    match number.as_f64() {
        _ if number.is_i64() || number.is_u64() => number.to_string(),
        Some(0.0) => "0".to_owned(),
        Some(float) if float.fract() == 0.0 && float.abs() < DIGITS => format!("{float:.0}"),
        _ => number.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::Bounded;

    fn read(json: &str) -> Result<u64, String> {
        serde_json::from_str::<Bounded<2, 50>>(json).map(Bounded::get).map_err(|e| e.to_string())
    }

    #[test]
    fn the_edges_are_allowed_and_what_lies_beyond_is_not() {
        assert_eq!(read("2"), Ok(2));
        assert_eq!(read("50"), Ok(50));
        assert_eq!(read("10.0"), Ok(10));
        for json in
            ["1", "51", "0", "-3", "10.5", "\"10\"", "true", "null", "[]", "1e300", "2.0000001"]
        {
            assert!(read(json).is_err(), "{json}");
        }
        assert!(read("51").unwrap_err().contains("an integer between 2 and 50"));
    }
}
