//! Calls of ports, and the code that makes them.

use std::{
    future::poll_fn,
    pin::Pin,
    task::{Context, Poll, Waker},
};

/// Runs a future up to its next call; whoever drives the simulation decides when to run it again,
/// or never again, as after a crash.
pub fn poll<F: Future + ?Sized>(future: Pin<&mut F>) -> Poll<F::Output> {
    future.poll(&mut Context::from_waker(Waker::noop()))
}

/// A call that takes until then. It always waits once, even for a time that is over.
pub async fn until(time: u64, now: impl Fn() -> u64) {
    let mut has_waited = false;
    poll_fn(|_| {
        let is_over = std::mem::replace(&mut has_waited, true) && now() >= time;
        if is_over { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}
