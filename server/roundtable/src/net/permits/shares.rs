//! A semaphore with a share per owner: one owner, such as a user, a tenant or a network of
//! strangers, gets only a part of a bounded resource, and a few tenants leave something of it to a
//! tenant that has little.

use std::sync::Arc;

use service::Semaphores;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::payers::{Owner, Payer};
use crate::net::lifted::is_lifted;

/// Number of parts of everything, of which a tenant's first part is one.
const FIRST: usize = 8;

/// The most that one owner of each kind gets. A kind that is not named gets nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) user: usize,
    /// All users of a tenant together, or its server.
    pub(crate) key: usize,
    /// A stranger's address; wider networks have some more.
    pub(crate) address: usize,
    /// All strangers together.
    pub(crate) strangers: usize,
}

impl Parts {
    /// These parts of what has a name, or all of it for everybody.
    pub(crate) fn of_bound(self, name: &str, all: usize) -> Self {
        match is_lifted(name) {
            true => Self { user: all, key: all, address: all, strangers: all },
            false => self,
        }
    }

    /// The most of an owner.
    pub(crate) fn of(&self, owner: &Owner) -> usize {
        match owner {
            Owner::User(..) => self.user,
            Owner::Key(_) => self.key,
            Owner::Network(network) => (self.address * network.width()).min(self.strangers),
            Owner::AllUnproven => self.strangers,
        }
    }
}

pub(crate) struct Shares {
    all: Arc<Semaphore>,
    /// The permits of all tenants together beyond their first parts.
    beyond: Arc<Semaphore>,
    first: usize,
    parts: Parts,
    by_owner: Semaphores<Owner>,
}

/// A part, which others may have when it is dropped.
#[derive(Debug)]
pub(crate) struct SharePermit {
    permits: Vec<OwnedSemaphorePermit>,
    beyond: OwnedSemaphorePermit,
}

impl SharePermit {
    /// The number of its parts.
    pub(crate) fn parts(&self) -> usize {
        self.permits.last().map_or(0, OwnedSemaphorePermit::num_permits)
    }

    /// Adds a part of the same payer.
    pub(crate) fn add(&mut self, other: Self) {
        for (permit, more) in self.permits.iter_mut().zip(other.permits) {
            permit.merge(more);
        }
        self.beyond.merge(other.beyond);
    }

    /// Gives back what is more than so many parts.
    pub(crate) fn shrink_to(&mut self, parts: usize) {
        let rest = self.parts().saturating_sub(parts);
        for permit in &mut self.permits {
            drop(permit.split(rest));
        }
        drop(self.beyond.split(rest.min(self.beyond.num_permits())));
    }
}

impl Shares {
    pub(crate) fn new(name: &str, all: usize, parts: Parts) -> Self {
        let parts = parts.of_bound(name, all);
        let semaphore = |permits| Arc::new(Semaphore::new(permits));
        Self {
            all: semaphore(all),
            // Enough for one tenant.
            beyond: semaphore(parts.key.max(all / 2)),
            first: (all / FIRST).max(1),
            parts,
            by_owner: Semaphores::default(),
        }
    }

    /// Waits for parts. None if the payer can never have so many.
    pub(crate) async fn take(&self, payer: &Payer, parts: usize) -> Option<SharePermit> {
        let count = u32::try_from(parts).ok()?;
        let owners = payer.owners();
        if owners.iter().any(|owner| self.parts.of(owner) < parts) {
            return None;
        }
        // The narrowest first: whoever waits for its own takes nothing from others.
        let mut permits = Vec::with_capacity(owners.len() + 1);
        for owner in &owners {
            permits.push(self.of(owner).acquire_many_owned(count).await.ok()?);
        }
        let beyond = self.beyond(&owners, parts)?;
        let beyond = Arc::clone(&self.beyond).acquire_many_owned(beyond).await.ok()?;
        permits.push(Arc::clone(&self.all).acquire_many_owned(count).await.ok()?);
        Some(SharePermit { permits, beyond })
    }

    /// Parts, if there are so many now.
    pub(crate) fn try_take(&self, payer: &Payer, parts: usize) -> Option<SharePermit> {
        let count = u32::try_from(parts).ok()?;
        let owners = payer.owners();
        let taken = |semaphore: Arc<Semaphore>| semaphore.try_acquire_many_owned(count).ok();
        let own = owners.iter().map(|owner| taken(self.of(owner)));
        let mut permits = own.collect::<Option<Vec<_>>>()?;
        let beyond = self.beyond(&owners, parts)?;
        let beyond = Arc::clone(&self.beyond).try_acquire_many_owned(beyond).ok()?;
        permits.push(taken(Arc::clone(&self.all))?);
        Some(SharePermit { permits, beyond })
    }

    /// How many of the parts that were just taken are beyond the first part of their tenant.
    fn beyond(&self, owners: &[Owner], parts: usize) -> Option<u32> {
        let is_key = |owner: &&Owner| matches!(owner, Owner::Key(_));
        let held = owners.iter().find(is_key).map_or(0, |owner| {
            self.parts.of(owner).saturating_sub(self.of(owner).available_permits())
        });
        u32::try_from(held.saturating_sub(self.first).min(parts)).ok()
    }

    fn of(&self, owner: &Owner) -> Arc<Semaphore> {
        self.by_owner.of(owner.clone(), self.parts.of(owner))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Parts, SharePermit, Shares};
    use crate::net::permits::Payer;

    fn stranger(address: &str) -> Payer {
        Payer::Unproven(address.parse().unwrap())
    }

    fn user(key: &str, user: &str) -> Payer {
        Payer::User { key: key.to_owned(), user: user.to_owned() }
    }

    const PARTS: Parts = Parts { user: 2, key: 3, address: 1, strangers: 4 };

    #[tokio::test]
    async fn an_owner_gets_its_part_and_waits_for_more() {
        let shares = Shares::new("calls", 6, PARTS);
        let take = async |who: &Payer, parts| -> Option<SharePermit> {
            let taken = shares.take(who, parts);
            tokio::time::timeout(Duration::from_millis(20), taken).await.ok().flatten()
        };
        let (ann, bob, eve) = (user("k", "ann"), user("k", "bob"), user("l", "eve"));
        let mut share = take(&ann, 1).await.expect("free");
        share.add(take(&ann, 1).await.expect("free"));
        assert!(take(&ann, 1).await.is_none(), "it has its part");
        let more = take(&bob, 1).await.expect("free");
        assert!(take(&bob, 1).await.is_none(), "the tenant has its part");
        let rest = take(&eve, 2).await.expect("free");
        share.shrink_to(1);
        drop(take(&bob, 1).await.expect("given back"));
        drop((share, more, rest));
        assert!(take(&Payer::Operator, 6).await.is_some());
        assert!(take(&ann, 3).await.is_none(), "never");
    }

    #[test]
    fn two_tenants_with_all_they_may_have_leave_a_first_part_to_others() {
        let shares = Shares::new("replies", 64, Parts { user: 64, key: 32, ..Parts::default() });
        let take = |who: &Payer, parts| shares.try_take(who, parts);
        let hog = |key: &str| std::iter::from_fn(|| take(&user(key, "ann"), 1)).collect::<Vec<_>>();
        let mut one = hog("k");
        assert_eq!(one.len(), 32, "one alone has its half");
        let two = hog("l");
        assert_eq!(two.len(), 16, "another one has its first part and what is left beyond those");
        let third = take(&user("m", "eve"), 8);
        assert!(third.is_some() && take(&user("m", "eve"), 1).is_none());
        let mut whole = one.remove(0);
        one.drain(..30).for_each(|share| whole.add(share));
        whole.shrink_to(8);
        assert!(take(&user("m", "eve"), 8).is_some(), "what is beyond is given back first");
        assert!(take(&Payer::Operator, 16).is_some());
    }

    #[test]
    fn networks_of_strangers_have_parts_at_once_and_proven_ones_what_is_left() {
        let shares = Shares::new("calls", 6, Parts { strangers: 5, ..PARTS });
        let take = |who: &Payer| shares.try_take(who, 1);
        let held = ["2606:4700:1:1::1", "2606:4700:1:2::1"].map(|it| take(&stranger(it)));
        assert!(held.iter().all(Option::is_some));
        assert!(take(&stranger("2606:4700:1:1::2")).is_none(), "the /64 has its part");
        assert!(take(&stranger("2606:4700:1:3::1")).is_none(), "the /56 has its part");
        let others = [0x100, 0x200].map(|it| take(&stranger(&format!("2606:4700:1:{it:x}::1"))));
        assert!(others.iter().all(Option::is_some));
        assert!(take(&stranger("2606:4700:1:300::1")).is_none(), "the /48 has its part");
        let last = take(&stranger("9.9.9.9"));
        assert!(last.is_some() && take(&stranger("8.8.8.8")).is_none(), "strangers have theirs");
        assert!(take(&user("k", "ann")).is_some());
    }
}
