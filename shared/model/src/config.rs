//! Service configurations of an API key, as far as creating one writes them (spec 4.1).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Secret, Url};

/// A flat map of event type to switch.
pub type Triggers = BTreeMap<String, bool>;

/// How mails are sent (spec 2.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EmailType {
    /// By the deployment itself.
    #[default]
    Default,
    /// By the provider whose key is configured.
    Thirdparty,
    /// As `default`, written by the seeding of 4.8.
    Custom,
}

/// Email configuration as stored (spec 2.6).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EmailConfig {
    /// Service switch.
    pub use_email_service: bool,
    /// How and what to send.
    pub email_service_config: EmailService,
}

/// The `emailServiceConfig` of spec 2.6; what is absent was never set.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct EmailService {
    /// Who sends.
    #[serde(rename = "type")]
    pub kind: Option<EmailType>,
    /// Key at the provider.
    pub api_key: Option<Secret>,
    /// Sender address.
    pub from_email: Option<String>,
    /// Sender company name.
    pub from_company: Option<String>,
    /// Template of comment mails.
    pub comment_template_id: Option<String>,
    /// Template of mention mails.
    pub tag_template_id: Option<String>,
    /// Which events send mail.
    pub triggers: Option<Triggers>,
}

/// Basic webhook configuration as stored (siblings 4.1).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookConfig {
    /// Service switch.
    pub use_webhook_service: bool,
    /// Where to send what.
    pub webhook_service_config: WebhookService,
}

/// The `webhookServiceConfig` of spec 4.1.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct WebhookService {
    /// Sent with each webhook request for verification.
    pub auth_token: Option<Secret>,
    /// Receives unprocessed notifications.
    pub raw_notification_url: Option<Url>,
    /// Receives processed notifications.
    pub processed_notification_url: Option<Url>,
}

/// Notification configuration as stored (spec 2.7).
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NotificationConfig {
    /// Service switch.
    pub use_notification_service: bool,
    /// Which events notify, by group.
    pub notification_service_config: NotificationService,
}

/// The `notificationServiceConfig` of spec 2.7.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NotificationService {
    /// Groups `comment` and `huddle` of event switches.
    pub triggers: Option<BTreeMap<String, Triggers>>,
}

/// The standard comment triggers: every comment key of siblings 14.2 but the two about
/// suggestions, as (key within its group, dotted event type).
pub const COMMENT_TRIGGERS: [(&str, &str); 16] = [
    ("newlyAdded", "comment_annotation.add"),
    ("added", "comment.add"),
    ("updated", "comment.update"),
    ("deleted", "comment.delete"),
    ("approved", "comment_annotation.approve"),
    ("accepted", "comment_annotation.accept"),
    ("rejected", "comment_annotation.reject"),
    ("assigned", "comment_annotation.assign"),
    ("statusChanged", "comment_annotation.status_change"),
    ("priorityChanged", "comment_annotation.priority_change"),
    ("accessModeChanged", "comment_annotation.access_mode_change"),
    ("customListChanged", "comment_annotation.custom_list_change"),
    ("reactionAdded", "comment.reaction_add"),
    ("reactionDeleted", "comment.reaction_delete"),
    ("subscribed", "comment_annotation.subscribe"),
    ("unsubscribed", "comment_annotation.unsubscribe"),
];

/// All huddle triggers, as (key within its group, dotted event type).
pub const HUDDLE_TRIGGERS: [(&str, &str); 2] =
    [("created", "huddle.create"), ("join", "huddle.join")];

/// What first enabling of emails switches on (spec 4.8).
pub fn default_email_triggers() -> Triggers {
    let events = COMMENT_TRIGGERS.into_iter().chain(HUDDLE_TRIGGERS);
    events.map(|(_, event)| (event.to_owned(), true)).collect()
}

/// What first enabling of notifications switches on (spec 4.24).
pub fn default_notification_triggers() -> BTreeMap<String, Triggers> {
    let group =
        |keys: &[(&str, &str)]| keys.iter().map(|(key, _)| ((*key).to_owned(), true)).collect();
    [
        ("comment".to_owned(), group(&COMMENT_TRIGGERS)),
        ("huddle".to_owned(), group(&HUDDLE_TRIGGERS)),
    ]
    .into()
}
