//! What was taken together, on its way out (rules N13, N14).

use std::collections::BTreeMap;

use model::{DocumentId, Millis, OrganizationId, UserId};
use serde::{Deserialize, Serialize};

use crate::{
    Activity, ActivityState, Batch, Body, Channel, Mail, Notice, RETRY, Scope, TOMBSTONE, Verdict,
    Window,
};

/// Why a window closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CloseReason {
    /// Its time was over.
    Window,
    /// It was full.
    MaxActivities,
}

/// Activities of one recipient that go out together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Digest {
    /// The generation of the window it was, or the event when it never was in one.
    pub generation: String,
    /// The window it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Closed>,
    /// The events, in the order they joined. Some may have been delivered by another scope.
    pub ids: Vec<String>,
    /// What is to be done.
    pub state: DigestState,
}

/// A window that was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Closed {
    /// What it took together.
    pub scope: Scope,
    /// The document of a window by document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub document_id: Option<DocumentId>,
    /// When it was opened.
    pub opened_at: Millis,
    /// When it was closed.
    pub closed_at: Millis,
    /// Why.
    pub reason: CloseReason,
}

/// How far a digest has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DigestState {
    /// Nothing of it was delivered.
    Ready {
        /// When to try again if the attempt that follows its closing gets lost.
        retry: Millis,
    },
    /// Its activities are its own now and nobody else's; the notification may be out or not.
    Claimed {
        /// When that was.
        at: Millis,
        /// The events it delivers, oldest first; the others were dropped, or delivered elsewhere.
        keep: Vec<String>,
        /// When to try again.
        retry: Millis,
    },
    /// The notification is out, or nothing was left to tell.
    Done {
        /// Since when.
        at: Millis,
    },
}

impl Digest {
    /// A window that was closed.
    pub fn of_window(
        window: Window,
        document_id: Option<DocumentId>,
        reason: CloseReason,
        now: Millis,
    ) -> Self {
        let closed_at = match reason {
            CloseReason::Window => window.closes_at,
            CloseReason::MaxActivities => now,
        };
        let scope = if document_id.is_some() { Scope::Document } else { Scope::User };
        let opened_at = window.opened_at;
        Self {
            generation: window.generation,
            window: Some(Closed { scope, document_id, opened_at, closed_at, reason }),
            ids: window.ids,
            state: DigestState::Ready { retry: now + RETRY },
        }
    }

    /// An activity that joins no window.
    pub fn of_one(event_id: &str, now: Millis) -> Self {
        Self {
            generation: event_id.to_owned(),
            window: None,
            ids: vec![event_id.to_owned()],
            state: DigestState::Ready { retry: now + RETRY },
        }
    }

    /// Decides on those of its activities whose fate is open, each with its verdict: what becomes
    /// of the digest and of them. To be written in one commit, or an activity goes out twice.
    #[must_use]
    pub fn claim(self, judged: Vec<(Activity, Verdict)>, now: Millis) -> (Self, Vec<Activity>) {
        let mut activities: Vec<Activity> = judged
            .into_iter()
            .map(|(activity, verdict)| activity.judged(verdict, &self.generation, now))
            .collect();
        activities.sort_by(|a, b| (a.t0, &a.event_id).cmp(&(b.t0, &b.event_id)));
        let kept = activities.iter().filter(|activity| !activity.channels().is_empty());
        let keep: Vec<String> = kept.map(|activity| activity.event_id.clone()).collect();
        let id = Self::notification_id(&self.generation, &keep);
        for activity in &mut activities {
            if let ActivityState::Delivered { notification_id, .. } = &mut activity.state {
                notification_id.clone_from(&id);
            }
        }
        let state = if keep.is_empty() {
            DigestState::Done { at: now }
        } else {
            DigestState::Claimed { at: now, keep, retry: now + RETRY }
        };
        (Self { state, ..self }, activities)
    }

    /// The last of several is an ordinary notification (rule N14).
    fn notification_id(generation: &str, keep: &[String]) -> String {
        match keep {
            [only] => only.clone(),
            _ => generation.to_owned(),
        }
    }

    /// The notification, of the activities it claimed that are still there, oldest first.
    pub fn notice(
        &self,
        organization_id: &OrganizationId,
        user_id: &UserId,
        activities: Vec<Activity>,
    ) -> Option<Notice> {
        let DigestState::Claimed { at, keep, .. } = &self.state else { return None };
        if activities.is_empty() {
            return None;
        }
        let batch = self.window.as_ref().filter(|_| keep.len() > 1).map(|window| Batch {
            scope: window.scope,
            opened_at: window.opened_at,
            closed_at: window.closed_at,
            reason: window.reason,
            total: activities.len(),
        });
        Some(Notice {
            id: Self::notification_id(&self.generation, keep),
            organization_id: organization_id.clone(),
            user_id: user_id.clone(),
            activities,
            batch,
            at: *at,
        })
    }

    /// After its notification is out.
    #[must_use]
    pub fn done(self, at: Millis) -> Self {
        Self { state: DigestState::Done { at }, ..self }
    }
}

impl Notice {
    /// The mail that tells of it, if that goes out by mail.
    pub fn mail(&self, now: Millis) -> Option<Mail> {
        let event_ids: Vec<String> =
            self.on(Channel::Email).map(|it| it.event_id.clone()).collect();
        (!event_ids.is_empty()).then(|| Mail::new(self.id.clone(), event_ids, now))
    }

    /// How many activities there are of each document (rule N14).
    pub fn documents(&self) -> BTreeMap<&DocumentId, usize> {
        let mut counts = BTreeMap::new();
        for activity in &self.activities {
            *counts.entry(&activity.document_id).or_default() += 1;
        }
        counts
    }
}

impl Body for Digest {
    fn due(&self) -> Option<Millis> {
        match self.state {
            DigestState::Ready { retry } | DigestState::Claimed { retry, .. } => Some(retry),
            DigestState::Done { .. } => None,
        }
    }

    fn expires(&self) -> Option<Millis> {
        match self.state {
            DigestState::Done { at } => Some(at + TOMBSTONE),
            DigestState::Ready { .. } | DigestState::Claimed { .. } => None,
        }
    }
}
