//! The live channel: stock editors, presence and changes over WebSockets (contract `live`; the
//! protocol is in docs/LIVE.md).

mod access;
mod appending;
mod awareness;
mod broadcast;
mod change;
mod client;
mod departures;
mod document_events;
mod editor;
mod events;
mod frames;
mod hocuspocus;
mod incoming;
mod large_room;
mod large_room_relay;
mod leases;
mod lockout;
mod place;
mod posting;
mod presence;
mod refusal;
mod relay;
mod review;
mod session;
mod states;
mod subscription;
mod unchanged;
mod withdrawal;

pub use access::ACCESS;

service::sockets! {
    /// Admits a connection.
    connect::Connect,
    /// Handles a message of a connection and relays it.
    message::Message,
    /// Deletes the rows of a connection.
    disconnect::Disconnect,
}

service::workers! {
    /// Relays events and notifications to subscribers.
    fan_out::FanOut,
    /// Relays presence and live state to subscribers.
    changes::Changes,
    /// Ends the subscriptions of users who lost a right.
    rights::Rights,
    /// Closes connections that sent no token in time.
    unauthenticated::Unauthenticated,
}
