//! Facts of a pending event.

use error::{Error, Result};
use model::{
    GroupId, UserId,
    comment::Thread,
    event::{DomainEvent, EventType},
    notice::Facts,
};

use crate::{notifications::Notifications, prelude::*};

/// Maximum number of groups that one comment mentions; operations that write comments refuse more.
const MAX_GROUPS: usize = 20;

impl Notifications<'_> {
    /// The event id of a custom notification, stable when it is added again: unique in the tenant,
    /// as ids of notifications are in an organization.
    pub fn custom_event_id(self, notification: &str) -> String {
        let hash = keyring::sha256_hex(self.0.id().as_str());
        format!("{notification}@{}", hash.get(..12).unwrap_or(&hash))
    }

    /// The facts of an event; none when its thread was deleted.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn facts(self, event: &DomainEvent) -> Result<Option<Facts>> {
        let mut unvouched = event.unvouched.clone();
        let shown = match (&event.annotation_id, event.data.get("commentAnnotation")) {
            _ if event.event == EventType::NotificationAdd => None,
            (_, Some(shown)) => Some(shown.clone()),
            (None, None) => None,
            (Some(id), None) => {
                let place = (event.document_id.clone(), id.clone());
                let wanted = [(place, event.comment_id.into_iter().collect())].into();
                let found = self.0.comments().find_with(wanted).await?;
                let Some(thread) = found.into_values().next() else { return Ok(None) };
                unvouched = Thread::unvouched(None, Some(&thread));
                let shown = thread.shown(&self.0.tenant().api_key().id, self.0.id());
                Some(serde_json::to_value(shown).map_err(Error::internal)?)
            }
        };
        let shown = shown.map(serde_json::from_value).transpose().map_err(Error::internal)?;
        let mut facts = Facts::from_event(event, shown.as_ref());
        self.complete(&mut facts, event).await?;
        facts.leave_out(&unvouched);
        Ok(Some(facts))
    }

    /// Adds facts that need a read: mentioned groups, and unknown users.
    async fn complete(self, facts: &mut Facts, event: &DomainEvent) -> Result<()> {
        let as_group = |user: &UserId| GroupId::try_from(user.as_str().to_owned()).ok();
        let mut people = facts.named();
        people.extend(event.actor.iter().map(|actor| actor.user_id.clone()));
        facts.strangers = self.strangers(&people, &event.document_id).await?;
        let unknown = facts.direct.intersection(&facts.strangers).filter_map(as_group);
        let unknown: Vec<GroupId> = unknown.collect();
        if event.event != EventType::NotificationAdd && !unknown.is_empty() {
            for id in
                self.0.user_groups().all().find_all(unknown).await?.into_keys().take(MAX_GROUPS)
            {
                let is_group = |user: &UserId| user.as_str() == id.as_str();
                facts.direct.retain(|user| !is_group(user));
                facts.involved.retain(|user| !is_group(user));
                facts.groups.insert(id);
            }
        }
        if !facts.addresses.is_empty() {
            // A right is no address: whom the organization has none of keeps the one that was sent.
            let known = self.profiles(&facts.addresses.keys().cloned().collect()).await?;
            let has_address = |user: &UserId| known.of(user).is_some_and(|it| it.email.is_some());
            facts.addresses.retain(|user, _| !has_address(user));
        }
        Ok(())
    }
}
