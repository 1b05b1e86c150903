//! `POST /v2/workspace/advancedwebhook/endpoints/secret/rotate`: replies with the new secret.
//!
//! Deliveries carry signatures of both secrets until the grace period of the old one ends.
//!
//! # Errors
//! - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
//! - NOT_FOUND: the endpoint does not exist.
//! - RESOURCE_EXHAUSTED: ten old secrets are still valid.
//!
//! # Events
//! `endpoint.updated`

use model::{Bounded, EndpointId};
use service::prelude::*;
use webhook::{new_secret, types::MAX_REPLACED};

use crate::view::SecretView;

pub enum RotateWebhookEndpointSecret {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    endpoint_id: EndpointId,
    /// How long the old secret stays valid, in seconds; a day when absent.
    grace_period_seconds: Option<Bounded<0, 604_800>>,
}

/// A day.
const DEFAULT_GRACE_SECONDS: u64 = 86_400;

impl Operation for RotateWebhookEndpointSecret {
    const PATHS: &'static [&'static str] =
        &["/v2/workspace/advancedwebhook/endpoints/secret/rotate"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<SecretView>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let grace = request.grace_period_seconds.map_or(DEFAULT_GRACE_SECONDS, Bounded::get) * 1000;
        let (secret, now) = (new_secret()?, cx.now());
        let rotated = cx.tenant().webhooks().change_endpoint(&request.endpoint_id, |endpoint| {
            let rotated = endpoint.signing.rotate(secret.clone(), grace, now);
            rotated.then_some(()).ok_or_else(|| {
                Error::exhausted(format!(
                    "The endpoint already has {MAX_REPLACED} old secrets that are still valid."
                ))
            })
        });
        let endpoint_id = rotated.await?.id;
        Ok(success("Webhook endpoint secret rotated.", Data(SecretView { endpoint_id, secret })))
    }
}
