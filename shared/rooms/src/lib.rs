//! Rooms of the live channel: connections, what they are subscribed to, and the rules of both.
//!
//! A place is what a connection can subscribe to: an editor, the events of a document, the
//! notifications of a user. A room is a place with its members, the subscribed connections.
//!
//! | File | |
//! |---|---|
//! | `connection.rs` | rows of connections, with their tokens, rights and subscriptions |
//! | `room.rs` | members of a room, who is admitted, and the collection windows of large rooms |
//! | `rights.rs` | the connections that a change of rights concerns |
//! | `event_log.rs` | the events that a returning subscriber missed |
//! | `changes.rs` | presence and live state, and their changes |
//! | `listening_users.rs` | users who are subscribed to their notifications |
//! | `channel.rs` | posts to connections, what they cost, and how many messages are accepted |
//! | `connection/versioned.rs` | what was read, as long as it is current |
//!
//! Rooms are entered by the traits of the [`prelude`]. The crate stands on `store`, for rights of
//! users and counters of documents; the store does not know it.
//!
//! | Row of `Realtime` | Partition | Sort key |
//! |---|---|---|
//! | connection | `connection#C` | `connection` |
//! | its subscription to an editor | the document | `live#D#editor#E#connection#C` |
//! | the collection window of a large room (`room/window.rs`) | the document | `live#D#editor#E#gathers` |
//! | for whom a client is kept (`room/keeping.rs`) | the document | `live#D#editor#E#client#C` |
//! | … the events of a document | the document | `live#D#events#connection#C` |
//! | … the notifications of a user | `key#K#organization#O` | `live-user#U#connection#C` |
//! | a relayed event (`event_log.rs`) | the document | `live-event#D#position#N` |
//! | a connection in an organization (`rights.rs`) | `key#K` | `connected#O#user#U#connection#C` |
//! | a connection that opened without a token (`connection/unauthenticated.rs`) | `unauthenticated#M`, its minute | `socket#C` |
//! | until when any user is subscribed (`listening_users.rs`) | `key#K#organization#O` | `live-users` |
//!
//! All are read strongly consistent. A joining connection writes its row before it reads the state; a
//! writer stores the change before it reads the rows. So no subscriber misses a change. The counter of
//! a document also has the time until which it has subscribers (`counter.rs` of the store), which the
//! journal reads at no cost. Rows expire with the maximum lifetime of a connection.

#![warn(missing_docs)]

mod changes;
mod channel;
mod connection;
mod event_log;
mod features;
mod listening_users;
mod member;
mod rights;
mod room;
mod stream_record;

use model::Millis;

/// The traits by which rooms are entered from scopes.
pub mod prelude {
    pub use crate::features::{OrganizationRooms, TenantRooms};
}

pub use aws::PostFailure;
pub use changes::{ChangedContent, DocumentChange, Shown};
pub use channel::{Live, Rates};
pub use connection::{
    Connection, Departure, Joining, NewConnection, OverdueConnection, OverduePage, OverdueStart,
};
pub use event_log::MissedEvents;
pub use member::protocol::Protocol;
pub use member::{ClientState, Member};
pub use rights::{GIVEN, RIGHTS, ReviewedConnections, review_in_record};
pub use room::{Admission, AllMembers, Keeper, MAX_DIRECT, Room};
pub use stream_record::TenantMessage;

/// Lifetime of the rows of a connection in milliseconds: API Gateway ends it after two hours.
const LIFETIME: Millis = 2 * 60 * 60 * 1000 + 10 * 60 * 1000;
