use std::{convert::Infallible, sync::Arc};

use lambda_http::{
    Adapter, Body, Request, RequestExt, Service,
    http::{HeaderMap, Response},
    request::{LambdaRequest, RequestContext},
};
use lambda_runtime::{Context, LambdaEvent, service_fn};
use serde_json::Value;
use tracing::Level;
pub use tracing_subscriber::fmt::writer::BoxMakeWriter;

use crate::Boxed;

/// Exit status of a function.
pub type Exit = Result<(), lambda_runtime::Error>;

/// An HTTP call from the gateway.
#[derive(Debug)]
pub struct Incoming {
    /// Method, in capitals.
    pub method: String,
    /// Path, without stage and query.
    pub path: String,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Vec<u8>,
    /// The gateway's id of the call.
    pub request_id: String,
}

/// A handler of HTTP calls.
pub type HttpHandler = Arc<dyn Fn(Incoming) -> Boxed<'static, Response<Body>> + Send + Sync>;

/// The event of a queue, a stream or a timer.
pub type Event = Value;

/// A handler of events, which replies as Lambda expects for the source.
pub type EventHandler = Arc<dyn Fn(Event) -> Boxed<'static, Value> + Send + Sync>;

/// Writes log lines as JSON to standard error, one per line, from the severity `level` on, by
/// default INFO.
///
/// # Errors
/// A sentence, when `level` is none of DEBUG, INFO, WARN and ERROR. At TRACE, libraries would log
/// request bodies: credentials, and data of tenants.
pub fn init_logging(level: Option<&str>) -> Result<(), String> {
    log_to(BoxMakeWriter::new(std::io::stderr), level)
}

/// Writes log lines as JSON to a writer of a test; the level is as in [`init_logging`].
///
/// # Errors
/// As [`init_logging`].
pub fn log_to(writer: BoxMakeWriter, level: Option<&str>) -> Result<(), String> {
    let level = match level {
        Some("DEBUG") => Level::DEBUG,
        None | Some("INFO") => Level::INFO,
        Some("WARN") => Level::WARN,
        Some("ERROR") => Level::ERROR,
        Some(_) => return Err("LOG_LEVEL must be DEBUG, INFO, WARN or ERROR".to_owned()),
    };
    let lines = tracing_subscriber::fmt().json().flatten_event(true).with_current_span(false);
    let lines = lines.with_span_list(false).with_target(false).with_max_level(level);
    let _ = lines.with_writer(writer).try_init();
    Ok(())
}

/// Serves HTTP calls of the API gateway; `start` runs during init.
#[tokio::main(flavor = "current_thread")]
pub async fn http(start: Boxed<'static, Result<HttpHandler, String>>) -> Exit {
    let handler = start.await?;
    lambda_http::run(service_fn(move |request: Request| answer(Arc::clone(&handler), request)))
        .await
}

async fn answer(handler: HttpHandler, request: Request) -> Result<Response<Body>, Infallible> {
    let request_id = match request.request_context_ref() {
        Some(RequestContext::ApiGatewayV2(context)) => context.request_id.clone(),
        _ => None,
    };
    let path = request.raw_http_path().to_owned();
    let (parts, body) = request.into_parts();
    let incoming = Incoming {
        method: parts.method.to_string(),
        path,
        headers: parts.headers,
        body: body.to_vec(),
        request_id: request_id.unwrap_or_default(),
    };
    Ok(handler(incoming).await)
}

/// One invocation in this process: event and reply pass through the same types as in a deployed
/// function.
pub fn invoke_http(handler: HttpHandler, event: Event) -> Boxed<'static, Result<Value, String>> {
    Box::pin(async move {
        let request: LambdaRequest = serde_json::from_value(event).map_err(|e| e.to_string())?;
        let mut adapter = Adapter::from(service_fn(move |request: Request| {
            answer(Arc::clone(&handler), request)
        }));
        let event = LambdaEvent::new(request, Context::default());
        let response = adapter.call(event).await.map_err(|e| e.to_string())?;
        serde_json::to_value(response).map_err(|e| e.to_string())
    })
}

/// Serves events of a queue, a stream or a timer; `start` runs during init.
#[tokio::main(flavor = "current_thread")]
pub async fn run_events(start: Boxed<'static, Result<EventHandler, String>>) -> Exit {
    let handler = start.await?;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Value>| {
        let handler = Arc::clone(&handler);
        async move { Ok::<_, Infallible>(handler(event.payload).await) }
    }))
    .await
}
