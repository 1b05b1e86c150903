//! What came of one request.

use std::time::Duration;

use base64::{Engine, engine::general_purpose::STANDARD};

/// Why no answer came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The address may not be called; why, in a word or two.
    Address(&'static str),
    /// The name has no address, or none was found in time.
    Dns,
    /// The connection failed.
    Connect,
    /// No trustworthy encrypted connection.
    Tls,
    /// The system has no certificates that a receiver could be checked with.
    NoRoots,
    /// The deadline passed, for the connection or for the answer.
    Timeout,
    /// The connection ended early, or what came was no HTTP.
    Protocol,
    /// The URL cannot be called at all.
    Url,
}

impl Failure {
    /// The stable short name that attempts are listed with.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Address(_) => "address_refused",
            Self::Dns => "dns",
            Self::Connect => "connect",
            Self::Tls => "tls",
            Self::NoRoots => "no_root_certificates",
            Self::Timeout => "timeout",
            Self::Protocol => "protocol",
            Self::Url => "url",
        }
    }
}

/// What an attempt says about its endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Accepted.
    Success,
    /// It did not, for a reason that has nothing to do with load.
    Failure,
    /// It did not, because it has too much to do: 429, 502, 503, 504, or no answer in time.
    Overload,
}

/// One request and what came of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Attempt {
    /// The status of the answer, if one came.
    pub status: Option<u16>,
    /// The header `retry-after` as it came.
    pub retry_after: Option<String>,
    /// The header `webhook-delivery` as it came: what the receiver wants of the sender.
    pub control: Option<String>,
    /// The header `x-message-id` as it came: what a provider of mails calls what it took.
    pub message_id: Option<String>,
    /// The beginning of the body of the answer, as much as came in time.
    pub response: Vec<u8>,
    /// Why no answer came. An answer counts by its status, even if its body never ended.
    pub failure: Option<Failure>,
    /// From the start to the end of the body, or to the failure.
    pub duration: Duration,
}

impl Attempt {
    /// Whether the receiver took the message: any 2xx.
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(self.status, Some(200..=299))
    }

    /// The outcome for the endpoint.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        match (self.status, self.failure) {
            (Some(200..=299), _) => Outcome::Success,
            (Some(429 | 502..=504), _) | (None, Some(Failure::Timeout)) => Outcome::Overload,
            _ => Outcome::Failure,
        }
    }

    /// The beginning of the body of the answer as text, and whether that is its base64, because it
    /// is no text. A character that was cut in two at the end is left out.
    #[must_use]
    pub fn text(&self) -> (String, bool) {
        match std::str::from_utf8(&self.response) {
            Ok(text) => (text.to_owned(), false),
            Err(error) => {
                let (text, rest) = self.response.split_at(error.valid_up_to());
                match std::str::from_utf8(text) {
                    Ok(text) if error.error_len().is_none() && rest.len() < 4 => {
                        (text.to_owned(), false)
                    }
                    _ => (STANDARD.encode(&self.response), true),
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
