//! DynamoDB with retries, bounds and our errors; private to this crate.

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use aws::{BatchWrite, Boxed, Dynamo, Failure, Item};
use error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use keyring::Keyring;
use model::ApiKeyId;

use super::{
    caches::{Caches, timed::Admitted},
    clock::Clock,
    containers::Seen,
    viewer::Viewer,
};
use crate::layout::{Key, Table, item};

/// Maximum number of attempts of an operation.
pub const ATTEMPTS: u32 = 8;
/// Concurrent calls of one operation.
pub const PARALLEL: usize = 8;
/// Limits of one DynamoDB call.
const BATCH_GET: usize = 100;
const BATCH_WRITE: usize = 25;
/// Maximum size of a batch of several items, in bytes: an attempt has a second.
const BATCH_BYTES: usize = 1024 * 1024;

/// The tables, with retries and our errors, and what all scopes share.
#[derive(Clone)]
pub struct Db {
    pub(crate) dynamo: Dynamo,
    pub(crate) keyring: Arc<Keyring>,
    pub(crate) clock: Clock,
    pub(crate) admitted: Arc<Admitted>,
    pub(crate) caches: Arc<Caches>,
    /// The containers that the call has read; none outside of tenants.
    pub(crate) seen: Option<Arc<Seen>>,
    /// The end user of the call, if any: invisible items do not exist for them.
    pub(crate) viewer: Option<Viewer>,
}

/// The error for the caller, when the store does not handle the failure.
pub fn report(failure: Failure) -> Error {
    report_shared(&failure)
}

/// Like [`report`], for a failure that several share.
pub(crate) fn report_shared(failure: &Failure) -> Error {
    match failure {
        Failure::Conflict => Error::aborted(),
        Failure::Unavailable(_) => Error::unavailable(failure.to_string()),
        other => Error::internal(other.to_string()),
    }
}

/// Waits before retry number `attempt`: exponential, with full jitter.
pub async fn back_off(attempt: u32) {
    let ceiling = 10_u64 << attempt.min(5);
    let random = keyring::random_bytes::<8>().map(u64::from_be_bytes).unwrap_or(ceiling);
    tokio::time::sleep(Duration::from_millis(1 + random % ceiling)).await;
}

/// How current a read is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Currency {
    /// As of now.
    Now,
    /// As of a moment ago, at half the price.
    TimedCache,
}

/// Items by partition and sort key.
pub type Found = HashMap<(String, String), Item>;

/// Items by table and key.
pub struct FoundInTables(BTreeMap<(&'static str, (String, String)), Item>);

impl FoundInTables {
    /// Removes an item.
    pub fn take(&mut self, (table, partition, sort): &(Table, Key, Key)) -> Option<Item> {
        let place = (partition.as_str().to_owned(), sort.as_str().to_owned());
        self.0.remove(&(table.name(), place))
    }
}

impl Db {
    /// The client of DynamoDB.
    pub fn dynamo(&self) -> &Dynamo {
        &self.dynamo
    }

    /// A number that grows with each write to items whose keys begin with these, by one if it is the
    /// only one: what was read after asking is current for as long as the number stays. Each beginning
    /// is empty or ends with `#`. None where other processes write, too.
    pub fn version(&self, table: Table, partition: &str, sort: &str) -> Option<u64> {
        self.dynamo.version(table.name(), partition, sort)
    }

    /// The keys of signatures and secrets.
    pub fn keyring(&self) -> &Arc<Keyring> {
        &self.keyring
    }

    /// The clock of the tenant, or of the process.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The end user of the call, if any.
    pub fn viewer(&self) -> Option<&Viewer> {
        self.viewer.as_ref()
    }

    /// Makes this process see its own change of an API key at once.
    pub fn forget_key(&self, id: &ApiKeyId) {
        self.admitted.forget(id);
    }

    /// The cache of a type in this process.
    pub fn cache<T: Any + Send + Sync + Default>(&self) -> Arc<T> {
        self.caches.cache()
    }

    /// Reads an item.
    pub fn get<'a>(
        &'a self,
        table: Table,
        partition: &'a Key,
        sort: &'a Key,
    ) -> Boxed<'a, Result<Option<Item>>> {
        Box::pin(async move {
            Ok(self.get_standing(table, partition, sort).await?.filter(item::is_there))
        })
    }

    /// Reads an item, or the tombstone that replaced it: what decides about a container has to know
    /// since when it is gone ([`Rows::standing`](crate::reading::Rows::standing)).
    pub fn get_standing<'a>(
        &'a self,
        table: Table,
        partition: &'a Key,
        sort: &'a Key,
    ) -> Boxed<'a, Result<Option<Item>>> {
        Box::pin(async move {
            let found = self.dynamo.get(table.name(), item::key(partition, sort)).await;
            found.map_err(report)
        })
    }

    /// Reads any number of items of one partition, by sort key. Order and duplicates do not matter.
    pub async fn get_all(
        &self,
        table: Table,
        partition: &Key,
        sorts: impl IntoIterator<Item = Key>,
    ) -> Result<HashMap<String, Item>> {
        let places = sorts.into_iter().map(|sort| (partition.clone(), sort)).collect();
        let found = self.get_across(table, places).await?;
        Ok(found.into_iter().map(|((_, sort), item)| (sort, item)).collect())
    }

    /// Reads up to 100 items of one partition as of a moment ago, by sort key, at half the price.
    pub async fn get_lately(
        &self,
        table: Table,
        partition: &Key,
        sorts: impl IntoIterator<Item = Key>,
    ) -> Result<HashMap<String, Item>> {
        let keys = sorts.into_iter().map(|sort| item::key(partition, &sort)).collect();
        let found = self.read_chunk(table, keys, Currency::TimedCache).await?;
        let found = found.into_iter().filter(item::is_there);
        Ok(found.map(|item| (place_of(&item).1, item)).collect())
    }

    /// Reads any number of items of one partition, by stored sort keys, of the present lives of their
    /// containers.
    pub fn get_named<'a>(
        &'a self,
        table: Table,
        partition: &'a Key,
        sorts: &'a [String],
    ) -> Boxed<'a, Result<HashMap<String, Item>>> {
        Box::pin(async move {
            if sorts.is_empty() {
                return Ok(HashMap::new());
            }
            let sorts: BTreeSet<&String> = sorts.iter().collect();
            let sorts = sorts.into_iter().cloned().collect();
            let mut found = self.get_beside(table, partition, sorts, Currency::TimedCache).await?;
            found.retain_present();
            Ok(found.items.into_iter().collect())
        })
    }

    /// Reads any number of items of any partitions, by partition and sort key.
    pub fn get_across<'a>(
        &'a self,
        table: Table,
        places: BTreeSet<(Key, Key)>,
    ) -> Boxed<'a, Result<Found>> {
        Box::pin(async move {
            let mut found = self.get_across_standing(table, places, Currency::Now).await?;
            found.retain(|_, item| item::is_there(item));
            Ok(found)
        })
    }

    /// Reads any number of items of any partitions with the tombstones among them, by partition and
    /// sort key. [`Rows::standing`](crate::reading::Rows::standing) says what one of them means.
    pub fn get_across_standing<'a>(
        &'a self,
        table: Table,
        places: BTreeSet<(Key, Key)>,
        currency: Currency,
    ) -> Boxed<'a, Result<Found>> {
        Box::pin(async move {
            let keys: Vec<Item> =
                places.iter().map(|(partition, sort)| item::key(partition, sort)).collect();
            let found = self.read_keys(table, keys, currency).await?;
            Ok(found.into_iter().map(|item| (place_of(&item), item)).collect())
        })
    }

    /// Reads any number of items by key, with the tombstones among them.
    pub async fn read_keys(
        &self,
        table: Table,
        keys: Vec<Item>,
        currency: Currency,
    ) -> Result<Vec<Item>> {
        let chunks: Vec<Vec<Item>> = keys.chunks(BATCH_GET).map(<[Item]>::to_vec).collect();
        let read: Vec<_> =
            chunks.into_iter().map(|keys| self.read_chunk(table, keys, currency)).collect();
        let found: Vec<Vec<Item>> = stream::iter(read).buffered(PARALLEL).try_collect().await?;
        Ok(found.into_iter().flatten().collect())
    }

    /// Reads up to 100 items, of any partitions.
    pub fn get_chunk<'a>(&'a self, table: Table, keys: Vec<Item>) -> Boxed<'a, Result<Vec<Item>>> {
        Box::pin(async move {
            let mut found = self.read_chunk(table, keys, Currency::Now).await?;
            found.retain(item::is_there);
            Ok(found)
        })
    }

    async fn read_chunk(
        &self,
        table: Table,
        mut keys: Vec<Item>,
        currency: Currency,
    ) -> Result<Vec<Item>> {
        let mut items = Vec::new();
        for attempt in 0..ATTEMPTS {
            let is_current = currency == Currency::Now;
            let found = self.dynamo.batch_get(table.name(), keys, is_current).await;
            let found = found.map_err(report)?;
            items.extend(found.items);
            if found.unprocessed.is_empty() {
                return Ok(items);
            }
            keys = found.unprocessed;
            back_off(attempt).await;
        }
        Err(Error::unavailable("keys of a batch stayed unprocessed"))
    }

    /// Reads up to 100 items of several tables in one call, by table, partition and sort key.
    pub async fn get_tables(
        &self,
        places: impl IntoIterator<Item = (Table, Key, Key)>,
    ) -> Result<FoundInTables> {
        let mut keys: BTreeMap<&'static str, Vec<Item>> = BTreeMap::new();
        for (table, partition, sort) in places {
            keys.entry(table.name()).or_default().push(item::key(&partition, &sort));
        }
        let mut found = BTreeMap::new();
        for attempt in 0..ATTEMPTS {
            let read = self.dynamo.batch_get_tables(keys).await.map_err(report)?;
            keys = BTreeMap::new();
            for (table, read) in read {
                let items = read.items.into_iter().filter(item::is_there);
                found.extend(items.map(|item| ((table, place_of(&item)), item)));
                if !read.unprocessed.is_empty() {
                    keys.insert(table, read.unprocessed);
                }
            }
            if keys.is_empty() {
                return Ok(FoundInTables(found));
            }
            back_off(attempt).await;
        }
        Err(Error::unavailable("keys of a batch stayed unprocessed"))
    }

    /// Makes unconditional writes to distinct items; returns a result for each, in order.
    pub async fn write_all(&self, table: Table, writes: Vec<BatchWrite>) -> Vec<Result<()>> {
        self.write_all_named(table.name(), writes).await
    }

    pub(crate) fn write_all_named<'a>(
        &'a self,
        table: &'static str,
        writes: Vec<BatchWrite>,
    ) -> Boxed<'a, Vec<Result<()>>> {
        Box::pin(async move {
            let sent = stream::iter(batches(writes)).map(|chunk| self.write_chunk(table, chunk));
            let sent: Vec<Vec<Result<()>>> = sent.buffered(PARALLEL).collect().await;
            sent.into_iter().flatten().collect()
        })
    }

    async fn write_chunk(&self, table: &'static str, chunk: Vec<BatchWrite>) -> Vec<Result<()>> {
        let mut places: BTreeMap<(String, String), usize> =
            chunk.iter().enumerate().map(|(n, write)| (place(write), n)).collect();
        let mut results: Vec<Result<()>> = chunk.iter().map(|_| Ok(())).collect();
        let mut rest = chunk;
        for attempt in 0..ATTEMPTS {
            match self.dynamo.batch_write(table, rest.clone()).await {
                Ok(left) if left.is_empty() => return results,
                Ok(left) => rest = left,
                Err(failure) => {
                    // None of the rest was processed.
                    let failure = failure.to_string();
                    for write in &rest {
                        if let Some(n) = places.remove(&place(write)) {
                            results[n] = Err(Error::unavailable(failure.clone()));
                        }
                    }
                    return results;
                }
            }
            back_off(attempt).await;
        }
        for write in &rest {
            if let Some(n) = places.remove(&place(write)) {
                results[n] = Err(Error::unavailable("an item of a batch stayed unprocessed"));
            }
        }
        results
    }
}

/// The writes in batches that are answered in time, however large their items are.
fn batches(writes: Vec<BatchWrite>) -> Vec<Vec<BatchWrite>> {
    let (mut batches, mut size) = (Vec::<Vec<BatchWrite>>::new(), 0);
    for write in writes {
        let (BatchWrite::Put(item) | BatchWrite::Delete(item)) = &write;
        let own = item::size(item);
        size += own;
        match batches.last_mut().filter(|last| last.len() < BATCH_WRITE && size <= BATCH_BYTES) {
            Some(last) => last.push(write),
            None => {
                size = own;
                batches.push(vec![write]);
            }
        }
    }
    batches
}

fn place(write: &BatchWrite) -> (String, String) {
    let (BatchWrite::Put(item) | BatchWrite::Delete(item)) = write;
    place_of(item)
}

/// Partition and sort key of an item, as text.
pub fn place_of(item: &Item) -> (String, String) {
    let text = |name| match item.get(name) {
        Some(aws::Value::S(text)) => text.clone(),
        _ => String::new(),
    };
    (text(item::PK), text(item::SK))
}
