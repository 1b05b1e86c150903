//! Result of one request.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::types::AttemptFailure;

/// Reason for a missing reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The address is forbidden; with its class.
    Address(&'static str),
    /// The name has no address, or resolution timed out.
    Dns,
    /// The connection failed.
    Connect,
    /// No trusted TLS connection.
    Tls,
    /// The system has no root certificates.
    NoRoots,
    /// The deadline for the connection or the reply passed.
    Timeout,
    /// The connection ended early, or the reply was not HTTP.
    Protocol,
    /// The URL cannot be called.
    Url,
}

impl Failure {
    /// Value of the failure in the list of attempts.
    #[must_use]
    pub(crate) const fn listed(self) -> AttemptFailure {
        match self {
            Self::Address(_) => AttemptFailure::AddressRefused,
            Self::Dns => AttemptFailure::Dns,
            Self::Connect => AttemptFailure::Connect,
            Self::Tls => AttemptFailure::Tls,
            Self::NoRoots => AttemptFailure::NoRootCertificates,
            Self::Timeout => AttemptFailure::Timeout,
            Self::Protocol => AttemptFailure::Protocol,
            Self::Url => AttemptFailure::Url,
        }
    }
}

/// One request with its result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// The status of the reply, if any.
    pub status: Option<u16>,
    /// The raw header `retry-after`.
    pub retry_after: Option<String>,
    /// The raw header `webhook-delivery`: a request of the receiver.
    pub control: Option<String>,
    /// The raw header `x-message-id`: the message id of a mail provider.
    pub message_id: Option<String>,
    /// The beginning of the reply's body, as far as received in time.
    pub response: Vec<u8>,
    /// Reason for a missing reply. A reply counts by its status, even if its body is incomplete.
    pub failure: Option<Failure>,
    /// Duration until the end of the body, or the failure.
    pub duration: Duration,
}

/// The body of a reply as text.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ResponseText {
    pub(crate) text: String,
    /// Whether the text is base64, because the body is not text.
    pub(crate) is_base64: bool,
}

impl Attempt {
    /// Whether the receiver accepted the message: any 2xx.
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(self.status, Some(200..=299))
    }

    /// The beginning of the reply's body as text. A character cut in two at the end is dropped.
    pub(crate) fn text(&self) -> ResponseText {
        let plain = |text: &str| ResponseText { text: text.to_owned(), is_base64: false };
        match std::str::from_utf8(&self.response) {
            Ok(text) => plain(text),
            Err(error) => {
                let (text, rest) = self.response.split_at(error.valid_up_to());
                match std::str::from_utf8(text) {
                    Ok(text) if error.error_len().is_none() && rest.len() < 4 => plain(text),
                    _ => ResponseText { text: STANDARD.encode(&self.response), is_base64: true },
                }
            }
        }
    }

    /// Whether the receiver asked for this in `webhook-delivery`.
    pub(crate) fn asks_for(&self, word: &str) -> bool {
        let words = self.control.iter().flat_map(|control| control.split(','));
        words.into_iter().any(|asked| asked.trim().eq_ignore_ascii_case(word))
    }
}
