//! `live.changes`: tells those who are connected of presence and live state.

use serde_json::Value;
use service::{Job, Result, Table, Trigger, Worker};

/// The worker.
pub enum Changes {}

impl Worker for Changes {
    const TRIGGER: Trigger = Trigger::Changes(Table::Realtime);
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = Value;

    async fn handle(_job: Job, _message: Value) -> Result<()> {
        Ok(())
    }
}
