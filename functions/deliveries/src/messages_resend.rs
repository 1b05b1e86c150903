//! `POST /v2/workspace/advancedwebhook/messages/resend`: sends the message regardless of the event
//! types of the endpoint.
//!
//! # Errors
//! - FAILED_PRECONDITION: the endpoint is disabled, or advanced webhooks are not configured or
//!   disabled.
//! - NOT_FOUND: the message or the endpoint does not exist.

use model::{EndpointId, MessageId};
use service::{Queue, prelude::*};
use webhook::types::{DeliveryTask, WebhookTask};

pub enum ResendWebhookMessage {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    message_id: MessageId,
    /// The receiver: an endpoint, or `basic-raw` or `basic-processed` for a basic webhook.
    endpoint_id: EndpointId,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ResendStarted")]
pub struct Ordered {
    message_id: MessageId,
    endpoint_id: EndpointId,
}

impl Operation for ResendWebhookMessage {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhook/messages/resend"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Ordered>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { message_id, endpoint_id } = request;
        cx.tenant().webhooks().check_resend(&message_id, &endpoint_id).await?;
        let order = Some(cx.tenant().unique_id());
        let (message, to) = (message_id.clone(), endpoint_id.clone());
        let task = DeliveryTask { order, ..DeliveryTask::new(message, to) };
        cx.send(Queue::Deliveries, &WebhookTask::Deliver(task)).await?;
        let ordered = Ordered { message_id, endpoint_id };
        Ok(success("Webhook message will be sent again.", Data(ordered)))
    }
}
