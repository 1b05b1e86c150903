//! The visitor that finds people.

use std::collections::{BTreeMap, BTreeSet};

use super::visit::{Fate, Part, People};
use crate::UserId;

/// People whom a value may name in passing before it is found by [`UserId::crowd`] instead: each
/// costs a row.
const MAX_BESIDE: usize = 50;

/// The people whom a value names, and how.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Find(BTreeMap<UserId, BTreeSet<Part>>);

impl Find {
    /// Everybody.
    pub fn users(&self) -> impl Iterator<Item = &UserId> {
        self.0.keys()
    }

    /// How it names a user.
    pub fn parts(&self, user: &UserId) -> impl Iterator<Item = Part> {
        self.0.get(user).into_iter().flatten().copied()
    }

    /// Whether it names a user.
    pub fn names(&self, user: &UserId) -> bool {
        self.0.contains_key(user)
    }

    /// The people named in a part that `is_meant`.
    pub fn in_part(&self, is_meant: impl Fn(Part) -> bool) -> BTreeSet<UserId> {
        let named = self.0.iter().filter(|(_, parts)| parts.iter().any(|part| is_meant(*part)));
        named.map(|(user, _)| user.clone()).collect()
    }

    /// The people who are named in passing and in no other part. The deleted user is nobody.
    pub fn beside(&self) -> BTreeSet<UserId> {
        let is_beside = |parts: &BTreeSet<Part>| parts.iter().all(|part| *part == Part::Beside);
        let named = self.0.iter().filter(|(_, parts)| is_beside(parts)).map(|(user, _)| user);
        let named: BTreeSet<UserId> =
            named.filter(|user| **user != UserId::deleted()).cloned().collect();
        if named.len() > MAX_BESIDE { [UserId::crowd()].into() } else { named }
    }
}

impl People for Find {
    fn named(&mut self, part: Part, user: &str) -> Fate<'_> {
        // No user has another text as id.
        if let Ok(user) = UserId::try_from(user.to_owned()) {
            self.0.entry(user).or_default().insert(part);
        }
        Fate::Stays
    }

    fn text(&mut self, text: &mut String) {
        for mention in mentions(text) {
            self.named(Part::Beside, mention);
        }
    }

    fn has_changed(&self) -> bool {
        false
    }
}

/// The ids in a text of the form `{{userId}}`.
pub(super) fn mentions(text: &str) -> impl Iterator<Item = &str> {
    let (mut at, mut begin) = (0, None);
    std::iter::from_fn(move || {
        while let Some(pair) = text.as_bytes().get(at..at + 2) {
            match pair {
                // Of several brackets, the last ones open.
                b"{{" => (at, begin) = (at + 1, Some(at + 2)),
                b"}}" => {
                    let id = begin.take().and_then(|begin| text.get(begin..at));
                    at += 2;
                    if let Some(id) = id.filter(|id| !id.is_empty()) {
                        return Some(id);
                    }
                }
                _ => at += 1,
            }
        }
        None
    })
}
