use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name of a mark in the schema of an editor: a letter, and up to 63 letters, digits, `_` and
/// `-`; or nothing, which names no mark.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(!try_from, !into)]
pub struct MarkName(
    #[schemars(length(max = 64), regex(pattern = r"^([A-Za-z][A-Za-z0-9_-]*)?$"))] String,
);

impl MarkName {
    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it names no mark.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }
}

impl TryFrom<String> for MarkName {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, &'static str> {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let begins = name.bytes().next().is_none_or(|first| first.is_ascii_alphabetic());
        match begins && name.len() <= 64 && name.bytes().all(is_part) {
            true => Ok(Self(name)),
            false => Err("must be a letter, and up to 63 letters, digits, _ and -"),
        }
    }
}

impl From<MarkName> for String {
    fn from(name: MarkName) -> Self {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::MarkName;

    #[test]
    fn a_mark_has_a_name_of_letters() {
        let name = |text: &str| MarkName::try_from(text.to_owned());
        assert!(name("").unwrap().is_none());
        assert!(name("comment").is_ok() && name(&"a".repeat(64)).is_ok());
        for wrong in ["1", "-a", "a b", "a--é", "{}", &"a".repeat(65)] {
            assert!(name(wrong).is_err(), "{wrong}");
        }
    }
}
