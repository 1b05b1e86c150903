//! What a tenant has used of its limits, shared by all processes.

use aws::{Update, Value, Write};
use error::Result;
use model::Millis;

use super::scope::TenantStore;
use crate::{
    layout::{EXPIRES, Key, Table, item},
    writing::Unit,
};

/// How long an idle bucket is kept, in seconds: by then it is full again.
const IDLE: u64 = 3600;
const DAY: Millis = 24 * 60 * 60 * 1000;

impl TenantStore {
    fn budget(&self) -> Key {
        Key::of("limit", self.key.id.as_str())
    }

    /// Takes tokens out of a bucket (GCRA): `cost` and `capacity` say in microseconds how long it
    /// takes to refill them, and all of it. False when there are too few.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn charge(&self, bucket: &'static str, cost: u64, capacity: u64) -> Result<bool> {
        let now = self.real_now() * 1000;
        let number = |n: u64| Value::N(n.to_string());
        let latest = (now + capacity).saturating_sub(cost);
        let in_use = (
            "SET fullAt = fullAt + :cost, #expires = :expires",
            "fullAt BETWEEN :now AND :latest",
            vec![(":cost", number(cost)), (":now", number(now)), (":latest", number(latest))],
        );
        let full = (
            "SET fullAt = :next, #expires = :expires",
            "attribute_not_exists(fullAt) OR fullAt < :now",
            vec![(":next", number(now + cost)), (":now", number(now))],
        );
        // Somebody else may have begun to use it in between.
        for (expression, condition, mut values) in [in_use.clone(), full, in_use] {
            values.push((":expires", number(now / 1_000_000 + IDLE)));
            let sort = Key::named(bucket);
            if self.spend(&sort, expression, Some(condition), values).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Counts a mail of today; false when there were `max` already.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn count_mail(&self, max: Option<u64>) -> Result<bool> {
        let today = self.real_now() / DAY;
        let expires = (today + 2) * DAY / 1000;
        let mut values =
            vec![(":one", Value::N("1".to_owned())), (":expires", Value::N(expires.to_string()))];
        values.extend(max.map(|max| (":max", Value::N(max.to_string()))));
        let condition = max.map(|_| "attribute_not_exists(mails) OR mails < :max");
        let sort = Key::of("mails", &today.to_string());
        self.spend(&sort, "SET #expires = :expires ADD mails :one", condition, values).await
    }

    async fn spend(
        &self,
        sort: &Key,
        expression: &str,
        condition: Option<&str>,
        values: Vec<(&str, Value)>,
    ) -> Result<bool> {
        let update = Update {
            expression: expression.to_owned(),
            condition: condition.map(str::to_owned),
            names: [("#expires".to_owned(), EXPIRES.to_owned())].into(),
            values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        };
        let (table, key) = (Table::Schedule.name(), item::key(&self.budget(), sort));
        let writes = vec![Write::Update { table, key, update }];
        self.db.commit(Unit { writes, ..Unit::default() }).await.made()
    }
}
