//! Who hears of events besides webhooks: an event without subscribers is numbered and not stored.

use model::event::{Event, EventType};

use crate::{features::Events, journal::StoredEvent, prelude::*};

/// Who hears of an event, besides the endpoints of webhooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Audience {
    /// Whether people may be notified of it. The trace records excluded users.
    pub people: bool,
    /// Whether connected clients may listen to it.
    pub live: bool,
}

impl Events<'_> {
    /// Who hears of an event, besides the endpoints of webhooks.
    pub fn audience(self, stored: &StoredEvent) -> Audience {
        let people = match &stored.event {
            Event::Domain(event) => event.notify || event.event == EventType::NotificationAdd,
            _ => false,
        };
        let place = stored.event.organization_id().zip(stored.event.sequenced_in());
        let live = place.is_some_and(|(organization, document)| {
            self.0.organization(organization).counters().is_listened(document)
        });
        Audience { people, live }
    }
}
