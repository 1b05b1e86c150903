//! The time line of a simulation.

use std::collections::BTreeMap;

/// Items in the order of time; items of the same time, in the order of their entry.
#[derive(Clone, Debug)]
pub struct Line<T> {
    items: BTreeMap<(u64, u64), T>,
    serial: u64,
}

impl<T> Default for Line<T> {
    fn default() -> Self {
        Self { items: BTreeMap::new(), serial: 0 }
    }
}

impl<T> Line<T> {
    /// A number that was not drawn before, for ids and versions.
    pub fn serial(&mut self) -> u64 {
        self.serial += 1;
        self.serial
    }

    /// Enters something that happens at that time.
    pub fn at(&mut self, time: u64, item: T) {
        let serial = self.serial();
        self.items.insert((time, serial), item);
    }

    /// The time of the next thing; the end of time if there is none.
    pub fn next_at(&self) -> u64 {
        self.items.first_key_value().map_or(u64::MAX, |((at, _), _)| *at)
    }

    /// Takes the next thing off the line.
    pub fn pop(&mut self) -> Option<T> {
        self.items.pop_first().map(|(_, item)| item)
    }

    /// All items that are still to come.
    pub fn items(&self) -> impl Iterator<Item = &T> {
        self.items.values()
    }
}
