//! The gateway: the routes of the registry, each served by its function.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode, Uri, header},
    middleware::{Next, from_fn_with_state},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use service::{Effect, Incoming, PageSpec, cors, http_handler, invoke_http, page_handler, unknown};
use tokio::net::TcpListener;

use crate::{
    Stack, console, demo, docs,
    event::{self, Arrival},
    health,
    listener::{self, Large, Peer},
    live, metrics,
    origin::{HERE, Origin},
    outbox,
    public_url::require_host,
};

/// Interval of the check for expired connections.
const EXPIRY: Duration = Duration::from_secs(1);

/// Serves the stack on `listener` until `stop` completes and its connections have ended.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    stack: Stack,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let here = stack.inner.is_laptop && listener.local_addr()?.ip().is_loopback();
    let router = Router::new()
        .merge(docs::routes(&stack))
        .merge(live::routes())
        .merge(health::routes())
        // For the user of this machine only: no credentials protect them.
        .merge(if here { outbox::routes() } else { Router::new() })
        .merge(if here { console::routes(&stack) } else { Router::new() })
        .merge(if here { demo::routes() } else { Router::new() })
        .method_not_allowed_fallback(handle)
        .fallback(handle)
        .with_state(stack.clone());
    let router = match stack.inner.host.clone() {
        Some(host) => router.layer(from_fn_with_state(host, require_host)),
        None => router,
    };
    let router = router.layer(from_fn_with_state(stack.clone(), metrics::measure));
    let router = router.layer(from_fn_with_state(stack.clone(), find_origin));
    let connections = stack.emulator().connections().clone();
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
        let limits = stack.inner.bounds.options.connections;
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

/// Notes where a request comes from.
async fn find_origin(
    State(stack): State<Stack>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let peer = request.extensions().get().map_or(HERE, |Peer(peer)| *peer);
    let client = stack.inner.bounds.options.proxies.client(peer, request.headers_mut());
    request.extensions_mut().insert(Origin(client));
    next.run(request).await
}

pub(crate) async fn handle(State(stack): State<Stack>, request: Request) -> Response<Body> {
    let is_from_page = request.headers().contains_key(header::ORIGIN);
    let mut response = match is_preflight(&request) {
        true => preflight(),
        false => serve_operation(stack, request).await,
    };
    if is_from_page {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.extend(list(header::ACCESS_CONTROL_EXPOSE_HEADERS, &cors::EXPOSED_HEADERS));
    }
    response
}

fn is_preflight(request: &Request) -> bool {
    let headers = request.headers();
    request.method() == Method::OPTIONS
        && headers.contains_key(header::ORIGIN)
        && headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD)
}

/// The CORS reply of API Gateway, as in `CorsConfiguration` of the template.
fn preflight() -> Response<Body> {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("POST"));
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from(cors::MAX_AGE));
    headers.extend(list(header::ACCESS_CONTROL_ALLOW_HEADERS, &cors::ALLOWED_HEADERS));
    response
}

fn list(name: HeaderName, values: &[&str]) -> Option<(HeaderName, HeaderValue)> {
    HeaderValue::try_from(values.join(",")).ok().map(|value| (name, value))
}

async fn serve_operation(stack: Stack, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let origin = Origin::of(&parts.extensions);
    let inner = &stack.inner;
    let route = inner.routes.get(parts.uri.path()).filter(|_| parts.method == Method::POST);
    let payer = inner.payers.of_call(route.map(|route| &route.spec), &parts.headers, origin);
    let client = parts.extensions.get::<Arc<listener::Client>>();
    if let Some(client) = client {
        client.is_judged(payer.is_proven());
    }
    // A client that sends a body slowly keeps neither its account nor others waiting.
    let body = match inner.bounds.receive(&payer, body).await {
        Ok(body) => body,
        Err(refused) => return refused,
    };
    let turn = inner.account_limits.acquire(&payer);
    let _turn = match client.filter(|_| !payer.is_proven()) {
        Some(client) => {
            client.queues();
            match inner.bounds.soon(turn).await {
                Ok(turn) => turn,
                Err(refused) => return refused,
            }
        }
        None => turn.await,
    };
    if let Some(client) = client {
        client.calls();
    }
    let place = match inner.bounds.place(&payer).await {
        Ok(place) => place,
        Err(refused) => return refused,
    };
    let reads = route.is_none_or(|route| route.spec.effect == Effect::Reads);
    let (uri, headers) = (&parts.uri, &parts.headers);
    let answer = stack.answer(&parts.method, uri, headers, &body.bytes, origin).await;
    drop((place, body));
    let length = answer.body().len();
    if !Large::is(length) {
        return answer.map(Body::from);
    }
    match inner.bounds.reply(&payer, length).await {
        Ok(memory) => answer.map(|bytes| Large::body(bytes, Some(memory))),
        // The reply to a write is sent anyway.
        Err(_) if !reads => answer.map(|bytes| Large::body(bytes, None)),
        Err(refused) => refused,
    }
}

impl Stack {
    /// Makes a call of an operation like a client.
    pub(crate) async fn call(
        &self,
        path: &str,
        headers: HeaderMap,
        data: &Value,
    ) -> Response<Body> {
        let Ok(uri) = Uri::try_from(path) else { return Response::default() };
        let body = Bytes::from(json!({ "data": data }).to_string());
        self.answer(&Method::POST, &uri, &headers, &body, HERE).await.map(Body::from)
    }

    async fn answer(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: &Bytes,
        from: IpAddr,
    ) -> Response<Bytes> {
        let inner = &self.inner;
        let request_id = keyring::random_text::<12>().unwrap_or_default();
        let now = inner.clock.now();
        let route = inner.routes.get(uri.path()).filter(|_| method == Method::POST);
        let visited =
            |page: &&PageSpec| page.has(uri.path()) && PageSpec::METHODS.contains(&method.as_str());
        let page = inner.pages.iter().find(visited);
        let key = match (route, page) {
            (Some(_), _) => format!("POST {}", uri.path()),
            (None, Some(page)) => format!("{method} {}", page.path),
            (None, None) => "$default".to_owned(),
        };
        let arrival = Arrival { id: &request_id, at: now, from };
        let event = event::of_request(&key, method, uri, headers, body, arrival);
        let environment = |function: String| inner.environments.of_function(function);
        let handler = match (route, page) {
            (Some(route), _) => {
                let environment = environment(route.spec.binary());
                http_handler(environment, route.spec.name, route.handler)
            }
            (None, Some(page)) => page_handler(environment(page.binary()), page.clone()),
            (None, None) => {
                let stack = self.clone();
                Arc::new(move |incoming: Incoming| -> service::Boxed<'static, _> {
                    let stack = stack.clone();
                    Box::pin(async move {
                        // The newest come first.
                        let paths = stack.inner.routes.keys().rev().copied();
                        unknown(&incoming, &paths.collect::<Vec<_>>())
                    })
                })
            }
        };
        let invoked = invoke_http(handler, event).await;
        // No reply says what a power failure could take back.
        let invoked = match inner.emulator.synced().await {
            Ok(()) => invoked,
            Err(error) => Err(error.to_string()),
        };
        match invoked {
            Ok(answer) => {
                if let Some(route) = route.filter(|_| inner.is_laptop) {
                    let key = headers.get("x-service-api-key").and_then(|key| key.to_str().ok());
                    inner.console.calls.note(json!({
                        "at": now,
                        "requestId": request_id,
                        "operation": route.spec.name,
                        "path": uri.path(),
                        "apiKey": key,
                        "status": answer["statusCode"],
                        "ms": inner.clock.now().saturating_sub(now),
                        "request": console::kept(body),
                        "reply": console::kept(&body_of(&answer)),
                        "units": answer["headers"]["x-consumed-units"],
                    }));
                }
                let mut response = response(&answer);
                if route.is_some() && !response.status().is_success() {
                    response.headers_mut().extend(help(uri.path()));
                }
                response
            }
            Err(error) => {
                tracing::error!(error, "An invocation failed.");
                let body = Bytes::from_static(b"{\"message\":\"Internal Server Error\"}");
                Response::builder().status(500).body(body).unwrap_or_default()
            }
        }
    }
}

/// A link to the operation in the reference (RFC 8288), for error replies.
fn help(path: &str) -> Option<(HeaderName, HeaderValue)> {
    let link = format!("</docs/#{path}>; rel=\"help\"");
    HeaderValue::try_from(link).ok().map(|link| (header::LINK, link))
}

/// The gateway's reply for a function's reply.
fn response(answer: &Value) -> Response<Bytes> {
    let status = answer["statusCode"].as_u64().and_then(|code| u16::try_from(code).ok());
    let mut response = Response::builder().status(status.unwrap_or(500));
    let single = answer["headers"].as_object().into_iter().flatten();
    for (name, value) in single {
        response = response.header(name, value.as_str().unwrap_or_default());
    }
    for (name, values) in answer["multiValueHeaders"].as_object().into_iter().flatten() {
        if answer["headers"].get(name).is_none() {
            for value in values.as_array().into_iter().flatten() {
                response = response.header(name, value.as_str().unwrap_or_default());
            }
        }
    }
    response.body(body_of(answer).into()).unwrap_or_default()
}

/// The body of a reply of a function.
fn body_of(answer: &Value) -> Vec<u8> {
    let text = answer["body"].as_str().unwrap_or_default();
    match answer["isBase64Encoded"].as_bool() {
        Some(true) => STANDARD.decode(text).unwrap_or_default(),
        _ => text.as_bytes().to_vec(),
    }
}
