//! The error type of operations (contract `conventions.errors`).

#![warn(missing_docs)]

use std::{borrow::Cow, error::Error as StdError, fmt};

/// The result of every fallible function of the service.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The status of a failed call, and its HTTP code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// 400: a parameter is missing, malformed or out of range.
    InvalidArgument,
    /// 400: the state of the tenant does not allow the call.
    FailedPrecondition,
    /// 403: missing or wrong credentials, or a right the tenant does not have.
    PermissionDenied,
    /// 404: a resource that the call names does not exist.
    NotFound,
    /// 409: the resource to create exists already.
    AlreadyExists,
    /// 409: concurrent changes of the same resource; the call may be repeated.
    Aborted,
    /// 429: a quota is used up.
    ResourceExhausted,
    /// 500: a fault of the service.
    Internal,
    /// 503: the store did not answer in time; the call may be repeated.
    Unavailable,
}

impl Status {
    /// Every status, in the order of the documentation.
    pub const ALL: [Self; 9] = [
        Self::InvalidArgument,
        Self::FailedPrecondition,
        Self::PermissionDenied,
        Self::NotFound,
        Self::AlreadyExists,
        Self::Aborted,
        Self::ResourceExhausted,
        Self::Internal,
        Self::Unavailable,
    ];

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidArgument => "INVALID_ARGUMENT",
            Self::FailedPrecondition => "FAILED_PRECONDITION",
            Self::PermissionDenied => "PERMISSION_DENIED",
            Self::NotFound => "NOT_FOUND",
            Self::AlreadyExists => "ALREADY_EXISTS",
            Self::Aborted => "ABORTED",
            Self::ResourceExhausted => "RESOURCE_EXHAUSTED",
            Self::Internal => "INTERNAL",
            Self::Unavailable => "UNAVAILABLE",
        }
    }

    /// The cause of the status: a sentence for people.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::InvalidArgument => "A parameter is missing, malformed or out of range.",
            Self::FailedPrecondition => "The state of the tenant does not allow the call.",
            Self::PermissionDenied => "Credentials are missing or wrong, or a right is missing.",
            Self::NotFound => "A resource that the call names does not exist.",
            Self::AlreadyExists => "The resource to create exists already.",
            Self::Aborted => "Concurrent calls changed the same resource. Repeat the call.",
            Self::ResourceExhausted => "A quota or a limit is used up.",
            Self::Internal => "A fault of the service.",
            Self::Unavailable => "The store did not answer in time. Repeat the call.",
        }
    }

    /// The status as a word of entries, such as `not-found`.
    pub fn word(self) -> String {
        self.as_str().to_ascii_lowercase().replace('_', "-")
    }

    /// The HTTP status code.
    pub const fn http(self) -> u16 {
        match self {
            Self::InvalidArgument | Self::FailedPrecondition => 400,
            Self::PermissionDenied => 403,
            Self::NotFound => 404,
            Self::AlreadyExists | Self::Aborted => 409,
            Self::ResourceExhausted => 429,
            Self::Internal => 500,
            Self::Unavailable => 503,
        }
    }
}

/// The kind of `error.code`, which says the status again for callers who look there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorCode {
    /// The HTTP status code.
    Number,
    /// [`Status::word`].
    Word,
}

/// An error: members for the caller (`status`, `message`, `details`), and the source for the log.
#[derive(Debug)]
pub struct Error {
    /// The class of the failure.
    pub status: Status,
    /// One sentence for the caller. Never contains a secret or a foreign id.
    pub message: Cow<'static, str>,
    /// JSON text of `error.details`, if status and message do not suffice.
    pub details: Option<Box<str>>,
    /// Whether it has a code.
    pub code: Option<ErrorCode>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    fn new(status: Status, message: impl Into<Cow<'static, str>>) -> Self {
        Self { status, message: message.into(), details: None, code: None, source: None }
    }

    /// INVALID_ARGUMENT.
    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Status::InvalidArgument, message)
    }

    /// PERMISSION_DENIED.
    pub fn denied(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Status::PermissionDenied, message)
    }

    /// FAILED_PRECONDITION.
    pub fn precondition(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Status::FailedPrecondition, message)
    }

    /// NOT_FOUND.
    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Status::NotFound, message)
    }

    /// ALREADY_EXISTS.
    pub fn exists(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Status::AlreadyExists, message)
    }

    /// RESOURCE_EXHAUSTED.
    pub fn exhausted(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Status::ResourceExhausted, message)
    }

    /// ABORTED: concurrent changes exceeded the retries.
    pub fn aborted() -> Self {
        Self::new(Status::Aborted, "Too many concurrent changes; please try again.")
    }

    /// ABORTED: the same call is in progress.
    pub fn under_way(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Status::Aborted, message)
    }

    /// INTERNAL: the caller does not see the cause; the log has it without its values.
    pub fn internal(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let source = match source.into().downcast::<serde_json::Error>() {
            Ok(error) => without_value(&error).into(),
            Err(other) => other,
        };
        Self { source: Some(source), ..Self::new(Status::Internal, "Internal error.") }
    }

    /// UNAVAILABLE: a dependency throttled, stalled or failed; the service itself has no known
    /// fault.
    pub fn unavailable(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let message = "The service is temporarily unavailable; please try again.";
        Self { source: Some(source.into()), ..Self::new(Status::Unavailable, message) }
    }

    /// Adds `error.details`; `json` is JSON text.
    #[must_use]
    pub fn with_details(self, json: String) -> Self {
        Self { details: Some(json.into()), ..self }
    }

    /// The error with a code, or without.
    #[must_use]
    pub fn with_code(self, code: Option<ErrorCode>) -> Self {
        Self { code, ..self }
    }

    /// The error for another caller, without its source: one of the callers that share it logs the
    /// source.
    #[must_use]
    pub fn shared(&self) -> Self {
        let (status, message, details) = (self.status, self.message.clone(), self.details.clone());
        Self { status, message, details, code: self.code, source: None }
    }

    /// A copy of the error for each item of a batch whose parent is missing.
    ///
    /// # Errors
    /// The error itself, if it is no missing resource: then the call fails as a whole.
    pub fn for_each<T, U>(self, items: &[T]) -> Result<Vec<Result<U>>> {
        if self.status != Status::NotFound {
            return Err(self);
        }
        let repeat = |_| Err(Self::new(self.status, self.message.clone()));
        Ok(items.iter().map(repeat).collect())
    }

    /// Whether it is a fault of the service, which is logged as an error.
    pub fn is_ours(&self) -> bool {
        matches!(self.status, Status::Internal | Status::Unavailable)
    }
}

/// The reason why JSON cannot be parsed, without its values, which may be secret or personal.
fn without_value(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let reason = match text.rsplit_once(", expected ") {
        Some((_, expected)) => format!("expected {expected}"),
        None if text.starts_with("missing field") => text,
        None => format!("{:?} error at line {}", error.classify(), error.line()),
    };
    format!("JSON cannot be read: {reason}")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.status.as_str(), self.message)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.source.as_deref().map(|e| e as _)
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::Error;

    #[test]
    fn the_log_says_why_json_cannot_be_read_but_no_value_of_it() {
        let reason = |text| {
            let error = serde_json::from_str::<(u8, bool)>(text).unwrap_err();
            Error::internal(error).source().unwrap().to_string()
        };
        for text in [r#"["hunter2", true]"#, r#"[1, "a, expected hunter2"]"#, r#"{"hunter2":1}"#] {
            let reason = reason(text);
            assert!(!reason.contains("hunter2"), "{reason}");
            assert!(reason.starts_with("JSON cannot be read: expected "), "{reason}");
        }
        assert_eq!(reason("[1, "), "JSON cannot be read: Eof error at line 1");
    }
}
