//! The numbers of events: per document, from 1 without gaps, each exactly once.
//!
//! Writers leave events on the items they change, and the streams of the tables bring them here. A
//! batch of a stream may come again, whole or in parts, while an older invocation still works on
//! it, and a consumer may die between any two steps. One [`Counter`] for each document makes this
//! harmless. It knows the last number, and of each *lane* (what one partition of one table brings) how
//! far it was numbered and which events the last compare-and-set numbered:
//!
//! ```text
//! beyond the position      new: numbered by one compare-and-set, up to RUN events at once
//! among the digests        a repeat: it has the number it got then, and is passed on once more
//! before that              finished: the next run of a lane begins when the last one was passed on
//! ```
//!
//! That rests on two promises of whoever calls: the records of a document come in the order of
//! their lane, and a batch begins no later than the first record that is not finished. Lanes of one
//! document are read side by side, and each has its own position and digests.
//!
//! The order of the steps is such that nothing is lost: a number, then the entry of the journal,
//! then the queues ([`Journal::pass_on`]), then the batch is done. [`repair`] does the same for
//! events that were found on their items after the stream had forgotten them.
//!
//! Nothing here knows of a database or a queue, so the simulator runs the very same code.

mod counter;
mod number;
mod port;
mod position;
mod repair;

pub use counter::{Counter, Digest, Run};
pub use number::number;
pub use port::{Journal, Numbered, Record, Swap};
pub use position::Position;
pub use repair::{REPAIR, repair};

/// The most events that one compare-and-set numbers: the digests of two lanes and the key of the
/// row fit into one write unit (1 KB).
pub const RUN: usize = 32;
/// How often a run is tried against others that number the same document.
const ATTEMPTS: usize = 8;
/// Documents that are numbered at the same time.
const PARALLEL: usize = 16;
