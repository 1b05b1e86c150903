//! The outbox, emptied: from the stream of events into the queues of those who act on them.

service::workers! {
    /// Sends each event to the queues that want it.
    events::FanOutEvents,
    /// Sends an event that failed there, by itself.
    retry::RetryFanOut,
}
