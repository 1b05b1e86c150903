//! SES as far as mails are sent with it: `SendEmail` of its second API, with raw content.
//!
//! A mail that is accepted is kept, in memory and in a folder when there is one, and handed to an
//! SMTP server when one is named. Its outcome is reported to a queue.

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

/// A mail that was accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentMail {
    /// The id answered, which the header `Message-ID` has, too.
    pub id: String,
    /// When it was accepted, in milliseconds since the epoch.
    pub at: u64,
    /// The sender as the request has it, or else the header `From`.
    pub from: String,
    /// Every recipient of the request.
    pub to: Vec<String>,
    /// Header and body as they left, with the `Message-ID` and `Date` that SES gives.
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
    /// The queue that hears the outcome of mails.
    events_queue: Option<String>,
}

impl Ses {
    pub(crate) fn open(
        (folder, smtp): (Option<PathBuf>, Option<&str>),
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

/// Unlike any other, also those of the process before.
fn id(at: u64) -> String {
    let random = RandomState::new().build_hasher().finish();
    format!("{at:016x}-{random:016x}-000000")
}
