//! Memory for large messages: a client gets it before its message is read, and a tenant at most
//! half of it.

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
    time::{Sleep, sleep},
};

use super::bounds::MAX_MESSAGE;
use crate::{
    live::account::Account,
    shares::{Share, Shares},
};

/// Largest message that needs no part of the budget, in bytes.
const SMALL: usize = 64 * 1024;
/// Maximum time for receiving a large message.
const SLOW: Duration = Duration::from_secs(60);
/// Unit of the budget, in bytes.
const UNIT: usize = 1024;

/// The memory of all large messages in one direction.
#[derive(Clone)]
pub(in crate::live) struct Budget(Arc<Shares<String>>);

impl Budget {
    pub(in crate::live) fn new(bytes: usize) -> Self {
        let all = bytes / UNIT;
        Self(Arc::new(Shares::new(all, all / 2)))
    }

    /// Waits for the memory of the largest message.
    pub(super) async fn acquire(self, tenant: String) -> Option<Share> {
        self.0.take(Some(tenant), u32::try_from(units(MAX_MESSAGE)).ok()?).await
    }
}

/// The units of the budget that a message of this size needs.
pub(super) fn units(bytes: usize) -> usize {
    bytes.div_ceil(UNIT)
}

/// A connection whose large messages wait for memory.
pub(super) struct Metered<IO> {
    io: IO,
    budget: Budget,
    account: Account,
    /// Bytes since the last message.
    count: usize,
    waiting: Option<Pin<Box<dyn Future<Output = Option<Share>> + Send>>>,
    share: Option<(Share, Pin<Box<Sleep>>)>,
    refusal: Option<(Close, &'static str)>,
    is_unlimited: bool,
}

impl<IO> Metered<IO> {
    pub(super) fn new(io: IO, budget: Budget, account: Account) -> Self {
        let (waiting, share, refusal) = (None, None, None);
        Self { io, budget, account, count: 0, waiting, share, refusal, is_unlimited: false }
    }

    /// Takes note that a message is complete; returns its part of the budget.
    pub(super) fn next_message(&mut self) -> Option<Share> {
        self.count = 0;
        self.waiting = None;
        self.share.take().map(|(share, _)| share)
    }

    /// Why nothing more is read.
    pub(super) fn refusal(&self) -> Option<(Close, &'static str)> {
        self.refusal
    }

    /// Reads everything from now on; nobody keeps it.
    pub(super) fn admit_all(&mut self) {
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
        if let Some((_, slow)) = &mut self.share {
            return match slow.as_mut().poll(cx) {
                Poll::Ready(()) => {
                    let reason = "The message took more than a minute.";
                    Poll::Ready(Err(self.refuse(Close::Unavailable, reason)))
                }
                Poll::Pending => Poll::Ready(Ok(())),
            };
        }
        let Some(tenant) = self.account.tenant() else {
            let reason = "A message before the token is accepted may have 64 KB.";
            return Poll::Ready(Err(self.refuse(Close::TooLarge, reason)));
        };
        let budget = &self.budget;
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(budget.clone().acquire(tenant)));
        let share = ready!(waiting.as_mut().poll(cx));
        self.waiting = None;
        let Some(share) = share else { return Poll::Ready(Err(io::Error::other("closed"))) };
        let mut slow = Box::pin(sleep(SLOW));
        // Registers the wake-up.
        let _ = slow.as_mut().poll(cx);
        self.share = Some((share, slow));
        Poll::Ready(Ok(()))
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
        ready!(Pin::new(&mut this.io).poll_read(cx, buf))?;
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
