//! The journal: events of the streams, numbered and kept.
//!
//! Items carry the events of their last write (`event.rs`). The stream of their table brings both
//! images of each write here (`record.rs`), the crate `numbering` numbers the events by the counters
//! of their documents (`counter.rs`), and an event that has a subscriber (`listeners.rs`) gets an entry (`entry.rs`).
//! What the stream forgot before it was read is found on the items (`lost.rs`).
//!
//! | Row of `Events` | Partition | Sort key | Kept |
//! |---|---|---|---|
//! | counter, and until when somebody listens (`live.rs`) | `key#K#organization#O#document#D` | `counter` | for good: a document of the same id goes on counting |
//! | entry | that of the organization, or of the tenant | `event#E` | 90 days |

mod counter;
mod entry;
mod listeners;
mod lost;
mod memory;
mod record;

pub use counter::CountedIn;
pub use listeners::Listeners;
pub use lost::{FoundEvents, ScanPlace};
pub(crate) use memory::Memory;
pub(crate) use record::image;
pub use record::{Lane, Recorded, recorded};
