//! An event for one recipient.

use std::collections::BTreeMap;

use model::{
    AnnotationId, DocumentId, Millis, OrganizationId, UserId, event::EventType,
    notification::NotificationSource,
};
use serde::{Deserialize, Serialize};

use crate::{Channel, Channels, Event, Group, PageRef, Reason};

/// An event for one recipient, as it was when it happened, and its outcome. A view: the row
/// is the page of recipients it is in ([`crate::Page`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activity {
    /// The page its recipient is in.
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
    /// The channels that were allowed when it happened (rules N2, N3).
    pub allowed: Channels,
    /// Whether it involved the recipient directly when it happened (rule N3).
    pub mine: bool,
    /// Whether the recipient was named in it: mentioned, assigned, addressed.
    pub named: bool,
    /// Its outcome.
    pub state: ActivityState,
}

/// The outcome of an activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ActivityState {
    /// Its delay is not over.
    Pending,
    /// Waiting in windows.
    Batched {
        /// When the first of them closes, at the latest.
        until: Millis,
    },
    /// One delivery has taken it, and no other may; the notification may be out or not.
    Claimed {
        /// Which delivery: that of a window, or of the page itself ([`PageRef::generation`]).
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
        /// As which notification, by the id it is stored under.
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
        /// Why not, by channel that was allowed when it happened.
        reasons: BTreeMap<Channel, Reason>,
    },
}

impl ActivityState {
    /// Whether nobody has decided on it.
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Pending | Self::Batched { .. })
    }

    /// The delivery that has taken it.
    pub fn generation(&self) -> Option<&str> {
        match self {
            Self::Claimed { generation, .. } | Self::Delivered { generation, .. } => {
                Some(generation)
            }
            Self::Pending | Self::Batched { .. } | Self::Dropped { .. } => None,
        }
    }

    /// The end of what was allowed on these channels, without delivery.
    pub(crate) fn dropped(allowed: Channels, reason: Reason, at: Millis) -> Self {
        let reasons = allowed.iter().map(|channel| (channel, reason)).collect();
        Self::Dropped { at, reasons }
    }
}

impl Activity {
    /// An event for a user of a group of its recipients.
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

    /// The channels it goes out on, or went.
    pub fn channels(&self) -> Channels {
        match &self.state {
            ActivityState::Claimed { withheld, .. } | ActivityState::Delivered { withheld, .. } => {
                withheld.keys().fold(self.allowed, |left, gone| left.without(*gone))
            }
            _ => Channels::default(),
        }
    }

    /// The order within a notification (rule N15).
    pub(crate) fn order(&self) -> (Millis, String) {
        (self.t0, self.page.event_id.clone())
    }
}
