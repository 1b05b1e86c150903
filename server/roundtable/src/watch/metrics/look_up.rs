//! Looking up gauges for a scrape, at a cost that does not grow with the data.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use embedded::EmbeddedServices;
use queue::Queue;
use tokio::{task::spawn_blocking, time::timeout};

use super::{
    process::Process,
    sample::{Sample, Stored},
};
use crate::{
    data::LAST,
    host::{dead_letters_name, queue_name},
    watch::health::Health,
};

/// Most messages of a queue that are counted, in each state.
const COUNTED: u32 = 10_000;
/// Time for files and queues. A scrape without them is better than none.
const PATIENCE: Duration = Duration::from_secs(5);

/// Looks up all gauges.
pub(super) async fn sample(health: Health, dir: Option<PathBuf>) -> Sample {
    let of_disk = health.embedded().clone();
    let stored = timeout(PATIENCE, spawn_blocking(move || stored(&of_disk, dir.as_deref())));
    let (stored, is_ready) = tokio::join!(stored, health.not_ready());
    Sample {
        is_ready: is_ready.is_ok(),
        lags: health.lags(),
        live_connections: health.embedded().connections().count(),
        stored: stored.ok().and_then(Result::ok).unwrap_or_default(),
        process: Process::read(),
    }
}

fn stored(embedded: &EmbeddedServices, dir: Option<&Path>) -> Stored {
    let names = Queue::ALL.map(|queue| [queue_name(queue), dead_letters_name(queue)]);
    let depths = embedded.count_messages(names.as_flattened(), COUNTED);
    let depths = depths.inspect_err(|error| tracing::warn!(%error, "Queues are not counted."));
    let depths = depths.unwrap_or_default();
    let files = embedded.files();
    let files = files.inspect_err(|error| tracing::warn!(%error, "Files are not measured."));
    let (pairs, _) = depths.as_chunks::<2>();
    Stored {
        queues: Queue::ALL.into_iter().zip(pairs.iter().copied()).collect(),
        files: files.unwrap_or_default(),
        backup_age: dir.and_then(backup_age),
    }
}

/// Age of the newest backup of a data folder, or of the folder.
fn backup_age(data: &Path) -> Option<Duration> {
    let changed = |name| std::fs::metadata(data.join(name)).ok()?.modified().ok();
    let since = changed(LAST).or_else(|| changed("format"))?;
    // A clock that was put back makes it new, not old.
    Some(since.elapsed().unwrap_or_default())
}
