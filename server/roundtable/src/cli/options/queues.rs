//! Commands for the queues of the service that has the data folder.

use clap::Subcommand;

#[derive(Clone, Debug, Subcommand)]
pub(crate) enum QueueCommand {
    /// Show how many messages wait in each queue of the running service, and its dead letters.
    Queues,
    /// Show the newest dead letters of a queue of the running service with their reasons, a line of
    /// JSON each.
    DeadLetters {
        /// The name of the queue, as `roundtable queues` shows it.
        queue: String,
    },
    /// Put the dead letters of a queue of the running service back into it.
    Redrive {
        /// The name of the queue, as `roundtable queues` shows it.
        queue: String,
    },
}
