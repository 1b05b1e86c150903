use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Bounded, set, set_some, trigger::Triggers};

use super::{is_fresh, merge_triggers};

/// 10 seconds to 6 months.
type DelaySeconds = Bounded<10, 15_552_000>;
/// 10 seconds to a week.
type WindowSeconds = Bounded<10, 604_800>;
/// Number of activities that closes a window early.
type MaxActivities = Bounded<2, 50>;

/// Notification configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NotificationConfig {
    /// Service switch.
    pub use_notification_service: bool,
    /// Triggers, delay and batching.
    pub notification_service_config: NotificationService,
}

/// The `notificationServiceConfig`; absent members were never set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct NotificationService {
    /// Events that notify, in groups `comment` and `huddle`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triggers: Option<Triggers>,
    /// Delay before a notification.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_config: Option<DelayConfig>,
    /// Batching of notifications.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_config: Option<BatchConfig>,
}

/// Delay before a notification, in which the recipient may see its cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DelayConfig {
    is_enabled: Option<bool>,
    delay_seconds: Option<DelaySeconds>,
}

/// Batching of notifications, by document and by user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct BatchConfig {
    /// The window of a document.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document: Option<Window>,
    /// The window of a user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<Window>,
}

/// A batch window with its maximum number of activities.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
#[schemars(rename = "NotificationWindow")]
pub struct Window {
    is_enabled: Option<bool>,
    batch_window_seconds: Option<WindowSeconds>,
    max_activities: Option<MaxActivities>,
}

impl DelayConfig {
    /// The delay, if enabled; the minimum unless set.
    pub fn seconds(&self) -> Option<u64> {
        let seconds = self.delay_seconds.unwrap_or(Bounded::nearest(0)).get();
        (self.is_enabled == Some(true)).then_some(seconds)
    }

    fn merge(&mut self, sent: Self) {
        set_some(&mut self.is_enabled, sent.is_enabled);
        set_some(&mut self.delay_seconds, sent.delay_seconds);
    }

    fn complete(&mut self) {
        self.is_enabled.get_or_insert(false);
        self.delay_seconds.get_or_insert(Bounded::nearest(0));
    }
}

impl Window {
    /// Seconds and number of activities of the window, if enabled; the minimum unless set.
    pub fn limits(&self) -> Option<(u64, u64)> {
        let seconds = self.batch_window_seconds.unwrap_or(Bounded::nearest(0)).get();
        let activities = self.max_activities.unwrap_or(Bounded::nearest(0)).get();
        (self.is_enabled == Some(true)).then_some((seconds, activities))
    }

    fn merge(&mut self, sent: Self) {
        set_some(&mut self.is_enabled, sent.is_enabled);
        set_some(&mut self.batch_window_seconds, sent.batch_window_seconds);
        set_some(&mut self.max_activities, sent.max_activities);
    }

    fn complete(&mut self) {
        self.is_enabled.get_or_insert(false);
        self.batch_window_seconds.get_or_insert(Bounded::nearest(0));
        self.max_activities.get_or_insert(Bounded::nearest(0));
    }
}

impl BatchConfig {
    fn merge(&mut self, sent: Self) {
        if let Some(sent) = sent.document {
            self.document.get_or_insert_default().merge(sent);
        }
        if let Some(sent) = sent.user {
            self.user.get_or_insert_default().merge(sent);
        }
    }
}

impl NotificationConfig {
    /// Merges the request; the first enabling sets the default triggers, without delay and batching
    /// (contract `configuration.defaults`).
    pub fn update(&mut self, enable: Option<bool>, sent: NotificationService) {
        let stored = &mut self.notification_service_config;
        if enable == Some(true) && is_fresh(stored.triggers.as_ref()) {
            stored.triggers = Some(Triggers::of_notifications());
        }
        self.merge(enable, sent);
    }

    /// Merges the request without defaults.
    pub fn merge(&mut self, enable: Option<bool>, sent: NotificationService) {
        set(&mut self.use_notification_service, enable);
        let stored = &mut self.notification_service_config;
        merge_triggers(&mut stored.triggers, sent.triggers);
        if let Some(sent) = sent.delay_config {
            stored.delay_config.get_or_insert_default().merge(sent);
        }
        if let Some(sent) = sent.batch_config {
            stored.batch_config.get_or_insert_default().merge(sent);
        }
    }

    /// As shown by an update: without unset members.
    #[must_use]
    pub fn written(mut self) -> Self {
        let stored = &mut self.notification_service_config;
        if let Some(delay) = &mut stored.delay_config {
            delay.complete();
        }
        if let Some(batch) = &mut stored.batch_config {
            let windows = [&mut batch.document, &mut batch.user];
            windows.into_iter().flatten().for_each(Window::complete);
        }
        self
    }

    /// As shown: all members are present; unset numbers have their minimum
    /// (contract `configuration.notifications_get`).
    #[must_use]
    pub fn shown(mut self) -> Self {
        let stored = &mut self.notification_service_config;
        stored.triggers.get_or_insert_with(Triggers::no_notifications);
        stored.delay_config.get_or_insert_default();
        let batch = stored.batch_config.get_or_insert_default();
        batch.document.get_or_insert_default();
        batch.user.get_or_insert_default();
        self.written()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_value, json};

    use super::{DelayConfig, Window};

    #[test]
    fn what_is_switched_on_without_a_number_uses_the_least_one() {
        let delay = |json| from_value::<DelayConfig>(json).unwrap().seconds();
        assert_eq!(delay(json!({})), None);
        assert_eq!(delay(json!({ "isEnabled": false, "delaySeconds": 60 })), None);
        assert_eq!(delay(json!({ "isEnabled": true })), Some(10));
        assert_eq!(delay(json!({ "isEnabled": true, "delaySeconds": 60 })), Some(60));
        let window = |json| from_value::<Window>(json).unwrap().limits();
        assert_eq!(window(json!({ "maxActivities": 3 })), None);
        assert_eq!(window(json!({ "isEnabled": true, "maxActivities": 3 })), Some((10, 3)));
        assert_eq!(window(json!({ "isEnabled": true, "batchWindowSeconds": 60 })), Some((60, 2)));
    }
}
