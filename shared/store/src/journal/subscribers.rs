//! Subscribers of events: an event without subscribers is numbered and not stored.

use std::collections::BTreeSet;

use error::Result;
use model::{
    EndpointId,
    event::{Event, EventType},
};

use crate::{features::Events, journal::StoredEvent, prelude::*};

/// Subscribers of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscribers {
    /// The subscribed webhook endpoints at the time of the event; none when the tenant has so many
    /// that they are read where no other tenant waits.
    pub endpoints: Option<BTreeSet<EndpointId>>,
    /// Whether people may be notified of it. The trace records excluded users.
    pub people: bool,
    /// Whether connected clients may listen to it.
    pub live: bool,
}

impl Subscribers {
    /// Whether only connected clients subscribe to it, who can read what they missed.
    pub fn is_none(&self) -> bool {
        self.endpoints.as_ref().is_some_and(BTreeSet::is_empty) && !self.people
    }
}

impl Events<'_> {
    /// The subscribers of an event, by the configuration at its time. The cost does not depend on
    /// the number of endpoints.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn subscribers(self, stored: &StoredEvent) -> Result<Subscribers> {
        let people = match &stored.event {
            Event::Domain(event) => event.notify || event.event == EventType::NotificationAdd,
            _ => false,
        };
        let place = stored.event.organization_id().zip(stored.event.sequenced_in());
        let live = place.is_some_and(|(organization, document)| {
            self.0.organization(organization).counters().is_listened(document)
        });
        Ok(Subscribers {
            endpoints: self.0.webhooks().few_subscribers(stored).await?,
            people,
            live,
        })
    }
}
