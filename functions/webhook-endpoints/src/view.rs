//! Types that several operations share.

use std::collections::BTreeSet;

use model::{
    EndpointId, Line, Secret, Timestamp,
    webhook_endpoint::{
        Channels, DisableReason, EndpointUid, EndpointUrl, EventType, FilterTypes, RateLimit,
    },
};
use service::prelude::*;
use webhook::types::WebhookEndpoint;

/// An endpoint; unset members are null.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookEndpoint")]
pub struct EndpointView {
    id: EndpointId,
    url: EndpointUrl,
    description: Option<Line>,
    /// Subscribed event types; all when null.
    filter_types: Option<FilterTypes>,
    /// Subscribed channels; all when null.
    channels: Option<Channels>,
    /// Whether it receives no deliveries.
    disabled: bool,
    /// Why the service disabled it; null while it is enabled, and when a call disabled it.
    disabled_reason: Option<DisabledBy>,
    /// When the service disabled it; null as above.
    disabled_at: Option<Timestamp>,
    /// Deliveries per second; unlimited when null.
    rate_limit: Option<RateLimit>,
    uid: Option<EndpointUid>,
    created_at: Timestamp,
    updated_at: Timestamp,
}

/// Why the service disabled an endpoint.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum DisabledBy {
    /// The receiver replied 410.
    Gone,
    /// The receiver asked for it.
    ReceiverRequest,
    /// Every attempt failed for days.
    ConsecutiveFailure,
}

impl DisabledBy {
    fn of(reason: DisableReason) -> Option<Self> {
        match reason {
            DisableReason::Gone => Some(Self::Gone),
            DisableReason::ReceiverRequest => Some(Self::ReceiverRequest),
            DisableReason::ConsecutiveFailure => Some(Self::ConsecutiveFailure),
            DisableReason::Manual => None,
        }
    }
}

impl From<WebhookEndpoint> for EndpointView {
    fn from(endpoint: WebhookEndpoint) -> Self {
        let disabled_reason = endpoint.disabled_reason.and_then(DisabledBy::of);
        let disabled_at = endpoint.disabled_at.filter(|_| disabled_reason.is_some());
        Self {
            disabled_reason,
            disabled_at: disabled_at.map(Timestamp),
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

/// Total length of the event types of an endpoint. The item keeps them with their last five
/// versions, and each event reads all endpoints.
const MAX_TYPES: usize = 16 * 1024;

/// Refuses duplicate event types and lists that are too long.
pub(crate) fn types(member: &str, list: Option<&[EventType]>) -> Result<()> {
    let length: usize = list.unwrap_or_default().iter().map(|it| it.as_str().len()).sum();
    if length > MAX_TYPES {
        return Err(issue(&[member], "must have at most 16384 characters together"));
    }
    distinct(member, list)
}

/// Refuses duplicates.
pub(crate) fn distinct<T: Ord>(member: &str, list: Option<&[T]>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for (n, element) in list.unwrap_or_default().iter().enumerate() {
        if !seen.insert(element) {
            return Err(issue(&[member, &n.to_string()], "must not be named twice"));
        }
    }
    Ok(())
}
