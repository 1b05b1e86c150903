//! A limit of concurrent calls per account, like the concurrency limits of a Lambda account, so
//! that the flood of an account waits for itself. Calls of operations and messages of the live
//! channel share it. An account is who has proven to be it: the server of a tenant, or an end user.
//! Strangers wait for their networks, and for each other. While several tenants call, those of one have
//! a turn together as well: many users of one tenant are no reason for another one to wait.

use std::{
    collections::HashMap,
    hash::Hash,
    num::NonZero,
    sync::Arc,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{
    payers::Payer,
    shares::{Parts, SharePermit, Shares},
};
use crate::net::lifted::is_lifted;

/// Maximum number of concurrent calls of an account per processor; more wait.
const AT_ONCE: usize = 2;
/// Maximum number of concurrent calls of a tenant per processor while others call.
const TENANT_AT_ONCE: usize = 2;
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
    OfAccount(#[expect(dead_code, reason = "held")] [Option<OwnedSemaphorePermit>; 3]),
    OfUnproven(#[expect(dead_code, reason = "held")] Option<SharePermit>),
}

/// Accounts and tenants.
#[derive(Default)]
struct Accounts {
    accounts: Callers<Payer, Account>,
    tenants: Callers<String, Tenant>,
}

/// Those who call, with what each has.
struct Callers<K, V> {
    known: HashMap<K, V>,
    /// The last one to call, and the time of the last call of another one.
    last: Option<K>,
    others: Option<Instant>,
}

impl<K, V> Default for Callers<K, V> {
    fn default() -> Self {
        Self { known: HashMap::new(), last: None, others: None }
    }
}

impl<K: Clone + Eq + Hash, V: Clone + Default> Callers<K, V> {
    /// What a caller has, and whether no other one calls.
    fn call(&mut self, caller: K, is_calling: impl Fn(&V) -> bool) -> (V, bool) {
        if self.last.as_ref() != Some(&caller) {
            self.last = Some(caller.clone());
            self.others = Some(Instant::now());
        }
        let is_alone = self.others.is_none_or(|at| at.elapsed() > CALLS);
        if self.known.len() >= MAX_ACCOUNTS {
            self.known.retain(|_, own| is_calling(own));
        }
        (self.known.entry(caller).or_default().clone(), is_alone)
    }
}

/// Permits of a tenant while another one calls.
#[derive(Clone)]
struct Tenant(Arc<Semaphore>);

impl Default for Tenant {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(TENANT_AT_ONCE * processors())))
    }
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
            Payer::Unproven(_) if is_lifted("turns of strangers") => return CallPermit::Unlimited,
            _ if is_lifted("turns") => return CallPermit::Unlimited,
            Payer::Unproven(_) => {
                return CallPermit::OfUnproven(self.strangers.take(payer, 1).await);
            }
            Payer::Key(_) | Payer::User { .. } => {}
        }
        let (account, tenant) = self.turns_of(payer);
        let mut permits = [None, None, None];
        // Its own first: whoever waits for that takes nothing from others.
        for (permit, turn) in permits.iter_mut().zip(account.into_iter().chain(tenant)) {
            *permit = turn.acquire_owned().await.ok();
        }
        CallPermit::OfAccount(permits)
    }

    /// What a call of an account needs, and what it needs as one of the tenant.
    fn turns_of(&self, payer: &Payer) -> (Vec<Arc<Semaphore>>, Option<Arc<Semaphore>>) {
        let mut accounts = self.accounts.lock();
        let is_calling = |account: &Account| Arc::strong_count(&account.all) > 1;
        let (account, is_alone) = accounts.accounts.call(payer.clone(), is_calling);
        let is_calling = |tenant: &Tenant| Arc::strong_count(&tenant.0) > 1;
        let (tenant, is_only_tenant) = accounts.tenants.call(payer.tenant(), is_calling);
        let beside_others = (!is_alone).then_some(account.beside_others);
        let own = [account.all].into_iter().chain(beside_others).collect();
        let of_tenant = !is_only_tenant && !is_lifted("tenants");
        (own, of_tenant.then_some(tenant.0))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::{AccountLimits, CallPermit, TENANT_AT_ONCE, processors};
    use crate::net::permits::Payer;

    #[tokio::test]
    async fn users_of_a_tenant_have_a_turn_together_beside_another_tenant() {
        let limits = AccountLimits::default();
        let user =
            |key: &str, user: usize| Payer::User { key: key.to_owned(), user: user.to_string() };
        let turn = async |payer: Payer| {
            timeout(Duration::from_millis(20), limits.acquire(&payer)).await.ok()
        };
        let count = 4 * TENANT_AT_ONCE * processors();
        let mut held: Vec<CallPermit> = vec![];
        drop(turn(user("l", 0)).await.expect("free"));
        for n in 0..count {
            held.extend(turn(user("k", n)).await);
        }
        assert_eq!(held.len(), TENANT_AT_ONCE * processors());
        assert!(turn(user("l", 0)).await.is_some(), "the other tenant does not wait");
        held.pop();
        assert!(turn(user("k", count)).await.is_some());
    }

    #[tokio::test]
    async fn a_tenant_that_calls_alone_has_no_turn() {
        let limits = AccountLimits::default();
        let mut held = vec![];
        drop(limits.acquire(&Payer::Key("k".to_owned())).await);
        tokio::time::sleep(super::CALLS).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        for n in 0..4 * TENANT_AT_ONCE * processors() {
            let user = Payer::User { key: "k".to_owned(), user: n.to_string() };
            held.push(timeout(Duration::from_secs(1), limits.acquire(&user)).await.expect("free"));
        }
    }
}
