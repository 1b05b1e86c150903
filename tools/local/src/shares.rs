//! Something that there is only so much of, and of which one owner, such as a stranger or a tenant,
//! gets only a part.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of remembered owners; beyond it, those without a share are dropped.
const MAX_OWNERS: usize = 4096;

pub(crate) struct Shares<Owner> {
    all: Arc<Semaphore>,
    of_owner: usize,
    by_owner: Mutex<HashMap<Owner, Arc<Semaphore>>>,
}

/// A part, which others may have when it is dropped.
pub(crate) struct Share {
    all: OwnedSemaphorePermit,
    own: Option<OwnedSemaphorePermit>,
}

impl Share {
    /// Adds a part of the same.
    pub(crate) fn add(&mut self, other: Self) {
        self.all.merge(other.all);
        if let (Some(own), Some(more)) = (&mut self.own, other.own) {
            own.merge(more);
        }
    }

    /// Gives back what is more than so many parts.
    pub(crate) fn shrink_to(&mut self, parts: usize) {
        for permit in [Some(&mut self.all), self.own.as_mut()].into_iter().flatten() {
            drop(permit.split(permit.num_permits().saturating_sub(parts)));
        }
    }
}

impl<Owner: Eq + Hash> Shares<Owner> {
    pub(crate) fn new(all: usize, of_owner: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(all)), of_owner, by_owner: Mutex::default() }
    }

    /// Waits for parts. Without an owner, all may be taken.
    pub(crate) async fn take(&self, owner: Option<Owner>, parts: u32) -> Option<Share> {
        // The own one first: whoever waits for it takes nothing from others.
        let own = match owner {
            Some(owner) => {
                let semaphore = self.of(owner);
                Some(semaphore.acquire_many_owned(parts).await.ok()?)
            }
            None => None,
        };
        let all = Arc::clone(&self.all).acquire_many_owned(parts).await.ok()?;
        Some(Share { all, own })
    }

    /// A part, if there is one now.
    pub(crate) fn try_take(&self, owner: Option<Owner>) -> Option<Share> {
        let own = owner.map(|owner| self.of(owner).try_acquire_owned());
        let own = own.transpose().ok()?;
        Some(Share { all: Arc::clone(&self.all).try_acquire_owned().ok()?, own })
    }

    fn of(&self, owner: Owner) -> Arc<Semaphore> {
        let mut owners = self.by_owner.lock().unwrap_or_else(PoisonError::into_inner);
        if owners.len() >= MAX_OWNERS {
            owners.retain(|_, own| Arc::strong_count(own) > 1);
        }
        let own = owners.entry(owner);
        Arc::clone(own.or_insert_with(|| Arc::new(Semaphore::new(self.of_owner))))
    }
}

#[cfg(test)]
mod tests {
    use std::{net::IpAddr, time::Duration};

    use super::{Share, Shares};

    #[tokio::test]
    async fn an_owner_gets_its_part_and_waits_for_more() {
        let shares = Shares::new(4, 2);
        let [one, other] = ["9.9.9.9", "8.8.8.8"].map(|text| text.parse::<IpAddr>().ok());
        let take = async |who, parts| -> Option<Share> {
            let taken = shares.take(who, parts);
            tokio::time::timeout(Duration::from_millis(20), taken).await.ok().flatten()
        };
        let mut share = take(one, 1).await.expect("free");
        share.add(take(one, 1).await.expect("free"));
        assert!(take(one, 1).await.is_none(), "it has its part");
        let more = take(other, 1).await.expect("free");
        let rest = take(None, 1).await.expect("free");
        assert!(take(None, 1).await.is_none(), "all are taken");
        share.shrink_to(1);
        drop(take(one, 1).await.expect("given back"));
        drop(share);
        assert!(take(one, 2).await.is_some());
        drop((more, rest));
        assert!(take(None, 4).await.is_some());
    }
}
