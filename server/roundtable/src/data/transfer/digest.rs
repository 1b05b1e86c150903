//! A digest of items or messages in any order, to compare those of two places.

use std::fmt;

use serde_json::Value;
use sha2::{Digest as _, Sha256};

/// How many there are, and the sum of their hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Digest {
    pub(crate) count: u64,
    sum: [u64; 4],
}

impl Digest {
    pub(crate) fn add(&mut self, value: &Value) {
        let mut text = String::new();
        write(value, &mut text);
        let hash = Sha256::digest(text);
        self.count += 1;
        for (sum, bytes) in self.sum.iter_mut().zip(hash.as_chunks().0) {
            *sum = sum.wrapping_add(u64::from_be_bytes(*bytes));
        }
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sum.iter().try_for_each(|word| write!(f, "{word:016x}"))
    }
}

/// Writes the same text for equal items: members and elements of sets have no order.
fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut names: Vec<&String> = members.keys().collect();
            names.sort_unstable();
            text.push('{');
            for name in names {
                text.push_str(&Value::from(name.as_str()).to_string());
                let mut member = members[name].clone();
                if let ("SS" | "NS" | "BS", Some(set)) = (name.as_str(), member.as_array_mut())
                    && set.iter().all(Value::is_string)
                {
                    set.sort_unstable_by(|a, b| a.as_str().cmp(&b.as_str()));
                }
                write(&member, text);
            }
            text.push('}');
        }
        Value::Array(elements) => {
            text.push('[');
            for element in elements {
                write(element, text);
                text.push(',');
            }
            text.push(']');
        }
        plain => text.push_str(&plain.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Digest;

    fn of(values: &[serde_json::Value]) -> Digest {
        let mut digest = Digest::default();
        values.iter().for_each(|value| digest.add(value));
        digest
    }

    #[test]
    fn a_digest_depends_on_the_items_and_not_on_their_order() {
        let (a, b) = (json!({ "a": { "SS": ["x", "y"] }, "b": { "N": "1" } }), json!({}));
        let turned = json!({ "b": { "N": "1" }, "a": { "SS": ["y", "x"] } });
        assert_eq!(of(&[a.clone(), b.clone()]), of(&[b.clone(), turned]));
        let list = |elements| json!({ "a": { "L": elements } });
        let (xy, yx) = (json!([{ "S": "x" }, { "S": "y" }]), json!([{ "S": "y" }, { "S": "x" }]));
        for (one, other) in [
            (of(std::slice::from_ref(&a)), of(&[a.clone(), a.clone()])),
            (of(&[list(xy)]), of(&[list(yx)])),
            (of(&[json!({ "a": { "S": "1" } })]), of(&[json!({ "a": { "N": "1" } })])),
            (of(std::slice::from_ref(&b)), Digest::default()),
        ] {
            assert_ne!(one.to_string(), other.to_string());
        }
    }
}
