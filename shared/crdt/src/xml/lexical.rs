//! The format of a text of Lexical.

use std::collections::BTreeMap;

use yrs::{Any, types::Attrs};

/// The marks that the bits of a format of Lexical stand for.
const FORMATS: [&str; 11] = [
    "bold",
    "italic",
    "strikethrough",
    "underline",
    "code",
    "subscript",
    "superscript",
    "highlight",
    "lowercase",
    "uppercase",
    "capitalize",
];

/// The marks that the attributes of a text of Lexical stand for.
pub(super) fn formats(attributes: &BTreeMap<String, String>) -> Attrs {
    let bits = attributes.get("__format").and_then(|bits| bits.parse::<u32>().ok());
    let is_set = |bit: &u32| bits.is_some_and(|bits| (bits >> bit) & 1 == 1);
    let marks = (0..).zip(FORMATS).filter(|(bit, _)| is_set(bit));
    marks.map(|(_, name)| (name.into(), Any::from(true))).collect()
}
