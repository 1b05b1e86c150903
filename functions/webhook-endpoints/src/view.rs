//! What several operations take and show.

use std::collections::BTreeSet;

use model::{
    EndpointId, Line, Secret, Timestamp,
    webhook_endpoint::{
        Channels, EndpointUid, EndpointUrl, EventType, FilterTypes, RateLimit, WebhookEndpoint,
    },
};
use schemars::JsonSchema;
use serde::Serialize;
use service::{Result, issue};

/// An endpoint (spec 2.4): what is unset is null.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookEndpoint")]
pub struct EndpointView {
    id: EndpointId,
    url: EndpointUrl,
    description: Option<Line>,
    /// Subscribed event types; null: all.
    filter_types: Option<FilterTypes>,
    /// Subscribed channels; null: all.
    channels: Option<Channels>,
    /// Whether it receives no deliveries.
    disabled: bool,
    /// Deliveries per second; null: as fast as they come.
    rate_limit: Option<RateLimit>,
    uid: Option<EndpointUid>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

impl From<WebhookEndpoint> for EndpointView {
    fn from(endpoint: WebhookEndpoint) -> Self {
        Self {
            id: endpoint.id,
            url: endpoint.url,
            description: endpoint.description,
            filter_types: endpoint.filter_types,
            channels: endpoint.channels,
            disabled: endpoint.disabled,
            rate_limit: endpoint.rate_limit,
            uid: endpoint.uid,
            created_at: Timestamp(endpoint.created_at),
            updated_at: Timestamp(endpoint.updated_at),
        }
    }
}

/// The signing secret of an endpoint.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookSecret")]
pub struct SecretView {
    pub(crate) endpoint_id: EndpointId,
    /// `whsec_` and base64.
    pub(crate) secret: Secret,
}

/// A new signing secret.
pub(crate) fn new_secret() -> Result<Secret> {
    Ok(format!("whsec_{}", service::random_base64::<32>()?).into())
}

/// Longest event types of an endpoint, taken together: it is kept with its last five versions, and
/// all endpoints are looked at for each event.
const MAX_TYPES: usize = 16 * 1024;

/// Refuses event types that name one twice, or are too long together.
pub(crate) fn types(member: &str, list: Option<&[EventType]>) -> Result<()> {
    let length: usize = list.unwrap_or_default().iter().map(|it| it.as_str().len()).sum();
    if length > MAX_TYPES {
        return Err(issue(&[member], "must have at most 16384 characters together"));
    }
    distinct(member, list)
}

/// Refuses a list that names something twice.
pub(crate) fn distinct<T: Ord>(member: &str, list: Option<&[T]>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for (n, element) in list.unwrap_or_default().iter().enumerate() {
        if !seen.insert(element) {
            return Err(issue(&[member, &n.to_string()], "must not be named twice"));
        }
    }
    Ok(())
}
