//! Connections of the live channel and their subscriptions.
//!
//! | Row of `Realtime` | Partition | Sort key |
//! |---|---|---|
//! | connection | `connection#C` | `connection` |
//! | its subscription to an editor | the document | `live#D#editor#E#connection#C` |
//! | the collection window of a large room (`crowd.rs`) | the document | `live#D#editor#E#gathers` |
//! | … the events of a document | the document | `live#D#events#connection#C` |
//! | … the notifications of a user | `key#K#organization#O` | `live-user#U#connection#C` |
//! | a relayed event (`log.rs`) | the document | `live-event#D#position#N` |
//! | a connection in an organization (`rights.rs`) | `key#K` | `connected#O#user#U#connection#C` |
//! | a connection that opened without a token (`unauthenticated.rs`) | `unauthenticated#M`, its minute | `socket#C` |
//! | until when any user is subscribed (`users.rs`) | `key#K#organization#O` | `live-users` |
//!
//! All are read strongly consistent. A joining connection writes its row before it reads the state; a
//! writer stores the change before it reads the rows. So no subscriber misses a change. The counter of
//! a document also has the time until which it has subscribers (`journal/counter.rs`), which the
//! journal reads at no cost. Rows expire with the maximum lifetime of a connection.

mod change;
mod connect;
mod connection;
mod crowd;
mod entry;
mod log;
mod member;
mod memory;
mod record;
mod rights;
mod row;
mod unauthenticated;
mod users;

pub use change::{LiveChange, LiveChanged, changed};
pub use connect::Connected;
pub use connection::Connection;
pub use log::Missed;
pub use member::{Listening, Member};
use memory::Memory;
pub use rights::{GRANTS, RIGHTS, changed_rights};
pub use row::Protocol;
pub use unauthenticated::{ListStart, Listed};

use model::Millis;

/// Lifetime of the rows of a connection in milliseconds: API Gateway ends it after two hours.
const LIFETIME: Millis = 2 * 60 * 60 * 1000 + 10 * 60 * 1000;
