//! The part of SES that sends mails: `SendEmail` of its second API, with raw content.
//!
//! An accepted mail is stored, in memory and optionally in a folder, and forwarded to an SMTP
//! server if configured. Its outcome is reported to a queue.

mod feedback;
mod mime;
mod outbox;
mod relay;
mod request;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::PathBuf;

use serde_json::{Value, json};

use self::outbox::Outbox;
use self::relay::Relay;
pub(crate) use self::request::{internal_failure, throttled};
use crate::Clock;
use crate::error::Error;
use crate::sqs::Sqs;
use crate::wire::Refusal;

/// The path of the one operation, to which clients `POST`.
pub(crate) const PATH: &str = "/v2/email/outbound-emails";

/// An accepted mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMail {
    /// The id in the reply and in the header `Message-ID`.
    pub id: String,
    /// Time of acceptance, in milliseconds since the epoch.
    pub at: u64,
    /// The sender in the request, or else the header `From`.
    pub from: String,
    /// Every recipient of the request.
    pub to: Vec<String>,
    /// Header and body as sent, with the `Message-ID` and `Date` of SES.
    pub raw: Vec<u8>,
    /// The tags of the request, in its order.
    pub tags: Vec<(String, String)>,
    /// The configuration set; without one, the outcome of the mail is not reported.
    pub configuration_set: Option<String>,
}

impl SentMail {
    /// The value of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(own, _)| own == name).map(|(_, value)| value.as_str())
    }
}

pub(crate) struct Ses {
    clock: Clock,
    outbox: Outbox,
    relay: Option<Relay>,
    sqs: Sqs,
    /// The queue for reports about mails.
    events_queue: Option<String>,
}

impl Ses {
    pub(crate) fn open(
        folder: Option<PathBuf>,
        smtp: Option<&str>,
        events_queue: Option<String>,
        sqs: Sqs,
        clock: Clock,
    ) -> Result<Self, Error> {
        let relay = smtp.map(Relay::open).transpose()?;
        Ok(Self { clock, outbox: Outbox::open(folder)?, relay, sqs, events_queue })
    }

    pub(crate) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Answers a client.
    pub(crate) async fn send(&self, request: &Value) -> Result<Value, Refusal> {
        let mut mail = request::read(request)?;
        mail.at = (self.clock)();
        mail.id = id(mail.at);
        mail.raw = mime::stamp(&mail.raw, &mail.id, mail.at);
        if let Some(relay) = &self.relay {
            relay.hand_on(&mail).await?;
        }
        self.outbox.keep(mail.clone()).await.map_err(|error| {
            tracing::error!(%error, "A mail could not be written.");
            internal_failure()
        })?;
        if let Some(queue) = &self.events_queue {
            feedback::tell(&self.sqs, queue, &mail).await;
        }
        Ok(json!({ "MessageId": mail.id }))
    }
}

/// Unique, also across processes.
fn id(at: u64) -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{at:016x}-{random:016x}-000000")
}
