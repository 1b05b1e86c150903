//! How much the live channel takes on, and of whom.

use std::time::Duration;

use embedded::Lifetime;

use super::memory::{Budget, Memory};
use crate::net::{Parts, Payer, Rates, Shares, processors};

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
/// Divisors of the handshakes per second: the share of a user, and of a stranger's address. A tenant has
/// half.
/// Strangers together have four of five, so that clients with a token are not held up by clients
/// without.
const HANDSHAKES_OF_USER: usize = 5;
const HANDSHAKES_OF_ADDRESS: usize = 10;
/// Maximum number of large messages of stock providers that are in memory at a time, and of those of
/// one user.
const MAX_INCOMING: usize = 8;
const INCOMING_OF_USER: usize = 1;
/// Maximum number of large messages to stock providers, and of those to one user.
const MAX_OUTGOING: usize = 16;
const OUTGOING_OF_USER: usize = 2;

/// Parts of what the channel takes on.
pub(super) struct Limits {
    handshakes: Rates,
    /// Memory of large messages from and to stock providers.
    pub(super) incoming: Budget,
    pub(super) outgoing: Budget,
    /// Memory of the bytes of messages that connections keep.
    pub(super) kept: Memory,
}

impl Limits {
    pub(super) fn new(options: LiveOptions) -> Self {
        let all = usize::try_from(options.connects_per_second).unwrap_or(usize::MAX);
        let parts = Parts {
            user: all.div_ceil(HANDSHAKES_OF_USER),
            key: all.div_ceil(2),
            address: all.div_ceil(HANDSHAKES_OF_ADDRESS),
            strangers: all / 5 * 4,
        };
        Self {
            handshakes: Rates::new("handshakes", all, parts),
            incoming: Budget::new("messages", MAX_INCOMING, INCOMING_OF_USER),
            outgoing: Budget::new("messages to clients", MAX_OUTGOING, OUTGOING_OF_USER),
            kept: Memory::default(),
        }
    }

    /// Whether a payer may open one more connection in this second.
    pub(super) fn admits(&self, payer: &Payer) -> bool {
        self.handshakes.admits(payer)
    }
}

/// Places for calls of the functions.
pub(super) fn places() -> Shares {
    let places = AT_ONCE * processors();
    let parts = Parts { user: places, key: places / 2, address: places, strangers: places / 2 };
    Shares::new("tenants", places, parts)
}

#[cfg(test)]
mod tests {
    use super::{Limits, LiveOptions};
    use crate::net::Payer;

    #[test]
    fn handshakes_of_a_tenant_leave_half_to_others() {
        let options = LiveOptions { connects_per_second: 50, ..LiveOptions::default() };
        let limits = Limits::new(options);
        let admitted = |key: &str, user: usize| {
            let payer = Payer::User { key: key.to_owned(), user: user.to_string() };
            (0..20).filter(|_| limits.admits(&payer)).count()
        };
        assert_eq!((0..5).map(|user| admitted("k", user)).sum::<usize>(), 25);
        assert_eq!(admitted("l", 0), 10);
    }
}
