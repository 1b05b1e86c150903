//! The meter of a client's requests to DynamoDB.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use aws_sdk_dynamodb::types::ConsumedCapacity;

/// Counts calls and capacity units.
#[derive(Debug, Default)]
pub struct Meter {
    reads: AtomicU64,
    writes: AtomicU64,
    /// Half units: the smallest read costs one.
    half_units_read: AtomicU64,
    half_units_written: AtomicU64,
}

/// Requests to DynamoDB.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Calls that read.
    pub reads: u64,
    /// Calls that write; a transaction is one.
    pub writes: u64,
    /// Read capacity units of successful calls.
    pub read_units: f64,
    /// Write capacity units of successful calls. A failed condition consumes some as well, but
    /// DynamoDB does not report them.
    pub write_units: f64,
}

impl Meter {
    /// Requests so far.
    pub fn usage(&self) -> Usage {
        let units = |halves: &AtomicU64| halves.load(Relaxed) as f64 / 2.0;
        Usage {
            reads: self.reads.load(Relaxed),
            writes: self.writes.load(Relaxed),
            read_units: units(&self.half_units_read),
            write_units: units(&self.half_units_written),
        }
    }

    pub(crate) fn read(&self) {
        self.reads.fetch_add(1, Relaxed);
    }

    pub(crate) fn write(&self) {
        self.writes.fetch_add(1, Relaxed);
    }

    pub(crate) fn consumed_reading<'a>(
        &self,
        consumed: impl IntoIterator<Item = &'a ConsumedCapacity>,
    ) {
        self.half_units_read.fetch_add(half_units(consumed), Relaxed);
    }

    pub(crate) fn consumed_writing<'a>(
        &self,
        consumed: impl IntoIterator<Item = &'a ConsumedCapacity>,
    ) {
        self.half_units_written.fetch_add(half_units(consumed), Relaxed);
    }
}

fn half_units<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) -> u64 {
    let units: f64 = consumed.into_iter().filter_map(|table| table.capacity_units).sum();
    (units * 2.0).round() as u64
}
