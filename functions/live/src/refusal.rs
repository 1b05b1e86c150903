//! Refusals that close a connection.

use dialects::{Close, Malformed, Message};
use model::live::{LivePart, LivePlace};
use service::{Status, prelude::*};

/// The close code and reason for the client.
#[derive(Debug)]
pub(crate) struct Refusal {
    close: Close,
    pub(crate) reason: String,
    /// A fault of the service.
    fault: Option<Error>,
}

/// A refused connection.
pub(crate) struct RefusedConnection {
    pub(crate) connection_id: String,
    pub(crate) refusal: Refusal,
}

impl Refusal {
    pub(crate) fn new(close: Close, reason: impl Into<String>) -> Self {
        Self { close, reason: reason.into(), fault: None }
    }

    /// The refusal of a peer with the content of a deleted editor.
    pub(crate) fn gone(place: &LivePlace) -> Self {
        let editor = match &place.part {
            LivePart::Editor { editor_id, .. } => editor_id.as_str(),
            LivePart::Events { .. } | LivePart::User { .. } => "",
        };
        Self::new(Close::Gone, format!("The editor {editor} was deleted; load it anew."))
    }

    /// Whether the editor was deleted.
    pub(crate) fn is_gone(&self) -> bool {
        self.close == Close::Gone
    }

    /// The refusal as a client of Hocuspocus gets it for its editor.
    pub(crate) fn denial(&self) -> Message {
        Message::Refused(self.close, self.reason.clone())
    }

    /// The answer of Hocuspocus to a change that is not stored.
    pub(crate) fn unsaved(&self) -> Message {
        Message::Unsaved(self.close, self.reason.clone())
    }

    /// A refusal of a token.
    pub(crate) fn from_token(error: Error) -> Self {
        match error.status {
            Status::PermissionDenied => Self::new(Close::BadToken, error.message),
            _ => error.into(),
        }
    }

    /// The refusal for a connection other than the caller's, which is not logged.
    pub(crate) fn for_another(self) -> Self {
        Self { fault: None, ..self }
    }

    /// Whether the client should retry.
    pub(crate) fn is_fault(&self) -> bool {
        self.fault.is_some()
    }

    /// Whether it concerns one place alone, not the connection.
    pub(crate) fn is_of_place(&self) -> bool {
        matches!(self.close, Close::Forbidden | Close::NotFound | Close::Gone)
    }

    /// Status of the refusal in a message to the client.
    pub(crate) fn status(&self) -> Status {
        match self.close {
            Close::NotFound | Close::Gone => Status::NotFound,
            _ => Status::PermissionDenied,
        }
    }

    /// The frame that tells the client.
    pub(crate) fn frame(&self) -> Vec<u8> {
        self.close.frame(&self.reason)
    }

    /// The refusal, unless it is a fault of the service.
    pub(crate) fn or_fault(self) -> Result<Self> {
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(self),
        }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let close = match error.status {
            Status::InvalidArgument => Close::BadRequest,
            Status::PermissionDenied => Close::Forbidden,
            Status::NotFound => Close::NotFound,
            Status::ResourceExhausted => Close::TooLarge,
            _ => {
                let reason = "The service is not available just now.".to_owned();
                return Self { close: Close::Unavailable, reason, fault: Some(error) };
            }
        };
        Self::new(close, error.message)
    }
}

impl From<Malformed> for Refusal {
    fn from(_: Malformed) -> Self {
        Self::new(Close::BadRequest, "The message cannot be read.")
    }
}
