//! Revisions of a webhook endpoint.

use serde::{Deserialize, Serialize};

/// Counts of the changes of an endpoint that its deliveries depend on. State that was stored for an
/// earlier revision does not hold any more. Absent in items of earlier versions, which is the first
/// revision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Revision {
    /// Changes of the URL: pauses, failures and retry times belong to one.
    #[serde(rename = "urlRevision", skip_serializing_if = "is_first")]
    pub url: u32,
    /// Changes of the rate limit: slots belong to one.
    #[serde(rename = "rateRevision", skip_serializing_if = "is_first")]
    pub rate: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn is_first(count: &u32) -> bool {
    *count == 0
}

impl Revision {
    /// Whether a change of the other one is missing in this one.
    pub fn is_behind(self, other: Self) -> bool {
        self.url < other.url || self.rate < other.rate
    }

    /// All changes of both.
    #[must_use]
    pub fn latest(self, other: Self) -> Self {
        Self { url: self.url.max(other.url), rate: self.rate.max(other.rate) }
    }
}
