//! The journal: events come from the streams with their numbers (the runtime gives them), are kept
//! where they have subscribers, and go to the queues of those who act on them.

service::workers! {
    /// Keeps each event that has a subscriber and sends it on.
    events::JournalEvents,
    /// Passes on events that the stream forgot unread.
    repair::RepairEvents,
    /// Passes on an event by itself: one that failed there, or takes its time.
    retry::RetryEvent,
}

mod pass_on;

use service::Table;

/// The tables whose items carry events.
const TABLES: &[Table] = &[Table::Resources, Table::Crdt];
