//! `schedule.release`: every minute, sends hints for rows that are due soon.
//!
//! A hint is sent before it is recorded, so it may repeat but cannot get lost.

use std::collections::BTreeSet;

use service::{Timer, join_all, prelude::*};

pub enum Release {}

impl Worker for Release {
    const TRIGGER: Trigger = Trigger::EveryMinute;
    const NEEDS_KEYRING: bool = false;
    type Job = Timer;
    type Message = ();

    async fn handle(timer: Timer, (): ()) -> Result<()> {
        // A part that fails or takes long does not block the others.
        let parts = (0..Timer::SHARDS).map(|shard| release(&timer, shard));
        join_all(parts).await.into_iter().collect()
    }
}

async fn release(timer: &Timer, shard: u64) -> Result<()> {
    let (mut start, mut result, mut seen) = (None, Ok(()), BTreeSet::new());
    loop {
        let (mut due, next) = timer.store().due(shard, start).await?;
        // The index may still list a row that was recorded a moment ago.
        due.retain(|row| seen.insert(row.id().to_owned()));
        result = result.and(timer.forward(due).await);
        start = next;
        if start.is_none() || timer.is_over() {
            return result;
        }
    }
}
