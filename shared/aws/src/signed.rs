//! Calls of services whose SDK would be larger than the rest of a function, with the signer and
//! HTTP client of the other SDKs.

use std::{error::Error as StdError, sync::Arc, time::Duration};

use aws_sigv4::{
    http_request::{SignableBody, SignableRequest, SigningSettings, sign},
    sign::v4::SigningParams,
};
use aws_smithy_async::time::{SystemTimeSource, TimeSource};
use aws_smithy_runtime_api::client::{
    http::HttpConnector,
    orchestrator::{HttpRequest, HttpResponse},
};
use aws_smithy_types::{body::SdkBody, byte_stream::ByteStream};
use lambda_http::http::Request;
use serde_json::Value;

use crate::{Settings, transport::Transport};

/// A signed request to a service.
///
/// # Errors
/// When the address or a header is malformed.
pub(crate) fn request(
    settings: &Settings,
    service: &str,
    method: &str,
    url: &str,
    headers: &[(&'static str, &str)],
    body: Vec<u8>,
) -> Result<HttpRequest, Box<dyn StdError + Send + Sync>> {
    let identity = settings.credentials().into();
    let params = SigningParams::builder()
        .identity(&identity)
        .region(&settings.region)
        .name(service)
        .time(SystemTimeSource::new().now())
        .settings(SigningSettings::default())
        .build()?;
    let signable = SignableBody::Bytes(&body);
    let signable = SignableRequest::new(method, url, headers.iter().copied(), signable)?;
    let (signed, _) = sign(signable, &params.into())?.into_parts();
    let mut request = HttpRequest::new(SdkBody::from(body));
    request.set_method(method)?;
    request.set_uri(url)?;
    for (name, value) in headers {
        request.headers_mut().insert(*name, (*value).to_owned());
    }
    for (name, value) in signed.headers() {
        request.headers_mut().insert(name.to_owned(), value.to_owned());
    }
    Ok(request)
}

/// The endpoint of a service in the region, unless the settings name another.
pub(crate) fn endpoint(settings: &Settings, service: &str, other: Option<&str>) -> String {
    let region = &settings.region;
    let suffix = if region.starts_with("cn-") { ".cn" } else { "" };
    let own = || format!("https://{service}.{region}.amazonaws.com{suffix}");
    other.map_or_else(own, |url| url.trim_end_matches('/').to_owned())
}

/// A reply: its status, its error code if any, and its JSON.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) code: String,
    pub(crate) json: Value,
}

impl Answer {
    /// The error code and the message of an error reply.
    pub(crate) fn reason(&self) -> String {
        let message = self.json["message"].as_str().or(self.json["Message"].as_str());
        format!("{}: {}", self.code, message.unwrap_or("no message"))
    }
}

/// Sends a request over the connections of the settings and reads its reply of at most `max` bytes,
/// all within `deadline`.
///
/// # Errors
/// A sentence, without a complete reply in time.
pub(crate) async fn send(
    settings: &Settings,
    request: HttpRequest,
    max: usize,
    deadline: Duration,
) -> Result<Answer, String> {
    let call = async {
        let response = settings.connections.connector().call(request).await;
        read(response.map_err(|e| causes(&e))?, max).await
    };
    let late = |_| Err("no answer in time".to_owned());
    tokio::time::timeout(deadline, call).await.unwrap_or_else(late)
}

/// Sends a request to an AWS within this process, which reads who calls and verifies no signature.
///
/// # Errors
/// A sentence, without a reply in time.
pub(crate) async fn send_within(
    settings: &Settings,
    transport: &Arc<dyn Transport>,
    method: &str,
    url: &str,
    body: Vec<u8>,
    deadline: Duration,
) -> Result<Answer, String> {
    let caller = format!("AWS4-HMAC-SHA256 Credential={}/", settings.access_key_id);
    let request = Request::builder().method(method).uri(url).header("authorization", caller);
    let request = request.body(body).map_err(|e| e.to_string())?;
    let answer = tokio::time::timeout(deadline, transport.call(request)).await;
    let answer = answer.map_err(|_| "no answer in time".to_owned())?;
    Ok(answer_of(answer.status().as_u16(), None, answer.body()))
}

/// An error with its causes: that of a connection says little by itself.
fn causes(error: &dyn StdError) -> String {
    let causes = std::iter::successors(Some(error), |cause| (*cause).source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Reads a reply of at most `max` bytes.
///
/// # Errors
/// A sentence, when it is incomplete or longer.
pub(crate) async fn read(response: HttpResponse, max: usize) -> Result<Answer, String> {
    let status = response.status().as_u16();
    let header = response.headers().get("x-amzn-errortype").map(str::to_owned);
    let (mut stream, mut bytes) = (ByteStream::new(response.into_body()), Vec::new());
    while let Some(chunk) = stream.next().await {
        bytes.extend_from_slice(&chunk.map_err(|e| format!("half an answer: {e}"))?);
        if bytes.len() > max {
            return Err("an endless answer".to_owned());
        }
    }
    Ok(answer_of(status, header.as_deref(), &bytes))
}

fn answer_of(status: u16, header: Option<&str>, bytes: &[u8]) -> Answer {
    let json: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let code = header.or(json["__type"].as_str()).or(json["code"].as_str());
    // `namespace#Code:address of its description`
    let code = code.unwrap_or("unknown").split(':').next().unwrap_or_default();
    let code = code.rsplit('#').next().unwrap_or_default().to_owned();
    Answer { status, code, json }
}
