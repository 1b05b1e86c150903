//! `POST /v2/workspace/advancedwebhook/endpoints/delete`: deletes the endpoint permanently.
//!
//! The signing secrets of the endpoint are deleted, and its uid can be used again.
//!
//! # Errors
//! - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
//! - NOT_FOUND: the endpoint does not exist.
//!
//! # Events
//! `endpoint.deleted`

use model::EndpointId;
use service::prelude::*;

pub enum DeleteWebhookEndpoint {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    endpoint_id: EndpointId,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookEndpointDeleted")]
pub struct Deleted {
    endpoint_id: EndpointId,
    /// Always true.
    deleted: bool,
}

impl Operation for DeleteWebhookEndpoint {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhook/endpoints/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Deleted>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let endpoint_id = request.endpoint_id;
        cx.tenant().webhooks().delete_endpoint(&endpoint_id).await?;
        Ok(success("Webhook endpoint deleted.", Data(Deleted { endpoint_id, deleted: true })))
    }
}
