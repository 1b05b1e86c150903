//! Connections to vetted addresses only.
//!
//! A name is resolved here, and the connection goes to one of the vetted addresses: a second
//! resolution could give another result.

use std::{
    error::Error,
    fmt, io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use http::Uri;
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_rustls::{HttpsConnector, MaybeHttpsStream};
use hyper_util::{
    client::legacy::connect::{Connected, Connection, HttpConnector, dns::Name},
    rt::TokioIo,
};
use rustls::ClientConfig;
use tokio::{net::TcpStream, time::timeout};
use tower_service::Service;

use crate::http_client::{address::Egress, attempt::Failure, sender::Limits};

/// Maximum number of addresses tried per name.
const MAX_ADDRESSES: usize = 8;

type BoxError = Box<dyn Error + Send + Sync>;
type Pending<T, E> = Pin<Box<dyn Future<Output = Result<T, E>> + Send>>;

/// Reason for a missing connection.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) Failure);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl Error for Refused {}

impl Refused {
    /// The first such error among the causes of an error.
    pub(crate) fn among(error: &(dyn Error + 'static)) -> Option<Failure> {
        causes(error).find_map(|cause| cause.downcast_ref::<Self>()).map(|refused| refused.0)
    }
}

fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| error.source())
}

/// Resolves names, and refuses a name if any of its addresses is forbidden.
#[derive(Clone)]
pub(crate) struct Resolver {
    egress: Egress,
    limit: Duration,
}

impl Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = Refused;
    type Future = Pending<Self::Response, Refused>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Refused>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let Self { egress, limit } = *self;
        Box::pin(async move {
            let found = timeout(limit, tokio::net::lookup_host((name.as_str(), 0))).await;
            let Ok(Ok(found)) = found else {
                return Err(Refused(Failure::Dns));
            };
            Ok(vet_all(egress, found.collect())?.into_iter())
        })
    }
}

/// The addresses of a name, if all of them are allowed: there is no good reason to mix in a private
/// one.
fn vet_all(egress: Egress, mut addresses: Vec<SocketAddr>) -> Result<Vec<SocketAddr>, Refused> {
    for address in &addresses {
        vet(egress, address.ip())?;
    }
    addresses.truncate(MAX_ADDRESSES);
    if addresses.is_empty() { Err(Refused(Failure::Dns)) } else { Ok(addresses) }
}

fn vet(egress: Egress, address: IpAddr) -> Result<(), Refused> {
    egress.vet(address).map_err(|forbidden| Refused(Failure::Address(forbidden.reason)))
}

/// Plain connections.
#[derive(Clone)]
pub(crate) struct Tcp {
    egress: Egress,
    http: HttpConnector<Resolver>,
}

impl Service<Uri> for Tcp {
    type Response = Stream;
    type Error = Refused;
    type Future = Pending<Stream, Refused>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Refused>> {
        self.http.poll_ready(context).map_err(|error| Refused(unconnected(&error)))
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        // A literal address does not pass the resolver.
        let host = uri.host().unwrap_or_default().trim_matches(['[', ']']);
        let vetted = host.parse().map_or(Ok(()), |address| vet(self.egress, address));
        let connecting = vetted.map(|()| self.http.call(uri));
        Box::pin(async move {
            let connected = connecting?.await.map_err(|error| Refused(unconnected(&error)))?;
            Ok(Stream { inner: connected, used: Used::default() })
        })
    }
}

fn unconnected(error: &(dyn Error + 'static)) -> Failure {
    let timed_out = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::TimedOut)
    };
    match Refused::among(error) {
        Some(failure) => failure,
        None if causes(error).any(timed_out) => Failure::Timeout,
        None => Failure::Connect,
    }
}

/// Connections, with TLS for https, each under one deadline: the client may leave a connection to
/// finish in the background.
#[derive(Clone)]
pub(crate) struct Connector {
    https: HttpsConnector<Tcp>,
    limit: Duration,
}

impl Connector {
    pub(crate) fn new(egress: Egress, limits: Limits, tls: Arc<ClientConfig>) -> Self {
        let resolver = Resolver { egress, limit: limits.dns };
        let mut http = HttpConnector::new_with_resolver(resolver);
        http.enforce_http(false);
        http.set_nodelay(true);
        http.set_connect_timeout(Some(limits.connect));
        Self { https: HttpsConnector::from((Tcp { egress, http }, tls)), limit: limits.total }
    }
}

impl Service<Uri> for Connector {
    type Response = MaybeHttpsStream<Stream>;
    type Error = BoxError;
    type Future = Pending<Self::Response, BoxError>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        self.https.poll_ready(context)
    }

    fn call(&mut self, uri: Uri) -> Self::Future {
        let connecting = timeout(self.limit, self.https.call(uri));
        Box::pin(async move {
            connecting.await.unwrap_or_else(|_| Err(Refused(Failure::Timeout).into()))
        })
    }
}

/// Whether a connection has returned a reply before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Used(Arc<AtomicBool>);

impl Used {
    pub(crate) fn mark(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A connection that carries [`Used`] along.
pub(crate) struct Stream {
    inner: TokioIo<TcpStream>,
    used: Used,
}

impl Connection for Stream {
    fn connected(&self) -> Connected {
        self.inner.connected().extra(self.used.clone())
    }
}

impl Read for Stream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_read(context, buffer)
    }
}

impl Write for Stream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write_vectored(context, buffers)
    }
}

#[cfg(test)]
mod tests {
    use rustls::{RootCertStore, crypto::ring};

    use super::*;

    async fn resolve(egress: Egress, name: &str) -> Result<Vec<IpAddr>, Failure> {
        let mut resolver = Resolver { egress, limit: Duration::from_secs(3) };
        let found = resolver.call(name.parse().unwrap()).await;
        found.map(|found| found.map(|address| address.ip()).collect()).map_err(|refused| refused.0)
    }

    #[tokio::test]
    async fn a_name_of_a_private_address_is_refused() {
        let refused = resolve(Egress::default(), "localhost").await;
        assert_eq!(refused, Err(Failure::Address("loopback")));
        // Notations that the system parses as addresses.
        for name in ["127.1", "2130706433", "0x7f.1"] {
            let refused = resolve(Egress::default(), name).await;
            assert_eq!(refused, Err(Failure::Address("loopback")), "{name}");
        }
        let found = resolve(Egress::Local, "localhost").await.unwrap();
        assert!(!found.is_empty() && found.iter().all(IpAddr::is_loopback), "{found:?}");
    }

    #[tokio::test]
    async fn a_name_without_an_address_is_a_failure_of_dns() {
        assert_eq!(resolve(Egress::default(), "nobody.invalid").await, Err(Failure::Dns));
    }

    #[test]
    fn one_private_address_among_many_refuses_the_whole_name() {
        let address = |last| SocketAddr::from(([93, 184, 216, last], 0));
        let mut addresses: Vec<_> = (0..20).map(address).collect();
        let vetted = vet_all(Egress::default(), addresses.clone()).unwrap();
        assert_eq!(vetted, addresses[..MAX_ADDRESSES]);
        addresses.push(SocketAddr::from(([10, 0, 0, 1], 0)));
        let refused = vet_all(Egress::default(), addresses).unwrap_err();
        assert_eq!(refused.0, Failure::Address("private"));
        assert_eq!(vet_all(Egress::default(), vec![]).unwrap_err().0, Failure::Dns);
    }

    #[tokio::test]
    async fn an_encryption_that_never_begins_ends_without_anybody_waiting_for_it() {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_root_certificates(RootCertStore::empty())
            .with_no_client_auth();
        let limits = Limits { total: Duration::from_millis(50), ..Limits::default() };
        let mut connector = Connector::new(Egress::Local, limits, Arc::new(tls));
        let connecting = connector.call(format!("https://{address}/").parse().unwrap());
        let error = timeout(Duration::from_secs(10), connecting).await.unwrap().err().unwrap();
        assert_eq!(Refused::among(&*error), Some(Failure::Timeout));
    }
}
