use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// Declares lists of bounded length.
macro_rules! lists {
    ($($(#[$doc:meta])* $name:ident<T $(, const $max:ident: usize)?>: $lo:expr, $hi:expr;)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(try_from = "Vec<T>", into = "Vec<T>", bound(serialize = "T: Serialize + Clone"))]
        pub struct $name<T $(, const $max: usize)?>(Vec<T>);

        impl<T $(, const $max: usize)?> TryFrom<Vec<T>> for $name<T $(, $max)?> {
            type Error = String;
            fn try_from(items: Vec<T>) -> Result<Self, String> {
                if ($lo..=$hi).contains(&items.len()) {
                    return Ok(Self(items));
                }
                Err(match $hi {
                    usize::MAX => "must not be empty".to_owned(),
                    max => format!("must hold {} to {max} items", $lo),
                })
            }
        }

        impl<T $(, const $max: usize)?> From<$name<T $(, $max)?>> for Vec<T> {
            fn from(items: $name<T $(, $max)?>) -> Self {
                items.0
            }
        }

        impl<T $(, const $max: usize)?> IntoIterator for $name<T $(, $max)?> {
            type Item = T;
            type IntoIter = std::vec::IntoIter<T>;
            fn into_iter(self) -> Self::IntoIter {
                self.0.into_iter()
            }
        }

        impl<T $(, const $max: usize)?> std::ops::Deref for $name<T $(, $max)?> {
            type Target = [T];
            fn deref(&self) -> &[T] {
                &self.0
            }
        }

        impl<T: JsonSchema $(, const $max: usize)?> JsonSchema for $name<T $(, $max)?> {
            fn schema_name() -> Cow<'static, str> {
                format!("{}{}To{}", T::schema_name(), $lo, $hi).into()
            }
            fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                let mut schema = <Vec<T>>::json_schema(generator);
                schema.insert("minItems".to_owned(), $lo.into());
                if $hi < usize::MAX {
                    schema.insert("maxItems".to_owned(), $hi.into());
                }
                schema
            }
            fn inline_schema() -> bool {
                true
            }
        }
    )+};
}

lists! {
    /// Items of a batch: 1 to 500.
    Batch<T>: 1_usize, 500_usize;
    /// A list with at least one element.
    NonEmpty<T>: 1_usize, usize::MAX;
    /// A list of at most `MAX` elements.
    AtMost<T, const MAX: usize>: 0_usize, MAX;
    /// A list of 1 to `MAX` elements.
    UpTo<T, const MAX: usize>: 1_usize, MAX;
}

impl<T, const MAX: usize> Default for AtMost<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::{AtMost, Batch};

    #[test]
    fn a_batch_holds_1_to_500_items() {
        for (n, allowed) in [(0, false), (1, true), (500, true), (501, false)] {
            assert_eq!(Batch::try_from(vec![0; n]).is_ok(), allowed, "{n}");
        }
    }

    #[test]
    fn a_filter_may_be_empty_but_not_longer_than_its_bound() {
        assert!(AtMost::<u8, 2>::try_from(vec![]).is_ok());
        assert!(AtMost::<u8, 2>::try_from(vec![0; 2]).is_ok());
        assert!(AtMost::<u8, 2>::try_from(vec![0; 3]).is_err());
    }
}
