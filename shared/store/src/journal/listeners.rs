//! Who wants an event: an event that nobody wants is numbered and forgotten.

use std::collections::BTreeSet;

use error::Result;
use model::{
    EndpointId,
    event::{Event, EventType},
};

use crate::{scopes::TenantStore, writing::StoredEvent};

/// Subscribers of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listeners {
    /// The endpoints of webhooks that wanted it when it happened; none when the tenant has so many
    /// endpoints that this is to be found out where no other tenant waits for it.
    pub endpoints: Option<BTreeSet<EndpointId>>,
    /// Whether people may be notified of it. Who is not, and why, is traced.
    pub people: bool,
    /// Whether somebody may be connected who is told of it.
    pub live: bool,
}

impl Listeners {
    /// Whether nobody wants it but those who are connected, who read what they missed.
    pub fn is_none(&self) -> bool {
        self.endpoints.as_ref().is_some_and(BTreeSet::is_empty) && !self.people
    }
}

impl TenantStore {
    /// Who wants an event, by the configuration as it was when the event happened. What this takes
    /// does not depend on the number of endpoints.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn listeners(&self, stored: &StoredEvent) -> Result<Listeners> {
        let people = match &stored.event {
            Event::Domain(event) => event.notify || event.event == EventType::NotificationAdd,
            _ => false,
        };
        let place = stored.event.organization_id().zip(stored.event.sequenced_in());
        let live = place.is_some_and(|(organization, document)| {
            self.organization(organization).is_listened(document)
        });
        Ok(Listeners { endpoints: self.few_listeners(stored).await?, people, live })
    }
}
