//! Names of events in bodies.

use model::event::EventType;

/// `comment`, `crdt` or `recorder`.
pub(crate) fn source(event: EventType) -> &'static str {
    let name = event.name();
    let head = name.split('.').next().unwrap_or(name);
    if head == "comment_annotation" { "comment" } else { head }
}

/// The action, without the kind of its target.
pub(crate) fn action(event: EventType) -> &'static str {
    match event {
        EventType::CrdtUpdateData => "updateData",
        event => event.name().split_once('.').map_or("", |(_, action)| action),
    }
}
