//! An event that waits for its delay to be over, and its recipients.

use model::{Millis, OrganizationId, UserId};
use serde::{Deserialize, Serialize};

use crate::{Body, Channels, Event, Policy, RETRY, RowKey, TOMBSTONE};

/// An event: first its recipients are recorded, then it waits, then it is a tombstone (rule N5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Held {
    /// The event.
    pub event: Event,
    /// The channels the configuration allowed when it happened.
    pub channels: Channels,
    /// When the delay is over, fixed at intake (rule N6).
    pub release_at: Millis,
    /// Whether there is a delay; without one, having seen it does not count (rule N7).
    pub delayed: bool,
    /// The first recipients.
    pub users: Vec<UserId>,
    /// What is to be done.
    pub state: HeldState,
}

/// How far an event has come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum HeldState {
    /// Recipients are being recorded.
    Gathering {
        /// Up to whom.
        after: UserId,
        /// How many pages there are, the first included.
        pages: u32,
        /// When to go on if that stopped.
        retry: Millis,
    },
    /// All recipients are recorded; it waits.
    Waiting,
    /// The first recipients were released; the rest have a row of their own.
    Done {
        /// When.
        at: Millis,
    },
}

/// Further recipients, who are released independently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Audience {
    /// Where.
    pub organization_id: OrganizationId,
    /// When the delay is over.
    pub release_at: Millis,
    /// Whether there is one.
    pub delayed: bool,
    /// Who.
    pub users: Vec<UserId>,
    /// When they were released; from then on it only tells who they were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<Millis>,
}

impl Held {
    /// An event that has just come, with its first recipients; `next` is whom to go on after.
    pub fn new(
        event: Event,
        policy: Policy,
        users: Vec<UserId>,
        next: Option<UserId>,
        now: Millis,
    ) -> Self {
        let release_at = event.t0.saturating_add(policy.delay.unwrap_or(0).saturating_mul(1000));
        let state = match next {
            Some(after) => HeldState::Gathering { after, pages: 1, retry: now + RETRY },
            None => HeldState::Waiting,
        };
        let delayed = policy.delay.is_some();
        Self { event, channels: policy.channels, release_at, delayed, users, state }
    }

    /// After a further page of recipients: the page, unless there is nobody on it.
    #[must_use]
    pub fn gathered(
        mut self,
        users: Vec<UserId>,
        next: Option<UserId>,
        now: Millis,
    ) -> (Self, Option<(RowKey, Audience)>) {
        let HeldState::Gathering { pages, .. } = self.state else { return (self, None) };
        let key = RowKey::Audience { event_id: self.event.id.clone(), page: pages };
        let page = (!users.is_empty()).then(|| (key, self.page(users)));
        let pages = pages + u32::from(page.is_some());
        self.state = match next {
            Some(after) => HeldState::Gathering { after, pages, retry: now + RETRY },
            None => HeldState::Waiting,
        };
        (self, page)
    }

    /// After its recipients were released; who they were stays known as long as the rest.
    #[must_use]
    pub fn done(self, at: Millis) -> Self {
        Self { state: HeldState::Done { at }, ..self }
    }

    fn page(&self, users: Vec<UserId>) -> Audience {
        Audience {
            organization_id: self.event.organization_id.clone(),
            release_at: self.release_at,
            delayed: self.delayed,
            users,
            done: None,
        }
    }

    /// The first recipients as a page.
    pub fn first_page(&self) -> Audience {
        self.page(self.users.clone())
    }
}

impl Body for Held {
    fn due(&self) -> Option<Millis> {
        match self.state {
            HeldState::Gathering { retry, .. } => Some(retry),
            HeldState::Waiting => Some(self.release_at),
            HeldState::Done { .. } => None,
        }
    }

    fn expires(&self) -> Option<Millis> {
        match self.state {
            HeldState::Done { at } => Some(at + TOMBSTONE),
            HeldState::Gathering { .. } | HeldState::Waiting => None,
        }
    }
}

impl Body for Audience {
    fn due(&self) -> Option<Millis> {
        self.done.is_none().then_some(self.release_at)
    }

    fn expires(&self) -> Option<Millis> {
        self.done.map(|at| at + TOMBSTONE)
    }
}
