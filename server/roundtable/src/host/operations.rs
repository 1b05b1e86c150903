//! Calls of operations and visits of pages, each served by its function like an event of API
//! Gateway.

use std::{net::IpAddr, sync::Arc};

use axum::{
    body::{Body, Bytes},
    http::{HeaderMap, HeaderName, HeaderValue, Method, Response, Uri, header},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use service::{Incoming, http_handler, invoke_http, page_handler, unknown};

use super::{
    event::{self, Arrival},
    open::Host,
};
use crate::net::HERE;

/// A call of an operation that has been answered.
pub(crate) struct ServedCall<'a> {
    pub(crate) request_id: &'a str,
    /// The time of its arrival, in epoch milliseconds.
    pub(crate) at: u64,
    pub(crate) milliseconds: u64,
    /// The name of the operation.
    pub(crate) operation: &'static str,
    pub(crate) path: &'a str,
    pub(crate) api_key: Option<&'a str>,
    pub(crate) request: &'a [u8],
    pub(crate) reply: &'a [u8],
    /// The status of the reply, and the units that the call consumed, as its function tells them.
    pub(crate) status: &'a Value,
    pub(crate) units: &'a Value,
}

/// Takes note of calls of operations. Callers wait until it has.
pub(crate) trait CallObserver: Send + Sync {
    fn served(&self, call: ServedCall<'_>);
}

/// The operations and pages of a deployment.
#[derive(Clone)]
pub(crate) struct Operations {
    host: Host,
    observer: Option<Arc<dyn CallObserver>>,
}

impl Operations {
    pub(crate) fn new(host: Host, observer: Option<Arc<dyn CallObserver>>) -> Self {
        Self { host, observer }
    }

    /// The same operations, whose calls nobody takes note of.
    pub(crate) fn unobserved(&self) -> Self {
        Self { host: self.host.clone(), observer: None }
    }

    /// Makes a call of an operation like a client on this machine.
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

    /// Answers a request of a client.
    pub(crate) async fn answer(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: &Bytes,
        from: IpAddr,
    ) -> Response<Bytes> {
        let Host { embedded, environments, functions, clock, .. } = &self.host;
        let request_id = keyring::random_text::<12>().unwrap_or_default();
        let now = clock.now();
        let route = functions.operation(method, uri.path());
        let page = functions.page(method, uri.path());
        let key = match (route, page) {
            (Some(_), _) => format!("POST {}", uri.path()),
            (None, Some(page)) => format!("{method} {}", page.path),
            (None, None) => "$default".to_owned(),
        };
        let arrival = Arrival { id: &request_id, at: now, from };
        let event = event::of_request(&key, method, uri, headers, body, arrival);
        let handler = match (route, page) {
            (Some(route), _) => {
                let environment = environments.of_function(route.spec.binary());
                http_handler(environment, route.spec.name, route.handler)
            }
            (None, Some(page)) => {
                page_handler(environments.of_function(page.binary()), page.clone())
            }
            (None, None) => {
                let functions = Arc::clone(functions);
                Arc::new(move |incoming: Incoming| -> service::Boxed<'static, _> {
                    let functions = Arc::clone(&functions);
                    Box::pin(async move { unknown(&incoming, &functions.paths()) })
                })
            }
        };
        let invoked = invoke_http(handler, event).await;
        // No reply says what a power failure could take back.
        let invoked = match embedded.synced().await {
            Ok(()) => invoked,
            Err(error) => Err(error.to_string()),
        };
        match invoked {
            Ok(mut answer) => {
                let reply = body_of(&mut answer);
                if let Some((route, observer)) = route.zip(self.observer.as_ref()) {
                    let api_key = headers.get("x-service-api-key");
                    observer.served(ServedCall {
                        request_id: &request_id,
                        at: now,
                        milliseconds: clock.now().saturating_sub(now),
                        operation: route.spec.name,
                        path: uri.path(),
                        api_key: api_key.and_then(|key| key.to_str().ok()),
                        request: body,
                        reply: &reply,
                        status: &answer["statusCode"],
                        units: &answer["headers"]["x-consumed-units"],
                    });
                }
                let mut response = response(&answer, reply);
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
fn response(answer: &Value, body: Bytes) -> Response<Bytes> {
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
    response.body(body).unwrap_or_default()
}

/// Takes the body of a reply of a function.
fn body_of(answer: &mut Value) -> Bytes {
    let Value::String(text) = answer["body"].take() else { return Bytes::new() };
    match answer["isBase64Encoded"].as_bool() {
        Some(true) => STANDARD.decode(text).unwrap_or_default().into(),
        _ => text.into(),
    }
}
