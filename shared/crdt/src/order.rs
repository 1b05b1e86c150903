//! The order of updates: each after its dependencies.
//!
//! Updates of peers arrive in any order, and some never do. The library integrates parts of an
//! update with missing dependencies into the document, and what it then merges and encodes may lose
//! data. Such an update therefore waits here as a whole, and the document never has gaps.

use std::collections::BTreeMap;

use crate::Kind;

/// Known clocks by client: each is the first unknown one.
pub(crate) type Clocks = BTreeMap<u64, u32>;

/// Metadata of an update.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Its size in memory, in bytes.
    pub(crate) footprint: usize,
    /// Its ranges: a client, from one clock to another, in order.
    pub(crate) runs: Vec<(u64, u32, u32)>,
    /// Its dependencies.
    pub(crate) needs: Clocks,
    /// The roots in which it begins a text.
    pub(crate) texts: BTreeMap<String, Kind>,
}

impl Facts {
    pub(crate) fn need(&mut self, client: u64, end: u32) {
        let known = self.needs.entry(client).or_default();
        *known = end.max(*known);
    }

    /// Notes the first item of a root. Characters next to elements are nested text, which is read
    /// as XML.
    pub(crate) fn begin(&mut self, root: &str, kind: Kind) {
        match self.texts.get_mut(root) {
            Some(known) if kind == Kind::Xml => *known = kind,
            Some(_) => {}
            None => drop(self.texts.insert(root.to_owned(), kind)),
        }
    }

    /// The missing dependencies, if any.
    fn lacks(&self, known: &Clocks) -> Option<(u64, u32)> {
        let of = |client: &u64| known.get(client).copied().unwrap_or(0);
        let mut own = Clocks::new();
        for (client, start, end) in &self.runs {
            let known = own.entry(*client).or_insert_with(|| of(client));
            if *start > *known {
                return Some((*client, *start));
            }
            *known = (*end).max(*known);
        }
        let is_there =
            |client: &u64, end: u32| own.get(client).copied().unwrap_or_else(|| of(client)) >= end;
        let lacking = self.needs.iter().find(|(client, end)| !is_there(client, **end));
        lacking.map(|(client, end)| (*client, *end))
    }
}

/// The applicable updates, by position and in this order, and the waiting ones. Afterwards `known`
/// includes the former.
pub(crate) fn causal(updates: &[Facts], known: &mut Clocks) -> (Vec<usize>, Vec<usize>) {
    let mut order = Vec::with_capacity(updates.len());
    // By the client and clock they wait for.
    let mut waiting: BTreeMap<u64, BTreeMap<u32, Vec<usize>>> = BTreeMap::new();
    for first in 0..updates.len() {
        let mut next = vec![first];
        while let Some(at) = next.pop() {
            if let Some((client, clock)) = updates[at].lacks(known) {
                waiting.entry(client).or_default().entry(clock).or_default().push(at);
                continue;
            }
            order.push(at);
            for (client, _, end) in &updates[at].runs {
                let clock = known.entry(*client).or_default();
                *clock = (*end).max(*clock);
                if let Some(others) = waiting.get_mut(client) {
                    let later = others.split_off(&clock.saturating_add(1));
                    next.extend(std::mem::replace(others, later).into_values().flatten());
                }
            }
        }
    }
    let mut left: Vec<usize> =
        waiting.into_values().flat_map(BTreeMap::into_values).flatten().collect();
    left.sort_unstable();
    (order, left)
}

#[cfg(test)]
mod tests {
    use super::{Clocks, Facts, causal};

    fn facts(runs: &[(u64, u32, u32)], needs: &[(u64, u32)]) -> Facts {
        let needs = needs.iter().copied().collect();
        Facts { runs: runs.to_vec(), needs, ..Facts::default() }
    }

    #[test]
    fn each_comes_behind_what_it_needs() {
        let updates = [
            facts(&[(1, 2, 3)], &[]),
            facts(&[(2, 0, 1)], &[(1, 3)]),
            facts(&[(1, 1, 2)], &[]),
            facts(&[(3, 5, 6)], &[]),
            facts(&[(1, 0, 1)], &[]),
            facts(&[], &[(2, 1)]),
            facts(&[], &[(2, 2)]),
        ];
        let mut known = Clocks::new();
        assert_eq!(causal(&updates, &mut known), (vec![4, 2, 0, 1, 5], vec![3, 6]));
        assert_eq!(known, [(1, 3), (2, 1)].into());
        assert_eq!(causal(&updates[3..4], &mut [(3, 5)].into()).0, [0]);
    }

    #[test]
    fn what_an_update_brings_itself_it_does_not_wait_for() {
        let updates = [
            facts(&[(1, 0, 2), (1, 2, 4), (2, 0, 1)], &[(1, 4), (2, 1)]),
            facts(&[(1, 0, 2), (1, 3, 5)], &[]),
            facts(&[(1, 4, 6)], &[(1, 7)]),
        ];
        assert_eq!(causal(&updates, &mut Clocks::new()), (vec![0, 1], vec![2]));
    }

    #[test]
    fn a_long_log_in_reverse_is_ordered_at_once() {
        let updates: Vec<Facts> =
            (0..20_000).rev().map(|at| facts(&[(1, at, at + 1)], &[])).collect();
        let (order, left) = causal(&updates, &mut Clocks::new());
        assert_eq!((order.len(), left.len(), order[0]), (20_000, 0, 19_999));
    }
}
