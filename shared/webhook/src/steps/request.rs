//! One request: encoding, signature and sending.

use bytes::Bytes;
use http::{HeaderName, HeaderValue};
use model::MessageId;

use super::{Runtime, delivery::RequestRecord};
use crate::{
    http_client::Attempt,
    rows::{EndpointTarget, Proof},
    rules::{encode, encrypt, sign},
    types::AttemptFailure,
};

/// Sends a message. A message without a body, or one that cannot be encoded or signed as
/// configured, is not sent.
pub(super) async fn post(
    runtime: &impl Runtime,
    target: EndpointTarget,
    id: &MessageId,
    body: Option<&str>,
) -> RequestRecord {
    let at = runtime.tenant().now();
    let url = target.url.clone();
    let fault = |fault| (Attempt::default(), Some(fault));
    let (attempt, fault) = match body.map(|body| wrap(&target, body)) {
        None => fault(AttemptFailure::Body),
        Some(Err(())) => fault(AttemptFailure::Encryption),
        Some(Ok(body)) => match headers(runtime, &target.proof, id, &body) {
            None => fault(AttemptFailure::Signature),
            Some(headers) => (runtime.sender().post(&url, headers, Bytes::from(body)).await, None),
        },
    };
    RequestRecord { attempt, fault, url, at }
}

/// Encryption takes precedence over base64 if both are configured.
fn wrap(target: &EndpointTarget, body: &str) -> Result<Vec<u8>, ()> {
    match &target.public_key {
        Some(key) => encrypt(body.as_bytes(), key.as_str()).map_err(|_| ()),
        None if target.is_encoded => Ok(encode(body.as_bytes())),
        None => Ok(body.as_bytes().to_vec()),
    }
}

/// Signatures use real time, also for a tenant with a test clock: receivers reject other times.
fn headers(
    runtime: &impl Runtime,
    proof: &Proof,
    id: &MessageId,
    body: &[u8],
) -> Option<Vec<(HeaderName, HeaderValue)>> {
    let seconds = runtime.tenant().real_now().millis() / 1000;
    let mut headers =
        vec![("webhook-id", id.as_str().to_owned()), ("webhook-timestamp", seconds.to_string())];
    match proof {
        // Nothing goes to an endpoint unsigned.
        Proof::Secrets(secrets) if secrets.is_empty() => return None,
        Proof::Secrets(secrets) => {
            let secrets = secrets.iter().map(model::Secret::expose);
            let signature = sign(secrets, id.as_str(), seconds, body).ok()?;
            headers.push(("webhook-signature", signature));
        }
        Proof::Token(Some(token)) => {
            headers.push(("authorization", format!("Basic {}", token.expose())));
        }
        Proof::Token(None) => {}
    }
    let header = |(name, value): (&'static str, String)| {
        Some((HeaderName::from_static(name), HeaderValue::try_from(value).ok()?))
    };
    headers.into_iter().map(header).collect()
}
