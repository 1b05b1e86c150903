//! A limit of concurrent calls per account, like the concurrency limits of a Lambda account, so
//! that the flood of an account waits for itself. Calls of operations and messages of the live
//! channel share it: an account of the former is a tenant, one of the latter a user.

use std::{
    collections::HashMap,
    num::NonZero,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of concurrent calls of an account per processor; more wait.
const AT_ONCE: usize = 2;
/// How long an account counts as calling.
const CALLS: Duration = Duration::from_secs(1);
/// Maximum number of remembered accounts; beyond it, idle ones are dropped.
const MAX_ACCOUNTS: usize = 4096;
/// Accounts with concurrent calls.
#[derive(Default)]
pub(crate) struct AccountLimits(Mutex<Accounts>);

/// The right to make a call, which ends when it is dropped.
pub(crate) struct CallPermit(
    #[expect(dead_code, reason = "held")] [Option<OwnedSemaphorePermit>; 2],
);

#[derive(Default)]
struct Accounts {
    by_name: HashMap<Vec<u8>, Account>,
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

impl AccountLimits {
    /// Waits until an account may make a call.
    pub(crate) async fn acquire(&self, account: &[u8]) -> CallPermit {
        let (account, is_alone) = self.account(account);
        let all = account.all.acquire_owned().await.ok();
        CallPermit(match is_alone {
            true => [all, None],
            false => [all, account.beside_others.acquire_owned().await.ok()],
        })
    }

    /// The permits of an account, and whether no other one calls.
    fn account(&self, account: &[u8]) -> (Account, bool) {
        let mut accounts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let accounts = &mut *accounts;
        if accounts.last != account {
            accounts.last = account.to_owned();
            accounts.others = Some(Instant::now());
        }
        let is_alone = accounts.others.is_none_or(|at| at.elapsed() > CALLS);
        if accounts.by_name.len() >= MAX_ACCOUNTS {
            accounts.by_name.retain(|_, account| Arc::strong_count(&account.all) > 1);
        }
        (accounts.by_name.entry(account.to_owned()).or_default().clone(), is_alone)
    }
}
