//! A mail as it is sent, and the attempt to send it.

use notification::SendOutcome;
use service::{Mail as RawMail, MailFailure, prelude::*};

use crate::provider;

/// A mail as it is sent.
pub(crate) struct Outgoing {
    /// Tag of the mail, the same for all attempts.
    pub(crate) tag: String,
    /// The number of the attempt.
    pub(crate) attempt: u32,
    /// The transport.
    pub(crate) way: Way,
}

/// The transport of a mail.
pub(crate) enum Way {
    Ses(Box<RawMail>),
    /// The provider of the tenant.
    Provider(Box<provider::Request>),
}

/// An attempt that has ended.
pub(crate) struct EndedAttempt {
    /// The number of the attempt.
    pub(crate) number: u32,
    pub(crate) outcome: SendOutcome,
    /// The message id of an accepted mail.
    pub(crate) message_id: String,
}

impl Outgoing {
    /// Makes one attempt.
    pub(crate) async fn send(self, job: &Job) -> EndedAttempt {
        let Self { tag, attempt: number, way } = self;
        let refused = |outcome| EndedAttempt { number, outcome, message_id: String::new() };
        match way {
            Way::Provider(request) => {
                let reply = provider::post(job.mailing().provider(), *request).await;
                let message_id = reply.message_id.unwrap_or_else(|| format!("{tag}.{number}"));
                EndedAttempt { number, outcome: reply.outcome, message_id }
            }
            Way::Ses(mail) => match job.mailing().send(*mail).await {
                Ok(message_id) => {
                    EndedAttempt { number, outcome: SendOutcome::Accepted, message_id }
                }
                Err(MailFailure::Throttled(_) | MailFailure::Unavailable(_)) => {
                    refused(SendOutcome::Retry { after: None })
                }
                Err(MailFailure::Rejected(detail)) => refused(SendOutcome::Rejected(detail)),
                Err(MailFailure::Ambiguous(_)) => refused(SendOutcome::Ambiguous),
            },
        }
    }
}
