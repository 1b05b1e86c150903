//! Permits that groups of waiters get in turn, so that the backlog of one delays no other.

use std::{
    collections::{HashMap, VecDeque},
    mem,
    sync::Arc,
};

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// A number of permits. A group that waits gets the next one after each other group had its turn,
/// however many of it wait.
#[derive(Clone)]
pub(crate) struct FairSemaphore(Arc<Mutex<Turns>>);

struct Turns {
    free: usize,
    /// Groups with waiters, in the order of their turns.
    order: VecDeque<String>,
    waiting: HashMap<String, VecDeque<oneshot::Sender<Permit>>>,
}

/// The right to go on; passed on when it is dropped.
pub(crate) struct Permit(FairSemaphore);

impl FairSemaphore {
    pub(crate) fn new(permits: usize) -> Self {
        let turns = Turns { free: permits, order: VecDeque::new(), waiting: HashMap::new() };
        Self(Arc::new(Mutex::new(turns)))
    }

    /// Waits for the turn of a group. A waiter that gives up passes its permit on.
    pub(crate) async fn take(&self, group: String) -> Option<Permit> {
        let next = {
            let mut turns = self.0.lock();
            if turns.free > 0 {
                turns.free -= 1;
                return Some(Permit(self.clone()));
            }
            let (sender, next) = oneshot::channel();
            if let Some(waiters) = turns.waiting.get_mut(&group) {
                waiters.push_back(sender);
            } else {
                turns.waiting.insert(group.clone(), [sender].into());
                turns.order.push_back(group);
            }
            next
        };
        next.await.ok()
    }

    /// The first waiter of the next group.
    fn next(turns: &mut Turns) -> Option<oneshot::Sender<Permit>> {
        let group = turns.order.pop_front()?;
        let waiters = turns.waiting.get_mut(&group)?;
        let first = waiters.pop_front();
        if waiters.is_empty() {
            turns.waiting.remove(&group);
        } else {
            turns.order.push_back(group);
        }
        first
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        loop {
            let mut turns = self.0.0.lock();
            let Some(waiter) = FairSemaphore::next(&mut turns) else {
                turns.free += 1;
                return;
            };
            drop(turns);
            match waiter.send(Self(self.0.clone())) {
                Ok(()) => return,
                // The waiter gave up meanwhile: the next one.
                Err(unused) => mem::forget(unused),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use parking_lot::Mutex;

    use super::FairSemaphore;

    #[tokio::test]
    async fn a_group_with_one_waiter_waits_for_one_of_each_other() {
        let share = FairSemaphore::new(1);
        let first = share.take("a".to_owned()).await;
        let order = Arc::new(Mutex::new(vec![]));
        let mut tasks = vec![];
        for group in ["a", "a", "a", "a", "b", "b", "c"] {
            let (share, order) = (share.clone(), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                let _permit = share.take(group.to_owned()).await;
                order.lock().push(group);
            }));
            tokio::task::yield_now().await;
        }
        drop(first);
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(*order.lock(), ["a", "b", "c", "a", "b", "a", "a"]);
        assert_eq!(share.0.lock().free, 1);
    }

    #[tokio::test]
    async fn who_gives_up_holds_up_nobody() {
        let share = FairSemaphore::new(1);
        let first = share.take("a".to_owned()).await;
        let waiter = tokio::spawn({
            let share = share.clone();
            async move { share.take("b".to_owned()).await.is_some() }
        });
        tokio::task::yield_now().await;
        waiter.abort();
        assert!(waiter.await.is_err());
        drop(first);
        assert!(share.take("c".to_owned()).await.is_some());
        let turns = share.0.lock();
        assert_eq!((turns.free, turns.waiting.len()), (1, 0));
    }
}
