//! Event sources of workers.

use queue::Queue;
use store::Table;

/// Event source of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// Messages of a queue, each an envelope of a tenant's message.
    Queue(Queue),
    /// Events on items of these tables, from the streams.
    Stream(&'static [Table]),
    /// Changes of items of this table whose sort key begins with one of these, from its stream.
    Changes(Table, &'static [&'static str]),
    /// A call of an operator, for events that items of these tables still carry.
    Operator(&'static [Table]),
    /// The minute timer.
    EveryMinute,
}
