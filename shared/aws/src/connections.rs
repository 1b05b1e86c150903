//! Connected clients of a WebSocket API, as `@connections` of API Gateway reaches them. Its SDK would
//! be another service for three calls.

use std::time::Duration;

use tokio::time::Instant;

use crate::{
    Boxed, Settings,
    signed::{self, Answer},
};

/// Of all attempts together. A client that does not take its messages must hold up no other.
const DEADLINE: Duration = Duration::from_secs(2);
/// A kept connection may have died while the process was frozen.
const ATTEMPTS: u32 = 2;
/// An answer is empty or an error.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Why a message was not sent to a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostFailure {
    /// The client is not connected any more, or not yet (410).
    Gone,
    /// The client's buffer is full, or too much is posted (429).
    Full,
    /// The message is larger than 128 KB (413).
    TooLarge,
    /// API Gateway was not reached, does not work or does not let this caller in.
    Unavailable(String),
}

/// The connected clients of this deployment.
#[derive(Clone)]
pub struct LiveConnections {
    settings: Settings,
}

impl LiveConnections {
    /// The clients of the WebSocket API at `live_endpoint` of the settings. Calls go over the
    /// connections of the settings, which are kept alive.
    pub fn new(settings: &Settings) -> Self {
        Self { settings: settings.clone() }
    }

    /// Sends `data` to a client as one text message, within two seconds. A message may arrive
    /// twice where the answer to a first attempt was lost.
    ///
    /// # Errors
    /// See [`PostFailure`].
    pub fn post<'a>(
        &'a self,
        connection_id: &'a str,
        data: Vec<u8>,
    ) -> Boxed<'a, Result<(), PostFailure>> {
        Box::pin(self.call("POST", connection_id, data))
    }

    /// Disconnects a client, within two seconds; API Gateway closes with a code of its own.
    ///
    /// # Errors
    /// See [`PostFailure`].
    pub fn close<'a>(&'a self, connection_id: &'a str) -> Boxed<'a, Result<(), PostFailure>> {
        Box::pin(self.call("DELETE", connection_id, vec![]))
    }

    async fn call(
        &self,
        method: &'static str,
        connection_id: &str,
        data: Vec<u8>,
    ) -> Result<(), PostFailure> {
        let Some(endpoint) = self.settings.live_endpoint.as_deref() else {
            return Err(PostFailure::Unavailable("LIVE_ENDPOINT is not set".to_owned()));
        };
        let url =
            format!("{}/@connections/{}", endpoint.trim_end_matches('/'), escape(connection_id));
        let end = Instant::now() + DEADLINE;
        let mut attempt = 1;
        loop {
            // The signature tells the time, so each attempt has its own.
            let request =
                signed::request(&self.settings, "execute-api", (method, &url), &[], data.clone());
            let request = request.map_err(|e| PostFailure::Unavailable(e.to_string()))?;
            let left = end.saturating_duration_since(Instant::now());
            let answer = signed::call(&self.settings, request, MAX_ANSWER_BYTES, left).await;
            let may_pass = answer.as_ref().map_or(true, |answer| answer.status >= 500);
            if !may_pass || attempt == ATTEMPTS || Instant::now() >= end {
                return answer.map_err(PostFailure::Unavailable).and_then(sort);
            }
            attempt += 1;
        }
    }
}

fn sort(answer: Answer) -> Result<(), PostFailure> {
    match answer.status {
        200..=299 => Ok(()),
        410 => Err(PostFailure::Gone),
        413 => Err(PostFailure::TooLarge),
        429 => Err(PostFailure::Full),
        status => Err(PostFailure::Unavailable(format!("{status} {}", answer.code))),
    }
}

/// Ids end with `=`, which has to be escaped in a path.
fn escape(id: &str) -> String {
    let mut escaped = String::with_capacity(id.len() + 2);
    for byte in id.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                escaped.push(char::from(byte));
            }
            _ => escaped.push_str(&format!("%{byte:02X}")),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn an_id_is_one_segment_of_a_path() {
        assert_eq!(escape("L0SM9cOFvHcCIhw="), "L0SM9cOFvHcCIhw%3D");
        assert_eq!(escape("a/../b?c"), "a%2F..%2Fb%3Fc");
    }
}
