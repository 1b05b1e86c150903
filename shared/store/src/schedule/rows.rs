//! The rows of a tenant's pending work (the port of the crate `notification`): changed by compare-and-set, armed
//! in the schedule.

use std::collections::BTreeSet;

use aws::{Condition, Item, Value, Write};
use error::{Error, Result};
use model::{OrganizationId, UserId};
use notification::{Change, Committed, Row, RowKey, StoredRow};
use tenancy::{
    layout::{EXPIRES, Key, Table, VERSION, item},
    prelude::*,
    scopes::place_of,
    writing::{Unit, absent, new_id, unchanged},
};

use super::{
    Schedule,
    due::{Wake, arm},
};
use crate::prelude::*;

const BODY: &str = "body";

impl Schedule<'_> {
    /// Reads rows, strongly consistent, in the order of their keys; expired ones are absent.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn load(self, keys: &[RowKey]) -> Result<Vec<Option<StoredRow>>> {
        let places: Vec<(Key, Key)> = keys.iter().map(|key| self.row_place(key)).collect();
        let wanted = BTreeSet::from_iter(places.iter().cloned());
        let mut found = match places.as_slice() {
            [(partition, sort)] => {
                let item = self.0.db().get(Table::Schedule, partition, sort).await?;
                item.map(|item| (place_of(&item), item)).into_iter().collect()
            }
            _ => self.0.db().get_across(Table::Schedule, wanted).await?,
        };
        let read = places.into_iter().map(|(partition, sort)| {
            let item = found.remove(&(partition.into(), sort.into()));
            Ok(item.map(stored).transpose()?.filter(|found| !self.is_over(&found.row)))
        });
        read.collect()
    }

    fn is_over(self, row: &Row) -> bool {
        row.expires.is_some_and(|at| at <= self.0.now())
    }

    /// Makes changes, all or none. `wake` is the hint for a due row.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; the changes may have been made.
    pub async fn commit(
        self,
        changes: Vec<Change>,
        wake: impl Fn(&RowKey, &Row) -> Result<Wake>,
    ) -> Result<Committed> {
        let version = new_id(self.0.real_now().millis())?;
        let write = |change| self.row_write(change, &version, &wake);
        let writes = changes.into_iter().map(write).collect::<Result<Vec<_>>>()?;
        let unit = Unit::new(writes).versioned(version.clone());
        Ok(match self.0.db().commit(unit).await.won_race()? {
            true => Committed::Written { version },
            false => Committed::Conflict,
        })
    }

    fn row_write(
        self,
        change: Change,
        version: &str,
        wake: &impl Fn(&RowKey, &Row) -> Result<Wake>,
    ) -> Result<Write> {
        let table = Table::Schedule.name();
        match change {
            Change::Delete { key, seen } => {
                let (partition, sort) = self.row_place(&key);
                let key = item::key(&partition, &sort);
                Ok(Write::Delete { table, key, condition: Some(unchanged(&seen)) })
            }
            Change::Put { key, row, seen } => {
                let (partition, sort) = self.row_place(&key);
                let mut item = item::key(&partition, &sort);
                if let Some(due) = row.due {
                    item.extend(arm(self.0, &self.row_tag(&key), due, &wake(&key, &row)?, true));
                }
                if let Some(at) = row.expires {
                    item.insert(EXPIRES.to_owned(), Value::N(at.div_ceil(1000).to_string()));
                }
                item.insert(BODY.to_owned(), Value::S(row.body.to_string()));
                item.insert(VERSION.to_owned(), Value::S(version.to_owned()));
                let condition =
                    seen.map_or_else(|| self.absent_or_over(), |version| unchanged(&version));
                Ok(Write::Put { table, item, condition: Some(condition) })
            }
        }
    }

    /// A digest of 32 letters and digits that identifies a row where its key does not fit.
    pub fn row_tag(self, key: &RowKey) -> String {
        let (partition, sort) = self.row_place(key);
        short(&format!("{}#{}", partition.as_str(), sort.as_str()))
    }

    /// The condition that there is no row, or an expired one.
    fn absent_or_over(self) -> Condition {
        let mut condition = absent();
        condition.expression.push_str(" OR #expires <= :now");
        condition.names.insert("#expires".to_owned(), EXPIRES.to_owned());
        condition.values.insert(":now".to_owned(), Value::N((self.0.now() / 1000).to_string()));
        condition
    }

    /// Partition and sort key of a row: rows of one recipient are neighbours.
    pub(crate) fn row_place(self, key: &RowKey) -> (Key, Key) {
        let of_event = |id: &str| self.0.partition().and("event", id);
        let of_user = |organization: &OrganizationId, user: &UserId| {
            self.0.organization(organization).notifications().recipient(user)
        };
        match key {
            RowKey::Pending { event_id } => (of_event(event_id), Key::named("pending")),
            RowKey::Recipients { event_id, page } => {
                (of_event(event_id), Key::pair("recipients", &page.to_string()))
            }
            RowKey::Windows { organization_id, document_id, from, of } => {
                let organization = self.0.organization(organization_id);
                let own = organization.partition();
                let partition = match document_id {
                    Some(document) => own.and("windows-of", document.as_str()),
                    None => own.join(&Key::named("windows")),
                };
                let sort = match (from, of) {
                    (_, Some(user)) => Key::pair("own-window", user.as_str()),
                    (Some(user), None) => Key::pair("window", user.as_str()),
                    (None, None) => Key::named("window"),
                };
                (partition, sort)
            }
            RowKey::Mail { organization_id, user_id, generation } => {
                (of_user(organization_id, user_id), Key::pair("mail", generation))
            }
            RowKey::Quota { organization_id, user_id } => {
                (of_user(organization_id, user_id), Key::named("quota"))
            }
            RowKey::Topic { organization_id, user_id, document_id, annotation_id } => {
                let topic = Key::pair("topic", document_id.as_str());
                let sort = topic.and("thread", annotation_id.as_str());
                (of_user(organization_id, user_id), sort)
            }
            RowKey::Feedback { tag } => {
                (self.0.partition().and("feedback", tag), Key::named("feedback"))
            }
            RowKey::Slots { address } => {
                (self.0.partition().and("mails-to", &short(address)), Key::named("slots"))
            }
            RowKey::Unsubscribed { organization_id, address, document_id } => {
                let organization = self.0.organization(organization_id);
                let own = organization.partition();
                let sort = match document_id {
                    Some(document) => Key::pair("document", document.as_str()),
                    None => Key::named("organization"),
                };
                (own.and("unsubscribed", address), sort)
            }
            RowKey::Suppressed { address } => {
                (self.0.partition().and("suppressed", &short(address)), Key::named("suppressed"))
            }
        }
    }
}

/// A name of a row that fits an index, however long its key is.
fn short(id: &str) -> String {
    keyring::sha256_hex(id)[..32].to_owned()
}

pub(crate) fn stored(item: Item) -> Result<StoredRow> {
    let text = |name: &str| item.get(name).and_then(|text| text.as_s().ok());
    let number =
        |name: &str| item.get(name).and_then(|n| n.as_n().ok()).and_then(|n| n.parse::<u64>().ok());
    let body = text(BODY).ok_or_else(|| Error::internal("a row without its body"))?;
    let body = serde_json::from_str(body).map_err(Error::internal)?;
    let expires = number(EXPIRES).map(|seconds| seconds * 1000);
    let row = Row { body, due: number("due"), expires };
    Ok(StoredRow { row, version: item::version(&item)? })
}
