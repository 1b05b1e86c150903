//! The rows of the tenant change as those in the database.

use conformance::{Bench, rows_change_by_compare_and_set};
use model::Millis;

use crate::memory_tenant::{MemoryTenant, now};

struct MemoryTenants([MemoryTenant; 2]);

impl Bench for MemoryTenants {
    type Rows = MemoryTenant;

    fn tenant(&self, number: usize) -> &MemoryTenant {
        &self.0[number]
    }

    fn advance(&self, by: Millis) {
        for tenant in &self.0 {
            tenant.with(|state| state.now += by);
        }
    }
}

#[test]
fn the_rows_in_memory_change_as_those_in_the_database() {
    let tenants = MemoryTenants([(); 2].map(|()| MemoryTenant::new(Default::default())));
    now(rows_change_by_compare_and_set(&tenants));
}
