//! Live state: JSON that the users of a document share (contract `live-state`).

mod access;

pub use access::ACCESS;

service::operations! {
    /// Replaces live state of a document, or merges into it.
    broadcast::BroadcastLiveState,
    /// Lists the live state of a document.
    get::GetLiveState,
}
