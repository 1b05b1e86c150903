//! Memory for large messages: a client gets it before its message is read, a user one or two parts
//! of it, and a tenant at most half.

use std::{
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use dialects::Close;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Instant, Sleep, sleep, sleep_until, timeout},
};

use super::{pieces::Pieces, toll::Toll};
use crate::{
    live::{account::Account, bounds::MAX_MESSAGE},
    net::{Parts, Payer, SharePermit, Shares, is_lifted},
};

/// Largest message that needs no part of the budget, in bytes.
const SMALL: usize = 64 * 1024;
/// Maximum time for receiving a large message.
const SLOW: Duration = Duration::from_secs(60);
/// Maximum time for which a state that was read in part waits for memory.
const PATIENCE: Duration = Duration::from_secs(10);
/// Time until it may be slower than [`SPEED`] no longer.
const GRACE: Duration = Duration::from_secs(10);
/// Least speed of a message after that, in bytes a second.
const SPEED: usize = 64 * 1024;
/// Unit of the budget, in bytes.
const UNIT: usize = 1024;

/// The memory of all large messages in one direction.
#[derive(Clone)]
pub(in crate::live) struct Budget(Arc<State>);

struct State {
    shares: Shares,
    toll: Toll,
}

impl Budget {
    /// Memory for so many messages, and for so many of a user. Strangers have none.
    pub(in crate::live) fn new(name: &str, messages: usize, of_user: usize) -> Self {
        let message = units(MAX_MESSAGE);
        let all = messages * message;
        let parts = Parts { user: of_user * message, key: all / 2, ..Parts::default() };
        Self(Arc::new(State { shares: Shares::new(name, all, parts), toll: Toll::default() }))
    }

    /// Waits for the memory that the largest message needs besides a part that the payer has. Whoever has
    /// one waits not for long: others may wait for that.
    async fn rest(&self, payer: &Payer, has: usize) -> Option<SharePermit> {
        let rest = self.0.shares.take(payer, units(MAX_MESSAGE).saturating_sub(has));
        match has {
            0 => rest.await,
            _ => timeout(PATIENCE, rest).await.ok().flatten(),
        }
    }

    /// Waits for the memory of the largest message, once the payer has waited for earlier messages.
    async fn admit(self, payer: Payer) -> Option<SharePermit> {
        loop {
            let share = self.rest(&payer, 0).await?;
            let wait = self.0.toll.wait(&payer, Instant::now());
            if wait.is_zero() {
                return Some(share);
            }
            // Nobody waits for the time with memory that others need.
            drop(share);
            sleep(wait).await;
        }
    }
}

/// The memory of a state that is read: that of the largest message while a call may bring some of it, and
/// otherwise that of what was brought.
pub(in crate::live) struct Reserve {
    budget: Budget,
    share: Option<SharePermit>,
    bytes: usize,
}

impl Reserve {
    pub(in crate::live) fn new(budget: Budget) -> Self {
        Self { budget, share: None, bytes: 0 }
    }

    /// Waits for the memory of a call; whether there is some.
    pub(in crate::live) async fn grow(&mut self, payer: &Payer) -> bool {
        let has = self.share.as_ref().map_or(0, SharePermit::parts);
        let Some(rest) = self.budget.rest(payer, has).await else { return false };
        match &mut self.share {
            Some(share) => share.add(rest),
            None => self.share = Some(rest),
        }
        true
    }

    /// Keeps so many bytes more.
    pub(in crate::live) fn keep(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Gives back what is not kept.
    pub(in crate::live) fn shrink(&mut self) {
        match (self.bytes, &mut self.share) {
            (0, share) => *share = None,
            (bytes, Some(share)) => share.shrink_to(units(bytes)),
            (_, None) => {}
        }
    }

    /// The memory of what is kept.
    pub(in crate::live) fn into_share(mut self) -> Option<SharePermit> {
        self.shrink();
        self.share
    }
}

/// The units of the budget that a message of this size needs.
pub(super) fn units(bytes: usize) -> usize {
    bytes.div_ceil(UNIT)
}

/// A connection whose large messages wait for memory.
pub(in crate::live) struct Metered<IO> {
    io: IO,
    pieces: Pieces,
    budget: Budget,
    account: Account,
    /// Bytes since the last message.
    count: usize,
    waiting: Option<Pin<Box<dyn Future<Output = Option<SharePermit>> + Send>>>,
    large: Option<Large>,
    refusal: Option<(Close, &'static str)>,
    is_unlimited: bool,
}

/// A large message that is received.
struct Large {
    share: SharePermit,
    payer: Payer,
    began: Instant,
    /// When it is looked at again whether it is too slow.
    look: Pin<Box<Sleep>>,
}

/// When a large message is too slow of which so many bytes have come, if nothing more does.
fn due(began: Instant, count: usize) -> Instant {
    let earned = GRACE + Duration::from_secs_f64(count as f64 / SPEED as f64);
    began + earned.min(SLOW)
}

impl<IO> Metered<IO> {
    pub(in crate::live) fn new(io: IO, budget: Budget, account: Account) -> Self {
        let (waiting, large, refusal) = (None, None, None);
        let pieces = Pieces::default();
        Self { io, pieces, budget, account, count: 0, waiting, large, refusal, is_unlimited: false }
    }

    /// Takes note that a message is complete; returns its part of the budget.
    pub(in crate::live) fn next_message(&mut self) -> Option<SharePermit> {
        self.waiting = None;
        self.end()
    }

    /// Ends a message. The sender owes its bytes, whatever they are.
    fn end(&mut self) -> Option<SharePermit> {
        let count = std::mem::take(&mut self.count);
        let Large { share, payer, .. } = self.large.take()?;
        self.budget.0.toll.owe(payer, count, Instant::now());
        Some(share)
    }

    /// Why nothing more is read.
    pub(in crate::live) fn refusal(&self) -> Option<(Close, &'static str)> {
        self.refusal
    }

    /// Reads everything from now on; nobody keeps it.
    pub(in crate::live) fn admit_all(&mut self) {
        self.is_unlimited = true;
    }

    fn refuse(&mut self, close: Close, reason: &'static str) -> io::Error {
        self.refusal = Some((close, reason));
        io::Error::other(reason)
    }

    fn admitted(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_unlimited || self.count <= SMALL {
            return Poll::Ready(Ok(()));
        }
        if self.large.is_none() {
            let payer = self.account.payer();
            if !payer.is_proven() {
                if is_lifted("messages of strangers") {
                    return Poll::Ready(Ok(()));
                }
                let reason = "A message before the token is accepted may have 64 KB.";
                return Poll::Ready(Err(self.refuse(Close::TooLarge, reason)));
            }
            let (budget, who) = (&self.budget, payer.clone());
            let waiting = self.waiting.get_or_insert_with(|| Box::pin(budget.clone().admit(payer)));
            let share = ready!(waiting.as_mut().poll(cx));
            self.waiting = None;
            let Some(share) = share else { return Poll::Ready(Err(io::Error::other("closed"))) };
            let look = Box::pin(sleep(Duration::ZERO));
            self.large = Some(Large { share, payer: who, began: Instant::now(), look });
        }
        let count = self.count;
        let is_late = self.large.as_mut().is_some_and(|large| {
            while large.look.as_mut().poll(cx).is_ready() {
                let due = due(large.began, count);
                if due <= Instant::now() {
                    return true;
                }
                large.look = Box::pin(sleep_until(due));
            }
            false
        });
        Poll::Ready(match is_late {
            true => Err(self.refuse(Close::Unavailable, "The message came too slowly.")),
            false => Ok(()),
        })
    }
}

impl<IO> Drop for Metered<IO> {
    fn drop(&mut self) {
        self.end();
    }
}

impl<IO: AsyncRead + Unpin> AsyncRead for Metered<IO> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        ready!(this.admitted(cx))?;
        let before = buf.filled().len();
        ready!(this.pieces.poll_read(&mut this.io, cx, buf))?;
        this.count += buf.filled().len() - before;
        Poll::Ready(Ok(()))
    }
}

impl<IO: AsyncWrite + Unpin> AsyncWrite for Metered<IO> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::Instant;

    use super::{Budget, MAX_MESSAGE, Reserve, SPEED, due, units};
    use crate::net::Payer;

    #[test]
    fn a_large_message_has_ten_seconds_and_then_a_least_speed_for_a_minute_at_most() {
        let began = Instant::now();
        let seconds = |count: usize| (due(began, count) - began).as_secs();
        assert_eq!([0, SPEED, 49 * SPEED, MAX_MESSAGE].map(seconds), [10, 11, 59, 60]);
    }

    #[tokio::test]
    async fn a_state_that_is_read_in_parts_keeps_what_was_read_between_calls() {
        let budget = Budget::new("messages to clients", 16, 2);
        let ann = Payer::User { key: "k".to_owned(), user: "ann".to_owned() };
        let mut state = Reserve::new(budget.clone());
        assert!(state.grow(&ann).await);
        state.keep(MAX_MESSAGE / 4);
        state.shrink();
        let mut other = Reserve::new(budget.clone());
        assert!(other.grow(&ann).await && state.grow(&ann).await, "both have all they need");
        state.shrink();
        other.shrink();
        let rest = budget.rest(&ann, 0).await.expect("free");
        assert_eq!(rest.parts(), units(MAX_MESSAGE));
        let kept = state.into_share().expect("a part");
        assert_eq!(kept.parts(), units(MAX_MESSAGE / 4));
    }
}
