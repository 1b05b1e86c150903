//! What is due later than a queue can wait, and the time it goes by.

service::operations! {
    /// Moves the time of a testing key.
    test_clock_advance::AdvanceTestClock,
}

service::workers! {
    /// Sends messages whose time has come to their queues.
    release::Release,
}
