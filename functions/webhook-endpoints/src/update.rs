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
    EndpointId, Line, Patch, set,
    webhook_endpoint::{Channels, EndpointMetadata, EndpointUrl, FilterTypes, RateLimit},
};
use service::prelude::*;
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
    #[serde(default)]
    description: Patch<Line>,
    /// Event types to subscribe to, each once; all when null.
    #[serde(default)]
    filter_types: Patch<FilterTypes>,
    /// Channels to subscribe to, each once; all when null.
    #[serde(default)]
    channels: Patch<Channels>,
    /// Whether it receives no deliveries.
    disabled: Option<bool>,
    /// Deliveries per second; unlimited when null.
    #[serde(default)]
    rate_limit: Patch<RateLimit>,
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
        types("filterTypes", request.filter_types.value().map(|sent| &**sent))?;
        distinct("channels", request.channels.value().map(|sent| &**sent))?;
        let now = cx.now();
        let changed = cx.tenant().webhooks().change_endpoint(&request.endpoint_id, |endpoint| {
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
            && self.description.is_keep()
            && self.filter_types.is_keep()
            && self.channels.is_keep()
            && self.disabled.is_none()
            && self.rate_limit.is_keep()
            && self.metadata.is_none()
    }

    fn apply(self, endpoint: &mut WebhookEndpoint) {
        set(&mut endpoint.url, self.url);
        self.description.apply(&mut endpoint.description);
        self.filter_types.apply(&mut endpoint.filter_types);
        self.channels.apply(&mut endpoint.channels);
        set(&mut endpoint.disabled, self.disabled);
        self.rate_limit.apply(&mut endpoint.rate_limit);
        set(&mut endpoint.metadata, self.metadata);
    }
}
