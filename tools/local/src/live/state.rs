//! The state of the live channel.

use std::{
    sync::{Mutex, PoisonError},
    time::Duration,
};

use emulator::Lifetime;
use service::SocketSpec;
use tokio::sync::{Notify, Semaphore};

use super::{
    native::{Budget, MAX_MESSAGE},
    rate::Rate,
};
use crate::account_limits::processors;

/// How the live channel behaves; by default as API Gateway does.
#[derive(Clone, Copy, Debug)]
pub struct LiveOptions {
    /// Time limits of a connection.
    pub lifetime: Lifetime,
    /// Connections accepted in a second.
    pub connects_per_second: u32,
    /// Whether each second message of a client overtakes the one before it, if both come at about
    /// the same time.
    pub reorders: bool,
}

impl Default for LiveOptions {
    fn default() -> Self {
        let (idle, whole) = (Duration::from_secs(600), Duration::from_secs(7200));
        Self { lifetime: Lifetime { idle, whole }, connects_per_second: 500, reorders: false }
    }
}

/// Maximum number of concurrent calls of the functions per processor. In AWS each call has a
/// processor of its own; here a thousand at once would all pass their deadlines.
const AT_ONCE: usize = 8;
/// The same for all connections together that have not proven their user.
const NEW_AT_ONCE: usize = 4;
/// Maximum size of all large messages of stock providers together, in bytes.
const MAX_INCOMING: usize = 8 * MAX_MESSAGE;
/// The same for messages to them.
const MAX_OUTGOING: usize = 16 * MAX_MESSAGE;

/// Dependencies of the channel.
pub(crate) struct Live {
    pub(super) sockets: Vec<SocketSpec>,
    pub(super) options: LiveOptions,
    pub(super) rate: Mutex<Rate>,
    /// Free places for calls, and those of connections that have not proven their user.
    pub(super) places: Semaphore,
    pub(super) new: Semaphore,
    /// Told of each connection that opens without a token.
    pub(super) unauthenticated: Notify,
    /// Memory of large messages from and to stock providers.
    pub(super) incoming: Budget,
    pub(super) outgoing: Budget,
}

impl Live {
    pub(crate) fn new(sockets: Vec<SocketSpec>, options: LiveOptions) -> Self {
        Self {
            sockets,
            options,
            rate: Mutex::default(),
            places: Semaphore::new(AT_ONCE * processors()),
            new: Semaphore::new(NEW_AT_ONCE * processors()),
            unauthenticated: Notify::new(),
            incoming: Budget::new(MAX_INCOMING),
            outgoing: Budget::new(MAX_OUTGOING),
        }
    }

    pub(super) fn admits(&self, now: u64) -> bool {
        let mut rate = self.rate.lock().unwrap_or_else(PoisonError::into_inner);
        rate.admits(now, self.options.connects_per_second)
    }
}
