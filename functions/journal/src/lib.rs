//! The journal: the runtime numbers the events of the streams; the journal stores those with
//! subscribers and dispatches them to the queues.

service::workers! {
    /// Stores each event with subscribers and dispatches it.
    events::JournalEvents,
    /// Dispatches a single event that failed in the stream or takes long.
    retry::RetryEvent,
}

mod access;
mod pass_on;

pub use access::ACCESS;
use service::Table;

/// The tables whose items carry events.
const TABLES: &[Table] = &[Table::Resources, Table::Crdt];
