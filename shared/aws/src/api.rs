//! Calls in the JSON of AWS, for tools that pass on what they do not read.

use std::{error::Error, time::Duration};

use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use serde_json::Value;

use crate::{Settings, signed};

/// Time limit of a call, and its longest reply: a page of a scan is 1 MB, more as JSON.
const DEADLINE: Duration = Duration::from_secs(30);
const MAX_ANSWER_BYTES: usize = 32 * 1024 * 1024;
/// Attempts of a call that may pass later, and the wait after the first, which doubles up to the
/// longest one.
const ATTEMPTS: u32 = 8;
const FIRST_WAIT: Duration = Duration::from_millis(100);
const LONGEST_WAIT: Duration = Duration::from_secs(5);
/// Error codes of calls that may pass later, besides failures of the server.
const PASSING: [&str; 6] = [
    "ThrottlingException",
    "Throttling",
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "RequestThrottled",
    "LimitExceededException",
];

/// A service with an API in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiService {
    /// DynamoDB.
    DynamoDb,
    /// SQS.
    Sqs,
    /// Secrets Manager.
    Secrets,
}

/// Why a call failed.
#[derive(Clone, Debug)]
pub struct ApiFailure {
    /// The error code of AWS, such as `ResourceNotFoundException`; empty without a reply.
    pub code: String,
    /// A sentence.
    pub reason: String,
}

/// The services of an account.
#[derive(Clone)]
pub struct Api {
    settings: Settings,
}

impl Api {
    /// The services of these settings.
    pub fn new(settings: &Settings) -> Self {
        Self { settings: settings.clone() }
    }

    /// Calls an operation. Transient failures are tried again, so that a write may happen twice.
    ///
    /// # Errors
    /// See [`ApiFailure`].
    pub async fn call(
        &self,
        service: ApiService,
        operation: &str,
        request: &Value,
    ) -> Result<Value, ApiFailure> {
        let (body, mut wait, mut attempt) = (request.to_string().into_bytes(), FIRST_WAIT, 0);
        loop {
            attempt += 1;
            let (failure, may_pass) = match self.try_call(service, operation, body.clone()).await {
                Ok(answer) if answer.status < 300 => return Ok(answer.json),
                Ok(answer) => {
                    let may_pass = answer.status >= 500 || PASSING.contains(&answer.code.as_str());
                    let reason = format!("{operation} failed: {}", answer.reason());
                    (ApiFailure { code: answer.code, reason }, may_pass)
                }
                Err(reason) => {
                    let reason = format!("{operation} failed: {reason}");
                    (ApiFailure { code: String::new(), reason }, true)
                }
            };
            if !may_pass || attempt == ATTEMPTS {
                return Err(failure);
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    async fn try_call(
        &self,
        service: ApiService,
        operation: &str,
        body: Vec<u8>,
    ) -> Result<signed::Answer, String> {
        let request = service.request(&self.settings, operation, body);
        let request = request.map_err(|e| e.to_string())?;
        signed::send(&self.settings, request, MAX_ANSWER_BYTES, DEADLINE).await
    }
}

impl ApiService {
    /// The signed request of an operation.
    ///
    /// # Errors
    /// When the address is malformed.
    pub(crate) fn request(
        self,
        settings: &Settings,
        operation: &str,
        body: Vec<u8>,
    ) -> Result<HttpRequest, Box<dyn Error + Send + Sync>> {
        let (name, target, version, other) = match self {
            Self::DynamoDb => ("dynamodb", "DynamoDB_20120810", "1.0", &settings.dynamodb_endpoint),
            Self::Sqs => ("sqs", "AmazonSQS", "1.0", &settings.sqs_endpoint),
            Self::Secrets => {
                ("secretsmanager", "secretsmanager", "1.1", &settings.secrets_endpoint)
            }
        };
        let url = format!("{}/", signed::endpoint(settings, name, other.as_deref()));
        let (target, kind) =
            (format!("{target}.{operation}"), format!("application/x-amz-json-{version}"));
        let headers = [("content-type", kind.as_str()), ("x-amz-target", target.as_str())];
        signed::request(settings, name, "POST", &url, &headers, body)
    }
}
