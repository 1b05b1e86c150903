//! A mail to be sent (rule N16): independent of the inbox, retried alone.

use model::Millis;
use serde::{Deserialize, Serialize};

use crate::{Body, TOMBSTONE};

/// A mail about a notification that was delivered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Mail {
    /// The notification it tells of ([`crate::Notice::id`]).
    pub notification_id: String,
    /// The events it tells of, oldest first.
    pub event_ids: Vec<String>,
    /// When the notification was delivered.
    pub created_at: Millis,
    /// What is to be done.
    pub state: MailState,
}

/// How far a mail has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum MailState {
    /// It is to be sent.
    Waiting {
        /// When.
        at: Millis,
        /// How often that was tried.
        attempts: u32,
    },
    /// Somebody is sending it; whether that came about is open once the lease is over.
    Sending {
        /// Until when nobody else may.
        until: Millis,
        /// Which attempt it is, from 1.
        attempt: u32,
    },
    /// It was taken by the provider, or given up.
    Done {
        /// When.
        at: Millis,
        /// The provider's id of it; absent when it was given up.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message_id: Option<String>,
    },
}

impl Body for Mail {
    fn due(&self) -> Option<Millis> {
        match self.state {
            MailState::Waiting { at, .. } => Some(at),
            MailState::Sending { until, .. } => Some(until),
            MailState::Done { .. } => None,
        }
    }

    fn expires(&self) -> Option<Millis> {
        match self.state {
            MailState::Done { at, .. } => Some(at + TOMBSTONE),
            MailState::Waiting { .. } | MailState::Sending { .. } => None,
        }
    }
}
