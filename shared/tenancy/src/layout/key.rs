//! Key grammar: `name#value` pairs joined by `#`, every value escaped.
//!
//! Values are callers' strings. Escaping makes the grammar injective; a value that grows beyond
//! [`MAX_VALUE_BYTES`] is replaced by its digest, so that three of the longest ids fit into a sort
//! key (1,024 bytes) and six into a partition key (2,048 bytes).

/// Maximum length of a readable escaped value.
const MAX_VALUE_BYTES: usize = 256;

/// A partition or sort key, or a prefix of one. Built from parts only, so that a value cannot
/// imitate structure.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(String);

impl Key {
    /// A key of one name: a singleton of its partition.
    pub fn named(name: &'static str) -> Self {
        Self(name.to_owned())
    }

    /// A key of one pair.
    pub fn pair(name: &'static str, value: &str) -> Self {
        let mut key = Self(String::with_capacity(name.len() + value.len() + 1));
        key.push(name, value);
        key
    }

    /// This key and a pair.
    pub fn and(&self, name: &'static str, value: &str) -> Self {
        let mut key = self.clone();
        key.0.push('#');
        key.push(name, value);
        key
    }

    /// This key and a value from another key.
    pub fn and_escaped(&self, name: &'static str, value: &str) -> Self {
        Self(format!("{}#{name}#{value}", self.0))
    }

    /// This key followed by all pairs of `other`.
    pub fn join(&self, other: &Self) -> Self {
        Self(format!("{}#{}", self.0, other.0))
    }

    /// The prefix of exactly the longer keys that begin with these pairs.
    pub fn prefix(&self) -> String {
        format!("{}#", self.0)
    }

    /// The prefix of keys that continue with such a pair, whatever its value.
    pub fn and_prefix(&self, name: &'static str) -> String {
        format!("{}#{name}#", self.0)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of the last pair.
    pub(crate) fn last_name(&self) -> Option<&str> {
        last_name(&self.0)
    }

    fn push(&mut self, name: &'static str, value: &str) {
        self.0.push_str(name);
        self.0.push('#');
        let start = self.0.len();
        for c in value.chars() {
            match c {
                '%' => self.0.push_str("%25"),
                '#' => self.0.push_str("%23"),
                c => self.0.push(c),
            }
        }
        if self.0.len() - start > MAX_VALUE_BYTES {
            self.0.truncate(start);
            // No escaped value starts with two of these.
            self.0.push_str("%%");
            self.0.push_str(&keyring::sha256_hex(value));
        }
    }
}

/// The value of an escaped one in a stored key; none where the key has its digest.
pub fn unescaped(value: &str) -> Option<String> {
    // Escaped last, so that no `%23` comes out of it.
    (!value.starts_with("%%")).then(|| value.replace("%23", "#").replace("%25", "%"))
}

/// The name of the last pair of a stored key.
pub(crate) fn last_name(key: &str) -> Option<&str> {
    key.split('#').step_by(2).last()
}

impl From<Key> for String {
    fn from(key: Key) -> Self {
        key.0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Key;

    #[test]
    fn a_value_cannot_pose_as_structure() {
        let forged = Key::pair("org", "a#doc#b");
        let honest = Key::pair("org", "a").and("doc", "b");
        assert_ne!(forged, honest);
        assert_ne!(Key::pair("org", "%23"), Key::pair("org", "#"));
        assert!(!Key::pair("doc", "ab").as_str().starts_with(&Key::pair("doc", "a").prefix()));
    }

    #[test]
    fn the_longest_ids_fit() {
        let worst = "#".repeat(256);
        let plain = "x".repeat(256);
        assert_eq!(super::unescaped("%23%2523%25"), Some("#%23%".to_owned()));
        assert_eq!(super::unescaped(Key::pair("d", &worst).as_str().split_at(2).1), None);
        for id in [&worst, &plain] {
            let sort = Key::pair("document-grant", id).and("user", id).and("reaction", id);
            assert!(sort.as_str().len() <= 1024, "{}", sort.as_str().len());
            let partition =
                Key::pair("key", id).and("organization", id).and("document", id).and("e", id);
            assert!(partition.as_str().len() <= 2048);
        }
        assert_eq!(Key::pair("d", &plain).as_str(), format!("d#{plain}"), "stays readable");
    }

    /// Ids that imitate keys.
    fn hostile() -> impl Strategy<Value = String> {
        prop_oneof![
            "[#%a]{1,12}",
            "[#%a]{250,256}",
            "(a|#doc#|%23|%25|%%|user#){1,6}",
            "\\PC{1,40}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn different_ids_make_different_keys(
            a in prop::collection::vec(hostile(), 1..4), b in prop::collection::vec(hostile(), 1..4),
        ) {
            let key = |ids: &[String]| {
                let names = ["org", "doc", "user"];
                let pairs = ids.iter().zip(names).skip(1);
                pairs.fold(Key::pair("org", &ids[0]), |key, (id, name)| key.and(name, id))
            };
            prop_assert_eq!(a == b, key(&a) == key(&b));
            let beyond = key(&a).as_str().starts_with(&key(&b).prefix());
            prop_assert_eq!(beyond, a.len() > b.len() && a[..b.len()] == b[..]);
        }
    }
}
