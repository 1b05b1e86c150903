//! Connections of the gateway, and what bounds them.
//!
//! A connection waits for its client only for so long, and while all connections are taken, those
//! that have waited longest make room for new ones: whoever sends slowly or nothing takes no place
//! from others.

mod clients;
mod io;
mod limits;
mod reply;

use std::{convert::Infallible, net::IpAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::Request,
    http::{Response, StatusCode},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    io::AsyncWriteExt,
    net::{TcpListener, TcpStream},
    sync::watch,
    time::{sleep, timeout},
};
use tower::Service;

use super::lifted::is_lifted;

use self::{
    clients::{Clients, ConnectionSlot, Overdue},
    io::{Awaited, Watched},
    reply::Told,
};

pub(crate) use self::clients::Client;
pub use self::limits::ConnectionLimits;

/// Connections to the metrics, whose files are kept from the gateway.
pub(crate) const METRICS_CONNECTIONS: usize = 32;
/// Bytes of a request line with all headers, and their number.
const MAX_HEAD: usize = 32 * 1024;
const MAX_HEADERS: usize = 100;
/// Buffered bytes of a connection.
const MAX_BUFFER: usize = 64 * 1024;
/// After the system refused a connection, such as for too many open files.
const PAUSE: Duration = Duration::from_millis(100);
/// Between two log lines of that.
const SILENCE: Duration = Duration::from_secs(10);
/// For the reply to a request that was too slow.
const FAREWELL: Duration = Duration::from_secs(1);
const LATE: &[u8] =
    b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\n\
    content-length: 0\r\n\r\n";

/// The other side of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// Serves `router` until `stop` completes and all requests are answered.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    stop: impl Future<Output = ()>,
) {
    let connections = affordable(limits.connections);
    if connections < limits.connections {
        let wanted = limits.connections;
        tracing::warn!(wanted, connections, "The limit of open files bounds the connections.");
    }
    let clients = Arc::new(Clients::new(ConnectionLimits { connections, ..limits }));
    // Each connection has a receiver, so that the sender sees the end of the last one.
    let (stopping, stopped) = watch::channel(false);
    let accepting = async {
        let mut logged: Option<std::time::Instant> = None;
        loop {
            let (stream, peer) = match listener.accept().await {
                Ok(accepted) => accepted,
                Err(error) if is_of_the_client(&error) => continue,
                Err(error) => {
                    if !is_lifted("metrics") {
                        clients.make_room();
                    }
                    if logged.is_none_or(|at| at.elapsed() > SILENCE) {
                        tracing::error!(%error, "The gateway cannot accept connections.");
                        logged = Some(std::time::Instant::now());
                    }
                    sleep(PAUSE).await;
                    continue;
                }
            };
            let _ = stream.set_nodelay(true);
            match clients.admit(peer.ip()) {
                Some(place) => {
                    let served =
                        converse(stream, peer.ip(), place, router.clone(), stopped.clone());
                    tokio::spawn(served);
                }
                None => refuse(stream),
            }
        }
    };
    tokio::select! {
        () = accepting => {}
        () = stop => {}
    }
    drop((listener, stopped));
    stopping.send_replace(true);
    stopping.closed().await;
}

/// As many connections as the process may open files for, of so many that are wanted.
pub(crate) fn affordable(connections: usize) -> usize {
    affordable_by(connections, open_files())
}

/// How many connections leave a quarter of the files for databases, webhooks and mails, and some for
/// the metrics.
fn affordable_by(connections: usize, files: Option<usize>) -> usize {
    let files = files.filter(|_| !is_lifted("metrics"));
    let most = files.map(|files| (files / 4 * 3).saturating_sub(METRICS_CONNECTIONS));
    most.map_or(connections, |most| connections.min(most.max(METRICS_CONNECTIONS)))
}

/// How many files this process may open, as far as the system tells.
fn open_files() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Sends no more than what the socket takes at once.
fn refuse(stream: TcpStream) {
    if let Ok(mut stream) = stream.into_std() {
        let _ = std::io::Write::write(&mut stream, FULL);
    }
}

/// Serves a connection until its end, or until it becomes one of the live channel.
async fn converse(
    stream: TcpStream,
    peer: IpAddr,
    place: ConnectionSlot,
    router: Router,
    mut stopped: watch::Receiver<bool>,
) {
    let client = place.client();
    let noting = Arc::clone(&client);
    let service =
        service_fn(move |request| answer(request, peer, router.clone(), Arc::clone(&noting)));
    let mut server = http1::Builder::new();
    server.max_headers(MAX_HEADERS).max_header_size(MAX_HEAD).max_buf_size(MAX_BUFFER);
    let io = TokioIo::new(Watched::new(stream, place));
    let mut connection = server.serve_connection(io, service).with_upgrades();
    let mut is_stopping = false;
    let overdue = loop {
        tokio::select! {
            _ = &mut connection => return,
            overdue = client.overdue() => break overdue,
            _ = stopped.wait_for(|stopped| *stopped), if !is_stopping => {
                is_stopping = true;
                std::pin::Pin::new(&mut connection).graceful_shutdown();
            }
        }
    };
    // Nothing of a reply is under way, because the request has not begun.
    if overdue == Overdue::Head
        && let Some(parts) = connection.into_parts()
    {
        let mut stream = parts.io.into_inner();
        let _ = timeout(FAREWELL, async {
            stream.write_all(LATE).await?;
            stream.shutdown().await
        })
        .await;
    }
}

async fn answer(
    request: hyper::Request<Incoming>,
    peer: IpAddr,
    mut router: Router,
    client: Arc<Client>,
) -> Result<Response<Body>, Infallible> {
    let awaited = |body| Body::new(Awaited::new(body, Arc::clone(&client)));
    let mut request: Request = request.map(awaited);
    request.extensions_mut().insert(Peer(peer));
    request.extensions_mut().insert(Arc::clone(&client));
    let response = router.call(request).await;
    response.map(|response| {
        if response.status() == StatusCode::SWITCHING_PROTOCOLS {
            client.switches();
            return response;
        }
        response.map(|body| Body::new(Told::new(body, client)))
    })
}

/// Whether accepting failed because of the one client.
fn is_of_the_client(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    [ConnectionAborted, ConnectionRefused, ConnectionReset].contains(&error.kind())
}

#[cfg(test)]
mod tests {
    use super::{METRICS_CONNECTIONS, affordable_by, open_files};

    #[test]
    fn files_are_left_for_other_things_than_connections() {
        assert_eq!(affordable_by(10_000, Some(1024)), 768 - METRICS_CONNECTIONS);
        assert_eq!(affordable_by(10_000, Some(20_000)), 10_000);
        assert_eq!(affordable_by(10_000, None), 10_000);
        if cfg!(target_os = "linux") {
            assert!(open_files().is_some_and(|files| files > 16));
        }
    }
}
