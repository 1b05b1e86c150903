//! Numbers of users by ranges of ids. The first user of an id stays.

use std::collections::BTreeMap;

use super::IdRange;

/// Known ranges that one new range passes at most; behind them nothing is noted. An update of a few
/// bytes may name all clocks of a client.
const MAX_PASSED: usize = 10_000;

/// The user of ranges that are known and nobody's.
pub(super) const NOBODY: u32 = 0;

/// By client and first clock: the end, and the number of the user.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    clients: BTreeMap<u64, BTreeMap<u32, (u32, u32)>>,
    count: usize,
}

impl Ranges {
    /// Gives what is not known yet of a range to a user, unless there are `most` ranges.
    pub(super) fn add(&mut self, range: IdRange, user: u32, most: usize) {
        let Self { clients, count } = self;
        let (mut at, end) = (range.clock, range.end());
        if at >= end || *count >= most {
            return;
        }
        let known = clients.entry(range.client).or_default();
        if let Some((_, (before, _))) = known.range(..=at).next_back() {
            at = at.max(*before);
        }
        for _ in 0..MAX_PASSED {
            if at >= end || *count >= most {
                return;
            }
            let next = known.range(at..end).next().map(|(start, (end, _))| (*start, *end));
            let (stop, go_on) = next.unwrap_or((end, end));
            if at < stop {
                insert(known, count, at, stop, user);
            }
            at = go_on;
        }
    }

    /// The parts of a range, each with its user; none for what is not known.
    pub(super) fn parts(&self, range: IdRange) -> Vec<(IdRange, Option<u32>)> {
        let (mut at, end) = (range.clock, range.end());
        let mut parts = Vec::new();
        let mut push = |from: u32, to: u32, user: Option<u32>| {
            if from < to {
                parts.push((IdRange { clock: from, length: to - from, ..range }, user));
            }
        };
        if let Some(known) = self.clients.get(&range.client) {
            let first = known.range(..=at).next_back().map_or(at, |(start, _)| *start);
            for (start, (stop, user)) in known.range(first..end.max(first)) {
                let (start, stop) = ((*start).max(at), (*stop).min(end));
                if start < stop {
                    push(at, start, None);
                    push(start, stop, Some(*user));
                    at = stop;
                }
            }
        }
        push(at, end, None);
        parts
    }

    /// All ranges and their users, by client and clock.
    pub(super) fn iter(&self) -> impl Iterator<Item = (IdRange, u32)> + '_ {
        self.clients.iter().flat_map(|(client, known)| {
            known.iter().map(|(start, (end, user))| {
                (IdRange { client: *client, clock: *start, length: end - start }, *user)
            })
        })
    }
}

/// Inserts a range of which nothing is known.
fn insert(
    known: &mut BTreeMap<u32, (u32, u32)>,
    count: &mut usize,
    start: u32,
    end: u32,
    user: u32,
) {
    let is_of = |(_, by): &(u32, u32)| *by == user;
    let after = known.get(&end).copied().filter(is_of);
    let before = known.range(..start).next_back().map(|(clock, range)| (*clock, *range));
    let before = before.filter(|(_, range)| range.0 == start && is_of(range));
    if after.is_some() {
        known.remove(&end);
        *count -= 1;
    }
    if before.is_none() {
        *count += 1;
    }
    let start = before.map_or(start, |(clock, _)| clock);
    known.insert(start, (after.map_or(end, |(end, _)| end), user));
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::{collection::vec, prelude::*};

    use super::{IdRange, Ranges};

    proptest! {
        #[test]
        fn the_first_user_of_an_id_stays(
            added in vec((0_u64..2, 0_u32..40, 0_u32..12, 0_u32..3), 0..40),
        ) {
            let (mut ranges, mut model) = (Ranges::default(), BTreeMap::new());
            for (client, clock, length, user) in added {
                ranges.add(IdRange { client, clock, length }, user, usize::MAX);
                for at in clock..clock + length {
                    model.entry((client, at)).or_insert(user);
                }
            }
            let all: Vec<_> = ranges.iter().collect();
            prop_assert_eq!(all.len(), ranges.count);
            // Neighbours of one user are one range.
            for pair in all.windows(2) {
                let [(first, user), (second, by)] = pair else { continue };
                let is_next = first.client == second.client && first.end() == second.clock;
                prop_assert!(!is_next || user != by);
            }
            for client in 0..2 {
                let whole = IdRange { client, clock: 0, length: 60 };
                let parts = ranges.parts(whole);
                prop_assert_eq!(parts.iter().map(|(part, _)| part.length).sum::<u32>(), 60);
                for (part, user) in parts {
                    for at in part.clock..part.end() {
                        prop_assert_eq!(user, model.get(&(client, at)).copied());
                    }
                }
            }
        }
    }

    #[test]
    fn no_more_ranges_are_noted_than_allowed() {
        let mut ranges = Ranges::default();
        for clock in 0..20 {
            ranges.add(IdRange { client: 1, clock: clock * 2, length: 1 }, 1, 8);
        }
        assert_eq!(ranges.count, 8);
    }
}
