//! Bounds of the connections of a gateway.

use std::time::Duration;

const CONNECTIONS: usize = 10_000;
const OF_ADDRESS: usize = 1_000;
const HEAD_SECONDS: u64 = 10;
const IDLE_SECONDS: u64 = 150;
/// From the beginning of a reply until its client may be slower than [`REPLY_SPEED`] no longer.
pub(super) const REPLY_SECONDS: u64 = 30;
/// Least speed of a reply after that, in bytes a second.
pub(super) const REPLY_SPEED: u32 = 16 * 1024;

/// Bounds of the connections of a gateway.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Open connections, those of the live channel included.
    pub connections: usize,
    /// Open connections of one public address, or of one /64 network of IPv6; a /56 has twice as
    /// many, a /48 and a /24 of IPv4 four times.
    pub of_address: usize,
    /// From the first byte of a request to the end of its headers, and from the connection to the
    /// first byte.
    pub head: Duration,
    /// Until a connection is closed whose client sends no request.
    /// Longer than proxies keep connections for, so that it is they who close them.
    pub idle: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            connections: CONNECTIONS,
            of_address: OF_ADDRESS,
            head: Duration::from_secs(HEAD_SECONDS),
            idle: Duration::from_secs(IDLE_SECONDS),
        }
    }
}
