//! The gateway: exactly the routes of the registry, each answered by its function.

use std::sync::Arc;

use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, Method, Response, Uri},
    routing::get,
    serve::ListenerExt,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;
use service::{Incoming, PageSpec, http_handler, invoke_http, page_handler, unknown};
use tokio::net::TcpListener;

use crate::{Stack, docs, event, outbox};

/// What Lambda takes at most, and so what the gateway reads.
const MAX_BODY_BYTES: usize = 6 * 1024 * 1024;

/// Serves the stack on `listener` until `stop` completes.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    stack: Stack,
    listener: TcpListener,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let here = listener.local_addr()?.ip().is_loopback();
    let router = Router::new()
        .route("/openapi.json", get(docs::openapi))
        .route("/docs", get(docs::root))
        .route("/docs/", get(docs::asset))
        .route("/docs/{*file}", get(docs::asset))
        // Mails are for the eyes of this machine's user only: no credentials guard them.
        .merge(if here { outbox::routes() } else { Router::new() })
        .method_not_allowed_fallback(handle)
        .fallback(handle)
        .with_state(stack);
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).with_graceful_shutdown(stop).await
}

async fn handle(State(stack): State<Stack>, request: Request) -> Response<Body> {
    let (parts, body) = request.into_parts();
    // One byte more than a function can be given makes it refuse the call by its own rule.
    let body = match to_bytes(body, MAX_BODY_BYTES).await {
        Ok(body) => body,
        Err(_) => Bytes::from(vec![b' '; MAX_BODY_BYTES]),
    };
    stack.answer(&parts.method, &parts.uri, &parts.headers, body).await
}

impl Stack {
    async fn answer(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: Bytes,
    ) -> Response<Body> {
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
        let event = event::of_request(&key, method, uri, headers, &body, (&request_id, now));
        let environment = |function: String| inner.environments.of(function);
        let handler = match (route, page) {
            (Some(route), _) => {
                let environment = environment(route.spec.binary());
                http_handler(environment, route.spec.name, route.handler)
            }
            (None, Some(page)) => page_handler(environment(page.binary()), page.clone()),
            (None, None) => Arc::new(|incoming: Incoming| -> service::Boxed<'static, _> {
                Box::pin(async move { unknown(&incoming) })
            }),
        };
        match invoke_http(handler, event).await {
            Ok(answer) => response(&answer),
            Err(error) => {
                tracing::error!(error, "An invocation failed.");
                let body = Body::from("{\"message\":\"Internal Server Error\"}");
                Response::builder().status(500).body(body).unwrap_or_default()
            }
        }
    }
}

/// What the gateway makes of a function's answer.
fn response(answer: &Value) -> Response<Body> {
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
    let text = answer["body"].as_str().unwrap_or_default();
    let body = match answer["isBase64Encoded"].as_bool() {
        Some(true) => STANDARD.decode(text).unwrap_or_default(),
        _ => text.as_bytes().to_vec(),
    };
    response.body(Body::from(body)).unwrap_or_default()
}
