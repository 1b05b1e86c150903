//! Live state: JSON that the users of a document share (spec 4.12; siblings 11.2).

service::operations! {
    /// Replaces live state of a document, or merges into it.
    broadcast::BroadcastLiveState,
    /// Lists the live state of a document.
    get::GetLiveState,
}
