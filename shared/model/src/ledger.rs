//! The ledger of webhooks: what was sent where, and what came of it (decisions 5, "Delivery
//! ledger").

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    DocumentId, EditorId, EndpointId, MessageId, Metadata, Millis, OrganizationId, event::EventRef,
    webhook_endpoint::Channel,
};

/// How long the ledger is kept, in milliseconds: 90 days.
pub const KEPT: Millis = 90 * 24 * 60 * 60 * 1000;

/// The endpoint of unprocessed basic webhooks (siblings 4.1), in the ledger.
pub const BASIC_RAW: &str = "basic-raw";
/// The endpoint of processed basic webhooks, in the ledger.
pub const BASIC_PROCESSED: &str = "basic-processed";

/// A message, as it goes to every endpoint that wants it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// `msg_` and the ULID of the event.
    pub id: MessageId,
    /// The type of the event.
    pub event_type: String,
    /// When it happened.
    pub at: Millis,
    /// The body, exactly as it is signed and sent.
    pub body: String,
    /// The channels it is for.
    #[serde(default)]
    pub channels: Vec<Channel>,
    /// Where it happened.
    pub organization_id: Option<OrganizationId>,
    /// In which document.
    pub document_id: Option<DocumentId>,
    /// The number of the event in its document.
    pub seq: Option<u64>,
    /// When a user was taken out of it who was erased.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expunged_at: Option<Millis>,
}

/// What is left of a body that names a user who is erased: what it was about, so that nobody finds
/// a gap, and that there was more.
pub fn expunged(body: &str) -> String {
    const KEPT: [&str; 7] =
        ["type", "timestamp", "id", "seq", "webhookId", "actionType", "notificationSource"];
    let mut members: Metadata = serde_json::from_str(body).unwrap_or_default();
    members.retain(|name, _| KEPT.contains(&name.as_str()));
    members.insert("expunged".to_owned(), Value::Bool(true));
    Value::Object(members).to_string()
}

/// What became of a message at an endpoint.
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

/// A message at one endpoint. Changes by compare-and-set only; whoever holds the lease sends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Delivery {
    /// The message.
    pub message_id: MessageId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// The type of the event.
    pub event_type: String,
    /// What became of it.
    pub status: DeliveryStatus,
    /// Scheduled attempts that ended, ever.
    #[serde(default)]
    pub attempts: u32,
    /// Attempts of the present schedule that failed.
    #[serde(default)]
    pub failures: u32,
    /// When something is to be done: an attempt, or what is left of one whose lease is over.
    pub next_at: Option<Millis>,
    /// Why it was skipped, or is not tried again.
    pub reason: Option<String>,
    /// The body, where it is another than that of the message.
    pub body: Option<String>,
    /// Whether it tells of webhooks themselves, and so nothing is told of it.
    #[serde(default)]
    pub operational: bool,
    /// When it was made.
    pub created_at: Millis,
}

impl Delivery {
    /// Whether nothing is to be done any more.
    pub fn is_over(&self) -> bool {
        use DeliveryStatus::{Exhausted, Skipped, Success};
        matches!(self.status, Success | Exhausted | Skipped)
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
    /// The message.
    pub message_id: MessageId,
    /// The endpoint.
    pub endpoint_id: EndpointId,
    /// Where it was sent.
    pub url: String,
    /// The status of the answer; none when none came.
    pub status_code: Option<u16>,
    /// How long it took.
    pub duration_ms: u64,
    /// The beginning of the answer.
    pub response: String,
    /// Whether `response` is in base64, because it was no text.
    #[serde(default)]
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

/// How an endpoint is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EndpointState {
    /// What the breaker knows; null when that is nothing.
    pub health: Value,
    /// The earliest time of the next request, in epoch microseconds of real time.
    pub arrival: Option<u64>,
}

/// An editor whose changes are waited for to end.
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

/// The last change of an editor, until no other comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Quieting {
    /// The editor.
    pub editor: EditorRef,
    /// The last change.
    pub event_id: String,
    /// When it happened.
    pub at: Millis,
    /// When the first change happened that is not told yet.
    pub since: Millis,
    /// When it is told unless another comes.
    pub until: Millis,
}

/// What the worker of events is told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookTask {
    /// The event.
    #[serde(flatten)]
    pub event: EventRef,
    /// The editor that may have become quiet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quiet: Option<EditorRef>,
    /// Where to go on in what is recovered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<MessageId>,
}

/// What the worker of deliveries is told.
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
