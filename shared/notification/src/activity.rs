//! An event for one recipient.

use std::collections::BTreeMap;

use model::{
    AnnotationId, DocumentId, Millis, OrganizationId, UserId, event::EventType,
    notification::NotificationSource,
};
use serde::{Deserialize, Serialize};

use crate::{Channel, Channels, PageRef, Reason};

/// An event for one recipient, as of its time, with its state. A view: the row is the page of
/// recipients ([`crate::RecipientPage`]).
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
    /// The type of the event.
    pub kind: EventType,
    /// The source of the activity.
    pub source: NotificationSource,
    /// The actor.
    pub actor_id: Option<UserId>,
    /// The time of the event.
    pub t0: Millis,
    /// The end of its delay.
    pub release_at: Millis,
    /// The channels allowed at the event (rules N2, N3).
    pub allowed: Channels,
    /// Whether it directly involved the recipient at the event (rule N3).
    pub mine: bool,
    /// Whether it named the recipient: mentioned, assigned, addressed.
    pub named: bool,
    /// State of the activity.
    pub state: ActivityState,
}

/// The state of an activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ActivityState {
    /// The activity waits for the end of its delay.
    Pending,
    /// The activity waits in windows.
    Batched {
        /// The closing time of the first window, at the latest.
        until: Millis,
    },
    /// One delivery has claimed the activity, exclusively; the notification may be published or not.
    Claimed {
        /// The delivery: that of a window, or of the page itself ([`PageRef::generation`]).
        generation: String,
        /// The time of the claim.
        at: Millis,
        /// The reason for each channel that was allowed at the event and is left out.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        withheld: BTreeMap<Channel, Reason>,
    },
    /// The activity is delivered.
    Delivered {
        /// The delivery that claimed it.
        generation: String,
        /// The id of the notification.
        notification_id: String,
        /// The time of the claim.
        at: Millis,
        /// The reason for each channel that was allowed at the event and is left out.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        withheld: BTreeMap<Channel, Reason>,
    },
    /// The activity is not delivered on any channel.
    Dropped {
        /// The time of the decision.
        at: Millis,
        /// The reason for each channel that was allowed at the event.
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

    /// The state of an activity that is dropped on these channels.
    pub(crate) fn dropped(allowed: Channels, reason: Reason, at: Millis) -> Self {
        let reasons = allowed.iter().map(|channel| (channel, reason)).collect();
        Self::Dropped { at, reasons }
    }
}

impl Activity {
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

    /// Sort key of the activity within a notification (rule N15).
    pub(crate) fn order(&self) -> (Millis, String) {
        (self.t0, self.page.event_id.clone())
    }
}
