use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bounded, Millis, set_some, trigger::Triggers};

use super::{is_fresh, merge_triggers};

/// Activity configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ActivityConfig {
    /// Service configuration.
    pub activity_service_config: ActivityService,
}

/// The `activityServiceConfig`; absent members were never set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ActivityService {
    /// Service switch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_enabled: Option<bool>,
    /// Time of enabling, in epoch milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub enabled_time: Option<Bounded<0, 9_007_199_254_740_991>>,
    /// Whether new records are immutable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub immutable: Option<bool>,
    /// Events that are logged, in group `comment`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triggers: Option<Triggers>,
}

impl ActivityService {
    /// Whether no member was sent.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl ActivityConfig {
    /// Merges the request; the first enabling sets default members that the request omits
    /// (contract `configuration.defaults`).
    pub fn update(&mut self, sent: ActivityService, now: Millis) {
        let stored = &mut self.activity_service_config;
        if sent.is_enabled == Some(true) && is_fresh(stored.triggers.as_ref()) {
            stored.triggers = Some(Triggers::of_activities());
            stored.immutable.get_or_insert(true);
            stored.enabled_time.get_or_insert(Bounded::nearest(now));
        }
        set_some(&mut stored.is_enabled, sent.is_enabled);
        set_some(&mut stored.enabled_time, sent.enabled_time);
        set_some(&mut stored.immutable, sent.immutable);
        merge_triggers(&mut stored.triggers, sent.triggers);
    }

    /// As shown: the switch is always present (contract `configuration.activities_get`).
    #[must_use]
    pub fn shown(mut self) -> Self {
        self.activity_service_config.is_enabled.get_or_insert(false);
        self
    }
}
