//! `POST /v2/workspace/advancedwebhook/endpoints/recover`: sends every failed or skipped message
//! since a time again.
//!
//! The messages are sent in the background.
//!
//! # Errors
//! - FAILED_PRECONDITION: the endpoint is disabled, or advanced webhooks are not configured or
//!   disabled.
//! - NOT_FOUND: the endpoint does not exist.

use model::{EndpointId, Millis, Timestamp, time::Instant};
use service::{Queue, prelude::*};
use webhook::types::WebhookTask;

pub enum RecoverWebhookEndpoint {}

/// The maximum age.
const LONGEST: Millis = 14 * 24 * 60 * 60 * 1000;

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    endpoint_id: EndpointId,
    /// At most 14 days ago.
    since: Instant,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "RecoveryStarted")]
pub struct Ordered {
    endpoint_id: EndpointId,
    since: Timestamp,
}

impl Operation for RecoverWebhookEndpoint {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhook/endpoints/recover"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Ordered>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let (endpoint_id, since) = (request.endpoint_id, request.since.get());
        if since < cx.now().saturating_sub(LONGEST) {
            return Err(issue(&["since"], "must be at most 14 days ago"));
        }
        if cx.tenant().webhooks().endpoint(&endpoint_id).await?.disabled {
            return Err(Error::precondition("The webhook endpoint is disabled."));
        }
        let task = WebhookTask::Recover { endpoint_id: endpoint_id.clone(), since, after: None };
        cx.send(Queue::Deliveries, &task).await?;
        let ordered = Ordered { endpoint_id, since: Timestamp(since) };
        Ok(success("Missed webhook messages will be sent again.", Data(ordered)))
    }
}
