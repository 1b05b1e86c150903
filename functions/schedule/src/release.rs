//! `schedule.release`: every minute, messages whose time has come go to their queues.
//!
//! A message is sent first and taken note of afterwards, so it may be sent twice and is never lost.

use std::collections::BTreeSet;

use service::{Result, Timer, Trigger, Worker};

/// The worker.
pub enum Release {}

/// Messages read at a time, of each part of the schedule.
const AT_ONCE: i32 = 100;
/// Ends the loop, whatever the clock says; far more than there is time for.
const MAX_ROUNDS: usize = 1000;

impl Worker for Release {
    const TRIGGER: Trigger = Trigger::EveryMinute;
    type Job = Timer;
    type Message = ();

    async fn handle(timer: Timer, (): ()) -> Result<()> {
        let mut seen = BTreeSet::new();
        for _ in 0..MAX_ROUNDS {
            let mut due = timer.due(AT_ONCE).await?;
            let may_be_more = due.len() >= AT_ONCE as usize;
            // The schedule is read from an index, which still shows what was sent a moment ago.
            due.retain(|message| seen.insert(message.id().to_owned()));
            if due.is_empty() {
                return Ok(());
            }
            timer.forward(due).await?;
            if !may_be_more || timer.now() >= timer.deadline() {
                return Ok(());
            }
        }
        Ok(())
    }
}
