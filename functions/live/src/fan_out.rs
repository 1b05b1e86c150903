//! `live.fan_out`: tells those who are connected what happened in a document, or to them.

use serde_json::Value;
use service::{Job, Queue, Result, Trigger, Worker};

/// The worker.
pub enum FanOut {}

impl Worker for FanOut {
    const TRIGGER: Trigger = Trigger::Queue(Queue::Live);
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = Value;

    async fn handle(_job: Job, _message: Value) -> Result<()> {
        Ok(())
    }
}
