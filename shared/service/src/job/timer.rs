//! The minute timer: sends hints for due rows, across tenants.

use std::collections::BTreeMap;

use error::{Error, Result};
use model::Millis;
use queue::{Message, NotSent, Queue, Queues};
use rooms::Live;
use store::{
    Deadline,
    prelude::*,
    schedule::{Due, SystemStore},
};

use crate::{
    config::Environment,
    job::{Jobs, sealed::Sealed},
    message::{Sender, whole_seconds},
};

/// A tick of the timer, across tenants.
pub struct Timer {
    system: SystemStore,
    live: Live,
    pub(crate) queues: Queues,
    deadline: Deadline,
}

impl Timer {
    /// Shards of the schedule, released separately.
    pub const SHARDS: u64 = SystemStore::SHARDS;

    /// The scope of the service itself.
    pub fn store(&self) -> &SystemStore {
        &self.system
    }

    /// The live channel.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// Whether its deadline has passed; the next tick does the rest.
    pub fn is_over(&self) -> bool {
        self.system.is_past(self.deadline)
    }

    /// Sends hints to their queues, and records each. Hints for unknown queues are dropped; refused
    /// ones are retried at growing intervals. None blocks another.
    ///
    /// # Errors
    /// UNAVAILABLE: unsent hints stay due.
    pub async fn forward(&self, due: Vec<Due>) -> Result<()> {
        let mut by_queue: BTreeMap<String, Vec<Due>> = BTreeMap::new();
        for message in due {
            by_queue.entry(message.queue.clone()).or_default().push(message);
        }
        let (mut done, mut refused, mut result) = (Vec::new(), Vec::new(), Ok(()));
        for (name, due) in by_queue {
            let Some(queue) = Queue::named(&name) else {
                let dropped = due.len();
                tracing::error!(queue = name, dropped, "Messages for unknown queues were dropped.");
                done.extend(due);
                continue;
            };
            let messages = due.iter().map(|due| hint(due, self.system.now())).collect();
            for (due, sent) in due.into_iter().zip(self.queues.send_each(queue, messages).await) {
                match sent {
                    Ok(()) => done.push(due),
                    Err(NotSent::Unavailable(cause)) => result = Err(Error::unavailable(cause)),
                    Err(NotSent::Barred(cause) | NotSent::Refused(cause)) => {
                        let (tenant, hints) = (&due.group, due.hints());
                        tracing::error!(queue = name, tenant, hints, cause, "A hint was refused.");
                        refused.push(due);
                    }
                }
            }
        }
        result.and(self.system.settle(done, refused).await)
    }
}

fn hint(due: &Due, now: Millis) -> Message {
    let delay = whole_seconds(due.at.saturating_sub(now));
    Message { body: due.body.clone(), delay, group: due.group.clone() }
}

impl Sealed for Timer {}

impl Jobs for Timer {
    async fn open(
        environment: &Environment,
        _: Option<Sender>,
        deadline: Deadline,
    ) -> Result<Self> {
        let (system, queues) = (environment.store.system(), environment.queues.clone());
        let live = environment.live(environment.store.clone());
        Ok(Self { system, live, queues, deadline })
    }
}
