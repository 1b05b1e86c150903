//! Service configurations of an API key (contract `configuration`).
//!
//! A configuration has the same shape as sent, as stored and as shown. Absent members were never
//! set. An update merges member by member; `shown` fills in the defaults of unset members.

mod activity;
mod email;
mod notification;
mod usable;
mod webhook;

pub use activity::{ActivityConfig, ActivityService};
pub use email::{EmailConfig, EmailService, EmailType, Mailer, NoMailer};
pub use notification::{BatchConfig, DelayConfig, NotificationConfig, NotificationService, Window};
pub use usable::{Unusable, Usable, Use};
pub use webhook::{AdvancedWebhookConfig, WebhookConfig, WebhookService};

use serde::{Deserialize, Deserializer, de::Error};

use crate::{Secret, trigger::Triggers};

/// Merges sent triggers.
fn merge_triggers(stored: &mut Option<Triggers>, sent: Option<Triggers>) {
    if let Some(sent) = sent {
        stored.get_or_insert_default().merge(sent);
    }
}

/// Whether no trigger is set, so that enabling the service sets the defaults.
fn is_fresh(triggers: Option<&Triggers>) -> bool {
    triggers.is_none_or(Triggers::is_empty)
}

/// Maximum length of a secret in a header.
const MAX_HEADER_CHARS: usize = 1000;

/// A secret sent in a header, restricted to printable ASCII.
fn in_header<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Secret>, D::Error> {
    let secret = Option::<Secret>::deserialize(deserializer)?;
    let fits = |secret: &Secret| {
        let text = secret.expose();
        text.len() <= MAX_HEADER_CHARS && text.bytes().all(|b| (b' '..=b'~').contains(&b))
    };
    match secret {
        Some(secret) if !fits(&secret) => {
            Err(D::Error::custom("must be at most 1000 printable ASCII characters"))
        }
        secret => Ok(secret),
    }
}
