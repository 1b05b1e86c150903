//! The scope of a job: its tenant, clock, deadline, and what it may send and use.

mod rows;
pub(crate) mod timer;
mod webhooks;

use std::{
    future::Future,
    sync::{Arc, OnceLock},
    time::Duration,
};

use error::{Error, Result};
use model::{Millis, OrganizationId, limits::Limits};
use queue::Queue;
use rooms::Live;
use serde::Serialize;
use serde_json::{Value, json};
use store::{Deadline, OrganizationStore, TenantStore, prelude::*, schedule::Due};
use webhook::{Egress, Sender as WebhookSender};

use crate::{
    config::{DeliveryObserver, Environment, mailing::Mailing, names::Names},
    job::timer::Timer,
    limit::CAPACITY,
    message::{MAX_DELAY, Sender, outgoing, whole_seconds},
    semaphores::{Permit, Semaphores},
};

/// The scope of a job: [`Job`] or [`Timer`].
pub trait Jobs: sealed::Sealed + Send + Sized {
    /// Opens it.
    #[doc(hidden)]
    fn open(
        environment: &Environment,
        sender: Option<Sender>,
        deadline: Deadline,
    ) -> impl Future<Output = Result<Self>> + Send;
}

/// A job of one tenant. Only the runtime constructs it, from our own messages.
pub struct Job {
    tenant: TenantStore,
    timer: Timer,
    mailing: Mailing,
    now: Millis,
    deadline: Deadline,
    pub(crate) egress: Egress,
    pub(crate) limits: Limits,
    pub(crate) in_flight: Arc<Semaphores<String>>,
    pub(crate) webhook_sender: Arc<OnceLock<WebhookSender>>,
    pub(crate) deliveries: Option<Arc<dyn DeliveryObserver>>,
    pub(crate) names: Option<Arc<Names>>,
}

impl Job {
    /// The tenant of the message.
    pub fn tenant(&self) -> &TenantStore {
        &self.tenant
    }

    /// The scope of an organization of the tenant.
    pub fn organization(&self, id: &OrganizationId) -> OrganizationStore {
        self.tenant.organization(id)
    }

    /// When the job started, by the clock of the tenant, in epoch milliseconds.
    pub fn started_at(&self) -> Millis {
        self.now
    }

    /// Deadline of the job; the rest belongs in another message.
    pub fn deadline(&self) -> Deadline {
        self.deadline
    }

    /// Whether its deadline has passed.
    pub fn is_over(&self) -> bool {
        self.tenant.is_past(self.deadline)
    }

    /// The live channel.
    pub fn live(&self) -> &Live {
        self.timer.live()
    }

    /// Mail settings.
    pub fn mailing(&self) -> &Mailing {
        &self.mailing
    }

    /// Sends a message in the name of the same tenant.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn send<M: Serialize>(
        &self,
        queue: Queue,
        message: &M,
        delay: Duration,
    ) -> Result<()> {
        self.send_all(queue, std::slice::from_ref(message), delay).await
    }

    /// Sends messages in the name of the same tenant.
    ///
    /// # Errors
    /// UNAVAILABLE when one of them was not sent; others may be.
    pub async fn send_all<M: Serialize>(
        &self,
        queue: Queue,
        messages: &[M],
        delay: Duration,
    ) -> Result<()> {
        let messages = messages.iter().map(|message| outgoing(&self.tenant, message, delay));
        self.timer.queues.send(queue, messages.collect::<Result<_>>()?).await
    }

    /// Sends a message in the name of the same tenant at `at`, however far away that is.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn send_at<M: Serialize>(&self, queue: Queue, message: &M, at: Millis) -> Result<()> {
        match at.saturating_sub(self.tenant.now()) {
            wait @ ..=MAX_DELAY => self.send(queue, message, whole_seconds(wait)).await,
            _ => {
                let body = self.tenant.envelope(message)?;
                self.tenant.schedule().send_later(queue.name(), body, at).await
            }
        }
    }

    /// Whether the writer of a row that is due at `at` sends its first hint. The timer wakes rows
    /// that are due later.
    pub(crate) fn sends_hint(&self, at: Millis) -> bool {
        at <= self.tenant.now().saturating_add(MAX_DELAY)
    }

    /// Wakes all rows that are due by the tenant's clock after it moved.
    ///
    /// # Errors
    /// UNAVAILABLE, also when time runs out.
    pub async fn release_due(&self) -> Result<()> {
        let mut start = None;
        loop {
            let (due, next) = self.tenant.schedule().due(start).await?;
            self.timer.forward(due.into_iter().map(|due| self.as_of_now(due)).collect()).await?;
            match next {
                None => return Ok(()),
                Some(_) if self.is_over() => {
                    return Err(Error::unavailable("more is due than there is time for"));
                }
                next => start = next,
            }
        }
    }

    /// A hint with the tenant's present clock offset, because the worker may have an old one
    /// cached.
    fn as_of_now(&self, mut due: Due) -> Due {
        if let Ok(mut envelope) = serde_json::from_str::<Value>(&due.body) {
            envelope["ahead"] = json!(self.tenant.clock_ahead());
            due.body = envelope.to_string();
        }
        due
    }

    /// Daily limit of mails that the deployment sends for the tenant, if any.
    pub fn mails_per_day(&self) -> Option<u64> {
        self.limits.mails_per_day.filter(|max| *max > 0)
    }

    /// Counts deliveries and returns their delay. `None`, without counting, when it exceeds the
    /// maximum delay of a queue. If the table fails, deliveries are not limited.
    pub(crate) async fn wait_for_deliveries(&self, count: usize) -> Option<Duration> {
        let rate = self.limits.deliveries_per_second.filter(|rate| *rate > 0);
        let Some(rate) = rate else { return Some(Duration::ZERO) };
        let cost = (count as u64).saturating_mul(1_000_000) / rate;
        match self.tenant().account().reserve("deliveries", cost, CAPACITY, MAX_DELAY * 1000).await
        {
            Ok(wait) => wait.map(|micros| whole_seconds(micros.div_ceil(1000))),
            Err(error) => {
                tracing::warn!(error = ?error, "A limit could not be shared.");
                Some(Duration::ZERO)
            }
        }
    }

    /// Waits until no other job of any tenant in this function works at this name.
    pub async fn alone_among_all(&self, name: &str) -> Permit {
        self.in_flight.permit(format!("\n{name}"), 1).await
    }

    /// Waits until fewer jobs of the tenant run in this process than one batch has. A function
    /// never has more; in a process with many functions this leaves room for other tenants. The
    /// slot is released while waiting for a receiver.
    pub async fn permit(&self) -> Permit {
        let most = Queue::Deliveries.batch_size();
        self.in_flight.permit(self.tenant().api_key().id.to_string(), most).await
    }
}

impl Jobs for Job {
    async fn open(
        environment: &Environment,
        sender: Option<Sender>,
        deadline: Deadline,
    ) -> Result<Self> {
        let sender = sender.ok_or_else(|| Error::internal("a message without its tenant"))?;
        let tenant = environment.store.resume(&sender.tenant, sender.ahead).await?;
        let timer = Timer::open(environment, None, deadline).await?;
        let (now, deadline) = (tenant.now(), deadline.shown_to_tenant(tenant.clock_ahead()));
        let mailing = environment.mailing.clone();
        let egress = environment.egress;
        let limits = environment.limiter.limits_of(&tenant.account());
        let in_flight = Arc::clone(&environment.in_flight);
        let webhook_sender = Arc::clone(&environment.sender);
        let deliveries = environment.deliveries.clone();
        let names = environment.names.clone();
        Ok(Self {
            tenant,
            timer,
            mailing,
            now,
            deadline,
            egress,
            limits,
            in_flight,
            webhook_sender,
            deliveries,
            names,
        })
    }
}

pub(crate) mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Job {}
}
