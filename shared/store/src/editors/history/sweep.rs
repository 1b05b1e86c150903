//! Removal of snapshots that neither a reader nor the history needs.

use std::collections::BTreeSet;

use aws::{BatchWrite, Item};
use error::Result;
use model::{EditorId, Millis};
use tenancy::{layout::item, prelude::*, scopes::place_of};

use super::versions::{KEPT, Version};
use crate::editors::{
    EditorStore,
    compact::Prepared,
    head::{Head, Snapshot},
    part_of,
};

/// Retention of a replaced or stray snapshot: longer than any call.
const RETENTION: Millis = 15 * 60 * 1000;
/// Delay before a replaced snapshot is removed.
const SWEPT_AFTER: Millis = 20 * 60 * 1000;

impl Prepared {
    /// The snapshots that are to be removed after a time in milliseconds: to be ordered before the
    /// snapshot is written, because a crash may prevent what follows.
    pub fn sweeps(&self) -> Vec<(Vec<String>, Millis)> {
        let (kept, replaced) = match self.keeps {
            true => (self.before.as_ref(), None),
            false => (None, self.before.as_ref()),
        };
        let of_rows = |snapshots: Vec<&Snapshot>| -> Vec<String> {
            let in_rows = snapshots.into_iter().filter(|snapshot| snapshot.parts > 0);
            in_rows.map(|snapshot| snapshot.version.clone()).collect()
        };
        // A stray one is found by its own name.
        let soon = of_rows([Some(&self.snapshot), replaced].into_iter().flatten().collect());
        let late = of_rows(kept.into_iter().collect());
        let sweeps = [(soon, SWEPT_AFTER), (late, KEPT + SWEPT_AFTER)];
        sweeps.into_iter().filter(|(snapshots, _)| !snapshots.is_empty()).collect()
    }
}

impl EditorStore {
    /// Removes those of the snapshots that are not needed any more, and versions that are over with
    /// theirs; of all snapshots of an editor, when none is named. To read all takes as much as to
    /// read their content.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn sweep(&self, id: &EditorId, snapshots: &[String]) -> Result<()> {
        let now = self.db().clock().now();
        // Read before the rows: a snapshot that the head does not name never becomes current again,
        // unless it was written just now.
        let Some(head) = self.head(id).await? else { return Ok(()) };
        // Read after the head: a version is added only while the head names its snapshot.
        let versions = self.version_rows(&head).await?;
        let (there, over): (Vec<Version>, Vec<Version>) =
            versions.into_iter().partition(|version| version.is_there(now));
        let needed = needed(&head, &there, now);
        let is_needed = |version: &str| needed.contains(version);
        let mut gone = BTreeSet::new();
        for (sort, written) in self.snapshot_rows(&head, snapshots).await? {
            let is_recent = written.saturating_add(RETENTION) > now;
            if !is_recent && part_of(&sort, "version").is_none_or(|version| !is_needed(version)) {
                gone.insert(sort);
            }
        }
        for version in over.iter().filter(|version| !is_needed(&version.snapshot.version)) {
            let keys = self.snapshot_keys(&head, &version.snapshot);
            gone.extend(keys.into_iter().map(String::from));
        }
        let rows = over.iter().map(|version| version.key(self, &head).into()).collect();
        self.remove(gone).await?;
        // The row of a version says which snapshot is to be removed.
        self.remove(rows).await
    }

    async fn remove(&self, sorts: BTreeSet<String>) -> Result<()> {
        let key = |sort: &String| item::named_key(self.organization.partition(), sort);
        self.write_all(sorts.iter().map(|sort| BatchWrite::Delete(key(sort))).collect()).await
    }

    /// The rows of snapshots, each with the time of its write.
    async fn snapshot_rows(
        &self,
        head: &Head,
        snapshots: &[String],
    ) -> Result<Vec<(String, Millis)>> {
        let all = self.rows_key("snapshot", &head.id);
        let of_epoch = all.and("epoch", &head.epoch);
        let prefixes: Vec<String> = match snapshots {
            [] => vec![all.prefix()],
            _ => snapshots.iter().map(|of| of_epoch.and("version", of).prefix()).collect(),
        };
        let mut rows = Vec::new();
        for prefix in prefixes {
            let mut query = self.under(prefix, vec![item::PK, item::SK, item::WRITTEN]);
            loop {
                let found = self.db().query(query.clone()).await?;
                let at = |row: &Item| item::number(row, item::WRITTEN).unwrap_or(Millis::MAX);
                rows.extend(found.items.iter().map(|row| (place_of(row).1, at(row))));
                match found.next {
                    None => break,
                    next => query.start = next,
                }
            }
        }
        Ok(rows)
    }
}

/// The snapshots that readers and versions need.
fn needed(head: &Head, versions: &[Version], now: Millis) -> BTreeSet<String> {
    let previous = head.previous.iter().filter(|(_, until)| until + RETENTION > now);
    let current = head.snapshot.iter().map(|snapshot| snapshot.version.clone());
    let kept = versions.iter().map(|version| version.snapshot.version.clone());
    current.chain(previous.map(|(version, _)| version.clone())).chain(kept).collect()
}
