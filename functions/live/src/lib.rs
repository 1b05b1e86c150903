//! The live channel: stock editors, presence and changes over WebSockets (docs/LIVE.md).

mod audience;
mod awareness;
mod editor;
mod events;
mod frames;
mod gone;
mod hocuspocus;
mod notice;
mod place;
mod refusal;
mod room;
mod subscription;

service::sockets! {
    /// Admits a connection.
    connect::Connect,
    /// Answers a message of a connection, and tells others of it.
    message::Message,
    /// Forgets a connection.
    disconnect::Disconnect,
}

service::workers! {
    /// Tells those who are connected what happened in a document, or to them.
    fan_out::FanOut,
    /// Tells those who are connected of presence and live state.
    changes::Changes,
}
