//! Budget of the search for a small update, and of writing it.

use std::{
    cell::{Cell, OnceCell},
    time::{Duration, Instant},
};

/// Time limit of the search; after it, a larger update is used. Debug builds take several times as
/// long.
const TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 400 } else { 100 });

/// Limit of moved bytes. The library stores the blocks of a client in one list, and each cut in the
/// middle moves half of it.
const MOVES: usize = 400_000_000;

/// Number of positions of a small document that may be changed separately.
const PLACES: usize = 4000;

/// The budget of one replacement. When it is used up, the rest is replaced at once.
pub(crate) struct Budget {
    deadline: OnceCell<Instant>,
    places: Cell<usize>,
}

impl Budget {
    /// For a document of this size in bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self::of_places((MOVES / bytes.max(1)).min(PLACES))
    }

    /// For changes at this number of positions.
    pub(crate) fn of_places(places: usize) -> Self {
        Self { deadline: OnceCell::new(), places: Cell::new(places) }
    }

    /// Deadline of the search. Earlier work, such as reading, does not count.
    pub(crate) fn deadline(&self) -> Instant {
        *self.deadline.get_or_init(|| Instant::now() + TIME)
    }

    /// Remaining budget of changed positions.
    pub(crate) fn places(&self) -> usize {
        self.places.get()
    }

    /// Pays for changes at this number of positions; returns whether the budget covers them.
    pub(crate) fn pay(&self, places: usize) -> bool {
        let left = self.places.get().checked_sub(places);
        left.inspect(|left| self.places.set(*left)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn larger_documents_are_changed_in_fewer_places() {
        assert_eq!(Budget::new(0).places(), 4000);
        assert_eq!(Budget::new(1_000_000).places(), 400);
        assert_eq!(Budget::new(usize::MAX).places(), 0);
    }

    #[test]
    fn what_the_budget_does_not_cover_is_not_paid() {
        let budget = Budget::of_places(3);
        assert!(budget.pay(2));
        assert!(!budget.pay(2));
        assert!(budget.pay(1) && budget.pay(0) && !budget.pay(1));
    }
}
