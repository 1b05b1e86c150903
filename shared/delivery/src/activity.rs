//! An event for one recipient.

use std::collections::BTreeMap;

use model::{
    AnnotationId, DocumentId, Millis, OrganizationId, UserId, event::EventType,
    notification::NotificationSource,
};
use serde::{Deserialize, Serialize};

use crate::{Body, Candidate, Channel, Channels, Event, Held, Reason, RowKey, TOMBSTONE, Verdict};

/// An event for one recipient, as it was when it happened, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// The event.
    pub event_id: String,
    /// The recipient.
    pub user_id: UserId,
    /// Where.
    pub organization_id: OrganizationId,
    /// In which document.
    pub document_id: DocumentId,
    /// The thread or the recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotation_id: Option<AnnotationId>,
    /// The comment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment_id: Option<u64>,
    /// What happened.
    pub kind: EventType,
    /// What kind of thing it happened to.
    pub source: NotificationSource,
    /// Who did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor_id: Option<UserId>,
    /// When it happened.
    pub t0: Millis,
    /// When its delay is over.
    pub release_at: Millis,
    /// The channels that were allowed when it happened (rules N2, N3).
    pub allowed: Channels,
    /// Whether it involved the recipient directly when it happened (rule N3).
    pub mine: bool,
    /// What became of it.
    pub state: ActivityState,
}

/// What became of an activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ActivityState {
    /// Its delay is not over.
    Held,
    /// It is in windows.
    Batched {
        /// When the first of them closes, at the latest.
        until: Millis,
    },
    /// It was delivered.
    Delivered {
        /// In which digest.
        generation: String,
        /// As which notification ([`crate::Notice::id`]).
        notification_id: String,
        /// When.
        at: Millis,
        /// On which channels.
        channels: Channels,
        /// Why not on the others that were allowed when it happened.
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

impl Activity {
    /// An event for a candidate; none when no channel is left (rule N4).
    pub fn new(held: &Held, candidate: &Candidate) -> Option<Self> {
        let allowed = candidate.channels & held.channels;
        let Event { id, organization_id, document_id, kind, source, t0, .. } = &held.event;
        (!allowed.is_empty()).then(|| Self {
            event_id: id.clone(),
            user_id: candidate.user_id.clone(),
            organization_id: organization_id.clone(),
            document_id: document_id.clone(),
            annotation_id: held.event.annotation_id.clone(),
            comment_id: held.event.comment_id,
            kind: *kind,
            source: *source,
            actor_id: held.event.actor_id.clone(),
            t0: *t0,
            release_at: held.release_at,
            allowed,
            mine: candidate.mine,
            state: ActivityState::Held,
        })
    }

    /// The key of its row.
    pub fn key(&self) -> RowKey {
        RowKey::Activity {
            organization_id: self.organization_id.clone(),
            user_id: self.user_id.clone(),
            event_id: self.event_id.clone(),
        }
    }

    /// Whether its fate is open.
    pub fn is_pending(&self) -> bool {
        matches!(self.state, ActivityState::Held | ActivityState::Batched { .. })
    }

    /// Whether it may wait in windows for others: what a caller adds with a text of its own is
    /// not made into one notification with others.
    pub fn is_batchable(&self) -> bool {
        self.kind != EventType::NotificationAdd
    }

    /// The channels it was delivered on.
    pub fn channels(&self) -> Channels {
        match &self.state {
            ActivityState::Delivered { channels, .. } => *channels,
            _ => Channels::default(),
        }
    }

    /// After its end without delivery.
    #[must_use]
    pub fn dropped(self, reason: Reason, at: Millis) -> Self {
        let reasons = self.allowed.iter().map(|channel| (channel, reason)).collect();
        Self { state: ActivityState::Dropped { at, reasons }, ..self }
    }

    /// After it joined windows.
    #[must_use]
    pub fn batched(self, until: Millis) -> Self {
        Self { state: ActivityState::Batched { until }, ..self }
    }

    /// After the last word on it (rule N13): delivered in a digest or dropped.
    #[must_use]
    pub fn judged(self, verdict: Verdict, generation: &str, at: Millis) -> Self {
        let mut withheld = match verdict {
            Verdict::Drop(reason) => return self.dropped(reason, at),
            Verdict::Keep { withheld } => withheld,
        };
        withheld.retain(|channel, _| self.allowed.has(*channel));
        let channels = withheld.keys().fold(self.allowed, |left, gone| left.without(*gone));
        let state = if channels.is_empty() {
            ActivityState::Dropped { at, reasons: withheld }
        } else {
            ActivityState::Delivered {
                generation: generation.to_owned(),
                notification_id: generation.to_owned(),
                at,
                channels,
                withheld,
            }
        };
        Self { state, ..self }
    }
}

impl Body for Activity {
    fn due(&self) -> Option<Millis> {
        None
    }

    fn expires(&self) -> Option<Millis> {
        match &self.state {
            ActivityState::Delivered { at, .. } | ActivityState::Dropped { at, .. } => {
                Some(at + TOMBSTONE)
            }
            ActivityState::Held | ActivityState::Batched { .. } => None,
        }
    }
}
