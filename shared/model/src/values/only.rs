use std::{borrow::Borrow, collections::BTreeSet};

use serde::{Serialize, Serializer};

/// The values that a filter lets through: all unless it was sent, and none if it was sent empty. A
/// caller that computes a list of ids and finds none means none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Only<T>(Option<BTreeSet<T>>);

impl<T: Ord> Only<T> {
    /// Whether the filter lets a value through.
    pub fn keeps<Q: Ord + ?Sized>(&self, value: &Q) -> bool
    where
        T: Borrow<Q>,
    {
        self.0.as_ref().is_none_or(|named| named.contains(value))
    }

    /// Whether the filter lets one of these through.
    pub fn keeps_one_of(&self, values: &BTreeSet<T>) -> bool {
        self.0.as_ref().is_none_or(|named| !named.is_disjoint(values))
    }

    /// The values that were sent; none for a filter that was not.
    pub fn named(&self) -> Option<&BTreeSet<T>> {
        self.0.as_ref()
    }
}

/// As the list of its values: a page token is bound to it, and a list of nothing has no pages.
impl<T: Serialize> Serialize for Only<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().flatten())
    }
}

impl<T> Default for Only<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T: Ord, L: IntoIterator<Item = T>> From<Option<L>> for Only<T> {
    fn from(sent: Option<L>) -> Self {
        Self(sent.map(|values| values.into_iter().collect()))
    }
}

impl<T: Ord, const N: usize> From<[T; N]> for Only<T> {
    fn from(named: [T; N]) -> Self {
        Some(named).into()
    }
}

#[cfg(test)]
mod tests {
    use super::Only;

    #[test]
    fn what_was_not_sent_keeps_everything_and_what_is_empty_nothing() {
        let none = || -> [u8; 0] { [] };
        let (all, nothing, some) = (Only::default(), Only::from(none()), Only::from([1, 2]));
        assert!(all.keeps(&1) && !nothing.keeps(&1) && some.keeps(&1) && !some.keeps(&3));
        let of = |values: &[u8]| values.iter().copied().collect();
        assert!(all.keeps_one_of(&of(&[])) && !nothing.keeps_one_of(&of(&[1])));
        assert!(some.keeps_one_of(&of(&[2, 3])) && !some.keeps_one_of(&of(&[3])));
    }
}
