//! Service configurations of an API key (spec 2.6 to 2.8).
//!
//! A configuration has one shape wherever it is: as sent, as stored, as shown. What is absent was
//! never set. An update is a merge, member by member; `shown` fills in what unset members read as.

mod activity;
mod email;
mod notification;
mod webhook;

pub use activity::{ActivityConfig, ActivityService};
pub use email::{EmailConfig, EmailService, EmailType};
pub use notification::{BatchConfig, DelayConfig, NotificationConfig, NotificationService, Window};
pub use webhook::{AdvancedWebhookConfig, WebhookConfig, WebhookService};

use serde::{Deserialize, Deserializer, de::Error};

use crate::{Secret, trigger::Triggers};

/// Merges triggers where some were sent.
fn merge_triggers(stored: &mut Option<Triggers>, sent: Option<Triggers>) {
    if let Some(sent) = sent {
        stored.get_or_insert_default().merge(sent);
    }
}

/// Whether nothing is switched on or off yet, so that enabling the service sets defaults.
fn is_fresh(triggers: Option<&Triggers>) -> bool {
    triggers.is_none_or(Triggers::is_empty)
}

/// Longest secret that travels in a header.
const MAX_HEADER_CHARS: usize = 1000;

/// A secret that is sent to others in a header, which takes no other characters.
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
