//! A limit of concurrent calls per account, like the concurrency limits of a Lambda account, so
//! that the flood of an account waits for itself. Calls of operations and messages of the live
//! channel share it: an account of the former is a tenant, one of the latter a user.

use std::{
    collections::HashMap,
    num::NonZero,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::Response,
    middleware::Next,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Stack;

/// Maximum number of concurrent calls of an account per processor; more wait.
const AT_ONCE: usize = 2;
/// How long an account counts as calling.
const CALLS: Duration = Duration::from_secs(1);
/// Maximum number of remembered accounts; beyond it, idle ones are dropped.
const MAX_ACCOUNTS: usize = 4096;
/// The headers that identify an account, verified or not.
const ACCOUNTS: [&str; 3] = ["x-service-api-key", "x-service-workspace-id", "authorization"];

/// Accounts with concurrent calls.
#[derive(Default)]
pub(crate) struct Turns(Mutex<Accounts>);

/// A turn, which ends when it is dropped.
pub(crate) struct Turn(#[expect(dead_code, reason = "held")] [Option<OwnedSemaphorePermit>; 2]);

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
    /// Permits while another account calls: fewer than processors, so that a call of the other one
    /// finds a free one.
    beside_others: Arc<Semaphore>,
}

impl Default for Account {
    fn default() -> Self {
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        let all = semaphore(AT_ONCE * processors());
        Self { all, beside_others: semaphore((processors() / 2).max(1)) }
    }
}

/// The number of processors.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

impl Turns {
    /// Waits for a turn of an account.
    pub(crate) async fn take(&self, account: &[u8]) -> Turn {
        let (turns, is_alone) = self.of(account);
        let all = turns.all.acquire_owned().await.ok();
        Turn(match is_alone {
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

/// Makes a call in the turn of its account. Calls without an account, such as those of the
/// operator, are not limited.
pub(crate) async fn wait(
    State(stack): State<Stack>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let account = ACCOUNTS.iter().find_map(|name| request.headers().get(*name)).cloned();
    let _turn = match account {
        Some(account) => Some(stack.inner.turns.take(account.as_bytes()).await),
        None => None,
    };
    next.run(request).await
}
