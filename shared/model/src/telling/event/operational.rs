//! Events about webhook endpoints, for their owners.

use serde::{Deserialize, Serialize};

/// What became of a webhook endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum EndpointChange {
    /// It was added.
    Created,
    /// It was changed.
    Updated,
    /// It was deleted.
    Deleted,
    /// It was disabled.
    Disabled,
    /// It has failed for so long that it will be disabled.
    Failing,
}

impl EndpointChange {
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

/// How a webhook message fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AttemptChange {
    /// Several attempts failed.
    Failing,
    /// The last attempt failed.
    Exhausted,
    /// It was taken after all.
    Recovered,
}

impl AttemptChange {
    /// The type of the operational event.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Failing => "message.attempt.failing",
            Self::Exhausted => "message.attempt.exhausted",
            Self::Recovered => "message.attempt.recovered",
        }
    }
}
