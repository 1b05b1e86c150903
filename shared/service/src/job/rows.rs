//! Rows of a job: stored in the store, woken by queues.

use error::Result;
use model::Millis;
use notification::{Change, Committed, Hint, NotificationTask, Row, RowKey, Rows, StoredRow};
use queue::Queue;
use store::{prelude::*, schedule::Wake};

use crate::job::Job;

/// The queue of a due row.
fn queue_of(key: &RowKey) -> Queue {
    match key.is_for_mails() {
        true => Queue::Emails,
        false => Queue::Notifications,
    }
}

impl Rows for Job {
    fn now(&self) -> Millis {
        self.tenant().now()
    }

    fn new_id(&self) -> String {
        self.tenant().unique_id()
    }

    async fn load(&self, keys: &[RowKey]) -> Result<Vec<Option<StoredRow>>> {
        self.tenant().schedule().load(keys).await
    }

    async fn commit(&self, changes: Vec<Change>) -> Result<Committed> {
        let wake = |key: &RowKey, row: &Row| {
            let body = self.tenant().envelope(&NotificationTask::Wake(key.clone()))?;
            let hinted = row.due.is_some_and(|due| self.sends_hint(due));
            Ok(Wake { queue: queue_of(key).name().to_owned(), body, hinted })
        };
        self.tenant().schedule().commit(changes, wake).await
    }

    async fn wake(&self, hints: Vec<Hint>) -> Result<()> {
        for Hint { key, at } in hints {
            if self.sends_hint(at) {
                self.send_at(queue_of(&key), &NotificationTask::Wake(key), at).await?;
            }
        }
        Ok(())
    }
}
