//! Where the work of a database runs.
//!
//! A database does one piece of work at a time, most of them in less time than it takes to wake a
//! thread. So whoever finds it free does its own piece at once, and then those that others have
//! left meanwhile. A backlog goes to a thread of its own.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread::Builder;
use std::time::Instant;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::observer::Observed;
use super::sync::Syncs;
use crate::base::Error;

/// Pieces of others that a caller does before it goes on.
const OTHERS: usize = 16;

/// The turns of a database.
#[derive(Clone, Default)]
pub(crate) struct Turns(Arc<Shared>);

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    /// Wakes the thread for backlogs, which starts with the first backlog. It is no thread of a
    /// runtime: those threads may be waiting for other work.
    backlog: OnceLock<Sender<()>>,
    syncs: Syncs,
    observed: Option<Observed>,
}

#[derive(Default)]
struct Queue {
    is_taken: bool,
    waiting: VecDeque<Box<dyn FnOnce() + Send>>,
}

type Done<T> = Result<T, Box<dyn Any + Send>>;

impl Turns {
    /// Of an open database; its commits are synced if its file is named.
    pub(crate) fn open(file: Option<PathBuf>, observed: Observed) -> Result<Self, Error> {
        let open = |file: PathBuf| Syncs::open(&file, observed.clone());
        let syncs = file.map(open).transpose()?.unwrap_or_default();
        Ok(Self(Arc::new(Shared { syncs, observed: Some(observed), ..Shared::default() })))
    }

    /// Does `work` in its turn, also if the caller stops waiting. Figures count it as `action`.
    ///
    /// # Errors
    /// The work panicked.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        action: &'static str,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, String> {
        let (asked, observed) = (Instant::now(), self.0.observed.clone());
        let work = move || {
            let began = Instant::now();
            let done = catch_unwind(AssertUnwindSafe(work));
            if let Some(observed) = observed {
                observed.called(action, began - asked, began.elapsed());
            }
            done
        };
        let result = match self.take_or_wait(work) {
            Ok(work) => {
                let result = work();
                self.leave();
                Ok(result)
            }
            Err(result) => result.await,
        };
        match result {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(_)) | Err(_) => Err("the work of a database panicked".to_owned()),
        }
    }

    /// Waits until everything committed so far is on the disk.
    ///
    /// # Errors
    /// The disk failed.
    pub(crate) async fn synced_so_far(&self) -> Result<(), String> {
        self.0.syncs.wait().await
    }

    /// Notes a commit, within the work that made it.
    pub(crate) fn committed(&self) {
        self.0.syncs.note();
    }

    /// Takes a free database, or leaves the work to the caller that has it.
    fn take_or_wait<T: Send + 'static, W: FnOnce() -> Done<T> + Send + 'static>(
        &self,
        work: W,
    ) -> Result<W, oneshot::Receiver<Done<T>>> {
        let mut queue = self.0.queue.lock();
        if !queue.is_taken {
            queue.is_taken = true;
            return Ok(work);
        }
        let (done, result) = oneshot::channel();
        queue.waiting.push_back(Box::new(move || drop(done.send(work()))));
        Err(result)
    }

    /// Does what others have left, and frees the database.
    fn leave(&self) {
        if self.0.work_off(OTHERS) {
            return;
        }
        let woken = self.0.backlog.get_or_init(|| spawn(&self.0)).send(());
        // Without such a thread, it is done here.
        while woken.is_err() && !self.0.work_off(OTHERS) {}
    }
}

/// The thread for backlogs; it ends with the database.
fn spawn(shared: &Arc<Shared>) -> Sender<()> {
    let (wake, woken) = channel();
    let shared = Arc::downgrade(shared);
    let work = move || {
        while woken.recv().is_ok() {
            let Some(shared) = shared.upgrade() else { return };
            while !shared.work_off(OTHERS) {}
        }
    };
    // If it does not begin, nobody listens to the sender.
    let _ = Builder::new().name("database".to_owned()).spawn(work);
    wake
}

impl Shared {
    /// Does at most `most` pieces; whether nothing is left, and the database is free.
    fn work_off(&self, most: usize) -> bool {
        for at in 0..=most {
            let mut queue = self.queue.lock();
            if queue.waiting.is_empty() {
                queue.is_taken = false;
                return true;
            }
            if at < most
                && let Some(work) = queue.waiting.pop_front()
            {
                drop(queue);
                work();
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

    use super::Turns;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn all_work_is_done_one_piece_at_a_time_also_without_its_caller() {
        let (turns, is_busy) = (Turns::default(), Arc::new(AtomicBool::new(false)));
        let done = Arc::new(AtomicUsize::new(0));
        let calls: Vec<_> = (0..2_000)
            .map(|at| {
                let (turns, is_busy, done) = (turns.clone(), is_busy.clone(), done.clone());
                let call = tokio::spawn(async move {
                    let work = move || {
                        assert!(!is_busy.swap(true, Ordering::SeqCst), "two at a time");
                        std::hint::black_box((0..at % 500).sum::<usize>());
                        is_busy.store(false, Ordering::SeqCst);
                        done.fetch_add(1, Ordering::SeqCst);
                        assert!(at % 100 != 7, "a broken piece");
                        at
                    };
                    turns.run("other", work).await
                });
                (at, call)
            })
            .collect();
        for (at, call) in calls {
            assert_eq!(call.await.unwrap().ok(), (at % 100 != 7).then_some(at));
        }
        assert_eq!(done.load(Ordering::SeqCst), 2_000);
        // The last caller may know its result before the database is free.
        let free = async {
            while turns.0.queue.lock().is_taken {
                tokio::task::yield_now().await;
            }
        };
        let freed = tokio::time::timeout(std::time::Duration::from_secs(10), free).await;
        freed.expect("the database is free");
    }

    #[tokio::test]
    async fn work_is_done_when_its_caller_gives_up() {
        let turns = Turns::default();
        turns.0.queue.lock().is_taken = true;
        let done = Arc::new(AtomicBool::new(false));
        let work = {
            let done = done.clone();
            move || done.store(true, Ordering::SeqCst)
        };
        let call = turns.run("other", work);
        assert!(tokio::time::timeout(std::time::Duration::ZERO, call).await.is_err());
        assert!(turns.0.work_off(2));
        assert!(done.load(Ordering::SeqCst));
    }
}
