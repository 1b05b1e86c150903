//! Calls that are named by their callers, so that each is made once however often it is sent
//! (decision 24).
//!
//! A row for each name says that the call is under way, until a lease ends, and then what it was
//! answered, for a day. It has a partition of its own and lies where items expire and no stream
//! reads. Time is real time: a testing key whose time is moved keeps its answers.

use aws::{Condition, Failure, Item, Value};
use base64::{Engine, engine::general_purpose::STANDARD_NO_PAD};
use error::{Error, Result};
use model::Millis;

use super::{
    db::{ATTEMPTS, Db, back_off, report},
    scope::{AdminStore, TenantStore, WorkspaceStore},
};
use crate::{
    editors::pack::{pack, unpack},
    layout::{EXPIRES, Key, Table, item, sealed},
};

/// How long a call may be under way, in milliseconds: longer than any lives.
const LEASE: Millis = 30_000;
/// How long an answer is repeated, in milliseconds.
const KEPT: Millis = 24 * 60 * 60 * 1000;
/// From here on an answer is compressed, in bytes.
const LARGE: usize = 1024;
/// Longest answer that is kept, in bytes as it is stored; an item has room for 400 KB.
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
    /// Nothing: it is to be made now.
    Mine(Once),
    /// Executed, with this stored reply.
    Made(Answer),
    /// It was made; its answer was too large to be kept, or cannot be read any more.
    Forgotten,
    /// In progress.
    UnderWay,
    /// The name is that of another call.
    Another,
}

/// The right to make a call, until a lease ends.
pub struct Once {
    db: Db,
    key: Item,
    owner: String,
    call: String,
}

/// A scope in which calls can be named.
pub trait Naming {
    #[doc(hidden)]
    fn names(&self) -> Names;
}

/// Where the named calls of a scope lie. Opaque outside this crate.
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
            None => self.partition(),
        };
        Names { db: self.db.clone(), partition }
    }
}

impl Once {
    /// Claims the right to make a call that is named `name` among those of `operation`. `call` tells
    /// it from others of that name. One write, whatever becomes of it.
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
        let key = item::key(&partition.and("named-call", name), &Key::of("operation", operation));
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

    /// Keeps the answer of the call.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; the call can then be made again when the lease is over.
    pub async fn answered(self, answer: &Answer) -> Result<()> {
        let mut row = self.row(self.db.clock.real().saturating_add(KEPT));
        row.insert(STATUS.to_owned(), Value::N(answer.status.to_string()));
        let is_large = answer.body.len() > LARGE;
        let packed = if is_large { Some(pack(answer.body.as_bytes())?) } else { None };
        let shown = packed.map(|bytes| STANDARD_NO_PAD.encode(bytes));
        // It may hold a secret that was just issued.
        let sealed = self
            .db
            .keyring
            .seal(&sealed::place_of(&self.key)?, shown.as_ref().unwrap_or(&answer.body))?;
        if sealed.len() <= MAX_KEPT_BYTES {
            row.insert(BODY.to_owned(), Value::S(sealed));
            row.insert(PACKED.to_owned(), Value::Bool(is_large));
        }
        self.replace(row).await
    }

    /// Gives the right up: nothing is known of the call.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL; the call can then be made again when the lease is over.
    pub async fn give_up(self) -> Result<()> {
        let row = self.row(self.db.clock.real());
        self.replace(row).await
    }

    /// The row of this call, which may be replaced at `until`.
    fn row(&self, until: Millis) -> Item {
        let mut row = self.key.clone();
        row.insert(OWNER.to_owned(), Value::S(self.owner.clone()));
        row.insert(CALL.to_owned(), Value::S(self.call.clone()));
        row.insert(UNTIL.to_owned(), Value::N(until.to_string()));
        row.insert(EXPIRES.to_owned(), Value::N(until.div_ceil(1000).to_string()));
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

    /// Writes the row unless somebody else has the right by now.
    async fn replace(&self, row: Item) -> Result<()> {
        let condition = Condition {
            expression: "#owner = :owner".to_owned(),
            names: [("#owner".to_owned(), OWNER.to_owned())].into(),
            values: [(":owner".to_owned(), Value::S(self.owner.clone()))].into(),
        };
        self.put(row, condition).await.map(drop)
    }

    async fn put(&self, row: Item, condition: Condition) -> Result<Put> {
        for attempt in 0..ATTEMPTS {
            let table = Table::Realtime.name();
            match self.db.dynamo.put(table, row.clone(), Some(condition.clone())).await {
                Ok(()) => return Ok(Put::Done),
                Err(Failure::Condition(found)) => {
                    let found = found.unwrap_or_default();
                    // The reply of our own call was lost, and it was repeated.
                    let is_ours = text(&found, OWNER) == Some(&self.owner);
                    return Ok(if is_ours { Put::Done } else { Put::Refused(found) });
                }
                Err(Failure::Conflict) => back_off(attempt).await,
                Err(failure) => return Err(report(failure)),
            }
        }
        Err(Error::aborted())
    }
}

/// The outcome of a row that was to be written.
enum Put {
    Done,
    Refused(Item),
}

fn text<'a>(item: &'a Item, name: &str) -> Option<&'a str> {
    item.get(name).and_then(|value| value.as_s().ok()).map(String::as_str)
}
