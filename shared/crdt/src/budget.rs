//! What a small update may cost to find and to write.

use std::{
    cell::{Cell, OnceCell},
    time::{Duration, Instant},
};

/// How long looking for a smaller update may take; then a larger one does. What is not optimized
/// takes several times as long.
const TIME: Duration = Duration::from_millis(if cfg!(debug_assertions) { 400 } else { 100 });

/// How many bytes of documents may be moved. The library keeps what a client wrote in one list,
/// and each place where something is cut out of the middle moves half of it.
const MOVES: usize = 400_000_000;

/// How many places of a small document may be changed, one by one.
const PLACES: usize = 4000;

/// The budget of one replacement. When it is spent, what is left to change is exchanged at once.
pub(crate) struct Budget {
    deadline: OnceCell<Instant>,
    places: Cell<usize>,
}

impl Budget {
    /// For a document of so many bytes.
    pub(crate) fn new(bytes: usize) -> Self {
        Self::of_places((MOVES / bytes.max(1)).min(PLACES))
    }

    /// For changes in so many places.
    pub(crate) fn of_places(places: usize) -> Self {
        Self { deadline: OnceCell::new(), places: Cell::new(places) }
    }

    /// When to stop looking. What is done before anybody asks, such as reading, does not count.
    pub(crate) fn deadline(&self) -> Instant {
        *self.deadline.get_or_init(|| Instant::now() + TIME)
    }

    /// Remaining budget of changed positions.
    pub(crate) fn places(&self) -> usize {
        self.places.get()
    }

    /// Pays for changes in so many places; returns whether the budget covers them.
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
