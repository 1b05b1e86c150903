//! One entrance for all services, distinguished by the target header; SES and `@connections` by
//! their paths.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{HeaderMap, Method, Response, Uri};
use axum::serve::ListenerExt as _;
use serde_json::{Value, json};
use subtle::ConstantTimeEq;
use tokio::net::TcpListener;

use super::parts::Parts;
use super::share::FairSemaphore;
use crate::base::{Outcome, Refusal, Reply};
use crate::roles::caller;
use crate::testing::{self, Call, Effect, Items, Service, target};
use crate::{connections, mail, sqs};

/// The largest request DynamoDB accepts; those of SQS are smaller.
const BODY_LIMIT: usize = 16 * 1024 * 1024;

/// A way into the services: within the process by [`Door::answer`], or over a port.
#[derive(Clone)]
pub struct Door {
    services: Arc<Parts>,
    /// Permits for DynamoDB: one per call.
    share: Option<FairSemaphore>,
}

impl Door {
    pub(super) fn new(services: Arc<Parts>, at_once: Option<usize>) -> Self {
        Self { services, share: at_once.map(FairSemaphore::new) }
    }

    /// Serves requests on `listener` until it fails. With a `session_token`, requests have to carry
    /// it: whoever reaches the port would have all rights otherwise.
    ///
    /// Any Tokio runtime will do.
    pub async fn serve(
        &self,
        listener: TcpListener,
        session_token: Option<String>,
    ) -> std::io::Result<()> {
        let port = Port { door: self.clone(), session_token: session_token.map(Into::into) };
        let router = Router::new()
            .fallback(from_network)
            .layer(DefaultBodyLimit::max(BODY_LIMIT))
            .with_state(port);
        // Small replies would otherwise wait for the client's acknowledgment of the previous one.
        let listener = listener.tap_io(|stream| {
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, router).await
    }

    /// A number that grows with each write to items of a table whose keys begin with these, by one
    /// and before the write is answered; seldom by more. A beginning is empty or ends with `#`.
    #[must_use]
    pub fn version(&self, table: &str, partition: &str, sort: &str) -> u64 {
        self.services.dynamodb.version(table, partition, sort)
    }

    /// Answers one request.
    pub async fn answer(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Response<Vec<u8>> {
        let services = &self.services;
        let mut request = match read(method, uri, headers, body) {
            Ok(request) => request,
            Err(refusal) => return response(Err(refusal)),
        };
        let (service, operation) = (request.service, request.operation.clone());
        let port = services.ports.get();
        if let Some(port) = &port {
            port.ask(caller(headers), &operation, &mut request.body);
        }
        let (target, items) = (target(&request.body), Items::in_call(&operation, &request.body));
        let allowed = services.access.check(caller(headers), service, &operation, &request.body);
        // A refused call does not reach injected faults.
        let effect = allowed.is_ok().then(|| services.faults.take(&operation)).flatten();
        let refusal =
            effect.as_ref().and_then(|effect| testing::refusal(effect, service, &request.body));
        match &effect {
            Some(Effect::Stall(duration)) => tokio::time::sleep(*duration).await,
            Some(Effect::Hold(hold)) => hold.pass().await,
            _ => {}
        }
        if let Some(Effect::Refuse(text)) = &effect {
            testing::spoil(&mut request.body, text);
        }
        let mut outcome = match allowed.err().or(refusal) {
            Some(refusal) => Outcome::free(Err(refusal)),
            None => {
                let half = effect == Some(Effect::Unprocessed);
                let group = || format!("{} {}", caller(headers), tenant(body));
                self.run(request, &target, host(headers, uri), half, group).await
            }
        };
        if let (Some(port), Ok(reply)) = (&port, &mut outcome.result) {
            port.answer(caller(headers), &operation, reply.as_json());
        }
        let items = items.count(outcome.result.as_ref().ok().and_then(Reply::json));
        if effect == Some(Effect::LoseReply) {
            outcome.result = Err(testing::internal(service));
        }
        let error = outcome.result.as_ref().err().map(|refusal| refusal.code.clone());
        tracing::debug!(?service, operation, units = outcome.units, items, error, "call");
        services.calls.record(Call {
            service,
            operation,
            target,
            units: outcome.units,
            items,
            error,
        });
        response(outcome.result)
    }

    /// Posts texts to clients, as so many calls of `@connections`; the status of each. None while a
    /// call may be changed or fail on its way, for tests: then each is to be made by itself.
    pub async fn post_all(&self, caller: &str, posts: &[(String, Arc<str>)]) -> Option<Vec<u16>> {
        let (services, operation) = (&self.services, "PostToConnection");
        if services.ports.get().is_some() || !services.faults.are_none() {
            return None;
        }
        let first = posts.first().map_or("", |(id, _)| id);
        let request = json!({ "ConnectionId": first });
        let allowed = services.access.check(caller, Service::ExecuteApi, operation, &request);
        let refused = match (allowed, services.synced().await) {
            (Err(refusal), _) => Some(refusal),
            (Ok(()), Err(error)) => Some(Refusal::internal(&error)),
            (Ok(()), Ok(())) => None,
        };
        let posted: Vec<(u16, Option<String>)> = match refused {
            Some(refused) => vec![(refused.status, Some(refused.code)); posts.len()],
            None => {
                let posted = services.connections.post_all(posts).into_iter();
                let posted = posted.map(|posted| match posted {
                    Ok(()) => (200, None),
                    Err(refused) => (refused.status, Some(refused.code)),
                });
                posted.collect()
            }
        };
        tracing::debug!(operation, posts = posts.len(), "calls");
        let calls = posts.iter().zip(&posted).map(|((id, text), (_, error))| Call {
            service: Service::ExecuteApi,
            operation: operation.to_owned(),
            target: id.clone(),
            units: 0.0,
            items: connections::metered(text),
            error: error.clone(),
        });
        services.calls.record_all(calls);
        Some(posted.into_iter().map(|(status, _)| status).collect())
    }

    /// Executes a request for `target`; with `half`, only the first half of a batch. Requests of one
    /// `group` share their part of DynamoDB.
    async fn run(
        &self,
        request: Request,
        target: &str,
        host: &str,
        half: bool,
        group: impl FnOnce() -> String,
    ) -> Outcome {
        let services = &self.services;
        let Request { service, operation, body } = request;
        if service == Service::Sqs {
            let result = services.sqs.call(&operation, body, host, half).await;
            return Outcome::free(result.map_err(sqs::SqsError::into_refusal));
        }
        // Nobody learns of what a power failure could take back.
        if [Service::ExecuteApi, Service::Ses].contains(&service)
            && let Err(error) = services.synced().await
        {
            return Outcome::free(Err(Refusal::internal(&error)));
        }
        if service == Service::ExecuteApi {
            return Outcome::free(services.connections.call(&operation, &body));
        }
        if service == Service::Ses {
            return Outcome::free(services.ses.send(&body).await);
        }
        let _permit = match &self.share {
            Some(share) => share.take(group()).await,
            None => None,
        };
        services.dynamodb.call(operation, body, target, half).await
    }
}

/// A door that others reach.
#[derive(Clone)]
struct Port {
    door: Door,
    session_token: Option<Arc<str>>,
}

async fn from_network(
    State(port): State<Port>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let refused = |refusal| response(Err(refusal)).map(Body::from);
    if !is_this_machine(host(&headers, &uri)) {
        return refused(Refusal::foreign_host());
    }
    let sent = headers.get("x-amz-security-token").map_or(&[][..], |token| token.as_bytes());
    if port.session_token.is_some_and(|token| bool::from(token.as_bytes().ct_ne(sent))) {
        return refused(Refusal::unknown_token());
    }
    let answer = port.door.answer(&method, &uri, &headers, &body).await;
    match port.door.services.synced().await {
        Ok(()) => answer.map(Body::from),
        Err(error) => refused(Refusal::internal(&error)),
    }
}

/// The host of a request; SDKs leave the header to the connection.
fn host<'a>(headers: &'a HeaderMap, uri: &'a Uri) -> &'a str {
    let named = headers.get("host").and_then(|host| host.to_str().ok());
    named.or_else(|| Some(uri.authority()?.as_str())).unwrap_or_default()
}

/// Whether a request names this machine, by the second name for containers: a page in a browser
/// with DNS rebinding sends its own name.
fn is_this_machine(host: &str) -> bool {
    let name = match host.parse::<std::net::SocketAddr>() {
        Ok(address) => return address.ip().is_loopback(),
        Err(_) => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    ["localhost", "host.docker.internal"].contains(&name)
        || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// A request to a service.
struct Request {
    service: Service,
    operation: String,
    body: Value,
}

fn read(method: &Method, uri: &Uri, headers: &HeaderMap, body: &[u8]) -> Result<Request, Refusal> {
    if let Some((operation, id)) = connections::addressed(method, uri) {
        let (operation, body) = (operation.to_owned(), connections::request(&id, body)?);
        return Ok(Request { service: Service::ExecuteApi, operation, body });
    }
    let addressed = addressed(method, uri, headers);
    let (service, operation) = addressed.ok_or_else(Refusal::unknown_operation)?;
    let body = serde_json::from_slice(body).map_err(|_| Refusal::serialization())?;
    Ok(Request { service, operation, body })
}

fn addressed(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<(Service, String)> {
    if method == Method::POST && uri.path() == mail::PATH {
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

/// The tenant of a request to DynamoDB, by its first key of one.
fn tenant(body: &[u8]) -> &str {
    const KEY: &[u8] = b"\"key#";
    let Some(at) = body.windows(KEY.len()).position(|part| part == KEY) else { return "" };
    let rest = &body[at + KEY.len()..];
    let end = rest.iter().position(|byte| matches!(byte, b'#' | b'"')).unwrap_or(rest.len());
    std::str::from_utf8(&rest[..end]).unwrap_or_default()
}

fn response(result: Result<Reply, Refusal>) -> Response<Vec<u8>> {
    let (status, body, query_error) = match result {
        Ok(Reply::Json(body)) => (200, body.to_string(), None),
        Ok(Reply::Text(body)) => (200, body, None),
        Err(refusal) => (refusal.status, refusal.body, refusal.query_error),
    };
    let mut builder =
        Response::builder().status(status).header("content-type", "application/x-amz-json-1.0");
    if let Some(code) = query_error {
        builder = builder.header("x-amzn-query-error", code);
    }
    // All parts are this crate's own, so the builder cannot fail.
    builder.body(body.into_bytes()).unwrap_or_default()
}
