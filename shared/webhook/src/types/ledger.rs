//! The ledger of webhooks: messages, deliveries and attempts (contract `deliveries`).

use std::collections::BTreeSet;

use model::{EndpointId, MessageId, Metadata, Millis, event::Event, revision::Revision};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Retention of the ledger, in milliseconds: 90 days.
pub const RETENTION: Millis = 90 * 24 * 60 * 60 * 1000;

/// The endpoint of unprocessed basic webhooks (contract `configuration.webhooks_update`), in the
/// ledger.
pub const BASIC_RAW: &str = "basic-raw";
/// The endpoint of processed basic webhooks, in the ledger.
pub const BASIC_PROCESSED: &str = "basic-processed";

/// An entity with the version that its next write expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versioned<E> {
    /// The entity.
    pub entity: E,
    /// Opaque; different after every write.
    pub version: String,
}

/// The journal's entry of an event with subscribers, and the webhook message. The body follows from
/// it, so every attempt sends the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `msg_` and the ULID of the event.
    pub id: MessageId,
    /// The number of the event in its document.
    pub seq: Option<u64>,
    /// Time of the event.
    pub at: Millis,
    /// The event.
    pub event: Event,
    /// Data of the body besides the event.
    pub context: Context,
    /// Endpoints of the message.
    pub endpoints: BTreeSet<EndpointId>,
    /// Time at which an erased user was removed from it.
    pub expunged_at: Option<Millis>,
}

/// Data of the body besides the event, at the time of the entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Context {
    /// The name of the document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_name: Option<String>,
    /// The metadata of the document; none when it does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_metadata: Option<Metadata>,
    /// The name of the organization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_name: Option<String>,
    /// The metadata of the organization; none when it does not exist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organization_metadata: Option<Metadata>,
    /// Content of the event's editor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub editor: Option<Value>,
    /// Whether data was dropped because of its size.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_partial: bool,
}

impl Message {
    /// The type of the event, as endpoints subscribe to it.
    pub fn event_type(&self) -> &str {
        match &self.event {
            Event::Domain(event) => event.event.name(),
            Event::EndpointChanged { change, .. } => change.name(),
            Event::DeliveryChanged { change, .. } => change.name(),
            Event::NoticeDelivered(notice) => &notice.trigger,
            _ => "",
        }
    }

    /// Whether it is about webhooks. The outcome of such a message causes no further event, or they
    /// would never end.
    pub fn is_operational(&self) -> bool {
        matches!(self.event, Event::EndpointChanged { .. } | Event::DeliveryChanged { .. })
    }

    /// Reduces it to ids, type and time, so that receivers see no gap.
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
    /// Waiting for its first attempt.
    Pending,
    /// An attempt is in progress.
    Sending,
    /// Accepted.
    Success,
    /// The last attempt failed; a retry follows.
    Failed,
    /// No further attempt follows.
    Exhausted,
    /// Not sent, because the endpoint was deleted or disabled.
    Skipped,
}

/// The delivery of a message to one endpoint, with its attempts. Changed only by compare-and-set.
/// The row exists from the end of the first attempt, or earlier if that has to wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The message.
    pub message_id: MessageId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// Outcome of the delivery.
    pub status: DeliveryStatus,
    /// Number of finished scheduled attempts.
    #[serde(default)]
    pub made: u32,
    /// Number of failed attempts of the present schedule.
    #[serde(default)]
    pub failures: u32,
    /// Due time: of an attempt, or of the recovery after a lease expired.
    pub next_at: Option<Millis>,
    /// The reason for skipping it or ending retries.
    pub reason: Option<String>,
    /// The revision of the endpoint that its last attempt or wait was for.
    #[serde(flatten)]
    pub revision: Revision,
    /// Whether its time has come, and it waits for the endpoint: for a slot, or the end of a pause.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_put_off: bool,
    /// Orders of callers that wait for the endpoint.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub orders: BTreeSet<String>,
    /// The latest slot of a manual attempt; a repeated order finds it taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<u64>,
    /// The latest attempts, the newest last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<AttemptRecord>,
    /// Creation time.
    pub created_at: Millis,
}

/// Listed attempts of each kind; the schedule has as many.
const MAX_ATTEMPTS: usize = 10;
/// Total size of listed replies; older replies are dropped. An item has room for 400 KB.
const MAX_RESPONSES: usize = 300_000;

impl Delivery {
    /// A delivery before its first attempt.
    pub fn new(message_id: MessageId, endpoint_id: EndpointId, now: Millis) -> Self {
        Self {
            message_id,
            endpoint_id,
            status: DeliveryStatus::Pending,
            made: 0,
            failures: 0,
            next_at: Some(now),
            reason: None,
            revision: Revision::default(),
            is_put_off: false,
            orders: BTreeSet::new(),
            slot: None,
            attempts: vec![],
            created_at: now,
        }
    }

    /// Whether it is finished.
    pub fn is_over(&self) -> bool {
        use DeliveryStatus::{Exhausted, Skipped, Success};
        matches!(self.status, Success | Exhausted | Skipped)
    }

    /// Whether it waits because of an earlier revision of the endpoint: for a retry at another URL,
    /// or for a slot of another rate. A first attempt waits for nothing but the endpoint.
    pub fn is_outdated(&self, revision: Revision) -> bool {
        use DeliveryStatus::{Failed, Pending};
        let is_put_off = self.is_put_off || self.status == Pending;
        matches!(self.status, Pending | Failed)
            && (self.revision.url < revision.url
                || (is_put_off && self.revision.rate < revision.rate))
    }

    /// Whether all attempts failed.
    pub fn is_given_up(&self) -> bool {
        matches!(self.status, DeliveryStatus::Exhausted | DeliveryStatus::Skipped)
    }

    /// Adds an attempt, within limits: drops the oldest attempt of its kind, and the oldest
    /// replies.
    pub(crate) fn list_attempt(&mut self, attempt: AttemptRecord) {
        let trigger = attempt.trigger;
        self.attempts.push(attempt);
        self.attempts.sort_by(|a, b| a.id.cmp(&b.id));
        let of_kind = self.attempts.iter().filter(|attempt| attempt.trigger == trigger).count();
        if of_kind > MAX_ATTEMPTS
            && let Some(oldest) =
                self.attempts.iter().position(|attempt| attempt.trigger == trigger)
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

/// Cause of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum AttemptTrigger {
    /// The schedule.
    Scheduled,
    /// A caller.
    Manual,
}

/// The reason for a missing reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AttemptFailure {
    /// The address is not allowed.
    AddressRefused,
    /// The name was not resolved.
    Dns,
    /// The connection was refused.
    Connect,
    /// There was no trusted encrypted connection.
    Tls,
    /// The system has no root certificates.
    NoRootCertificates,
    /// The connection or the reply took too long.
    Timeout,
    /// The connection ended early, or the reply was not HTTP.
    Protocol,
    /// The URL is not callable.
    Url,
    /// The message has no body.
    Body,
    /// The payload could not be encrypted with the public key.
    Encryption,
    /// The request could not be signed.
    Signature,
}

/// One request with its outcome.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AttemptRecord {
    /// Id of the attempt; later ones are greater.
    pub id: String,
    /// URL of the request, up to 2,048 characters.
    pub url: String,
    /// The status of the reply; none without a reply.
    pub status_code: Option<u16>,
    /// Duration.
    pub duration_ms: u64,
    /// The beginning of the reply.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub response: String,
    /// Whether `response` is base64, because it was not text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub response_is_base64: bool,
    /// The reason for a missing reply.
    pub failure: Option<AttemptFailure>,
    /// Cause of the attempt.
    pub trigger: AttemptTrigger,
    /// Whether the receiver accepted it.
    pub succeeded: bool,
    /// Start time.
    pub at: Millis,
}

/// An attempt in lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedAttempt {
    /// The message.
    pub message_id: MessageId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// The attempt.
    pub attempt: AttemptRecord,
}

/// Health of an endpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EndpointState {
    /// State of the circuit breaker; null when closed.
    pub health: Value,
    /// The earliest free slot of the rate limiter, in epoch microseconds of real time.
    pub arrival: Option<u64>,
    /// The revision of the endpoint that both are of.
    #[serde(flatten)]
    pub revision: Revision,
}

#[cfg(test)]
mod tests;
