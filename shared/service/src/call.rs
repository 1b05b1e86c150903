//! One call from end to end: the same for every operation.

use std::{borrow::Cow, panic::AssertUnwindSafe, sync::Arc, sync::OnceLock, time::Duration};

use auth::Level;
use aws::{Boxed, HeaderMap, HeaderValue, Incoming, Response, StatusCode, header};
use envelope::Body;
use error::{Error, Result};
use futures_util::FutureExt;
use serde::Deserialize;
use store::Store;

use crate::{
    config::Environment,
    limit::{self, Standing},
    operation::{Cx, Operation},
};

/// Longest a call may take; a function is given more, the gateway waits longer still.
const DEADLINE: Duration = Duration::from_secs(20);
/// Largest reply; Lambda takes 6 MB, quoting included.
const MAX_REPLY_BYTES: usize = 5_000_000;

/// A call under way.
pub struct Call<'a> {
    environment: &'a Environment,
    store: Store,
    incoming: &'a Incoming,
    tenant: OnceLock<String>,
    standing: OnceLock<Standing>,
}

/// An operation with its types erased: a call in, the body of the reply out.
pub type Handler = for<'a> fn(&'a Call<'a>) -> Boxed<'a, Result<String>>;

/// Admit, decode, handle, encode.
pub(crate) fn handler<O: Operation>() -> Handler {
    |call| {
        Box::pin(async move {
            let scope = O::Auth::admit(&credentials::<O>(call.incoming), &call.store).await?;
            let _ = call.tenant.set(O::Auth::tenant(&scope).to_owned());
            if let Some(tenant) = O::Auth::limited(&scope)
                && let Some(standing) = call.environment.limiter.take(tenant, O::NAME).await
            {
                limit::check(call.standing.get_or_init(|| standing))?;
            }
            let request = envelope::decode::<O::Request>(&call.incoming.body, O::BODY)?;
            let cx = Cx {
                now: O::Auth::now(&scope, &call.store),
                scope,
                operation: O::NAME,
                is_v1: call.incoming.path.starts_with("/v1/"),
                regions: Arc::clone(&call.environment.regions),
                queues: call.environment.queues.clone(),
            };
            let success = O::handle(cx, request).await?;
            serde_json::to_string(&success).map_err(Error::internal)
        })
    }
}

/// Credentials as older paths carry them.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BodyCredentials {
    api_key: Option<String>,
    auth_token: Option<String>,
}

/// The headers of a call, with the credentials of its body where its path has them there.
fn credentials<O: Operation>(incoming: &Incoming) -> Cow<'_, HeaderMap> {
    let mut headers = Cow::Borrowed(&incoming.headers);
    if !O::BODY_CREDENTIALS.contains(&incoming.path.as_str()) {
        return headers;
    }
    // A body that cannot be read has no credentials; what is wrong with it is not told yet.
    if let Ok(sent) = envelope::decode::<BodyCredentials>(&incoming.body, Body::Required) {
        for (name, value) in O::Auth::HEADERS.iter().zip([sent.api_key, sent.auth_token]) {
            let value = value.and_then(|value| HeaderValue::try_from(value).ok());
            if let Some(value) = value.filter(|_| !headers.contains_key(*name)) {
                headers.to_mut().insert(*name, value);
            }
        }
    }
    headers
}

/// Answers a call in our envelope, whatever happens inside, and writes its log line.
pub async fn answer(
    environment: &Environment,
    operation: &'static str,
    handler: Handler,
    incoming: Incoming,
) -> Response<String> {
    let clock = environment.store.clock();
    let (started, store) = (clock.now(), environment.store.metered());
    let (tenant, standing) = (OnceLock::new(), OnceLock::new());
    let call = Call { environment, store, incoming: &incoming, tenant, standing };

    let work = AssertUnwindSafe(handler(&call)).catch_unwind();
    let result = match tokio::time::timeout(DEADLINE, work).await {
        Ok(Ok(result)) => result,
        Ok(Err(_panic)) => Err(Error::internal("the handler panicked")),
        Err(_elapsed) => Err(Error::unavailable("the deadline of the call passed")),
    };
    let result = result.and_then(|body| match body.len() {
        0..=MAX_REPLY_BYTES => Ok(body),
        _ => Err(Error::exhausted("The reply would be too large; ask for a smaller page.")),
    });

    let (reads, writes) = call.store.calls();
    let status = result.as_ref().map_or_else(|error| error.status.as_str(), |_| "OK");
    let (request_id, tenant) =
        (incoming.request_id.as_str(), call.tenant.get().map(String::as_str));
    let duration_ms = clock.now().saturating_sub(started);
    match &result {
        Err(error) if error.is_ours() => tracing::error!(
            operation, status, request_id, tenant, duration_ms, reads, writes,
            error = ?error, "A call failed."
        ),
        _ => tracing::info!(
            operation,
            status,
            request_id,
            tenant,
            duration_ms,
            reads,
            writes,
            "A call was answered."
        ),
    }
    let mut response = reply(request_id, result);
    if let Some(standing) = call.standing.get() {
        standing.write(response.headers_mut());
    }
    response
}

/// The answer to every path that no operation has.
pub fn unknown(incoming: &Incoming) -> Response<String> {
    tracing::info!(request_id = incoming.request_id, "A call of an unknown route was refused.");
    reply(&incoming.request_id, Err(Error::not_found("There is no such route; all are POST.")))
}

fn reply(request_id: &str, result: Result<String>) -> Response<String> {
    let (code, body) = match result {
        Ok(body) => (200, body),
        Err(error) => (error.status.http(), envelope::failure(&error)),
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert("x-request-id", id);
    }
    response
}

#[cfg(test)]
mod tests {
    use aws::{HeaderMap, Incoming, Settings};
    use keyring::Keyring;
    use store::Clock;

    use super::{Handler, answer};
    use crate::{Config, Environment};

    fn environment() -> Environment {
        let aws = Settings {
            region: "us-east-1".to_owned(),
            access_key_id: "local".to_owned(),
            secret_access_key: "local".to_owned(),
            session_token: None,
            dynamodb_endpoint: Some("http://127.0.0.1:9".to_owned()),
            sqs_endpoint: None,
            ses_endpoint: None,
        };
        let config = Config {
            aws,
            table_prefix: String::new(),
            queue_url_prefix: String::new(),
            keyring: Keyring::parse("k1=0123456789abcdef0123456789abcdef").unwrap(),
            admin_token: None,
            regions: vec![],
            allow_private_webhooks: false,
            mail: crate::MailSettings::default(),
            limits: crate::Limits::default(),
        };
        Environment::new(&config, Clock::default())
    }

    async fn call(handler: Handler) -> (u16, String) {
        let incoming = Incoming {
            method: "POST".to_owned(),
            path: "/v2/x".to_owned(),
            headers: HeaderMap::new(),
            body: vec![],
            request_id: "r".to_owned(),
        };
        let response = answer(&environment(), "x", handler, incoming).await;
        assert_eq!(response.headers()["x-request-id"], "r");
        (response.status().as_u16(), response.into_body())
    }

    #[tokio::test]
    async fn a_panic_is_answered_in_our_envelope_and_the_next_call_is_served() {
        let (status, body) = call(|_| Box::pin(async { panic!("hunter2") })).await;
        assert_eq!(status, 500);
        assert_eq!(body, r#"{"error":{"status":"INTERNAL","message":"Internal error."}}"#);
        assert_eq!(call(|_| Box::pin(async { Ok("{}".to_owned()) })).await, (200, "{}".to_owned()));
    }

    #[tokio::test]
    async fn a_reply_that_lambda_would_not_take_is_an_error() {
        let (status, body) = call(|_| Box::pin(async { Ok("x".repeat(5_000_001)) })).await;
        assert_eq!(status, 429);
        assert!(body.contains("RESOURCE_EXHAUSTED"), "{body}");
    }
}
