//! An event for one recipient.

use std::collections::BTreeMap;

use model::{
    AnnotationId, DocumentId, Millis, OrganizationId, UserId, event::EventType,
    notification::NotificationSource,
};
use serde::{Deserialize, Serialize};

use crate::{Channel, Channels, Event, Group, PageRef, Reason};

/// An event for one recipient, as of its time, with its state. A view: the row is the page of
/// recipients ([`crate::Page`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The page of its recipient.
    pub page: PageRef,
    /// The recipient.
    pub user_id: UserId,
    /// The organization.
    pub organization_id: OrganizationId,
    /// The document.
    pub document_id: DocumentId,
    /// The thread or the recording.
    pub annotation_id: Option<AnnotationId>,
    /// The comment.
    pub comment_id: Option<u64>,
    /// Type of the event.
    pub kind: EventType,
    /// Source of the activity.
    pub source: NotificationSource,
    /// The actor.
    pub actor_id: Option<UserId>,
    /// Time of the event.
    pub t0: Millis,
    /// End of its delay.
    pub release_at: Millis,
    /// The channels allowed at the event (rules N2, N3).
    pub allowed: Channels,
    /// Whether it directly involved the recipient at the event (rule N3).
    pub mine: bool,
    /// Whether it named the recipient: mentioned, assigned, addressed.
    pub named: bool,
    /// Its state.
    pub state: ActivityState,
}

/// The state of an activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ActivityState {
    /// Delayed.
    Pending,
    /// Waiting in windows.
    Batched {
        /// Closing time of the first window, at the latest.
        until: Millis,
    },
    /// Claimed by one delivery, exclusively; the notification may be published or not.
    Claimed {
        /// The delivery: that of a window, or of the page itself ([`PageRef::generation`]).
        generation: String,
        /// Time.
        at: Millis,
        /// Why not on channels that were allowed when it happened.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        withheld: BTreeMap<Channel, Reason>,
    },
    /// Delivered.
    Delivered {
        /// The delivery.
        generation: String,
        /// The id of the notification.
        notification_id: String,
        /// Time.
        at: Millis,
        /// Why not on channels that were allowed when it happened.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        withheld: BTreeMap<Channel, Reason>,
    },
    /// Not delivered on any channel.
    Dropped {
        /// Time of the decision.
        at: Millis,
        /// Reasons by channel allowed at the event.
        reasons: BTreeMap<Channel, Reason>,
    },
}

impl ActivityState {
    /// Whether it is undecided.
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Pending | Self::Batched { .. })
    }

    /// The delivery that claimed it.
    pub fn generation(&self) -> Option<&str> {
        match self {
            Self::Claimed { generation, .. } | Self::Delivered { generation, .. } => {
                Some(generation)
            }
            Self::Pending | Self::Batched { .. } | Self::Dropped { .. } => None,
        }
    }

    /// Drops it on these channels.
    pub(crate) fn dropped(allowed: Channels, reason: Reason, at: Millis) -> Self {
        let reasons = allowed.iter().map(|channel| (channel, reason)).collect();
        Self::Dropped { at, reasons }
    }
}

impl Activity {
    /// An event for one user of a group of recipients.
    pub(crate) fn of(event: &Event, page: &PageRef, group: &Group, user: &UserId) -> Self {
        Self {
            page: page.clone(),
            user_id: user.clone(),
            organization_id: event.organization_id.clone(),
            document_id: event.document_id.clone(),
            annotation_id: event.annotation_id.clone(),
            comment_id: event.comment_id,
            kind: event.kind,
            source: event.source,
            actor_id: event.actor_id.clone(),
            t0: event.t0,
            release_at: event.t0,
            allowed: group.allowed,
            mine: group.mine,
            named: group.named,
            state: group.state.clone(),
        }
    }

    /// The event.
    pub fn event_id(&self) -> &str {
        &self.page.event_id
    }

    /// The channels of its delivery.
    pub fn channels(&self) -> Channels {
        match &self.state {
            ActivityState::Claimed { withheld, .. } | ActivityState::Delivered { withheld, .. } => {
                withheld.keys().fold(self.allowed, |left, gone| left.without(*gone))
            }
            _ => Channels::default(),
        }
    }

    /// Its sort key within a notification (rule N15).
    pub(crate) fn order(&self) -> (Millis, String) {
        (self.t0, self.page.event_id.clone())
    }
}
