//! The queues of a deployment, and sending to them.

#![warn(missing_docs)]

mod sending;

use std::{sync::Arc, time::Duration};

use aws::Sqs;
use error::{Error, Result};
use parking_lot::Mutex;

pub use sending::NotSent;

/// A queue. Its dead-letter queue has the suffix `-dead`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Queue {
    /// Single events that the journal could not dispatch.
    JournalRetry,
    /// Deletion of dependent data.
    Cleanup,
    /// Compaction of editors.
    Compaction,
    /// Erasure of users.
    Erasure,
    /// Attempts of webhooks, and tasks that lead to such.
    Deliveries,
    /// Events with possible recipients, and due notifications.
    Notifications,
    /// Mails to be sent.
    Emails,
    /// The outcome of mails.
    MailEvents,
    /// Tasks of the live channel.
    Live,
}

impl Queue {
    /// Every queue.
    pub const ALL: [Self; 9] = [
        Self::JournalRetry,
        Self::Cleanup,
        Self::Compaction,
        Self::Erasure,
        Self::Deliveries,
        Self::Notifications,
        Self::Emails,
        Self::MailEvents,
        Self::Live,
    ];

    /// The name, without the prefix of the deployment.
    pub const fn name(self) -> &'static str {
        match self {
            Self::JournalRetry => "journal-retry",
            Self::Cleanup => "cleanup",
            Self::Compaction => "compaction",
            Self::Erasure => "erasure",
            Self::Deliveries => "deliveries",
            Self::Notifications => "notifications",
            Self::Emails => "emails",
            Self::MailEvents => "mail-events",
            Self::Live => "live",
        }
    }

    /// The queue of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|queue| queue.name() == name)
    }

    /// Number of concurrent batches.
    pub const fn max_concurrency(self) -> usize {
        match self {
            // Deliveries wait for receivers, which may be slow.
            Self::Deliveries => 64,
            // The sending rate of SES is low at first, and unknown.
            Self::Emails => 2,
            _ => 10,
        }
    }

    /// Messages per batch.
    pub const fn batch_size(self) -> usize {
        match self {
            // One editor may take most of the memory of a function.
            Self::Compaction => 1,
            _ => 10,
        }
    }

    /// The dead-letter queue, without the prefix of the deployment.
    pub fn dead_letters(self) -> String {
        format!("{}-dead", self.name())
    }
}

/// Number of receives before a message becomes a dead letter.
pub const MAX_RECEIVES: u32 = 5;

/// A message to be sent.
#[derive(Clone, Debug)]
pub struct Message {
    /// The body.
    pub body: String,
    /// Delay until it is visible; at most 15 minutes in SQS.
    pub delay: Duration,
    /// Tenant of the message, as the message group: a burst of one tenant does not starve others.
    pub group: String,
}

/// A dead letter with its reason.
#[derive(Clone, Debug)]
pub struct DeadLetter {
    /// The body of the message.
    pub body: String,
    /// Tenant of the message.
    pub group: String,
    /// Original id of the message, which is in the logs.
    pub message_id: String,
    /// The worker that failed.
    pub worker: &'static str,
    /// The reason, as in the log.
    pub reason: String,
}

/// The queues of a deployment.
#[derive(Clone)]
pub struct Queues {
    sqs: Sqs,
    url_prefix: Arc<str>,
    collected: Option<Collected>,
}

/// Messages collected for a common call.
#[derive(Clone, Debug, Default)]
pub struct Collected(Arc<Mutex<Vec<(Queue, Message)>>>);

impl Collected {
    /// Removes and returns the collected messages, in order.
    pub fn take(&self) -> Vec<(Queue, Message)> {
        std::mem::take(&mut self.0.lock())
    }
}

impl Queues {
    /// The queues whose URLs start with `url_prefix`.
    pub fn new(sqs: Sqs, url_prefix: &str) -> Self {
        Self { sqs, url_prefix: url_prefix.into(), collected: None }
    }

    /// The queues with a collection: they collect messages instead of sending them.
    #[must_use]
    pub fn collecting(&self) -> (Self, Collected) {
        let collected = Collected::default();
        (Self { collected: Some(collected.clone()), ..self.clone() }, collected)
    }

    /// Sends messages.
    ///
    /// # Errors
    /// UNAVAILABLE, or INTERNAL for a message that is permanently refused; other messages may be
    /// sent.
    pub async fn send(&self, queue: Queue, messages: Vec<Message>) -> Result<()> {
        let sent = self.send_each(queue, messages).await;
        sent.into_iter().find_map(Result::err).map_or(Ok(()), |failed| Err(Error::from(failed)))
    }

    /// Sends messages; returns a result for each, in order. A refused message does not block
    /// others.
    pub async fn send_each(
        &self,
        queue: Queue,
        messages: Vec<Message>,
    ) -> Vec<Result<(), NotSent>> {
        if let Some(Collected(collected)) = &self.collected {
            let mut collected = collected.lock();
            let taken = messages.iter().map(|_| Ok(())).collect();
            collected.extend(messages.into_iter().map(|message| (queue, message)));
            return taken;
        }
        let url = format!("{}{}", self.url_prefix, queue.name());
        sending::send_each(&self.sqs, &url, messages.into_iter().map(sending::outgoing)).await
    }

    /// Sends a message to the dead-letter queue, with the reason as an attribute.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn give_up(&self, queue: Queue, letter: DeadLetter) -> Result<()> {
        let url = format!("{}{}", self.url_prefix, queue.dead_letters());
        let dead = std::iter::once(sending::dead(letter));
        let sent = sending::send_each(&self.sqs, &url, dead).await;
        sent.into_iter().collect::<Result<(), NotSent>>().map_err(Error::from)
    }
}
