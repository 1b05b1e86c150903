//! Token buckets of tenants and workspaces, shared by all processes.

use aws::{Boxed, Failure, Item, Update, Value};
use error::Result;
use model::{Millis, UserId, clock::WallTime, limits::Limits};

use super::{
    db::{Db, report},
    scope::{TenantStore, WorkspaceStore},
};
use crate::layout::{EXPIRES, Key, Table, item};

/// Retention of an idle bucket, in seconds: by then it is full again.
const IDLE: u64 = 3600;
/// When a bucket is full, in epoch microseconds.
const FULL_AT: &str = "fullAt";
const DAY: Millis = 24 * 60 * 60 * 1000;

/// The part of the limits of end users that one of them may use: a tenth.
const USERS: u64 = 10;

/// An account, the unit of rate limits.
pub struct Account {
    db: Db,
    id: String,
    place: Key,
    limits: Limits,
    /// The share of the limits that the account has: one of so many parts.
    part: u64,
    is_of_end_users: bool,
}

impl TenantStore {
    /// The account of the API key: of its server, its deliveries and its mails.
    pub fn account(&self) -> Account {
        let (id, limits) = (self.key.id.to_string(), self.key.limits);
        let place = Key::pair("limit", &id);
        Account { db: self.db.clone(), place, id, limits, part: 1, is_of_end_users: false }
    }

    /// The accounts that pay for a call: that of the tenant's server, or those of the end user and
    /// of all end users.
    pub fn payers(&self) -> Vec<Account> {
        let own = self.account();
        let Some(user) = self.end_user() else { return vec![own] };
        let all = own.below("end-users", 1);
        vec![all.below(user.user_id.as_str(), USERS), all]
    }
}

impl WorkspaceStore {
    /// The account of the workspace; none when the operator calls in its name.
    pub fn account(&self) -> Option<Account> {
        let id = self.workspace.id.to_string();
        let place = Key::named("limit").join(&Key::pair("workspace", &id));
        let (db, limits) = (self.db.clone(), Limits::default());
        let account = Account { db, place, id, limits, part: 1, is_of_end_users: false };
        (!self.by_operator).then_some(account)
    }
}

impl Account {
    /// An account of end users in this one, with one of `part` parts of its limits.
    fn below(&self, name: &str, part: u64) -> Self {
        Self {
            db: self.db.clone(),
            id: format!("{}/{name}", self.id),
            place: self.place.clone().join(&Key::pair("part", name)),
            limits: self.limits,
            part,
            is_of_end_users: true,
        }
    }

    /// The share of a rate that it has.
    pub fn share_of(&self, rate: u64) -> u64 {
        (rate / self.part).max(1)
    }

    /// Whether its calls are refused while the shared buckets cannot be reached. A tenant's server
    /// is trusted: its calls go on.
    pub fn fails_closed(&self) -> bool {
        self.is_of_end_users
    }

    /// Unique name of the account.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Limits of the account itself.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Real time.
    pub fn now(&self) -> WallTime {
        self.db.clock.real()
    }

    /// Takes tokens out of a bucket (GCRA), also before they are in it; answers in how many
    /// microseconds they are. Takes none, and answers `None`, when that is in more than `horizon`.
    /// `cost` and `capacity` are the microseconds to refill the tokens and the whole bucket.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub fn reserve<'a>(
        &'a self,
        bucket: &'static str,
        cost: u64,
        capacity: u64,
        horizon: u64,
    ) -> Boxed<'a, Result<Option<u64>>> {
        Box::pin(async move {
            let now = self.now().millis() * 1000;
            let latest = (now + capacity + horizon).saturating_sub(cost);
            let full_at = self.take(bucket, cost, now, latest).await?;
            Ok(full_at.map(|full_at| full_at.saturating_sub(now + capacity)))
        })
    }

    /// Moves the time at which a bucket is full, unless it is after `latest`; answers with it.
    async fn take(
        &self,
        bucket: &'static str,
        cost: u64,
        now: u64,
        latest: u64,
    ) -> Result<Option<u64>> {
        let number = |n: u64| Value::N(n.to_string());
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
        // Another process may have created it meanwhile.
        for (expression, condition, mut values) in [in_use.clone(), full, in_use] {
            values.push((":expires", number(now / 1_000_000 + IDLE)));
            let sort = Key::named(bucket);
            if let Some(row) = self.spend(&sort, expression, Some(condition), values).await? {
                return Ok(item::number(&row, FULL_AT));
            }
        }
        Ok(None)
    }

    /// Counts one use of today under `name`, of one user if named, unless there are `max`
    /// already; returns whether it did.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn try_count_today(
        &self,
        name: &'static str,
        by: Option<&UserId>,
        max: Option<u64>,
    ) -> Result<bool> {
        let today = self.now().millis() / DAY;
        let counter = Key::pair(name, &today.to_string());
        let counter = match by {
            Some(user) => counter.and("user", user.as_str()),
            None => counter,
        };
        let expires = (today + 2) * DAY / 1000;
        let mut values =
            vec![(":one", Value::N("1".to_owned())), (":expires", Value::N(expires.to_string()))];
        values.extend(max.map(|max| (":max", Value::N(max.to_string()))));
        let condition = max.map(|_| format!("attribute_not_exists({name}) OR {name} < :max"));
        let expression = format!("SET #expires = :expires ADD {name} :one");
        Ok(self.spend(&counter, &expression, condition.as_deref(), values).await?.is_some())
    }

    /// Changes a row; answers with all it has then, if the condition holds.
    async fn spend(
        &self,
        sort: &Key,
        expression: &str,
        condition: Option<&str>,
        values: Vec<(&str, Value)>,
    ) -> Result<Option<Item>> {
        let update = Update {
            expression: expression.to_owned(),
            condition: condition.map(str::to_owned),
            names: [("#expires".to_owned(), EXPIRES.to_owned())].into(),
            values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        };
        let key = item::key(&self.place, sort);
        match self.db.dynamo.update(Table::Schedule.name(), key, update).await {
            Ok(row) => Ok(Some(row)),
            Err(Failure::Condition(_)) => Ok(None),
            Err(failure) => Err(report(failure)),
        }
    }
}
