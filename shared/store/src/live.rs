//! Who is connected to the live channel, and where.
//!
//! | Row of `Realtime` | Partition | Sort key |
//! |---|---|---|
//! | connection | `connection#C` | `connection` |
//! | where it listens: an editor | the document | `live#D#editor#E#connection#C` |
//! | the collection window of a large room (`crowd.rs`) | the document | `live#D#editor#E#gathers` |
//! | … the events of a document | the document | `live#D#events#connection#C` |
//! | … the notifications of a user | `key#K#organization#O` | `live-user#U#connection#C` |
//! | until when any user does (`users.rs`) | `key#K#organization#O` | `live-users` |
//!
//! All are read strongly consistent. Who joins writes the row first and reads the state behind it; who
//! changes the state writes that first and reads the rows behind it. So nobody misses a change. That
//! somebody listens to a document is written to its counter, too (`journal/counter.rs`): the
//! journal reads that for nothing. Rows expire with the longest life of a connection.

mod change;
mod connect;
mod connection;
mod crowd;
mod member;
mod memory;
mod row;
mod users;

pub use change::{LiveChange, LiveChanged, changed};
pub use connect::Connected;
pub use connection::Connection;
pub use member::{Listening, Member};
pub(crate) use memory::Memory;
pub use row::Protocol;

use model::Millis;

/// How long rows of a connection are kept, in milliseconds: API Gateway ends it after two hours.
const KEPT: Millis = 2 * 60 * 60 * 1000 + 10 * 60 * 1000;
