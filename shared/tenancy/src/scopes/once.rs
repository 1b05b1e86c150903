//! Idempotent calls: a call with an `Idempotency-Key` is executed once (decision 24).
//!
//! A row for each key is a lease while the call runs, and then stores the reply for a day. It has a
//! partition of its own in a table whose items expire, and whose stream the journal does not read.
//! It uses real time: a testing key whose clock moves keeps its replies.

use aws::{Boxed, Condition, Failure, Item, Value};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use error::{Error, Result};
use model::{Millis, clock::WallTime};

use super::{
    db::{ATTEMPTS, Db, back_off, report},
    scope::{AdminStore, TenantStore, WorkspaceStore},
};
use crate::{
    layout::{
        EXPIRES, Key, Table, item,
        pack::{pack, unpack},
        sealed,
    },
    prelude::*,
};

/// The lease of a call, in milliseconds: longer than any call lives.
const LEASE: Millis = 30_000;
/// Retention of a reply, in milliseconds.
const RETENTION: Millis = 24 * 60 * 60 * 1000;
/// Size above which a reply is compressed, in bytes.
const LARGE: usize = 1024;
/// Maximum size of a stored reply, in bytes; an item has room for 400 KB.
const MAX_KEPT_BYTES: usize = 350 * 1024;

const OWNER: &str = "owner";
const CALL: &str = "call";
const UNTIL: &str = "until";
const STATUS: &str = "status";
const BODY: &str = "body";
const PACKED: &str = "packed";

/// The reply to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status code.
    pub status: u16,
    /// The body.
    pub body: String,
}

/// State of an idempotency key.
pub enum Claim {
    /// Unused: the call may be executed now.
    Mine(Once),
    /// Executed, with this stored reply.
    Made(Answer),
    /// Executed; its reply was too large to store, or can no longer be read.
    Forgotten,
    /// In progress.
    UnderWay,
    /// Used for another call.
    Another,
}

/// The lease of a call.
pub struct Once {
    db: Db,
    key: Item,
    owner: String,
    call: String,
}

/// A scope with idempotent calls.
pub trait Naming {
    #[doc(hidden)]
    fn names(&self) -> Names;
}

/// The partition of a scope's idempotent calls. Opaque outside this crate.
pub struct Names {
    db: Db,
    partition: Key,
}

impl Naming for AdminStore {
    fn names(&self) -> Names {
        Names { db: self.db.clone(), partition: Key::named("admin") }
    }
}

impl Naming for WorkspaceStore {
    fn names(&self) -> Names {
        Names { db: self.db.clone(), partition: self.partition() }
    }
}

impl Naming for TenantStore {
    fn names(&self) -> Names {
        let partition = match self.end_user() {
            Some(user) => self.partition().and("user", user.user_id.as_str()),
            None => self.partition().clone(),
        };
        Names { db: self.db.clone(), partition }
    }
}

impl Once {
    /// Claims the key `name` of `operation`. `call` identifies the call among those with that key.
    /// One write in any case.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn claim(
        scope: &impl Naming,
        operation: &str,
        name: &str,
        call: String,
    ) -> Result<Claim> {
        let Names { db, partition } = scope.names();
        let key = item::key(&partition.and("named-call", name), &Key::pair("operation", operation));
        let owner = keyring::random_text::<12>()?;
        let once = Self { db, key, owner, call };
        let now = once.db.clock.real();
        let condition = Condition {
            expression: "attribute_not_exists(#until) OR #until <= :now".to_owned(),
            names: [("#until".to_owned(), UNTIL.to_owned())].into(),
            values: [(":now".to_owned(), Value::N(now.to_string()))].into(),
        };
        let found = match once.put(once.row(now.saturating_add(LEASE)), condition).await? {
            Put::Done => return Ok(Claim::Mine(once)),
            Put::Refused(found) => found,
        };
        if text(&found, CALL) != Some(&once.call) {
            return Ok(Claim::Another);
        }
        if !found.contains_key(STATUS) {
            return Ok(Claim::UnderWay);
        }
        Ok(once.kept(&found).map_or(Claim::Forgotten, Claim::Made))
    }

    /// Stores the reply of the call.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; the call can be repeated after the lease.
    pub fn answered<'a>(self, answer: &'a Answer) -> Boxed<'a, Result<()>> {
        Box::pin(async move {
            let mut row = self.row(self.db.clock.real().saturating_add(RETENTION));
            row.insert(STATUS.to_owned(), Value::N(answer.status.to_string()));
            let is_large = answer.body.len() > LARGE;
            let packed = if is_large { Some(pack(answer.body.as_bytes())?) } else { None };
            let shown = packed.map(|bytes| STANDARD_NO_PAD.encode(bytes));
            // The reply may contain a newly issued secret.
            let sealed = self
                .db
                .keyring
                .seal(&sealed::place_of(&self.key)?, shown.as_ref().unwrap_or(&answer.body))?;
            if sealed.len() <= MAX_KEPT_BYTES {
                row.insert(BODY.to_owned(), Value::S(sealed));
                row.insert(PACKED.to_owned(), Value::Bool(is_large));
            }
            self.replace(row).await
        })
    }

    /// Releases the key, as if the call had never been made.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; the call can be repeated after the lease.
    pub fn give_up(self) -> Boxed<'static, Result<()>> {
        Box::pin(async move {
            let row = self.row(self.db.clock.real());
            self.replace(row).await
        })
    }

    /// The row of this call, which may be replaced from `until` on.
    fn row(&self, until: WallTime) -> Item {
        let mut row = self.key.clone();
        row.insert(OWNER.to_owned(), Value::S(self.owner.clone()));
        row.insert(CALL.to_owned(), Value::S(self.call.clone()));
        row.insert(UNTIL.to_owned(), Value::N(until.to_string()));
        row.insert(EXPIRES.to_owned(), Value::N(until.millis().div_ceil(1000).to_string()));
        row
    }

    fn kept(&self, row: &Item) -> Option<Answer> {
        let status = row.get(STATUS)?.as_n().ok()?.parse().ok()?;
        let body =
            self.db.keyring.open(&sealed::place_of(&self.key).ok()?, text(row, BODY)?).ok()?;
        let body = match row.get(PACKED) {
            Some(Value::Bool(true)) => {
                let packed = STANDARD_NO_PAD.decode(body).ok()?;
                String::from_utf8(unpack(&packed).ok()?).ok()?
            }
            _ => body,
        };
        Some(Answer { status, body })
    }

    /// Writes the row unless another process has the lease by now.
    async fn replace(&self, row: Item) -> Result<()> {
        let condition = Condition {
            expression: "#owner = :owner".to_owned(),
            names: [("#owner".to_owned(), OWNER.to_owned())].into(),
            values: [(":owner".to_owned(), Value::S(self.owner.clone()))].into(),
        };
        self.put(row, condition).await.map(drop)
    }

    fn put<'a>(&'a self, row: Item, condition: Condition) -> Boxed<'a, Result<Put>> {
        Box::pin(async move {
            for attempt in 0..ATTEMPTS {
                let table = Table::Realtime.name();
                match self.db.dynamo.put(table, row.clone(), Some(condition.clone())).await {
                    Ok(()) => return Ok(Put::Done),
                    Err(Failure::Condition(found)) => {
                        let found = found.unwrap_or_default();
                        // The reply of our own write was lost, and the SDK repeated it.
                        let is_ours = text(&found, OWNER) == Some(&self.owner);
                        return Ok(if is_ours { Put::Done } else { Put::Refused(found) });
                    }
                    Err(Failure::Conflict) => back_off(attempt).await,
                    Err(failure) => return Err(report(failure)),
                }
            }
            Err(Error::aborted())
        })
    }
}

/// Result of writing a row.
enum Put {
    Done,
    Refused(Item),
}

fn text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    item.get(name).and_then(|value| value.as_s().ok()).map(String::as_str)
}
