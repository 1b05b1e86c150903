//! Something that there is only so much of, and of which a stranger gets only a part.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of remembered strangers; beyond it, those without a share are dropped.
const MAX_STRANGERS: usize = 4096;

pub(crate) struct Shares {
    all: Arc<Semaphore>,
    of_stranger: usize,
    by_stranger: Mutex<HashMap<IpAddr, Arc<Semaphore>>>,
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
}

impl Shares {
    pub(crate) fn new(all: usize, of_stranger: usize) -> Self {
        Self { all: Arc::new(Semaphore::new(all)), of_stranger, by_stranger: Mutex::default() }
    }

    /// Waits for parts.
    pub(crate) async fn take(&self, stranger: Option<IpAddr>, parts: u32) -> Option<Share> {
        // The own one first: whoever waits for it takes nothing from others.
        let own = match stranger {
            Some(stranger) => {
                let semaphore = self.of(stranger);
                Some(semaphore.acquire_many_owned(parts).await.ok()?)
            }
            None => None,
        };
        let all = Arc::clone(&self.all).acquire_many_owned(parts).await.ok()?;
        Some(Share { all, own })
    }

    /// A part, if there is one now.
    pub(crate) fn try_take(&self, stranger: Option<IpAddr>) -> Option<Share> {
        let own = stranger.map(|stranger| self.of(stranger).try_acquire_owned());
        let own = own.transpose().ok()?;
        Some(Share { all: Arc::clone(&self.all).try_acquire_owned().ok()?, own })
    }

    fn of(&self, stranger: IpAddr) -> Arc<Semaphore> {
        let mut strangers = self.by_stranger.lock().unwrap_or_else(PoisonError::into_inner);
        if strangers.len() >= MAX_STRANGERS {
            strangers.retain(|_, own| Arc::strong_count(own) > 1);
        }
        let own = strangers.entry(stranger);
        Arc::clone(own.or_insert_with(|| Arc::new(Semaphore::new(self.of_stranger))))
    }
}

#[cfg(test)]
mod tests {
    use std::{net::IpAddr, time::Duration};

    use super::{Share, Shares};

    #[tokio::test]
    async fn a_stranger_gets_its_part_and_waits_for_more() {
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
        drop(share);
        assert!(take(one, 2).await.is_some());
        drop((more, rest));
        assert!(take(None, 4).await.is_some());
    }
}
