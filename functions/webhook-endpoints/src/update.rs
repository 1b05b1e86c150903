//! `POST /v2/workspace/advancedwebhook/endpoints/update`: replies with the endpoint after the
//! change.
//!
//! A member that is left out keeps its value; `null` clears an optional one. Metadata is replaced
//! as a whole.
//!
//! # Errors
//! - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
//! - NOT_FOUND: the endpoint does not exist.
//!
//! # Events
//! `endpoint.updated`, `endpoint.disabled`

use model::{
    EndpointId, Line, clearable, set,
    webhook_endpoint::{Channels, EndpointMetadata, EndpointUrl, FilterTypes, RateLimit},
};
use schemars::JsonSchema;
use serde::Deserialize;
use service::{ApiKey, Cx, Data, Effect, Error, Operation, Result, Success, prelude::*, success};
use webhook::types::WebhookEndpoint;

use crate::view::{EndpointView, distinct, types};

pub enum UpdateWebhookEndpoint {}

#[derive(Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    endpoint_id: EndpointId,
    /// The URL that receives deliveries.
    url: Option<EndpointUrl>,
    /// Null unsets it.
    #[serde(default, deserialize_with = "clearable")]
    description: Option<Option<Line>>,
    /// Event types to subscribe to, each once; all when null.
    #[serde(default, deserialize_with = "clearable")]
    filter_types: Option<Option<FilterTypes>>,
    /// Channels to subscribe to, each once; all when null.
    #[serde(default, deserialize_with = "clearable")]
    channels: Option<Option<Channels>>,
    /// Whether it receives no deliveries.
    disabled: Option<bool>,
    /// Deliveries per second; unlimited when null.
    #[serde(default, deserialize_with = "clearable")]
    rate_limit: Option<Option<RateLimit>>,
    /// Stored with the endpoint and not returned.
    metadata: Option<EndpointMetadata>,
}

impl Operation for UpdateWebhookEndpoint {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhook/endpoints/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<EndpointView>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        if request.is_empty() {
            return Err(Error::invalid(
                "At least one endpoint field besides endpointId must be provided.",
            ));
        }
        if let Some(url) = &request.url {
            cx.check_webhook_url(&["url"], url.as_str())?;
        }
        types("filterTypes", request.filter_types.as_ref().and_then(Option::as_deref))?;
        distinct("channels", request.channels.as_ref().and_then(Option::as_deref))?;
        let now = cx.now();
        let changed = cx.webhooks().change_endpoint(&request.endpoint_id, |endpoint| {
            request.clone().apply(endpoint);
            endpoint.updated_at = now;
            Ok(())
        });
        Ok(success("Webhook endpoint updated.", Data(changed.await?.into())))
    }
}

impl Request {
    fn is_empty(&self) -> bool {
        self.url.is_none()
            && self.description.is_none()
            && self.filter_types.is_none()
            && self.channels.is_none()
            && self.disabled.is_none()
            && self.rate_limit.is_none()
            && self.metadata.is_none()
    }

    fn apply(self, endpoint: &mut WebhookEndpoint) {
        set(&mut endpoint.url, self.url);
        set(&mut endpoint.description, self.description);
        set(&mut endpoint.filter_types, self.filter_types);
        set(&mut endpoint.channels, self.channels);
        set(&mut endpoint.disabled, self.disabled);
        set(&mut endpoint.rate_limit, self.rate_limit);
        set(&mut endpoint.metadata, self.metadata);
    }
}
