//! Recent calls, for readers that come again and again.

use std::collections::VecDeque;

use parking_lot::Mutex;
use serde_json::{Value, json};

use super::calls::kept;
use crate::host::{CallObserver, ServedCall};

/// Most entries kept.
const CAPACITY: usize = 500;

#[derive(Default)]
struct Kept {
    /// The number of the latest entry.
    last: u64,
    entries: VecDeque<(u64, Value)>,
}

/// The latest calls of operations with their answers, numbered from 1.
#[derive(Default)]
pub(crate) struct RecentCalls(Mutex<Kept>);

impl CallObserver for RecentCalls {
    fn served(&self, call: ServedCall<'_>) {
        self.note(json!({
            "at": call.at,
            "requestId": call.request_id,
            "operation": call.operation,
            "path": call.path,
            "apiKey": call.api_key,
            "status": call.status,
            "ms": call.milliseconds,
            "request": kept(call.request),
            "reply": kept(call.reply),
            "units": call.units,
        }));
    }
}

impl RecentCalls {
    fn note(&self, entry: Value) {
        let mut kept = self.0.lock();
        kept.last += 1;
        let number = kept.last;
        if kept.entries.len() == CAPACITY {
            kept.entries.pop_front();
        }
        kept.entries.push_back((number, entry));
    }

    /// The entries behind a number, the oldest first, and the number to go on behind.
    pub(super) fn after(&self, after: u64) -> Value {
        let kept = self.0.lock();
        let entries = kept.entries.iter().filter(|(number, _)| *number > after);
        let entries: Vec<&Value> = entries.map(|(_, entry)| entry).collect();
        json!({ "next": kept.last, "items": entries })
    }
}
