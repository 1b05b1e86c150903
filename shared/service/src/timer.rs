//! A tick of the clock: what is due is announced, across tenants.

use std::{collections::BTreeMap, ops::Deref, time::Duration};

use error::Result;
use model::Millis;
use queue::{Message, Queue, Queues};
use store::{Due, SystemStore};

use crate::{
    config::Environment,
    worker::{Jobs, Sender},
};

/// A wait as a queue takes it: never shorter.
pub(crate) fn whole_seconds(wait: Millis) -> Duration {
    Duration::from_secs(wait.div_ceil(1000))
}

/// A tick of the clock, across tenants.
pub struct Timer {
    system: SystemStore,
    pub(crate) queues: Queues,
    deadline: Millis,
}

impl Timer {
    /// Parts of the schedule, each to be released on its own.
    pub const SHARDS: u64 = SystemStore::SHARDS;

    /// When the work has to end, in epoch milliseconds; the rest is for the next tick.
    pub fn deadline(&self) -> Millis {
        self.deadline
    }

    /// Sends hints to the queues they are for, and takes note of it. One whose queue there is
    /// no more is dropped. A queue that takes nothing does not hold up the others.
    ///
    /// # Errors
    /// UNAVAILABLE: what was not sent stays due.
    pub async fn forward(&self, due: Vec<Due>) -> Result<()> {
        let mut by_queue: BTreeMap<String, Vec<Due>> = BTreeMap::new();
        for message in due {
            by_queue.entry(message.queue.clone()).or_default().push(message);
        }
        let mut result = Ok(());
        for (name, due) in by_queue {
            let sent = match Queue::named(&name) {
                Some(queue) => {
                    let messages = due.iter().map(|due| hint(due, self.system.now())).collect();
                    self.queues.send(queue, messages).await
                }
                None => {
                    let dropped = due.len();
                    tracing::error!(queue = name, dropped, "Messages of no queue were dropped.");
                    Ok(())
                }
            };
            let settled = match sent {
                Ok(()) => self.system.settle(due).await,
                failed => failed,
            };
            result = result.and(settled);
        }
        result
    }
}

fn hint(due: &Due, now: Millis) -> Message {
    let delay = whole_seconds(due.at.saturating_sub(now));
    Message { body: due.body.clone(), delay, group: due.group.clone() }
}

impl Deref for Timer {
    type Target = SystemStore;
    fn deref(&self) -> &SystemStore {
        &self.system
    }
}

impl Jobs for Timer {
    async fn open(environment: &Environment, _: Option<Sender>, deadline: Millis) -> Result<Self> {
        let (system, queues) = (environment.store.system(), environment.queues.clone());
        Ok(Self { system, queues, deadline })
    }
}
