//! The rows of the desk change as those in the database.

use conformance::{Bench, rows_change_by_compare_and_set};
use model::Millis;

use crate::desk::{Desk, now};

struct Desks([Desk; 2]);

impl Bench for Desks {
    type Rows = Desk;

    fn tenant(&self, number: usize) -> &Desk {
        &self.0[number]
    }

    fn advance(&self, by: Millis) {
        for desk in &self.0 {
            desk.with(|it| it.now += by);
        }
    }
}

#[test]
fn the_rows_of_the_desk_change_as_those_in_the_database() {
    let desks = Desks([(); 2].map(|()| Desk::new(Default::default())));
    now(rows_change_by_compare_and_set(&desks));
}
