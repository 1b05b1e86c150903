//! Events about webhook endpoints, for their owners.

use serde::{Deserialize, Serialize};

/// A change of a webhook endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EndpointChange {
    /// Added.
    Created,
    /// Changed.
    Updated,
    /// Deleted.
    Deleted,
    /// Disabled.
    Disabled,
    /// Failing for so long that it will be disabled.
    Failing,
}

impl EndpointChange {
    /// Every one.
    pub const ALL: [Self; 5] =
        [Self::Created, Self::Updated, Self::Deleted, Self::Disabled, Self::Failing];

    /// When the operational event is sent: a sentence for receivers.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Created => "A webhook endpoint was added.",
            Self::Updated => "A webhook endpoint was changed.",
            Self::Deleted => "A webhook endpoint was deleted.",
            Self::Disabled => "A webhook endpoint was disabled.",
            Self::Failing => "A webhook endpoint keeps failing and will be disabled.",
        }
    }

    /// The type of the operational event.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "endpoint.created",
            Self::Updated => "endpoint.updated",
            Self::Deleted => "endpoint.deleted",
            Self::Disabled => "endpoint.disabled",
            Self::Failing => "endpoint.failing",
        }
    }
}

/// Delivery state of a webhook message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DeliveryChange {
    /// Several attempts failed.
    Failing,
    /// The last attempt failed.
    Exhausted,
    /// Delivered after failures.
    Recovered,
}

impl DeliveryChange {
    /// Every one.
    pub const ALL: [Self; 3] = [Self::Failing, Self::Exhausted, Self::Recovered];

    /// When the operational event is sent: a sentence for receivers.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Failing => "Several attempts to deliver a message failed.",
            Self::Exhausted => "The last attempt to deliver a message failed.",
            Self::Recovered => "A message was delivered after failures.",
        }
    }

    /// The type of the operational event.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Failing => "message.attempt.failing",
            Self::Exhausted => "message.attempt.exhausted",
            Self::Recovered => "message.attempt.recovered",
        }
    }
}
