//! The row with the users of a history.

use aws::{Value, Write};
use error::{Error, Result};
use tenancy::{
    layout::{Key, Table, VERSION, item},
    prelude::*,
    reading::new_version,
    scopes::{ATTEMPTS, back_off},
    writing::{Unit, unchanged, vacant},
};

use crate::editors::{
    EditorStore,
    edits::{HistoryUsers, USERS},
    head::Head,
    n,
    read::StoredEditor,
};

/// Maximum number of users whom the history of an editor names; edits of others are nobody's.
const MAX_USERS: usize = 1_000;

impl EditorStore {
    /// The users whom the history of an editor names, with those of its log.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn users_in(&self, editor: &StoredEditor) -> Result<HistoryUsers> {
        let mut users = self.kept_users(&editor.head).await?;
        users.give(editor.log.users(), usize::MAX);
        Ok(users)
    }

    /// Gives numbers to the users of the log of an editor, before these are merged.
    ///
    /// # Errors
    /// UNAVAILABLE; ABORTED under contention.
    pub async fn number_users(&self, editor: &StoredEditor) -> Result<HistoryUsers> {
        let (partition, key) = (self.organization.partition(), self.users_key(&editor.head));
        for attempt in 0..ATTEMPTS {
            let found = self.db().get(Table::Crdt, partition, &key).await?;
            let mut users = found.as_ref().map(HistoryUsers::read).unwrap_or_default();
            if !users.give(editor.log.users(), MAX_USERS) {
                return Ok(users);
            }
            let condition = match &found {
                Some(row) => unchanged(&item::version(row)?),
                None => vacant(),
            };
            let version = new_version()?;
            let mut row = self.key(&key);
            row.insert(USERS.to_owned(), users.written());
            row.insert(VERSION.to_owned(), Value::S(version.clone()));
            row.insert(item::WRITTEN.to_owned(), n(self.db().clock().now()));
            let put =
                Write::Put { table: Table::Crdt.name(), item: row, condition: Some(condition) };
            let unit = Unit::new(vec![put]).versioned(version);
            if self.db().commit(unit).await.was_executed()? {
                return Ok(users);
            }
            back_off(attempt).await;
        }
        Err(Error::aborted())
    }

    pub(super) async fn kept_users(&self, head: &Head) -> Result<HistoryUsers> {
        let key = self.users_key(head);
        let found = self.db().get(Table::Crdt, self.organization.partition(), &key).await?;
        Ok(found.as_ref().map(HistoryUsers::read).unwrap_or_default())
    }

    fn users_key(&self, head: &Head) -> Key {
        self.rows_key("users", &head.id).and("epoch", &head.epoch).and("part", "00")
    }
}
