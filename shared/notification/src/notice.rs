//! Notifications with their recipients (rules N13 to N16).

use std::collections::{BTreeMap, BTreeSet};

use model::{DocumentId, Millis, OrganizationId, UserId};
use serde::{Deserialize, Serialize};

use crate::{Activity, Channel, CloseReason, Mail, PageRef, WindowScope};

/// The batch of a digest (rule N14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Batch {
    /// The scope of the window.
    pub scope: WindowScope,
    /// The opening time.
    pub opened_at: Millis,
    /// The closing time.
    pub closed_at: Millis,
    /// The reason for closing.
    pub reason: CloseReason,
    /// The number of activities in the notification.
    pub total: usize,
}

/// A notification to publish, for all recipients with the same content.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Subject of the notification: the event for a single activity, the generation of the window
    /// for a digest.
    pub id: String,
    /// Delivery of the notification; unique together with any of its recipients.
    pub generation: String,
    /// The organization.
    pub organization_id: OrganizationId,
    /// Recipients of the notification, each with the same events, oldest first; never empty.
    pub recipients: Vec<Recipient>,
    /// The batch; absent for a single activity (rule N14).
    pub batch: Option<Batch>,
    /// The time of the delivery.
    pub at: Millis,
}

/// A recipient of a notification.
#[derive(Clone, Debug, PartialEq)]
pub struct Recipient {
    /// The user.
    pub user_id: UserId,
    /// Activities for the recipient, each with its channels ([`Activity::channels`]).
    pub activities: Vec<Activity>,
}

impl Recipient {
    /// The activities on a channel.
    pub fn on(&self, channel: Channel) -> impl Iterator<Item = &Activity> {
        self.activities.iter().filter(move |activity| activity.channels().has(channel))
    }
}

/// The batch of a window.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WindowOrigin {
    pub(crate) scope: WindowScope,
    pub(crate) opened_at: Millis,
    pub(crate) closed_at: Millis,
    pub(crate) reason: CloseReason,
}

impl Notice {
    /// The notifications of one delivery: of its claimed activities, by content.
    pub(crate) fn of_claimed(
        generation: &str,
        claimed: Vec<Activity>,
        origin: Option<WindowOrigin>,
    ) -> Vec<Self> {
        let mut by_user: BTreeMap<UserId, Vec<Activity>> = BTreeMap::new();
        for activity in claimed {
            by_user.entry(activity.user_id.clone()).or_default().push(activity);
        }
        let mut alike: BTreeMap<(Vec<PageRef>, bool), Vec<Recipient>> = BTreeMap::new();
        for (user_id, mut activities) in by_user {
            activities.sort_by_key(Activity::order);
            let pages = activities.iter().map(|activity| activity.page.clone()).collect();
            let named = matches!(activities.as_slice(), [only] if only.named);
            alike.entry((pages, named)).or_default().push(Recipient { user_id, activities });
        }
        let notices = alike.into_values().filter_map(|recipients| {
            let activities = &recipients.first()?.activities;
            let (organization_id, total) =
                (activities.first()?.organization_id.clone(), activities.len());
            // A single remaining activity is an ordinary notification (rule N14).
            let id = match activities.as_slice() {
                [only] => only.event_id().to_owned(),
                _ => generation.to_owned(),
            };
            let WindowOrigin { scope, opened_at, closed_at, reason } = match origin {
                Some(origin) if total > 1 => origin,
                _ => return Some(Self::plain(id, generation, organization_id, recipients)),
            };
            let batch = Some(Batch { scope, opened_at, closed_at, reason, total });
            Some(Self { batch, ..Self::plain(id, generation, organization_id, recipients) })
        });
        notices.collect()
    }

    fn plain(
        id: String,
        generation: &str,
        organization_id: OrganizationId,
        recipients: Vec<Recipient>,
    ) -> Self {
        let claimed_at = |activity: &Activity| match &activity.state {
            crate::ActivityState::Claimed { at, .. }
            | crate::ActivityState::Delivered { at, .. } => *at,
            _ => 0,
        };
        let at = recipients.iter().flat_map(|recipient| &recipient.activities);
        let at = at.map(claimed_at).max();
        let at = at.unwrap_or_default();
        let generation = generation.to_owned();
        Self { id, generation, organization_id, recipients, batch: None, at }
    }

    /// Recipients of the notification.
    pub fn users(&self) -> impl Iterator<Item = &UserId> {
        self.recipients.iter().map(|recipient| &recipient.user_id)
    }

    /// Activities of the notification, oldest first, in the view of the first recipient.
    pub fn activities(&self) -> &[Activity] {
        self.recipients.first().map_or(&[], |recipient| &recipient.activities)
    }

    /// The mail for a recipient, if mail is among the channels.
    pub fn mail(&self, to: &Recipient, published: &str, now: Millis) -> Option<Mail> {
        let pages: Vec<PageRef> = to.on(Channel::Email).map(|mailed| mailed.page.clone()).collect();
        (!pages.is_empty()).then(|| Mail::new(published.to_owned(), pages, now))
    }

    /// Documents of the notification.
    pub fn documents(&self) -> BTreeSet<&DocumentId> {
        self.activities().iter().map(|activity| &activity.document_id).collect()
    }
}
