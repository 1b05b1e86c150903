//! The contract of [`Rows`], tested for every implementation: the models of the simulators of
//! notifications, and the tables. A model that promises more than the database would prove nothing.

mod changes;
mod hints;
mod keys;
mod table;

use model::Millis;
use notification::{Change, Row, RowKey, Rows, StoredRow};
use serde_json::Value;

pub use hints::hints_come_when_rows_are_due;
pub use table::{Table, key_of};

/// A deployment with two tenants without rows.
pub trait Bench {
    /// The rows of a tenant.
    type Rows: Rows;

    /// The rows of the first tenant, or of the second.
    fn tenant(&self, number: usize) -> &Self::Rows;

    /// Advances the clock; nothing happens meanwhile.
    fn advance(&self, by: Millis);
}

/// A deployment with its timer and queues.
pub trait Timed: Bench {
    /// Lets seconds pass, including the sweep of each minute. Returns the hinted rows of the first
    /// tenant, with repetitions. No worker runs.
    fn hear(&self, seconds: u64) -> impl Future<Output = Vec<RowKey>>;
}

/// Rows change by compare-and-set, all of a commit or none.
pub async fn rows_change_by_compare_and_set<B: Bench>(bench: &B) {
    let (rows, other) = (bench.tenant(0), bench.tenant(1));
    changes::what_is_written_is_read(rows).await;
    changes::a_row_is_inserted_once(rows).await;
    changes::a_version_is_good_for_one_change(rows).await;
    changes::an_equal_row_is_another_version(rows).await;
    changes::a_commit_is_made_as_a_whole_or_not_at_all(rows).await;
    changes::one_of_several_at_once_is_first(rows).await;
    changes::a_hundred_rows_change_at_once(rows).await;
    changes::what_has_expired_is_absent(bench).await;
    keys::no_row_is_taken_for_another(rows).await;
    keys::tenants_do_not_meet(rows, other).await;
}

/// A row of one test.
fn key(id: &str) -> RowKey {
    RowKey::Pending { event_id: id.to_owned() }
}

fn row(body: impl Into<Value>) -> Row {
    Row { body: body.into(), due: None, expires: None }
}

fn insert(key: &RowKey, row: Row) -> Change {
    Change::Put { key: key.clone(), row, seen: None }
}

fn replace(key: &RowKey, row: Row, seen: &str) -> Change {
    Change::Put { key: key.clone(), row, seen: Some(seen.to_owned()) }
}

fn delete(key: &RowKey, seen: &str) -> Change {
    Change::Delete { key: key.clone(), seen: seen.to_owned() }
}

async fn commits(rows: &impl Rows, changes: Vec<Change>) -> bool {
    rows.commit(changes).await.expect("a store that answers").is_written()
}

async fn read(rows: &impl Rows, keys: &[RowKey]) -> Vec<Option<StoredRow>> {
    let found = rows.load(keys).await.expect("a store that answers");
    assert_eq!(found.len(), keys.len());
    found
}

async fn find(rows: &impl Rows, key: &RowKey) -> Option<StoredRow> {
    read(rows, std::slice::from_ref(key)).await.remove(0)
}

async fn version(rows: &impl Rows, key: &RowKey) -> String {
    find(rows, key).await.expect("a row").version
}
