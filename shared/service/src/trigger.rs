//! What wakes workers.

use queue::Queue;
use store::Table;

/// Event source of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// Messages of a queue, each an envelope of a tenant's message.
    Queue(Queue),
    /// Events that items of these tables carry, from the streams of the tables.
    Stream(&'static [Table]),
    /// Changes of items of this table whose sort key begins with one of these, from its stream.
    Changes(Table, &'static [&'static str]),
    /// An operator, who orders events that items of these tables still carry.
    Operator(&'static [Table]),
    /// The clock.
    EveryMinute,
}
