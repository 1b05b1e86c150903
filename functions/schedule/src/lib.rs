//! Pending work beyond the delay of a queue, and the test clock (contract `schedule`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Moves the clock of a testing key.
    test_clock_advance::AdvanceTestClock,
}

service::workers! {
    /// Sends hints for due rows to their queues.
    release::Release,
}
