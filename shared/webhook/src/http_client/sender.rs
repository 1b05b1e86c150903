//! One request under one deadline.

use std::{
    fmt,
    sync::{Arc, LazyLock},
    time::{Duration, Instant},
};

use bytes::Bytes;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method, Request, Response,
    header::{
        AUTHORIZATION, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, EXPECT, HOST, RETRY_AFTER, TE,
        TRAILER, TRANSFER_ENCODING, UPGRADE, USER_AGENT,
    },
};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::{
    client::legacy::{Client, Error},
    rt::{TokioExecutor, TokioTimer},
};
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use tokio::time::timeout_at;

use crate::http_client::{
    address::Egress,
    attempt::{Attempt, Failure},
    connector::{Connector, Refused, Used},
    url::RequestUrl,
};

const AGENT: HeaderValue =
    HeaderValue::from_static(concat!("Roundtable-Webhooks/", env!("CARGO_PKG_VERSION")));
const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Connection headers; a subscriber that could set them could smuggle requests.
const RESERVED: &[HeaderName] =
    &[HOST, CONNECTION, CONTENT_LENGTH, TRANSFER_ENCODING, TE, TRAILER, UPGRADE, EXPECT];

/// A kept connection fails within this time if the receiver closed it meanwhile.
const STALE: Duration = Duration::from_secs(1);
const IDLE: Duration = Duration::from_secs(30);
const IDLE_PER_HOST: usize = 8;
const MAX_HEAD_BYTES: usize = 64 * 1024;
/// Header lines of a reply, of which none is needed: what fits the head, nearly always.
const MAX_HEADER_LINES: usize = 2_000;
/// Longer header values are ignored.
const MAX_HEADER_VALUE: usize = 256;

/// Time and size limits of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the start of a request to the last byte of its reply.
    pub total: Duration,
    /// To resolve a name.
    pub dns: Duration,
    /// To connect to one of them.
    pub connect: Duration,
    /// Bytes read of the reply's body.
    pub response: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            total: Duration::from_secs(15),
            dns: Duration::from_secs(3),
            connect: Duration::from_secs(5),
            response: 16 * 1024,
        }
    }
}

type Http = Client<Connector, Full<Bytes>>;

/// Sends requests, and keeps connections for the next ones. A clone shares them.
///
/// The client follows no redirect, keeps no cookie and knows no proxy.
#[derive(Clone)]
pub struct Sender {
    pooled: Http,
    /// Never reuses a connection.
    fresh: Http,
    limits: Limits,
    has_roots: bool,
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").field("limits", &self.limits).finish_non_exhaustive()
    }
}

impl Sender {
    /// A sender that trusts the system certificates, read from files.
    #[must_use]
    pub fn new(egress: Egress) -> Self {
        Self::with_limits(egress, Limits::default())
    }

    /// A sender with custom limits.
    #[must_use]
    pub fn with_limits(egress: Egress, limits: Limits) -> Self {
        static ROOTS: LazyLock<RootCertStore> = LazyLock::new(|| {
            let found = rustls_native_certs::load_native_certs();
            for error in &found.errors {
                tracing::warn!(%error, "The root certificates of the system cannot be read.");
            }
            let mut roots = RootCertStore::empty();
            roots.add_parsable_certificates(found.certs);
            if roots.is_empty() {
                tracing::error!("There are no root certificates: every https request will fail.");
            }
            roots
        });
        Self::with_roots(egress, limits, ROOTS.clone())
    }

    fn with_roots(egress: Egress, limits: Limits, roots: RootCertStore) -> Self {
        let has_roots = !roots.is_empty();
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .expect("the provider has ciphers for the default versions")
            .with_root_certificates(roots)
            .with_no_client_auth();
        let connector = Connector::new(egress, limits, Arc::new(tls));
        let mut builder = Client::builder(TokioExecutor::new());
        builder
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .http1_max_buf_size(MAX_HEAD_BYTES)
            .http1_max_headers(MAX_HEADER_LINES);
        let pooled = builder.pool_max_idle_per_host(IDLE_PER_HOST).build(connector.clone());
        let fresh = builder.pool_max_idle_per_host(0).build(connector);
        Self { pooled, fresh, limits, has_roots }
    }

    /// Like [`Sender::post`], on a new connection and without repetition, for requests that must
    /// not arrive twice.
    pub async fn post_once(
        &self,
        url: &str,
        headers: Vec<(HeaderName, HeaderValue)>,
        body: Bytes,
    ) -> Attempt {
        let once = Self { pooled: self.fresh.clone(), ..self.clone() };
        once.post(url, headers, body).await
    }

    /// Sends one POST request and returns its result.
    ///
    /// `content-type` and `user-agent` are set unless they are given, `authorization` if the URL
    /// has credentials; headers of the connection itself are left out.
    pub async fn post(
        &self,
        url: &str,
        headers: Vec<(HeaderName, HeaderValue)>,
        body: Bytes,
    ) -> Attempt {
        let started = Instant::now();
        let mut attempt = Attempt::default();
        match RequestUrl::parse(url) {
            Ok(target) => self.exchange(target, headers, body, &mut attempt).await,
            Err(failure) => attempt.failure = Some(failure),
        }
        attempt.duration = started.elapsed();
        attempt
    }

    async fn exchange(
        &self,
        target: RequestUrl,
        headers: Vec<(HeaderName, HeaderValue)>,
        body: Bytes,
        attempt: &mut Attempt,
    ) {
        let deadline = tokio::time::Instant::now() + self.limits.total;
        let headers = prepare(headers, target.authorization.as_ref());
        let request = || {
            let mut request = Request::new(Full::new(body.clone()));
            *request.method_mut() = Method::POST;
            *request.uri_mut() = target.uri.clone();
            request.headers_mut().clone_from(&headers);
            request
        };
        let answer = timeout_at(deadline, self.answer(request)).await;
        let answer = match answer {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                attempt.failure = match failure(&error) {
                    Failure::Tls if !self.has_roots => Some(Failure::NoRoots),
                    failure => Some(failure),
                };
                return;
            }
            Err(_) => return attempt.failure = Some(Failure::Timeout),
        };
        attempt.status = Some(answer.status().as_u16());
        attempt.retry_after = text(answer.headers(), &RETRY_AFTER);
        attempt.control = text(answer.headers(), &HeaderName::from_static("webhook-delivery"));
        attempt.message_id = text(answer.headers(), &HeaderName::from_static("x-message-id"));
        let reading = read(answer.into_body(), self.limits.response, &mut attempt.response);
        // A body that does not end in time is cut off, because the status decides.
        let _ = timeout_at(deadline, reading).await;
    }

    /// The client itself repeats requests that it could not begin to send on a kept connection.
    /// Requests that were perhaps sent just as the receiver closed it are left to us.
    async fn answer(
        &self,
        request: impl Fn() -> Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, Error> {
        let started = Instant::now();
        let answer = match self.pooled.request(request()).await {
            Err(error) if is_stale(&error) && started.elapsed() < STALE => {
                self.fresh.request(request()).await
            }
            answer => answer,
        }?;
        if let Some(used) = answer.extensions().get::<Used>() {
            used.mark();
        }
        Ok(answer)
    }
}

fn prepare(
    given: Vec<(HeaderName, HeaderValue)>,
    authorization: Option<&HeaderValue>,
) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in given.into_iter().filter(|(name, _)| !RESERVED.contains(name)) {
        headers.append(name, value);
    }
    headers.entry(CONTENT_TYPE).or_insert(JSON);
    headers.entry(USER_AGENT).or_insert(AGENT);
    if let Some(authorization) = authorization {
        headers.entry(AUTHORIZATION).or_insert_with(|| authorization.clone());
    }
    headers
}

/// Whether a previously used connection ended without a reply.
fn is_stale(error: &Error) -> bool {
    let mut extensions = http::Extensions::new();
    if let Some(connection) = error.connect_info() {
        connection.get_extras(&mut extensions);
    }
    extensions.get::<Used>().is_some_and(Used::is_marked) && !is_malformed(error)
}

fn is_malformed(error: &Error) -> bool {
    let cause = std::error::Error::source(error);
    cause.and_then(|cause| cause.downcast_ref::<hyper::Error>()).is_some_and(hyper::Error::is_parse)
}

fn failure(error: &Error) -> Failure {
    match Refused::among(error) {
        Some(failure) => failure,
        // All errors before TLS are a `Refused`.
        None if error.is_connect() => Failure::Tls,
        None => Failure::Protocol,
    }
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    (value.len() <= MAX_HEADER_VALUE).then(|| value.to_owned())
}

/// Reads at most `limit` bytes; dropping the rest of the body closes the connection.
async fn read(mut body: Incoming, limit: usize, into: &mut Vec<u8>) {
    while into.len() < limit {
        let Some(Ok(frame)) = body.frame().await else {
            return;
        };
        if let Ok(data) = frame.into_data() {
            into.extend_from_slice(&data[..data.len().min(limit - into.len())]);
        }
    }
}

#[cfg(test)]
mod tests;
