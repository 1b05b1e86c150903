//! `emails.feedback`: reports of SES about mails. They may repeat and arrive in any order.

use model::Email;
use notification::{Feedback, Reason, RowKey, Rows, Suppressed, change_row};
use service::{Queue, prelude::*};

pub enum EmailsFeedback {}

/// The outcome of a mail, as the rules of the event bus format it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    kind: Kind,
    /// `Permanent`, `Transient` or `Undetermined`.
    bounce_type: Option<String>,
    /// The tag of the mail.
    mail: String,
    /// The number of the attempt.
    attempt: String,
    /// Id of the message at SES.
    message_id: String,
    /// The recipient's address.
    recipient: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
enum Kind {
    /// Accepted.
    Send,
    /// Bounced.
    Bounce,
    /// Complaint.
    Complaint,
    /// Accepted and then rejected because of its content.
    Reject,
    /// Irrelevant here.
    #[serde(other)]
    Other,
}

impl Report {
    /// The reason for a suppressed address.
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
    type Message = Report;

    async fn handle(job: Job, report: Report) -> Result<()> {
        let returned = report.returned();
        if report.kind != Kind::Send && returned.is_none() {
            return Ok(());
        }
        let now = Rows::now(&job);
        if let Some(reason) = returned.filter(|_| report.kind != Kind::Reject) {
            suppress(&job, &report.recipient, Suppressed { reason, at: now }).await?;
        }
        let attempt = report.attempt.parse().unwrap_or_default();
        let key = RowKey::Feedback { tag: report.mail };
        change_row(&job, &key, |known: Option<Feedback>| {
            let before = known.clone();
            let mut known = known.unwrap_or_default();
            // Later reports about a mail imply that SES accepted it.
            known.taken.entry(attempt).or_insert_with(|| report.message_id.clone());
            known.returned = known.returned.max(returned);
            let is_news = before.is_none_or(|before| {
                before.taken != known.taken || before.returned != known.returned
            });
            is_news.then_some(Feedback { at: now, ..known })
        })
        .await
    }
}

/// The row of a suppressed address.
pub(crate) fn suppressed(address: &str) -> RowKey {
    RowKey::Suppressed { address: address.to_lowercase() }
}

async fn suppress(job: &Job, address: &str, suppressed_since: Suppressed) -> Result<()> {
    // An invalid address was never used.
    if Email::try_from(address.to_owned()).is_err() {
        return Ok(());
    }
    change_row(job, &suppressed(address), |known: Option<Suppressed>| match known {
        Some(known) if known.reason <= suppressed_since.reason => None,
        _ => Some(suppressed_since.clone()),
    })
    .await
}
