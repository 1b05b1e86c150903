//! The queues of a deployment, and how messages get into them.

mod sending;

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use aws::Sqs;
use error::{Error, Result};

pub use sending::NotSent;

/// A queue. Each has a dead-letter queue beside it, named with `-dead` behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Queue {
    /// Events that the journal could not pass on, each by itself.
    JournalRetry,
    /// Removing the dependent data of deleted resources.
    Cleanup,
    /// Merging the updates of editors into snapshots.
    Compaction,
    /// Erasing users.
    Erasure,
    /// Attempts of webhooks to be made, and what is to become such.
    Deliveries,
    /// Events that people may be notified of, and what is due of those.
    Notifications,
    /// Mails to be sent.
    Emails,
    /// The outcome of mails.
    MailEvents,
    /// What those who are connected to the live channel are told.
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

    /// How many batches of it are worked on at once.
    pub const fn max_concurrency(self) -> usize {
        match self {
            // They wait for receivers, which may take their time.
            Self::Deliveries => 64,
            // What SES takes in a second is little at first, and nothing tells how much.
            Self::Emails => 2,
            _ => 10,
        }
    }

    /// How many messages a worker gets at once.
    pub const fn batch_size(self) -> usize {
        match self {
            // An editor may take most of the memory of a function.
            Self::Compaction => 1,
            _ => 10,
        }
    }

    /// The dead-letter queue, without the prefix of the deployment.
    pub fn dead_letters(self) -> String {
        format!("{}-dead", self.name())
    }
}

/// How often a message is received before it goes to the dead letters.
pub const MAX_RECEIVES: u32 = 5;

/// A message to be sent.
#[derive(Clone, Debug)]
pub struct Message {
    /// The body.
    pub body: String,
    /// When it becomes visible; SQS waits 15 minutes at most.
    pub delay: Duration,
    /// The tenant it belongs to, so that one tenant's burst does not starve the others.
    pub group: String,
}

/// A message that was given up, and why.
#[derive(Clone, Debug)]
pub struct DeadLetter {
    /// The body of the reply.
    pub body: String,
    /// The tenant it belonged to.
    pub group: String,
    /// The id it had, which is in the logs.
    pub message_id: String,
    /// The worker that failed.
    pub worker: &'static str,
    /// Why it failed, in the words of the log.
    pub reason: String,
}

/// The queues of a deployment.
#[derive(Clone)]
pub struct Queues {
    sqs: Sqs,
    url_prefix: Arc<str>,
    collected: Option<Collected>,
}

/// Messages that wait to be sent together with others.
#[derive(Clone, Debug, Default)]
pub struct Collected(Arc<Mutex<Vec<(Queue, Message)>>>);

impl Collected {
    /// Takes the messages collected so far, in order.
    pub fn take(&self) -> Vec<(Queue, Message)> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Queues {
    /// The queues whose URLs start with `url_prefix`.
    pub fn new(sqs: Sqs, url_prefix: &str) -> Self {
        Self { sqs, url_prefix: url_prefix.into(), collected: None }
    }

    /// The same queues, where what is sent is collected instead.
    #[must_use]
    pub fn collecting(&self) -> (Self, Collected) {
        let collected = Collected::default();
        (Self { collected: Some(collected.clone()), ..self.clone() }, collected)
    }

    /// Sends messages.
    ///
    /// # Errors
    /// UNAVAILABLE, or INTERNAL when a message will not be taken however often it is sent; others
    /// may have been.
    pub async fn send(&self, queue: Queue, messages: Vec<Message>) -> Result<()> {
        let sent = self.send_each(queue, messages).await;
        sent.into_iter().find_map(Result::err).map_or(Ok(()), |failed| Err(Error::from(failed)))
    }

    /// Sends messages; returns a result for each, in order. One that is refused stands in the way
    /// of no other.
    pub async fn send_each(
        &self,
        queue: Queue,
        messages: Vec<Message>,
    ) -> Vec<Result<(), NotSent>> {
        if let Some(Collected(collected)) = &self.collected {
            let mut collected = collected.lock().unwrap_or_else(PoisonError::into_inner);
            let taken = messages.iter().map(|_| Ok(())).collect();
            collected.extend(messages.into_iter().map(|message| (queue, message)));
            return taken;
        }
        let url = format!("{}{}", self.url_prefix, queue.name());
        sending::send_each(&self.sqs, &url, messages.into_iter().map(sending::outgoing)).await
    }

    /// Puts a message to the dead letters of its queue, with the reason beside it.
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
