//! Members of endpoints that receive advanced webhooks (contract `webhook-endpoints`).

use std::{collections::BTreeMap, fmt};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Bounded, UpTo,
    text::{is_web_url, texts},
};

fn is_word(text: &str, max: usize, more: &str) -> bool {
    (1..=max).contains(&text.len())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c) || more.contains(c))
}

texts! {
    /// An http(s) URL of at most 65536 characters.
    EndpointUrl { #[schemars(length(max = 65536), regex(pattern = r"^[Hh][Tt][Tt][Pp][Ss]?://[^\s/]\S*$"))] } |text| {
        if is_web_url(text) && text.len() <= 65_536 {
            Ok(())
        } else {
            Err("must be a valid http(s) URL of at most 65536 characters")
        }
    };
    /// The type of an event: 1 to 256 letters, digits, `-`, `_` and `.`.
    EventType { #[schemars(length(min = 1, max = 256), regex(pattern = r"^[a-zA-Z0-9\-_.]+$"))] } |text| {
        if is_word(text, 256, "") {
            Ok(())
        } else {
            Err("must be 1 to 256 letters, digits, hyphens, underscores and dots")
        }
    };
    /// A channel: 1 to 128 letters, digits, `-`, `_`, `.` and `:`. An event in a document has two:
    /// `organization.{organizationId}` and `document.{documentId}`. An id with other characters or
    /// excessive length is replaced by its SHA-256 in hexadecimal behind a colon:
    /// `document:7509e5bd…`. An event about webhooks has none.
    Channel { #[schemars(length(min = 1, max = 128), regex(pattern = r"^[a-zA-Z0-9\-_.:]+$"))] } |text| {
        if is_word(text, 128, ":") {
            Ok(())
        } else {
            Err("must be 1 to 128 letters, digits, hyphens, underscores, dots and colons")
        }
    };
    /// The caller's name of an endpoint: 1 to 256 letters, digits, `-`, `_` and `.`.
    EndpointUid { #[schemars(length(min = 1, max = 256), regex(pattern = r"^[a-zA-Z0-9\-_.]+$"))] } |text| {
        if is_word(text, 256, "") {
            Ok(())
        } else {
            Err("must be 1 to 256 letters, digits, hyphens, underscores and dots")
        }
    };
}

/// Subscribed event types.
pub type FilterTypes = UpTo<EventType, 500>;
/// Subscribed channels.
pub type Channels = UpTo<Channel, 10>;
/// Deliveries per second.
pub type RateLimit = Bounded<1, 65_535>;

/// Custom members of an endpoint: texts by name, at most 4096 bytes of JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
#[schemars(!try_from, !into)]
#[schemars(rename = "WebhookEndpointMetadata")]
pub struct EndpointMetadata(BTreeMap<String, String>);

impl TryFrom<BTreeMap<String, String>> for EndpointMetadata {
    type Error = &'static str;
    fn try_from(members: BTreeMap<String, String>) -> Result<Self, &'static str> {
        let fits = serde_json::to_string(&members).is_ok_and(|json| json.len() <= 4096);
        if fits { Ok(Self(members)) } else { Err("must be at most 4096 bytes of JSON") }
    }
}

impl From<EndpointMetadata> for BTreeMap<String, String> {
    fn from(metadata: EndpointMetadata) -> Self {
        metadata.0
    }
}

/// Reason for disabling an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DisableReason {
    /// Replied 410.
    Gone,
    /// Requested by the receiver.
    ReceiverRequest,
    /// Every attempt failed for days.
    ConsecutiveFailure,
    /// Disabled by its owner.
    Manual,
}

impl DisableReason {
    /// Name of the reason in events.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gone => "gone",
            Self::ReceiverRequest => "receiver_request",
            Self::ConsecutiveFailure => "consecutive_failure",
            Self::Manual => "manual",
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Channel, EndpointMetadata, EndpointUrl, EventType};

    #[test]
    fn words_have_both_ends_of_their_ranges() {
        let event = |text: String| EventType::try_from(text).is_ok();
        let channel = |text: String| Channel::try_from(text).is_ok();
        assert!(event("comment.add".to_owned()) && event("x".repeat(256)));
        assert!(!event("x".repeat(257)) && !event(String::new()) && !event("a:b".to_owned()));
        assert!(channel("a:b-c_d.e".to_owned()) && channel("x".repeat(128)));
        assert!(!channel("x".repeat(129)) && !channel(String::new()) && !channel("é".to_owned()));
        let url = |n: usize| format!("https://{}", "x".repeat(n - 8));
        assert!(EndpointUrl::try_from(url(65_536)).is_ok());
        assert!(EndpointUrl::try_from(url(65_537)).is_err());
        assert!(EndpointUrl::try_from(String::new()).is_err());
    }

    #[test]
    fn metadata_has_at_most_4096_bytes() {
        let metadata = |n: usize| {
            EndpointMetadata::try_from(BTreeMap::from([("k".to_owned(), "v".repeat(n))]))
        };
        assert!(metadata(4096 - 8).is_ok());
        assert!(metadata(4096 - 7).is_err());
    }
}
