//! Common parts of the replies of services.

use serde_json::{Value, json};

/// The reply of a service.
pub(crate) enum Reply {
    Json(Value),
    /// The text of JSON.
    Text(String),
}

impl Reply {
    /// The reply, read from its text if need be.
    pub(crate) fn as_json(&mut self) -> &mut Value {
        if let Self::Text(text) = self {
            *self = Self::Json(serde_json::from_str(text).unwrap_or_default());
        }
        match self {
            Self::Json(reply) => reply,
            Self::Text(_) => unreachable!("it was read"),
        }
    }

    /// The reply, unless there is only its text.
    pub(crate) fn json(&self) -> Option<&Value> {
        match self {
            Self::Json(reply) => Some(reply),
            Self::Text(_) => None,
        }
    }
}

/// Result of one request.
pub(crate) struct Outcome {
    pub(crate) result: Result<Reply, Refusal>,
    /// Read and write capacity units.
    pub(crate) units: f64,
}

impl Outcome {
    pub(crate) fn free(result: Result<Value, Refusal>) -> Self {
        Self { result: result.map(Reply::Json), units: 0.0 }
    }
}

/// An error reply.
pub(crate) struct Refusal {
    pub(crate) status: u16,
    /// The short name of the error, as in the typed errors of SDKs.
    pub(crate) code: String,
    pub(crate) body: String,
    /// SDKs of SQS still read the error code of its previous protocol from this header.
    pub(crate) query_error: Option<String>,
}

impl Refusal {
    pub(crate) fn new(status: u16, namespace: &str, code: &str, message: &str) -> Self {
        let body = json!({ "__type": format!("{namespace}#{code}"), "message": message });
        Self { status, code: code.to_owned(), body: body.to_string(), query_error: None }
    }

    pub(crate) fn internal(message: &str) -> Self {
        Self::new(500, "com.amazonaws.dynamodb.v20120810", "InternalServerError", message)
    }

    pub(crate) fn serialization() -> Self {
        let namespace = "com.amazon.coral.service";
        Self::new(400, namespace, "SerializationException", "The request is not valid JSON.")
    }

    /// A call to another host name.
    pub(crate) fn foreign_host() -> Self {
        let namespace = "com.amazon.coral.service";
        Self::new(403, namespace, "AccessDeniedException", "The host is not this machine.")
    }

    /// A call without the session token, in the words of the services.
    pub(crate) fn unknown_token() -> Self {
        let namespace = "com.amazon.coral.service";
        let message = "The security token included in the request is invalid.";
        Self::new(403, namespace, "UnrecognizedClientException", message)
    }

    pub(crate) fn unknown_operation() -> Self {
        let namespace = "com.amazon.coral.service";
        Self::new(400, namespace, "UnknownOperationException", "The operation is not known.")
    }
}
