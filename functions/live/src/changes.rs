//! `live.changes`: tells those who are connected of presence and live state.

use serde_json::Value;
use service::{Changed, Job, Result, Table, Trigger, Worker};

/// A row of a connection is written again and again to say that it is alive.
const CHANGED: [Changed; 3] = [
    Changed { begins_with: "presence#", comes_and_goes: false },
    Changed { begins_with: "live-state#", comes_and_goes: false },
    Changed { begins_with: "live#", comes_and_goes: true },
];

/// The worker.
pub enum Changes {}

impl Worker for Changes {
    const TRIGGER: Trigger = Trigger::Changes(Table::Realtime, &CHANGED);
    const NEEDS_KEYRING: bool = false;
    type Job = Job;
    type Message = Value;

    async fn handle(_job: Job, _message: Value) -> Result<()> {
        Ok(())
    }
}
