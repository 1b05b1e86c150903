//! Bounds of the calls of a gateway, beside the limits of its accounts.

use std::time::Duration;

use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, Response, StatusCode, header},
};
use futures_util::StreamExt;
use hyper::body::Body as _;
use serde_json::json;
use tokio::time::{Instant, timeout, timeout_at};

use super::{
    payers::Payer,
    shares::{Parts, SharePermit, Shares},
};
use crate::net::{
    listener::{ConnectionLimits, affordable},
    origin::Proxies,
};

/// Maximum size of a Lambda payload, and of requests to the gateway.
pub(crate) const MAX_BODY_BYTES: usize = 6 * 1024 * 1024;
const CALLS: usize = 64;
const WAIT_SECONDS: u64 = 2;
const BODY_SECONDS: u64 = 60;
/// From the beginning of a body until it may be slower than [`SPEED`] no longer.
const GRACE_SECONDS: u64 = 15;
/// Least speed of a body after that, in bytes a second.
const SPEED: usize = 16 * 1024;
/// Memory for all bodies, in KiB.
const BODIES: usize = 256 * 1024;
/// Memory of each body that needs no share, in KiB.
const SMALL: usize = 16;
/// Most memory for bodies of all strangers together, and of the address of one.
const BODIES_OF_STRANGERS: usize = 64 * 1024;
const BODIES_OF_ADDRESS: usize = 16 * 1024;
/// Most memory for bodies of a user.
const BODIES_OF_USER: usize = 32 * 1024;
/// Memory for all replies that are sent, in KiB, with the parts of all strangers, of an address and of a
/// user.
const REPLIES: usize = 256 * 1024;
const REPLIES_OF_STRANGERS: usize = 32 * 1024;
const REPLIES_OF_ADDRESS: usize = 8 * 1024;
const REPLIES_OF_USER: usize = 16 * 1024;
/// Most connections of the live channel of one user.
const SOCKETS_OF_USER: usize = 200;

/// How much a gateway takes on.
#[derive(Clone, Debug)]
pub struct GatewayOptions {
    /// Proxies that it believes about the client of a request.
    pub proxies: Proxies,
    /// Bounds of its connections.
    pub connections: ConnectionLimits,
    /// Calls that are answered at a time. A tenant has half of them at most, and so have all callers
    /// who show no valid credential.
    pub calls: usize,
    /// How long a call waits to be one of them before it is refused.
    pub wait: Duration,
    /// How long a client may take to send a body.
    pub body: Duration,
}

impl Default for GatewayOptions {
    fn default() -> Self {
        let (wait, body) = (Duration::from_secs(WAIT_SECONDS), Duration::from_secs(BODY_SECONDS));
        let (proxies, connections) = (Proxies::default(), ConnectionLimits::default());
        Self { proxies, connections, calls: CALLS, wait, body }
    }
}

pub(crate) struct Bounds {
    pub(crate) options: GatewayOptions,
    calls: Shares,
    bodies: Shares,
    sockets: Shares,
    replies: Shares,
}

/// A whole body, with its part of the memory for bodies.
pub(crate) struct Received {
    pub(crate) bytes: Bytes,
    _memory: Option<SharePermit>,
}

impl Bounds {
    pub(crate) fn new(options: GatewayOptions) -> Self {
        let part = |all: usize, of: usize| (all / of).max(1);
        let of_calls = |all| Parts {
            user: part(all, 4),
            key: part(all, 2),
            address: part(all, 8),
            strangers: part(all, 2),
        };
        let of_bodies = Parts {
            user: BODIES_OF_USER,
            key: BODIES / 2,
            address: BODIES_OF_ADDRESS,
            strangers: BODIES_OF_STRANGERS,
        };
        let ConnectionLimits { connections, of_address, .. } = options.connections;
        let connections = affordable(connections);
        // The others are for calls.
        let sockets = connections - connections / 4;
        let of_sockets = Parts {
            user: SOCKETS_OF_USER.min(part(sockets, 8)),
            key: part(sockets, 2),
            address: of_address,
            strangers: part(connections, 2),
        };
        let of_replies = Parts {
            user: REPLIES_OF_USER,
            key: REPLIES / 2,
            address: REPLIES_OF_ADDRESS,
            strangers: REPLIES_OF_STRANGERS,
        };
        Self {
            replies: Shares::new("replies", REPLIES, of_replies),
            calls: Shares::new("calls", options.calls, of_calls(options.calls)),
            bodies: Shares::new("bodies", BODIES, of_bodies),
            sockets: Shares::new("sockets", sockets, of_sockets),
            options,
        }
    }

    /// Waits for a turn, as long as for a place.
    ///
    /// # Errors
    /// The reply when there is none for too long.
    pub(crate) async fn soon<T>(&self, turn: impl Future<Output = T>) -> Result<T, Response<Body>> {
        let turn = timeout(self.options.wait, turn).await;
        turn.map_err(|_| later("Too many calls at a time."))
    }

    /// Waits for a place to answer a call.
    ///
    /// # Errors
    /// The reply when there is none for too long.
    pub(crate) async fn place(&self, payer: &Payer) -> Result<SharePermit, Response<Body>> {
        let place = timeout(self.options.wait, self.calls.take(payer, 1)).await;
        place.ok().flatten().ok_or_else(|| later("Too many calls at a time."))
    }

    /// Waits for the memory of a reply of this size until it is sent.
    ///
    /// # Errors
    /// The reply when there is none for too long.
    pub(crate) async fn reply(
        &self,
        payer: &Payer,
        length: usize,
    ) -> Result<SharePermit, Response<Body>> {
        let share = self.replies.take(payer, length.div_ceil(1024));
        let share = timeout(self.options.wait, share).await;
        share.ok().flatten().ok_or_else(|| later("Too many replies are not read yet."))
    }

    /// A place for a connection of the live channel; none if the payer has its share.
    pub(crate) fn socket(&self, payer: &Payer) -> Option<SharePermit> {
        self.sockets.try_take(payer, 1)
    }

    /// Reads a body. One that is too large ends one byte after the limit of calls, so that it is
    /// refused by their own rule.
    ///
    /// # Errors
    /// The reply to a body that is not sent in time, or malformed, or has no memory for too long.
    pub(crate) async fn receive(
        &self,
        payer: &Payer,
        body: Body,
    ) -> Result<Received, Response<Body>> {
        let close = || [(header::CONNECTION, HeaderValue::from_static("close"))];
        match timeout(self.options.body, self.read(payer, body)).await {
            Ok(Ok(received)) => Ok(received),
            Ok(Err(Unread::Malformed)) => {
                Err(refused(StatusCode::BAD_REQUEST, "The body is malformed.", close()))
            }
            Ok(Err(Unread::Full)) => {
                let mut refused = later("Too many bodies at a time.");
                refused.headers_mut().extend(close());
                Err(refused)
            }
            Ok(Err(Unread::Late)) | Err(_) => {
                let message = "The body was not sent in time.";
                Err(refused(StatusCode::REQUEST_TIMEOUT, message, close()))
            }
        }
    }

    async fn read(&self, payer: &Payer, body: Body) -> Result<Received, Unread> {
        let (mut bytes, mut memory) = (Vec::new(), None::<SharePermit>);
        let announced = body.size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok());
        let most = announced.unwrap_or(MAX_BODY_BYTES).min(MAX_BODY_BYTES);
        let mut chunks = body.into_data_stream();
        let mut began = Instant::now();
        loop {
            let chunk = timeout_at(due(began, bytes.len()), chunks.next()).await;
            let Some(chunk) = chunk.map_err(|_| Unread::Late)? else { break };
            let chunk = chunk.map_err(|_| Unread::Malformed)?;
            let length = bytes.len() + chunk.len();
            if length > MAX_BODY_BYTES {
                bytes = vec![b' '; MAX_BODY_BYTES];
                break;
            }
            if length > bytes.capacity() {
                let is_small = length <= SMALL * 1024;
                if !is_small && memory.is_none() {
                    // All at once: bodies that have a part, and wait for the rest, would wait for each
                    // other.
                    let waits = Instant::now();
                    let share = self.bodies.take(payer, beyond_small(most));
                    let share = timeout(self.options.wait, share).await.ok().flatten();
                    memory = Some(share.ok_or(Unread::Full)?);
                    // Waiting for memory is not the client's fault.
                    began += waits.elapsed();
                }
                let reserved = if is_small { most.min(SMALL * 1024) } else { most };
                bytes.reserve_exact(reserved.max(length) - bytes.len());
            }
            bytes.extend_from_slice(&chunk);
        }
        if let Some(memory) = &mut memory {
            bytes.shrink_to_fit();
            memory.shrink_to(beyond_small(bytes.len()));
        }
        Ok(Received { bytes: bytes.into(), _memory: memory })
    }
}

/// When a body is too slow of which so many bytes have come, if nothing more does.
fn due(began: Instant, bytes: usize) -> Instant {
    let earned = Duration::from_secs_f64(bytes as f64 / SPEED as f64);
    began + Duration::from_secs(GRACE_SECONDS) + earned
}

/// The KiB of a body that need a share.
fn beyond_small(bytes: usize) -> usize {
    bytes.div_ceil(1024).saturating_sub(SMALL)
}

/// Why a body was not read.
enum Unread {
    Malformed,
    Late,
    /// There was no memory for it in time.
    Full,
}

fn later(message: &str) -> Response<Body> {
    let later = [(header::RETRY_AFTER, HeaderValue::from_static("1"))];
    refused(StatusCode::SERVICE_UNAVAILABLE, message, later)
}

/// A reply of the gateway itself, in the words of API Gateway.
fn refused<const N: usize>(
    status: StatusCode,
    message: &str,
    headers: [(HeaderName, HeaderValue); N],
) -> Response<Body> {
    let mut response = Response::new(Body::from(json!({ "message": message }).to_string()));
    *response.status_mut() = status;
    let json = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().extend([json].into_iter().chain(headers));
    response
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Bounds, GatewayOptions, SPEED, due};
    use crate::net::{
        listener::{ConnectionLimits, affordable},
        permits::Payer,
    };

    fn bounds(connections: usize) -> Bounds {
        let limits = ConnectionLimits { connections, ..ConnectionLimits::default() };
        Bounds::new(GatewayOptions { connections: limits, ..GatewayOptions::default() })
    }

    #[test]
    fn a_body_has_fifteen_seconds_and_then_a_least_speed() {
        let began = Instant::now();
        let seconds = |bytes: usize| (due(began, bytes) - began).as_secs();
        assert_eq!([0, 1, SPEED, 60 * SPEED].map(seconds), [15, 15, 16, 75]);
        let options = GatewayOptions::default();
        assert_eq!(options.body, Duration::from_secs(60), "whatever its speed");
    }

    #[test]
    fn calls_have_connections_that_are_no_sockets_and_users_leave_some_to_others() {
        let small = bounds(100);
        let of = |user: &str| {
            let payer = Payer::User { key: "k".to_owned(), user: user.to_owned() };
            std::iter::from_fn(|| small.socket(&payer)).collect::<Vec<_>>()
        };
        let users = ["ann", "bob", "cyd", "dan", "eve"].map(of);
        // Half of them a tenant.
        assert_eq!(users.each_ref().map(Vec::len), [9, 9, 9, 9, 1]);
        let other = Payer::User { key: "l".to_owned(), user: "ann".to_owned() };
        assert!(small.socket(&other).is_some(), "another tenant has its own part");
        // The process takes no more connections than it has files for.
        let wanted = 1 << 20;
        let rest =
            bounds(wanted).sockets.try_take(&Payer::Operator, affordable(wanted) / 4 * 3 + 4);
        assert!(rest.is_none());
    }
}
