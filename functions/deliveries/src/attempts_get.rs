//! `POST /v2/workspace/advancedwebhook/attempts/get`: attempts with their results, those of the
//! newest message first.
//!
//! # Errors
//! - FAILED_PRECONDITION: neither advanced nor basic webhooks are enabled.
//! - NOT_FOUND: the message does not exist.

use model::{EndpointId, MessageId, PageToken, Timestamp, WalkSize};
use service::prelude::*;
use webhook::types::{AttemptFailure, AttemptTrigger, ListedAttempt};

pub enum GetWebhookAttempts {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Only attempts of this message; this or `endpointId` is required.
    message_id: Option<MessageId>,
    /// Only attempts at this endpoint.
    endpoint_id: Option<EndpointId>,
    /// Page size; 50 when absent.
    limit: Option<WalkSize>,
    /// The `iterator` or the `prevIterator` of another page; the first page when absent.
    iterator: Option<PageToken>,
}

/// An attempt.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DeliveryAttempt")]
pub(crate) struct AttemptView {
    id: String,
    message_id: MessageId,
    endpoint_id: EndpointId,
    /// The URL of the request, up to 2,048 characters.
    url: String,
    /// Null without a reply.
    status_code: Option<u16>,
    duration_ms: u64,
    /// The first 16 KiB of the reply. The oldest attempts of a message omit it if its replies
    /// exceed 300 KB together.
    response: String,
    /// Whether `response` is base64, because the reply was no text.
    response_is_base64: bool,
    /// The reason for a missing reply.
    failure: Option<AttemptFailure>,
    trigger: AttemptTrigger,
    status: AttemptStatus,
    /// Start of the request.
    timestamp: Timestamp,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum AttemptStatus {
    /// The endpoint took the message.
    Success,
    /// The endpoint did not take the message.
    Failed,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DeliveryAttempts")]
pub struct Attempts {
    /// Attempts of the newest message first; within a message by endpoint, then the newest first.
    /// Of each message at an endpoint, the latest ten scheduled and the latest ten manual attempts.
    attempts: Vec<AttemptView>,
    /// The next page, of older attempts; null when done.
    iterator: Option<PageToken>,
    /// The previous page, of newer attempts, sent as `iterator`; null on the first page.
    prev_iterator: Option<PageToken>,
    /// Whether there are no older attempts.
    done: bool,
}

impl From<ListedAttempt> for AttemptView {
    fn from(ListedAttempt { message_id, endpoint_id, attempt }: ListedAttempt) -> Self {
        Self {
            id: attempt.id,
            message_id,
            endpoint_id,
            url: attempt.url,
            status_code: attempt.status_code,
            duration_ms: attempt.duration_ms,
            response: attempt.response,
            response_is_base64: attempt.response_is_base64,
            failure: attempt.failure,
            trigger: attempt.trigger,
            status: match attempt.succeeded {
                true => AttemptStatus::Success,
                false => AttemptStatus::Failed,
            },
            timestamp: Timestamp(attempt.at),
        }
    }
}

impl Operation for GetWebhookAttempts {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhook/attempts/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Attempts>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let (message, endpoint) = (&request.message_id, &request.endpoint_id);
        if message.is_none() && endpoint.is_none() {
            return Err(Error::invalid("Pass messageId or endpointId."));
        }
        let walk = cx.walk(request.limit, request.iterator.as_ref(), &(message, endpoint))?;
        let page = cx
            .tenant()
            .webhooks()
            .list_attempts(&walk, message.as_ref(), endpoint.as_ref())
            .await?;
        let attempts = Attempts {
            attempts: page.items.into_iter().map(AttemptView::from).collect(),
            done: page.iterator.is_none(),
            iterator: page.iterator,
            prev_iterator: page.prev_iterator,
        };
        Ok(success("Webhook attempts retrieved.", Data(attempts)))
    }
}
