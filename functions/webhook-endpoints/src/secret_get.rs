//! `POST /v2/workspace/advancedwebhook/endpoints/secret/get`: the key that signs deliveries to the
//! endpoint.
//!
//! # Errors
//! - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
//! - NOT_FOUND: the endpoint does not exist.

use model::EndpointId;
use service::prelude::*;

use crate::view::SecretView;

pub enum GetWebhookEndpointSecret {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    endpoint_id: EndpointId,
}

impl Operation for GetWebhookEndpointSecret {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhook/endpoints/secret/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<SecretView>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let endpoint = cx.tenant().webhooks().endpoint(&request.endpoint_id).await?;
        let view = SecretView { endpoint_id: endpoint.id, secret: endpoint.signing.secret };
        Ok(success("Webhook endpoint secret retrieved.", Data(view)))
    }
}
