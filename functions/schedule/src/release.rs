//! `schedule.release`: every minute, what is due soon is announced to the queues that wait for it.
//!
//! A hint is sent first and taken note of afterwards, so it may be sent twice and is never lost.

use std::collections::BTreeSet;

use service::{Result, Timer, Trigger, Worker, join_all};

/// The worker.
pub enum Release {}

impl Worker for Release {
    const TRIGGER: Trigger = Trigger::EveryMinute;
    const NEEDS_KEYRING: bool = false;
    type Job = Timer;
    type Message = ();

    async fn handle(timer: Timer, (): ()) -> Result<()> {
        // One part that fails or is long does not hold up the others.
        let parts = (0..Timer::SHARDS).map(|shard| release(&timer, shard));
        join_all(parts).await.into_iter().collect()
    }
}

async fn release(timer: &Timer, shard: u64) -> Result<()> {
    let (mut start, mut result, mut seen) = (None, Ok(()), BTreeSet::new());
    loop {
        let (mut due, next) = timer.due(shard, start).await?;
        // The index still shows for a moment what was taken note of.
        due.retain(|row| seen.insert(row.id().to_owned()));
        result = result.and(timer.forward(due).await);
        start = next;
        if start.is_none() || timer.now() >= timer.deadline() {
            return result;
        }
    }
}
