//! Looking up gauges for a scrape, at a cost that does not grow with the data.

use std::{path::Path, time::Duration};

use queue::Queue;
use tokio::{task::spawn_blocking, time::timeout};

use super::{
    process::Process,
    sample::{Sample, Stored},
};
use crate::{Stack, backup, dead_letters_name, queue_name};

/// Most messages of a queue that are counted, in each state.
const COUNTED: u32 = 10_000;
/// Time for files and queues. A scrape without them is better than none.
const PATIENCE: Duration = Duration::from_secs(5);

/// Looks up all gauges.
pub(super) async fn sample(stack: &Stack) -> Sample {
    let of_disk = stack.clone();
    let stored = timeout(PATIENCE, spawn_blocking(move || stored(&of_disk)));
    let (stored, is_ready) = tokio::join!(stored, stack.not_ready());
    let now = stack.environment().now();
    Sample {
        is_ready: is_ready.is_ok(),
        lags: stack.inner.readiness.lags(now),
        live_connections: stack.emulator().connections().count(),
        stored: stored.ok().and_then(Result::ok).unwrap_or_default(),
        process: Process::read(),
    }
}

fn stored(stack: &Stack) -> Stored {
    let emulator = stack.emulator();
    let names = Queue::ALL.map(|queue| [queue_name(queue), dead_letters_name(queue)]);
    let depths = emulator.count_messages(names.as_flattened(), COUNTED);
    let depths = depths.inspect_err(|error| tracing::warn!(%error, "Queues are not counted."));
    let depths = depths.unwrap_or_default();
    let files = emulator.files();
    let files = files.inspect_err(|error| tracing::warn!(%error, "Files are not measured."));
    let (pairs, _) = depths.as_chunks::<2>();
    Stored {
        queues: Queue::ALL.into_iter().zip(pairs.iter().copied()).collect(),
        files: files.unwrap_or_default(),
        backup_age: stack.inner.dir.as_deref().and_then(backup_age),
    }
}

/// Age of the newest backup of a data folder, or of the folder.
fn backup_age(data: &Path) -> Option<Duration> {
    let changed = |name| std::fs::metadata(data.join(name)).ok()?.modified().ok();
    let since = changed(backup::LAST).or_else(|| changed("format"))?;
    // A clock that was put back makes it new, not old.
    Some(since.elapsed().unwrap_or_default())
}
