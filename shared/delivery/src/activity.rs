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
    /// Where.
    pub organization_id: OrganizationId,
    /// In which document.
    pub document_id: DocumentId,
    /// The thread or the recording.
    pub annotation_id: Option<AnnotationId>,
    /// The comment.
    pub comment_id: Option<u64>,
    /// What happened.
    pub kind: EventType,
    /// What kind of thing it happened to.
    pub source: NotificationSource,
    /// Who did it.
    pub actor_id: Option<UserId>,
    /// When it happened.
    pub t0: Millis,
    /// When its delay is over.
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
    /// It is in windows.
    Batched {
        /// When the first of them closes, at the latest.
        until: Millis,
    },
    /// One delivery has taken it, and no other may; the notification may be out or not.
    Claimed {
        /// Which delivery: that of a window, or of the page itself ([`PageRef::generation`]).
        generation: String,
        /// When.
        at: Millis,
        /// Why not on channels that were allowed when it happened.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        withheld: BTreeMap<Channel, Reason>,
    },
    /// It was delivered.
    Delivered {
        /// In which delivery.
        generation: String,
        /// As which notification, by the id it is stored under.
        notification_id: String,
        /// When.
        at: Millis,
        /// Why not on channels that were allowed when it happened.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        withheld: BTreeMap<Channel, Reason>,
    },
    /// It was not delivered on any channel.
    Dropped {
        /// When that was decided.
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
