//! Who wants an event: an event that nobody wants is numbered and forgotten.

use std::{collections::BTreeSet, sync::Arc};

use aws::Item;
use error::Result;
use model::{
    EndpointId, Millis,
    event::{Event, EventType},
};

use crate::{scopes::TenantStore, writing::StoredEvent};

/// Who wants an event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listeners {
    /// The endpoints of webhooks that wanted it when it happened.
    pub endpoints: BTreeSet<EndpointId>,
    /// Whether people may be notified of it. Who is not, and why, is traced.
    pub people: bool,
}

impl Listeners {
    /// Whether nobody wants it.
    pub fn is_none(&self) -> bool {
        self.endpoints.is_empty() && !self.people
    }
}

impl TenantStore {
    /// Who wants an event, by the configuration as it was when the event happened.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn listeners(&self, stored: &StoredEvent) -> Result<Listeners> {
        let people = match &stored.event {
            Event::Domain(event) => event.notify || event.event == EventType::NotificationAdd,
            _ => false,
        };
        if !stored.event.is_for_webhooks() {
            return Ok(Listeners { people, ..Listeners::default() });
        }
        let items = self.webhook_items_since(stored.at).await?;
        let endpoints = self.webhook_setup_of(&items).and_then(|setup| setup.listeners(stored));
        if endpoints.is_err() {
            // What cannot be read may be repaired before it comes again.
            self.db.journal.webhooks.forget(&self.key.id);
        }
        Ok(Listeners { endpoints: endpoints?, people })
    }

    /// What configures webhooks, read at that time or later: it says what it was before.
    async fn webhook_items_since(&self, then: Millis) -> Result<Arc<Vec<Item>>> {
        let id = &self.key.id;
        let remembered = self.db.journal.webhooks.get(id);
        if let Some((_, items)) = remembered.filter(|(read_at, _)| *read_at > then) {
            return Ok(items);
        }
        let read_at = self.now();
        let items = Arc::new(self.webhook_items().await?);
        self.db.journal.webhooks.put(id.clone(), (read_at, Arc::clone(&items)));
        Ok(items)
    }
}
