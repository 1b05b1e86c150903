//! One HTTP endpoint for all services, told apart by the target header; SES by its path.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, Response, Uri};
use axum::serve::ListenerExt as _;
use serde_json::Value;
use tokio::net::TcpListener;

use crate::calls::{Call, Service, items, target};
use crate::faults::{self, Effect};
use crate::wire::{Outcome, Refusal};
use crate::{Inner, ses, sqs};

/// The largest request DynamoDB accepts; those of SQS are smaller.
const BODY_LIMIT: usize = 16 * 1024 * 1024;

pub(crate) async fn serve(inner: Arc<Inner>, listener: TcpListener) -> std::io::Result<()> {
    let router =
        Router::new().fallback(handle).layer(DefaultBodyLimit::max(BODY_LIMIT)).with_state(inner);
    // Small replies would otherwise wait for the client's acknowledgment of the previous one.
    let listener = listener.tap_io(|stream| {
        let _ = stream.set_nodelay(true);
    });
    axum::serve(listener, router).await
}

async fn handle(
    State(inner): State<Arc<Inner>>,
    (method, uri): (Method, Uri),
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let Some((service, operation)) = addressed(&method, &uri, &headers) else {
        return response(Err(Refusal::unknown_operation()));
    };
    let Ok(request) = serde_json::from_slice::<Value>(&body) else {
        return response(Err(Refusal::serialization()));
    };
    let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or("localhost");
    let effect = inner.faults.take(&operation);
    let refusal = effect.as_ref().and_then(|effect| faults::refusal(effect, service, &request));
    if let Some(Effect::Stall(duration)) = effect {
        tokio::time::sleep(duration).await;
    }
    let mut outcome = match refusal {
        Some(refusal) => Outcome::free(Err(refusal)),
        None => {
            let half = effect == Some(Effect::Unprocessed);
            run(&inner, service, &operation, request.clone(), host, half).await
        }
    };
    let items = items(&operation, &request, outcome.result.as_ref().ok());
    if effect == Some(Effect::LoseReply) {
        outcome.result = Err(faults::internal(service));
    }
    let error = outcome.result.as_ref().err().map(|refusal| refusal.code.clone());
    tracing::debug!(?service, operation, units = outcome.units, items, error, "call");
    let target = target(&request);
    inner.calls.record(Call { service, operation, target, units: outcome.units, items, error });
    response(outcome.result)
}

fn addressed(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<(Service, String)> {
    if method == Method::POST && uri.path() == ses::PATH {
        return Some((Service::Ses, "SendEmail".to_owned()));
    }
    let (prefix, operation) = headers.get("x-amz-target")?.to_str().ok()?.split_once('.')?;
    let service = match prefix {
        "DynamoDB_20120810" => Service::DynamoDb,
        "DynamoDBStreams_20120810" => Service::DynamoDbStreams,
        "AmazonSQS" => Service::Sqs,
        _ => return None,
    };
    Some((service, operation.to_owned()))
}

async fn run(
    inner: &Arc<Inner>,
    service: Service,
    operation: &str,
    request: Value,
    host: &str,
    half: bool,
) -> Outcome {
    if service == Service::Sqs {
        let result = inner.sqs.call(operation, request, host, half).await;
        return Outcome::free(result.map_err(sqs::SqsError::into_refusal));
    }
    if service == Service::Ses {
        return Outcome::free(inner.ses.send(&request).await);
    }
    let inner = inner.clone();
    let operation = operation.to_owned();
    let (writes, store) = (is_write(&operation), Arc::clone(&inner));
    let work = move || store.store.call(&operation, request, half);
    let outcome = tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Outcome::free(Err(Refusal::internal(&error.to_string()))));
    if writes && outcome.result.is_ok() {
        inner.written.notify_one();
    }
    outcome
}

fn is_write(operation: &str) -> bool {
    ["Put", "Update", "Delete", "BatchWrite", "TransactWrite"]
        .iter()
        .any(|verb| operation.starts_with(verb))
}

fn response(result: Result<Value, Refusal>) -> Response<Body> {
    let (status, body, query_error) = match result {
        Ok(body) => (200, body.to_string(), None),
        Err(refusal) => (refusal.status, refusal.body, refusal.query_error),
    };
    let mut builder =
        Response::builder().status(status).header("content-type", "application/x-amz-json-1.0");
    if let Some(code) = query_error {
        builder = builder.header("x-amzn-query-error", code);
    }
    // Every part is this crate's own, so that the builder has nothing to object to.
    builder.body(Body::from(body)).unwrap_or_default()
}
