//! A limit of concurrent calls per account, like the concurrency limits of a Lambda account, so
//! that the flood of an account waits for itself. Calls of operations and messages of the live
//! channel share it. An account is who has proven to be it: the server of a tenant, or an end user.
//! Strangers wait for their networks, and for each other.

use std::{
    collections::HashMap,
    num::NonZero,
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{
    lifted::is_lifted,
    payers::Payer,
    shares::{Parts, Share, Shares},
};

/// Maximum number of concurrent calls of an account per processor; more wait.
const AT_ONCE: usize = 2;
/// How long an account counts as calling.
const CALLS: Duration = Duration::from_secs(1);
/// Concurrent calls of all strangers per processor: they may need the store, such as to open a
/// connection that sends its token later.
const STRANGERS_AT_ONCE: usize = 4;
/// Maximum number of remembered accounts; beyond it, idle ones are dropped.
const MAX_ACCOUNTS: usize = 4096;

/// Accounts with concurrent calls.
pub(crate) struct AccountLimits {
    accounts: Mutex<Accounts>,
    strangers: Shares,
}

/// The right to make a call, which ends when it is dropped.
pub(crate) enum CallPermit {
    Unlimited,
    OfAccount(#[expect(dead_code, reason = "held")] [Option<OwnedSemaphorePermit>; 2]),
    OfStranger(#[expect(dead_code, reason = "held")] Option<Share>),
}

#[derive(Default)]
struct Accounts {
    by_payer: HashMap<Payer, Account>,
    /// The account of the last call, and the time of the last call of another one.
    last: Option<Payer>,
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

impl Default for AccountLimits {
    fn default() -> Self {
        let (all, address) = (STRANGERS_AT_ONCE * processors(), (processors() / 2).max(1));
        let parts = Parts { address, strangers: all, ..Parts::default() };
        Self {
            accounts: Mutex::default(),
            strangers: Shares::new("turns of strangers", all, parts),
        }
    }
}

impl AccountLimits {
    /// Waits until a payer may make a call.
    pub(crate) async fn acquire(&self, payer: &Payer) -> CallPermit {
        match payer {
            Payer::Operator => return CallPermit::Unlimited,
            Payer::Stranger(_) if is_lifted("turns of strangers") => return CallPermit::Unlimited,
            _ if is_lifted("turns") => return CallPermit::Unlimited,
            Payer::Stranger(_) => {
                return CallPermit::OfStranger(self.strangers.take(payer, 1).await);
            }
            Payer::Key(_) | Payer::User { .. } => {}
        }
        let (account, is_alone) = self.account(payer);
        let all = account.all.acquire_owned().await.ok();
        CallPermit::OfAccount(match is_alone {
            true => [all, None],
            false => [all, account.beside_others.acquire_owned().await.ok()],
        })
    }

    /// The permits of an account, and whether no other one calls.
    fn account(&self, payer: &Payer) -> (Account, bool) {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        let accounts = &mut *accounts;
        if accounts.last.as_ref() != Some(payer) {
            accounts.last = Some(payer.clone());
            accounts.others = Some(Instant::now());
        }
        let is_alone = accounts.others.is_none_or(|at| at.elapsed() > CALLS);
        if accounts.by_payer.len() >= MAX_ACCOUNTS {
            accounts.by_payer.retain(|_, account| Arc::strong_count(&account.all) > 1);
        }
        (accounts.by_payer.entry(payer.clone()).or_default().clone(), is_alone)
    }
}
