//! The numbering of events: per document, from 1 without gaps, each exactly once.
//!
//! Writers leave events on the changed items, and the streams of the tables deliver them. A batch
//! of a stream may repeat, entirely or in part, while an older invocation still processes it, and a
//! consumer may die between any two steps. One [`Counter`] per document makes this harmless. It has
//! the last number and, for each *lane* (the events of one partition of one table), the numbered
//! position and the events of the last compare-and-set:
//!
//! ```text
//! beyond the position      new: numbered by one compare-and-set, up to RUN events at once
//! among the digests        a repeat: it has the number it got then, and is passed on once more
//! before that              finished: the next run of a lane begins when the last one was passed on
//! ```
//!
//! This relies on two promises of the caller: the records of a document come in the order of their
//! lane, and a batch begins no later than the first unfinished record. Lanes of one document are
//! processed side by side, each with its own position and digests.
//!
//! The order of steps loses nothing: number, entry of the journal, queues ([`Journal::pass_on`]),
//! end of the batch. [`repair`] does the same for events found on their items after they expired in
//! the stream.
//!
//! The module knows no database and no queue, so the simulator runs the same code.

mod number;
mod port;
mod position;
mod repair;

pub use number::{Counter, Digest, Run, number};
pub use port::{EventEntry, Journal, Numbered, Record, Swap};
pub use position::Position;
pub use repair::{REPAIR, repair};

/// Maximum number of events per compare-and-set: the digests of two lanes and the key of the row
/// fit into one write unit (1 KB).
pub const RUN: usize = 32;
/// Attempts of a run under contention.
const ATTEMPTS: usize = 8;
/// Documents numbered concurrently.
const PARALLEL: usize = 16;
