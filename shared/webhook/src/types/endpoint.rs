//! Endpoints that receive advanced webhooks, and their signing secrets (contract
//! `webhook-endpoints`).

use model::{
    EndpointId, Line, Millis, Secret,
    revision::Revision,
    webhook_endpoint::{
        Channel, Channels, DisableReason, EndpointMetadata, EndpointUid, EndpointUrl, FilterTypes,
        RateLimit,
    },
};
use serde::{Deserialize, Serialize};

/// An endpoint with its signing secrets: both are deleted together.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct WebhookEndpoint {
    /// Generated id; later ones are greater.
    pub id: EndpointId,
    /// The URL that receives deliveries.
    pub url: EndpointUrl,
    /// Text for people.
    pub description: Option<Line>,
    /// Subscribed event types; all when absent.
    pub filter_types: Option<FilterTypes>,
    /// Subscribed channels; all when absent.
    pub channels: Option<Channels>,
    /// Whether it receives no deliveries.
    pub disabled: bool,
    /// Deliveries per second.
    pub rate_limit: Option<RateLimit>,
    /// The caller's name, unique within the API key.
    pub uid: Option<EndpointUid>,
    /// Custom metadata.
    #[serde(default)]
    pub metadata: EndpointMetadata,
    /// Creation time.
    pub created_at: Millis,
    /// Time of the last change.
    pub updated_at: Millis,
    /// Signing secrets.
    pub signing: Signing,
    /// The reason for disabling it.
    #[serde(default)]
    pub disabled_reason: Option<DisableReason>,
    /// The time of disabling it; none for one that an earlier version disabled.
    #[serde(default)]
    pub disabled_at: Option<Millis>,
    /// Previous subscriptions, the latest last.
    #[serde(default)]
    pub earlier: Vec<Earlier>,
    /// Revision of the endpoint.
    #[serde(flatten)]
    pub revision: Revision,
}

/// The subscription of an endpoint until a time.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Earlier {
    until: Millis,
    #[serde(flatten)]
    was: Subscription,
}

/// Subscription of an endpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Subscription {
    /// Whether the endpoint is disabled.
    pub disabled: bool,
    /// Subscribed event types; all when absent.
    #[serde(default)]
    pub filter_types: Option<FilterTypes>,
    /// Subscribed channels; all when absent.
    #[serde(default)]
    pub channels: Option<Channels>,
}

impl Subscription {
    /// Whether it matches a message of this type on these channels. A message without channels
    /// matches no subscription with channels.
    pub fn matches(&self, event_type: &str, channels: &[Channel]) -> bool {
        let is_type =
            |types: &FilterTypes| types.iter().any(|filter| filter.as_str() == event_type);
        let is_channel =
            |wanted: &Channels| wanted.iter().any(|channel| channels.contains(channel));
        !self.disabled
            && self.filter_types.as_ref().is_none_or(is_type)
            && self.channels.as_ref().is_none_or(is_channel)
    }
}

/// Retention of previous subscriptions: events are processed a second after they happen, or later
/// after an outage of the stream.
const REMEMBERED: Millis = 60 * 60 * 1000;
/// Maximum number of previous subscriptions.
const MAX_EARLIER: usize = 5;

impl WebhookEndpoint {
    /// Subscription of the endpoint.
    pub fn subscription(&self) -> Subscription {
        Subscription {
            disabled: self.disabled,
            filter_types: self.filter_types.clone(),
            channels: self.channels.clone(),
        }
    }

    /// The subscription at a time; none before the creation.
    pub fn subscription_at(&self, then: Millis) -> Option<Subscription> {
        if self.created_at > then {
            return None;
        }
        let earlier = self.earlier.iter().filter(|earlier| earlier.until > then);
        let earlier = earlier.min_by_key(|earlier| earlier.until);
        Some(earlier.map_or_else(|| self.subscription(), |earlier| earlier.was.clone()))
    }

    /// Records what it was until `now`: the revision, and the subscription if that changed.
    pub fn remember(&mut self, was: &Self, now: Millis) {
        let Revision { url, rate } = was.revision;
        self.revision = Revision {
            url: url.saturating_add(u32::from(self.url != was.url)),
            rate: rate.saturating_add(u32::from(self.rate_limit != was.rate_limit)),
        };
        let was = was.subscription();
        self.earlier.retain(|earlier| earlier.until.saturating_add(REMEMBERED) > now);
        if was != self.subscription() {
            self.earlier.push(Earlier { until: now, was });
            self.earlier.drain(..self.earlier.len().saturating_sub(MAX_EARLIER));
        }
    }
}

/// The signing secrets of an endpoint.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Signing {
    /// The current one.
    pub secret: Secret,
    /// Replaced secrets, the latest first; some may have expired.
    #[serde(default)]
    replaced: Vec<Replaced>,
}

/// A replaced secret that receivers may still use.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Replaced {
    secret: Secret,
    /// End of its validity.
    until: Millis,
}

/// Maximum number of replaced secrets that are still valid.
pub const MAX_REPLACED: usize = 10;

impl Signing {
    /// The secrets of a new endpoint.
    pub fn new(secret: Secret) -> Self {
        Self { secret, replaced: vec![] }
    }

    /// The secrets to sign with at `now`: the current one first.
    pub fn secrets_at(&self, now: Millis) -> impl Iterator<Item = &Secret> {
        let valid = self.replaced.iter().filter(move |old| old.until > now);
        let secrets = std::iter::once(&self.secret).chain(valid.map(|old| &old.secret));
        // A secret that could not be opened signs nothing.
        secrets.filter(|secret| !secret.is_unset())
    }

    /// Rotates the secret; the old one stays valid for `grace` milliseconds. Drops expired ones.
    /// False, without a change, when too many would be valid.
    #[must_use]
    pub fn rotate(&mut self, secret: Secret, grace: Millis, now: Millis) -> bool {
        let valid = self.replaced.iter().filter(|old| old.until > now).count();
        if grace > 0 && valid >= MAX_REPLACED {
            return false;
        }
        self.replaced.retain(|old| old.until > now);
        let old = std::mem::replace(&mut self.secret, secret);
        if grace > 0 {
            self.replaced.insert(0, Replaced { secret: old, until: now.saturating_add(grace) });
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use model::Secret;

    use super::{MAX_REPLACED, Signing};

    fn secret(n: usize) -> Secret {
        format!("s{n}").into()
    }

    fn at(signing: &Signing, now: u64) -> Vec<&str> {
        signing.secrets_at(now).map(Secret::expose).collect()
    }

    #[test]
    fn a_replaced_secret_is_valid_until_its_grace_is_over() {
        let mut signing = Signing::new(secret(0));
        assert!(signing.rotate(secret(1), 100, 1000));
        assert!(signing.rotate(secret(2), 50, 1010));
        assert_eq!(at(&signing, 1010), ["s2", "s1", "s0"]);
        assert_eq!(at(&signing, 1059), ["s2", "s1", "s0"]);
        assert_eq!(at(&signing, 1060), ["s2", "s0"]);
        assert_eq!(at(&signing, 1100), ["s2"]);
        assert!(signing.rotate(secret(3), 0, 1099));
        assert_eq!(at(&signing, 1099), ["s3", "s0"], "without grace the old one is gone at once");
        assert_eq!(signing.replaced.len(), 1, "and those that were over are forgotten");
    }

    #[test]
    fn ten_replaced_secrets_can_be_valid_at_once() {
        let mut signing = Signing::new(secret(0));
        for n in 1..=MAX_REPLACED {
            assert!(signing.rotate(secret(n), 100, 1000));
        }
        assert!(!signing.rotate(secret(11), 100, 1099));
        assert_eq!(at(&signing, 1099)[0], "s10");
        assert!(signing.rotate(secret(11), 0, 1099));
        assert!(signing.rotate(secret(12), 100, 1100));
        assert_eq!(at(&signing, 1100), ["s12", "s11"]);
    }
}
