//! A limit of concurrent calls per account, like the concurrency limits of a Lambda account, so
//! that the flood of an account waits for itself.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, Response},
    middleware::Next,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of concurrent calls of an account; more wait.
const AT_ONCE: usize = 4;
/// The same while another account calls: a call of the other one finds a free processor.
const BESIDE_OTHERS: usize = 1;
/// How long an account counts as calling.
const CALLS: Duration = Duration::from_secs(1);
/// Maximum number of remembered accounts; beyond it, idle ones are dropped.
const MAX_ACCOUNTS: usize = 4096;
/// The headers that identify an account, verified or not.
const ACCOUNTS: [&str; 3] = ["x-service-api-key", "x-service-workspace-id", "authorization"];

/// Accounts with concurrent calls.
#[derive(Default)]
pub(crate) struct Turns(Mutex<Accounts>);

#[derive(Default)]
struct Accounts {
    turns: HashMap<Vec<u8>, Account>,
    /// The account of the last call, and the time of the last call of another one.
    last: Vec<u8>,
    others: Option<Instant>,
}

#[derive(Clone)]
struct Account {
    all: Arc<Semaphore>,
    beside_others: Arc<Semaphore>,
}

impl Default for Account {
    fn default() -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self { all: semaphore(AT_ONCE), beside_others: semaphore(BESIDE_OTHERS) }
    }
}

impl Turns {
    /// Dropping the permits ends a turn. Calls without an account, such as those of the operator,
    /// are not limited.
    async fn take(&self, headers: &HeaderMap) -> Option<[Option<OwnedSemaphorePermit>; 2]> {
        let account = ACCOUNTS.iter().find_map(|name| headers.get(*name))?;
        let (turns, is_alone) = self.of(account.as_bytes());
        let all = turns.all.acquire_owned().await.ok();
        Some(match is_alone {
            true => [all, None],
            false => [all, turns.beside_others.acquire_owned().await.ok()],
        })
    }

    /// The turns of an account, and whether no other one calls.
    fn of(&self, account: &[u8]) -> (Account, bool) {
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let accounts = &mut *accounts;
        if accounts.last != account {
            accounts.last = account.to_owned();
            accounts.others = Some(Instant::now());
        }
        let is_alone = accounts.others.is_none_or(|at| at.elapsed() > CALLS);
        if accounts.turns.len() >= MAX_ACCOUNTS {
            accounts.turns.retain(|_, turns| Arc::strong_count(&turns.all) > 1);
        }
        (accounts.turns.entry(account.to_owned()).or_default().clone(), is_alone)
    }
}

/// Makes a call in the turn of its account.
pub(crate) async fn wait(
    State(turns): State<Arc<Turns>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let _turn = turns.take(request.headers()).await;
    next.run(request).await
}
