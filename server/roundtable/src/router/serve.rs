//! The listeners of a deployment: that of the gateway with all its routes, and that of scrapes.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::Response,
    middleware::{Next, from_fn_with_state},
    routing::get,
};
use tokio::net::TcpListener;

use super::{
    gateway::{Gateway, handle},
    stack::Stack,
};
use crate::{
    live,
    net::{
        Bounds, HERE, Origin,
        listener::{self, Peer},
        require_host,
    },
    watch,
};

/// Interval of the check for expired connections.
const EXPIRY: Duration = Duration::from_secs(1);

/// Serves a deployment on `listener` until `stop` completes and its connections have ended.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    stack: Stack,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    // For the user of this machine only: no credentials protect them.
    let is_here = listener.local_addr()?.ip().is_loopback();
    let laptop = stack.laptop.clone().filter(|_| is_here);
    let rooms: Router<Gateway> = Router::new()
        .merge(stack.documentation.routes())
        .merge(live::routes(stack.live.clone()))
        .merge(stack.health.clone().routes())
        .merge(laptop.map_or_else(Router::new, |laptop| laptop.routes()))
        .with_state(());
    let router = rooms
        .method_not_allowed_fallback(handle)
        .fallback(handle)
        .with_state(stack.gateway.clone());
    let router = match stack.own_host.clone() {
        Some(host) => router.layer(from_fn_with_state(host, require_host)),
        None => router,
    };
    let router = router.layer(from_fn_with_state(stack.measured.clone(), watch::measure));
    let router = router.layer(from_fn_with_state(stack.bounds.clone(), find_origin));
    let connections = stack.embedded().connections().clone();
    let expiry = async {
        let mut interval = tokio::time::interval(EXPIRY);
        loop {
            interval.tick().await;
            connections.close_expired();
        }
    };
    let at_the_end = connections.clone();
    let stop = async move {
        stop.await;
        at_the_end.close_all();
    };
    let served = async {
        let limits = stack.bounds.options.connections;
        listener::serve(listener, router, limits, stop).await;
        // Calls in progress at that time.
        connections.close_all();
        connections.ended().await;
        Ok(())
    };
    tokio::select! {
        served = served => served,
        () = expiry => Ok(()),
    }
}

/// Serves the figures of a deployment at `/metrics`, and `/health` and `/ready` as the gateway does,
/// for ever. With a `token`, readers of figures have to send it as `Authorization: Bearer`; without
/// one, only names of this machine are answered.
pub async fn serve_metrics(stack: Stack, listener: TcpListener, token: Option<String>) {
    let health = Router::new().route("/health", get(handle)).with_state(stack.gateway);
    let probes = health.merge(stack.health.routes());
    watch::serve(stack.scraped, probes, listener, token).await;
}

/// Notes where a request comes from.
async fn find_origin(
    State(bounds): State<Arc<Bounds>>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let peer = request.extensions().get().map_or(HERE, |Peer(peer)| *peer);
    let client = bounds.options.proxies.client(peer, request.headers_mut());
    request.extensions_mut().insert(Origin(client));
    next.run(request).await
}
