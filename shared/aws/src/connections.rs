//! Connected clients of a WebSocket API, through `@connections` of API Gateway. Its SDK would be
//! another dependency for three calls.

use std::{sync::Arc, time::Duration};

use tokio::time::{Instant, timeout};

use crate::{
    Boxed, Settings,
    signed::{self, Answer},
};

/// Time limit of all attempts. A client that does not read must not block others.
const DEADLINE: Duration = Duration::from_secs(2);
/// A kept connection may have died while the process was frozen.
const ATTEMPTS: u32 = 2;
/// Maximum number of posts at a time, and of those within the process.
const AT_ONCE: usize = 50;
const AT_ONCE_WITHIN: usize = 1_000;
/// A reply is empty or an error.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// Reason for an unsent message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostFailure {
    /// The client is not connected (410).
    Gone,
    /// The client's buffer is full, or posts are throttled (429).
    Full,
    /// The message is larger than 128 KB (413).
    TooLarge,
    /// API Gateway is unreachable, fails or refuses this caller.
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

    /// Whether all clients are connected to this process.
    pub fn are_within(&self) -> bool {
        self.settings.connections.transport().is_some()
    }

    /// How many posts go at a time. Posts within this process wait for the same sync of its disk.
    pub fn at_once(&self) -> usize {
        if self.are_within() { AT_ONCE_WITHIN } else { AT_ONCE }
    }

    /// Sends `data` to a client as one text message, within two seconds. A message may arrive twice
    /// if the first attempt lost its reply.
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

    /// Sends texts to clients that are connected to this process, within two seconds: what a call for
    /// each costs is the most of it. None if they are to be sent one by one.
    pub fn post_within(
        &self,
        posts: Vec<(String, Arc<str>)>,
    ) -> Boxed<'_, Option<Vec<Result<(), PostFailure>>>> {
        Box::pin(async move {
            let transport = self.settings.connections.transport()?;
            self.settings.live_endpoint.as_ref()?;
            let count = posts.len();
            let posted = transport.post_all(&self.settings.access_key_id, posts);
            match timeout(DEADLINE, posted).await {
                Ok(posted) => {
                    let code = || "unknown".to_owned();
                    let posted = posted?.into_iter();
                    Some(posted.map(|status| sort(status, code)).collect())
                }
                Err(_) => {
                    let late = PostFailure::Unavailable("no answer in time".to_owned());
                    Some(vec![Err(late); count])
                }
            }
        })
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
            let left = end.saturating_duration_since(Instant::now());
            let answer = self.attempt(method, &url, data.clone(), left).await;
            let may_pass = answer.as_ref().map_or(true, |answer| answer.status >= 500);
            if !may_pass || attempt == ATTEMPTS || Instant::now() >= end {
                let answer = answer.map_err(PostFailure::Unavailable)?;
                return sort(answer.status, || answer.code);
            }
            attempt += 1;
        }
    }

    async fn attempt(
        &self,
        method: &'static str,
        url: &str,
        data: Vec<u8>,
        left: Duration,
    ) -> Result<Answer, String> {
        if let Some(transport) = self.settings.connections.transport() {
            return signed::send_within(&self.settings, transport, method, url, data, left).await;
        }
        // The signature contains the time, so each attempt has its own.
        let request = signed::request(&self.settings, "execute-api", method, url, &[], data);
        let request = request.map_err(|e| e.to_string())?;
        signed::send(&self.settings, request, MAX_ANSWER_BYTES, left).await
    }
}

fn sort(status: u16, code: impl FnOnce() -> String) -> Result<(), PostFailure> {
    match status {
        200..=299 => Ok(()),
        410 => Err(PostFailure::Gone),
        413 => Err(PostFailure::TooLarge),
        429 => Err(PostFailure::Full),
        status => Err(PostFailure::Unavailable(format!("{status} {}", code()))),
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
