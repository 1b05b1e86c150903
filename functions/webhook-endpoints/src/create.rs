//! `POST /v2/workspace/advancedwebhook/endpoints/create`: creates an endpoint with its own signing
//! secret.
//!
//! # Errors
//! - FAILED_PRECONDITION: advanced webhooks are not configured or disabled.
//! - ALREADY_EXISTS: another endpoint has the uid.
//! - RESOURCE_EXHAUSTED: the API key has the maximum number of endpoints.
//!
//! # Events
//! `endpoint.created`

use model::{
    Line,
    revision::Revision,
    webhook_endpoint::{
        Channels, EndpointMetadata, EndpointUid, EndpointUrl, FilterTypes, RateLimit,
    },
};
use service::prelude::*;
use webhook::{
    new_secret,
    types::{Signing, WebhookEndpoint},
};

use crate::view::{EndpointView, distinct, types};

pub enum CreateWebhookEndpoint {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The URL that receives deliveries.
    url: EndpointUrl,
    description: Option<Line>,
    /// Event types to subscribe to, each once; all when absent.
    filter_types: Option<FilterTypes>,
    /// Channels to subscribe to, each once; all when absent.
    channels: Option<Channels>,
    /// Whether it receives no deliveries; false when absent.
    disabled: Option<bool>,
    /// Deliveries per second.
    rate_limit: Option<RateLimit>,
    /// A name of your own for the endpoint, unique within the API key; it cannot be changed.
    uid: Option<EndpointUid>,
    /// Stored with the endpoint and not returned.
    metadata: Option<EndpointMetadata>,
}

impl Operation for CreateWebhookEndpoint {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhook/endpoints/create"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<EndpointView>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        cx.check_webhook_url(&["url"], request.url.as_str())?;
        types("filterTypes", request.filter_types.as_deref())?;
        distinct("channels", request.channels.as_deref())?;
        let now = cx.now();
        let endpoint = WebhookEndpoint {
            id: cx.tenant().webhooks().new_endpoint_id()?,
            url: request.url,
            description: request.description,
            filter_types: request.filter_types,
            channels: request.channels,
            disabled: request.disabled.unwrap_or_default(),
            rate_limit: request.rate_limit,
            uid: request.uid,
            metadata: request.metadata.unwrap_or_default(),
            created_at: now,
            updated_at: now,
            signing: Signing::new(new_secret()?),
            disabled_reason: None,
            disabled_at: None,
            earlier: vec![],
            revision: Revision::default(),
        };
        cx.tenant().webhooks().add_endpoint(&endpoint).await?;
        Ok(success("Webhook endpoint created.", Data(endpoint.into())))
    }
}
