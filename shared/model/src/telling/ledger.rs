//! The ledger of webhooks: what was sent where, and what came of it (decisions 5, "Delivery
//! ledger").

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    DocumentId, EditorId, EndpointId, MessageId, Metadata, Millis, OrganizationId, event::Event,
};

/// How long the ledger is kept, in milliseconds: 90 days.
pub const KEPT: Millis = 90 * 24 * 60 * 60 * 1000;

/// The endpoint of unprocessed basic webhooks (siblings 4.1), in the ledger.
pub const BASIC_RAW: &str = "basic-raw";
/// The endpoint of processed basic webhooks, in the ledger.
pub const BASIC_PROCESSED: &str = "basic-processed";

/// Something as it was read, with the version that its next write has to find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen<E> {
    /// It.
    pub entity: E,
    /// Opaque; another one after every write.
    pub version: String,
}

/// An event that somebody listens to: the entry that the journal keeps of it, and the message of
/// the ledger. Its body follows from it, so every attempt sends the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `msg_` and the ULID of the event.
    pub id: MessageId,
    /// The number of the event in its document.
    pub seq: Option<u64>,
    /// When it happened.
    pub at: Millis,
    /// What happened.
    pub event: Event,
    /// What its body says beside the event.
    pub context: Context,
    /// Where it goes.
    pub endpoints: BTreeSet<EndpointId>,
    /// When a user who was erased was taken out of it.
    pub expunged_at: Option<Millis>,
}

/// What the body of a message says beside the event, as it was when the event was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Context {
    /// The name of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_name: Option<String>,
    /// The metadata of the document; none when there is no document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_metadata: Option<Metadata>,
    /// The name of the organization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_name: Option<String>,
    /// The metadata of the organization; none when there is no organization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_metadata: Option<Metadata>,
    /// What the editor of the event holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub editor: Option<Value>,
    /// Whether there was more than could be kept.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
}

impl Message {
    /// The type of the event, as endpoints subscribe to it.
    pub fn event_type(&self) -> &str {
        match &self.event {
            Event::Domain(event) => event.event.name(),
            Event::EndpointChanged { change, .. } => change.name(),
            Event::MessageFared { change, .. } => change.name(),
            Event::NoticeDelivered(notice) => &notice.trigger,
            _ => "",
        }
    }

    /// Whether it is about webhooks themselves. No such message follows from its outcome, or
    /// they would never end.
    pub fn is_operational(&self) -> bool {
        matches!(self.event, Event::EndpointChanged { .. } | Event::MessageFared { .. })
    }

    /// Leaves only what tells messages apart, so that nobody finds a gap.
    pub fn expunge(&mut self, now: Millis) {
        self.event.truncate();
        match &mut self.event {
            Event::Domain(event) => event.actor = None,
            Event::NoticeDelivered(notice) => notice.data = Metadata::new(),
            _ => {}
        }
        self.context = Context::default();
        self.expunged_at = Some(now);
    }
}

/// The outcome of a message at an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryStatus {
    /// It waits for its first attempt.
    Pending,
    /// An attempt is under way.
    Sending,
    /// It was taken.
    Success,
    /// The last attempt failed; another follows.
    Failed,
    /// No further attempt follows.
    Exhausted,
    /// It was not sent, because the endpoint is deleted or disabled.
    Skipped,
}

/// A message at one endpoint, with its attempts. Changes by compare-and-set only. There is none
/// before the first attempt ended, unless that has to wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The message.
    pub message_id: MessageId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// Its outcome.
    pub status: DeliveryStatus,
    /// Scheduled attempts that ended, ever.
    #[serde(default)]
    pub made: u32,
    /// Attempts of the present schedule that failed.
    #[serde(default)]
    pub failures: u32,
    /// When something is to be done: an attempt, or what is left of one whose lease is over.
    pub next_at: Option<Millis>,
    /// Why it was skipped, or is not tried again.
    pub reason: Option<String>,
    /// The slot that an order of a caller took last: who comes with it again has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u64>,
    /// The latest attempts, the newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptRecord>,
    /// When it was made.
    pub created_at: Millis,
}

/// Attempts of each kind that a delivery lists; the schedule has as many.
const MAX_ATTEMPTS: usize = 10;
/// Bytes of answers that a delivery lists; older answers are left out. An item has room for 400 KB.
const MAX_RESPONSES: usize = 300_000;

impl Delivery {
    /// A message that no attempt was made of yet.
    pub fn new(message_id: MessageId, endpoint_id: EndpointId, now: Millis) -> Self {
        Self {
            message_id,
            endpoint_id,
            status: DeliveryStatus::Pending,
            made: 0,
            failures: 0,
            next_at: Some(now),
            reason: None,
            slot: None,
            attempts: vec![],
            created_at: now,
        }
    }

    /// Whether nothing is to be done any more.
    pub fn is_over(&self) -> bool {
        use DeliveryStatus::{Exhausted, Skipped, Success};
        matches!(self.status, Success | Exhausted | Skipped)
    }

    /// Whether it was given up.
    pub fn is_given_up(&self) -> bool {
        matches!(self.status, DeliveryStatus::Exhausted | DeliveryStatus::Skipped)
    }

    /// Lists an attempt, within bounds: the oldest of its kind goes, and the oldest answers do.
    pub fn list(&mut self, attempt: AttemptRecord) {
        let trigger = attempt.trigger;
        self.attempts.push(attempt);
        self.attempts.sort_by(|a, b| a.id.cmp(&b.id));
        let of_kind = self.attempts.iter().filter(|it| it.trigger == trigger).count();
        if of_kind > MAX_ATTEMPTS
            && let Some(oldest) = self.attempts.iter().position(|it| it.trigger == trigger)
        {
            self.attempts.remove(oldest);
        }
        let mut bytes = 0;
        for attempt in self.attempts.iter_mut().rev() {
            bytes += attempt.response.len();
            if bytes > MAX_RESPONSES {
                attempt.response.clear();
            }
        }
    }
}

/// What made an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AttemptTrigger {
    /// The schedule.
    Scheduled,
    /// A caller.
    Manual,
}

/// One request and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptRecord {
    /// Its id; later ones are greater.
    pub id: String,
    /// Where it was sent, up to 2,048 characters of it.
    pub url: String,
    /// The status of the answer; none when none came.
    pub status_code: Option<u16>,
    /// How long it took.
    pub duration_ms: u64,
    /// The beginning of the answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub response: String,
    /// Whether `response` is in base64, because it was no text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub response_is_base64: bool,
    /// Why no answer came.
    pub failure: Option<String>,
    /// What made it.
    pub trigger: AttemptTrigger,
    /// Whether the message was taken.
    pub succeeded: bool,
    /// When it began.
    pub at: Millis,
}

/// An attempt as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAttempt {
    /// The message.
    pub message_id: MessageId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// The attempt.
    pub attempt: AttemptRecord,
}

/// How an endpoint is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EndpointState {
    /// What the circuit breaker knows; null when that is nothing.
    pub health: Value,
    /// The earliest slot of the rate limiter that is free, in epoch microseconds of real time.
    pub arrival: Option<u64>,
}

/// An editor by its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditorRef {
    /// Where.
    pub organization_id: OrganizationId,
    /// In which document.
    pub document_id: DocumentId,
    /// Which one.
    pub editor_id: EditorId,
}

/// A message of the queue `deliveries`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum WebhookTask {
    /// An attempt is to be made.
    Deliver(DeliveryTask),
    /// What an endpoint missed is to be sent again.
    Recover {
        /// Which one.
        endpoint_id: EndpointId,
        /// Messages since then.
        since: Millis,
        /// Where to go on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<MessageId>,
    },
    /// A message goes to more endpoints than are sent to at once.
    Spread {
        /// Which one.
        message_id: MessageId,
        /// Where to go on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<EndpointId>,
    },
    /// The debounce time of an editor may be over.
    Debounced {
        /// Which one.
        editor: EditorRef,
    },
}

impl WebhookTask {
    /// The first attempt of a message at an endpoint.
    pub fn deliver(message_id: MessageId, endpoint_id: EndpointId) -> Self {
        Self::Deliver(DeliveryTask { message_id, endpoint_id, order: None, slot: None })
    }
}

/// An attempt to be made. For a first attempt, this message of the queue is all there is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DeliveryTask {
    /// The message.
    pub message_id: MessageId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// The order of a caller, if one made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<String>,
    /// The slot that was reserved for it, in epoch microseconds of real time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u64>,
}
