//! A limit of concurrent calls per account, like the concurrency limits of a Lambda account, so
//! that the flood of an account waits for itself. Calls of operations and messages of the live
//! channel share it. An account is who has proven to be it: the server of a tenant, or an end user.
//! Strangers wait for their networks, and for each other. While several tenants call, those of one have
//! a turn together as well: many users of one tenant are no reason for another one to wait.

use std::{
    num::NonZero,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use service::{Permit, Semaphores};

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

/// Accounts with concurrent calls.
pub(crate) struct AccountLimits {
    processors: usize,
    callers: Mutex<(Callers<Payer>, Callers<String>)>,
    accounts: Semaphores<Payer>,
    /// Permits of an account while another one calls: fewer than processors, so that a call of the
    /// other one finds a free one.
    beside_others: Semaphores<Payer>,
    /// Permits of a tenant while another one calls.
    tenants: Semaphores<String>,
    strangers: Shares,
}

/// The right to make a call, which ends when it is dropped.
pub(crate) enum CallPermit {
    Unlimited,
    OfAccount(#[expect(dead_code, reason = "held")] Vec<Permit>),
    OfUnproven(#[expect(dead_code, reason = "held")] Option<SharePermit>),
}

/// The last one to call, and the time of the last call of another one.
struct Callers<K> {
    last: Option<K>,
    others: Option<Instant>,
}

impl<K> Default for Callers<K> {
    fn default() -> Self {
        Self { last: None, others: None }
    }
}

impl<K: Eq> Callers<K> {
    /// Whether others call while this one does.
    fn are_several(&mut self, caller: K) -> bool {
        if self.last.as_ref() != Some(&caller) {
            self.last = Some(caller);
            self.others = Some(Instant::now());
        }
        self.others.is_some_and(|at| at.elapsed() <= CALLS)
    }
}

/// The number of processors.
pub(crate) fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

impl Default for AccountLimits {
    fn default() -> Self {
        let processors = processors();
        let (all, address) = (STRANGERS_AT_ONCE * processors, (processors / 2).max(1));
        let parts = Parts { address, strangers: all, ..Parts::default() };
        Self {
            processors,
            callers: Mutex::default(),
            accounts: Semaphores::default(),
            beside_others: Semaphores::default(),
            tenants: Semaphores::default(),
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
        let (others, other_tenants) = self.others(payer);
        // The account's own permit first: whoever waits for that takes nothing from others.
        let mut permits =
            vec![self.accounts.permit(payer.clone(), AT_ONCE * self.processors).await];
        if others {
            let most = (self.processors / 2).max(1);
            permits.push(self.beside_others.permit(payer.clone(), most).await);
        }
        if other_tenants && !is_lifted("tenants") {
            let most = TENANT_AT_ONCE * self.processors;
            permits.push(self.tenants.permit(payer.tenant(), most).await);
        }
        CallPermit::OfAccount(permits)
    }

    /// Whether other accounts call as well, and other tenants.
    fn others(&self, payer: &Payer) -> (bool, bool) {
        let (accounts, tenants) = &mut *self.callers.lock();
        (accounts.are_several(payer.clone()), tenants.are_several(payer.tenant()))
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
