//! Work that several callers ask for at one time is done once for all of them.
//!
//! A caller that asks while the work is done for others waits for the next run, which begins later
//! than the question, and is for all who wait. So nobody gets a result older than the question, a
//! busy place costs one run at a time however many ask, and a quiet one costs no more than before.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use error::{Error, Result};
use parking_lot::Mutex;
use tokio::sync::{Mutex as Turn, oneshot};

/// Number of places from which on those at which nobody waits are forgotten.
const MAX_LINES: usize = 1024;

/// Work that is done for several callers at one time, by names of places.
pub struct Together<K, A, V>(Mutex<HashMap<K, Arc<Line<A, V>>>>);

/// The callers that wait at a place.
struct Line<A, V> {
    turn: Turn<()>,
    waiting: Mutex<Vec<(A, oneshot::Sender<Result<V>>)>>,
}

impl<K, A, V> Default for Together<K, A, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<A, V> Default for Line<A, V> {
    fn default() -> Self {
        Self { turn: Turn::default(), waiting: Mutex::default() }
    }
}

impl<K: Eq + Hash, A, V: Clone> Together<K, A, V> {
    /// Does `work` for everything that was asked for at a place since it was begun the last time, or
    /// gets the result of another call that does.
    ///
    /// # Errors
    /// The errors of the work; UNAVAILABLE when the caller that began it gave up.
    pub async fn run<W>(&self, place: K, asked: A, work: impl FnOnce(Vec<A>) -> W) -> Result<V>
    where
        W: Future<Output = Result<V>>,
    {
        let given_up = || Err(Error::unavailable("who did it for all gave up"));
        self.ask(place, asked, work).await.unwrap_or_else(given_up)
    }

    /// The result, unless the caller that began the work gave up.
    async fn ask<W>(&self, place: K, asked: A, work: impl FnOnce(Vec<A>) -> W) -> Option<Result<V>>
    where
        W: Future<Output = Result<V>>,
    {
        let line = self.line(place);
        let (answer, mut answered) = oneshot::channel();
        line.waiting.lock().push((asked, answer));
        let _turn = tokio::select! {
            biased;
            result = &mut answered => return result.ok(),
            turn = line.turn.lock() => turn,
        };
        // Others that are ready to ask do so before it begins.
        tokio::task::yield_now().await;
        let waiting = std::mem::take(&mut *line.waiting.lock());
        let (asked, answers): (Vec<A>, Vec<_>) = waiting.into_iter().unzip();
        let done = work(asked).await;
        for answer in answers {
            // Callers that have gone need no answer.
            let _ = answer.send(match &done {
                Ok(value) => Ok(value.clone()),
                Err(error) => Err(error.shared()),
            });
        }
        Some(done)
    }

    fn line(&self, place: K) -> Arc<Line<A, V>> {
        let mut lines = self.0.lock();
        if lines.len() >= MAX_LINES {
            lines.retain(|_, line| Arc::strong_count(line) > 1);
        }
        Arc::clone(lines.entry(place).or_default())
    }
}

impl<K: Clone + Eq + Hash, V: Clone> Together<K, (), V> {
    /// Reads a place once for all who ask meanwhile; once more if the caller that did gave up.
    ///
    /// # Errors
    /// The errors of the read.
    pub async fn read<W>(&self, place: K, read: impl Fn() -> W) -> Result<V>
    where
        W: Future<Output = Result<V>>,
    {
        loop {
            if let Some(result) = self.ask(place.clone(), (), |_| read()).await {
                return result;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicUsize, Ordering},
        },
        task::Poll,
    };

    use error::Error;
    use parking_lot::Mutex;
    use tokio::{sync::Notify, task::yield_now};

    use super::{MAX_LINES, Together};

    type Numbers = Together<&'static str, usize, usize>;

    #[tokio::test]
    async fn those_who_ask_meanwhile_are_served_together_afterwards() {
        let (together, gate) = (Arc::new(Numbers::default()), Arc::new(Notify::new()));
        let times: Arc<Mutex<Vec<Vec<usize>>>> = Arc::default();
        let ask = |number| {
            let (together, gate, times) = (together.clone(), gate.clone(), times.clone());
            tokio::spawn(async move {
                let work = |asked: Vec<usize>| async move {
                    let sum = asked.iter().sum();
                    times.lock().push(asked);
                    gate.notified().await;
                    Ok(sum)
                };
                together.run("room", number, work).await
            })
        };
        let first = ask(1);
        while times.lock().is_empty() {
            yield_now().await;
        }
        let others: Vec<_> = (2..=9).map(ask).collect();
        // All of them are asked for before the first time ends.
        for _ in 0..100 {
            yield_now().await;
        }
        gate.notify_one();
        assert_eq!(first.await.unwrap().unwrap(), 1);
        gate.notify_one();
        for other in others {
            assert_eq!(other.await.unwrap().unwrap(), 44);
        }
        assert_eq!(*times.lock(), [vec![1], (2..=9).collect()]);
    }

    #[tokio::test]
    async fn a_failure_is_everybodys_and_the_next_time_is_another() {
        let (together, times) = (Numbers::default(), AtomicUsize::new(0));
        let fail = |_| async {
            times.fetch_add(1, Ordering::Relaxed);
            Err(Error::not_found("Nothing is there."))
        };
        let (one, two) = tokio::join!(together.run("a", 1, fail), together.run("a", 2, fail));
        assert_eq!([one, two].map(|it| it.unwrap_err().message), ["Nothing is there."; 2]);
        assert_eq!(times.load(Ordering::Relaxed), 1);
        assert_eq!(together.run("a", 3, |asked| async move { Ok(asked.len()) }).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn who_gives_up_holds_nobody_up() {
        let together = Numbers::default();
        let mut stuck = Box::pin(together.run("a", 1, |_| std::future::pending()));
        let mut behind = Box::pin(together.run("a", 2, |asked| async move { Ok(asked.len()) }));
        let mut poll = async || {
            let polled = std::future::poll_fn(|cx| {
                let _ = stuck.as_mut().poll(cx);
                Poll::Ready(behind.as_mut().poll(cx).is_ready())
            });
            polled.await
        };
        // Both are taken by the first one.
        assert!(!poll().await && !poll().await);
        drop(stuck);
        assert_eq!(behind.await.unwrap_err().status, error::Status::Unavailable);
        assert_eq!(together.run("a", 3, |asked| async move { Ok(asked.len()) }).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_read_is_repeated_when_its_reader_gives_up() {
        let together: Together<&str, (), usize> = Together::default();
        let mut stuck = Box::pin(together.read("a", std::future::pending));
        let mut behind = Box::pin(together.read("a", || async { Ok(7) }));
        let mut poll = async || {
            let polled = std::future::poll_fn(|cx| {
                let _ = stuck.as_mut().poll(cx);
                Poll::Ready(behind.as_mut().poll(cx).is_ready())
            });
            polled.await
        };
        assert!(!poll().await && !poll().await);
        drop(stuck);
        assert_eq!(behind.await.unwrap(), 7);
    }

    #[tokio::test]
    async fn places_are_forgotten_when_nobody_waits() {
        let together: Together<usize, (), usize> = Together::default();
        for place in 0..3 * MAX_LINES {
            together.run(place, (), |asked| async move { Ok(asked.len()) }).await.unwrap();
        }
        assert!(together.0.lock().len() <= MAX_LINES);
    }
}
