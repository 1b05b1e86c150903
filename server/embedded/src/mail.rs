//! The part of SES that sends mails: `SendEmail` of its second API, with raw content.
//!
//! An accepted mail is stored, in memory and optionally in a folder, and forwarded to an SMTP
//! server if configured. Its outcome is reported to a queue.

mod feedback;
mod mime;
mod outbox;
mod relay;
mod request;
mod sent;

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

use serde_json::{Value, json};

pub(crate) use self::outbox::Outbox;
use self::relay::Relay;
pub use self::relay::Smtp;
pub(crate) use self::request::{internal_failure, throttled};
pub use self::sent::SentMail;
use crate::base::{Clock, Error, Refusal};
use crate::sqs::Sqs;

/// The path of the one operation, to which clients `POST`.
pub(crate) const PATH: &str = "/v2/email/outbound-emails";

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
        outbox: Outbox,
        smtp: Option<Smtp>,
        events_queue: Option<String>,
        sqs: Sqs,
        clock: Clock,
    ) -> Result<Self, Error> {
        let relay = smtp.map(Relay::open).transpose()?;
        Ok(Self { clock, outbox, relay, sqs, events_queue })
    }

    pub(crate) fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Deletes mails that are too old.
    pub(crate) fn trim_outbox(&self) -> std::io::Result<()> {
        self.outbox.trim((self.clock)())
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
