//! `emails.feedback`: what SES tells of mails. It may tell the same twice, and in any order.

use delivery::{Feedback, Reason, RowKey, Rows, Suppressed};
use model::Email;
use serde::Deserialize;
use service::{Job, Queue, Result, Trigger, Worker};

use crate::row;

/// The worker.
pub enum EmailsFeedback {}

/// The outcome of a mail, as the rules of the event bus write it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Told {
    kind: Kind,
    /// `Permanent`, `Transient` or `Undetermined`.
    bounce_type: Option<String>,
    /// The tag of the mail.
    mail: String,
    /// The number of the attempt.
    attempt: String,
    /// Its id at SES.
    message_id: String,
    /// The address it went to.
    recipient: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Kind {
    /// It was taken.
    Send,
    /// It did not arrive.
    Bounce,
    /// It was not wanted.
    Complaint,
    /// It was taken and not sent on, because of what is in it.
    Reject,
    /// Nothing that matters here.
    #[serde(other)]
    Other,
}

impl Told {
    /// Why the mail is not where it was to be.
    fn returned(&self) -> Option<Reason> {
        match self.kind {
            Kind::Bounce if self.bounce_type.as_deref() == Some("Permanent") => {
                Some(Reason::Bounced)
            }
            Kind::Complaint => Some(Reason::Suppressed),
            Kind::Reject => Some(Reason::Bounced),
            _ => None,
        }
    }
}

impl Worker for EmailsFeedback {
    const TRIGGER: Trigger = Trigger::Queue(Queue::MailEvents);
    type Job = Job;
    type Message = Told;

    async fn handle(job: Job, told: Told) -> Result<()> {
        let returned = told.returned();
        if told.kind != Kind::Send && returned.is_none() {
            return Ok(());
        }
        let now = Rows::now(&job);
        if let Some(reason) = returned.filter(|_| told.kind != Kind::Reject) {
            suppress(&job, &told.recipient, Suppressed { reason, at: now }).await?;
        }
        let attempt = told.attempt.parse().unwrap_or_default();
        let key = RowKey::Feedback { tag: told.mail };
        row::change(&job, &key, |known: Option<Feedback>| {
            let before = known.clone();
            let mut known = known.unwrap_or_default();
            // What is told of a mail later says that it was taken, too.
            known.taken.entry(attempt).or_insert_with(|| told.message_id.clone());
            known.returned = known.returned.max(returned);
            let is_news = before.is_none_or(|before| {
                before.taken != known.taken || before.returned != known.returned
            });
            is_news.then_some(Feedback { at: now, ..known })
        })
        .await
    }
}

/// The row that says that an address takes no mail.
pub(crate) fn suppressed(address: &str) -> RowKey {
    RowKey::Suppressed { address: address.to_lowercase() }
}

async fn suppress(job: &Job, address: &str, suppressed_since: Suppressed) -> Result<()> {
    // What is no address was never written to.
    if Email::try_from(address.to_owned()).is_err() {
        return Ok(());
    }
    row::change(job, &suppressed(address), |known: Option<Suppressed>| match known {
        Some(known) if known.reason <= suppressed_since.reason => None,
        _ => Some(suppressed_since.clone()),
    })
    .await
}
