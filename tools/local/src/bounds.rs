//! What bounds the calls of a gateway, beside the limits of its accounts.

use std::{net::IpAddr, time::Duration};

use axum::{
    body::{Body, Bytes},
    http::{HeaderName, HeaderValue, Response, StatusCode, header},
};
use futures_util::StreamExt;
use serde_json::json;
use tokio::time::timeout;

use crate::{
    listener::ConnectionLimits,
    origin::Proxies,
    shares::{Share, Shares},
};

/// Maximum size of a Lambda payload, and of requests to the gateway.
pub(crate) const MAX_BODY_BYTES: usize = 6 * 1024 * 1024;
const CALLS: usize = 64;
const WAIT_SECONDS: u64 = 2;
const BODY_SECONDS: u64 = 60;
/// Memory for all bodies, in KiB.
const BODIES: usize = 256 * 1024;
/// What each body has without a part of it, in KiB.
const SMALL: usize = 16;

/// How much a gateway takes on.
#[derive(Clone, Debug)]
pub struct GatewayOptions {
    /// Whom it believes where a request comes from.
    pub proxies: Proxies,
    /// Bounds of its connections.
    pub connections: ConnectionLimits,
    /// Calls that are answered at a time. A public address has half of them at most.
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
    calls: Shares<IpAddr>,
    bodies: Shares<IpAddr>,
    sockets: Shares<IpAddr>,
}

/// A whole body, with its part of the memory for bodies.
pub(crate) struct Received {
    pub(crate) bytes: Bytes,
    _memory: Option<Share>,
}

impl Bounds {
    pub(crate) fn new(options: GatewayOptions) -> Self {
        let half = |all| Shares::new(all, (all / 2).max(1));
        let (calls, bodies) = (half(options.calls), half(BODIES));
        let ConnectionLimits { connections, of_address, .. } = options.connections;
        Self { options, calls, bodies, sockets: Shares::new(connections, of_address) }
    }

    /// Waits for a place to answer a call.
    ///
    /// # Errors
    /// The reply when there is none for too long.
    pub(crate) async fn place(&self, stranger: Option<IpAddr>) -> Result<Share, Response<Body>> {
        let place = timeout(self.options.wait, self.calls.take(stranger, 1)).await;
        place.ok().flatten().ok_or_else(|| {
            let later = [(header::RETRY_AFTER, HeaderValue::from_static("1"))];
            refused(StatusCode::SERVICE_UNAVAILABLE, "Too many calls at a time.", later)
        })
    }

    /// A place for a connection of the live channel; none if the client has its share. Behind a
    /// proxy, the address of the connection does not bound it.
    pub(crate) fn socket(&self, stranger: Option<IpAddr>) -> Option<Share> {
        self.sockets.try_take(stranger)
    }

    /// Reads a body. One that is too large ends one byte after the limit of calls, so that it is
    /// refused by their own rule.
    ///
    /// # Errors
    /// The reply to a body that is not sent in time, or malformed.
    pub(crate) async fn receive(
        &self,
        stranger: Option<IpAddr>,
        body: Body,
    ) -> Result<Received, Response<Body>> {
        let close = || [(header::CONNECTION, HeaderValue::from_static("close"))];
        match timeout(self.options.body, self.read(stranger, body)).await {
            Ok(Some(received)) => Ok(received),
            Ok(None) => Err(refused(StatusCode::BAD_REQUEST, "The body is malformed.", close())),
            Err(_) => {
                let message = "The body was not sent in time.";
                Err(refused(StatusCode::REQUEST_TIMEOUT, message, close()))
            }
        }
    }

    async fn read(&self, stranger: Option<IpAddr>, body: Body) -> Option<Received> {
        let (mut bytes, mut memory, mut kib) = (Vec::new(), None::<Share>, SMALL);
        let mut chunks = body.into_data_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.ok()?;
            if bytes.len() + chunk.len() > MAX_BODY_BYTES {
                bytes = vec![b' '; MAX_BODY_BYTES];
                break;
            }
            let missing = (bytes.len() + chunk.len()).div_ceil(1024).saturating_sub(kib);
            if missing > 0 {
                let more = self.bodies.take(stranger, u32::try_from(missing).ok()?).await?;
                kib += missing;
                match &mut memory {
                    Some(memory) => memory.add(more),
                    None => memory = Some(more),
                }
            }
            bytes.extend_from_slice(&chunk);
        }
        Some(Received { bytes: bytes.into(), _memory: memory })
    }
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
