//! Text frames: API Gateway accepts no others.

use base64::{Engine, engine::general_purpose::STANDARD};
use model::surrogates::parse;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Dialect, Malformed, Message};

/// Maximum size of a frame to a client in bytes: below the 128 KB of API Gateway.
pub const MAX_SENT_BYTES: usize = 90 * 1024;
/// Maximum number of messages in a frame.
const MAX_MESSAGES: usize = 200;

/// A frame of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// Messages of the dialect, in order.
    Messages(Vec<Vec<u8>>),
    /// A control message.
    Control(Value),
}

impl Frame {
    /// Parses a text frame.
    ///
    /// # Errors
    /// When it is neither a JSON object nor up to 200 messages separated by spaces, each in standard
    /// base64 with padding.
    pub fn read(text: &str) -> Result<Self, Malformed> {
        Self::read_up_to(MAX_MESSAGES, text)
    }

    /// Parses a text frame of the service, which is bounded by its size: what it has to say is never
    /// refused for its number of messages.
    ///
    /// # Errors
    /// When it is neither a JSON object nor messages separated by spaces, each in standard base64
    /// with padding.
    pub fn read_of_service(text: &str) -> Result<Self, Malformed> {
        Self::read_up_to(usize::MAX, text)
    }

    fn read_up_to(most: usize, text: &str) -> Result<Self, Malformed> {
        if text.starts_with('{') {
            return parse(text.as_bytes()).map(Self::Control).map_err(|_| Malformed);
        }
        let mut parts = text.split(' ');
        let messages = parts.by_ref().take(most).map(|part| STANDARD.decode(part));
        let messages = messages.collect::<Result<_, _>>().map_err(|_| Malformed)?;
        if parts.next().is_none() { Ok(Self::Messages(messages)) } else { Err(Malformed) }
    }
}

/// A control message of the service about a connection of editors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Control {
    /// The answer to a ping.
    Pong,
    /// The service closes the connection.
    Close {
        /// See [`Close::code`].
        code: u16,
        /// One sentence for people.
        reason: String,
    },
    /// The client reads the editor of a room over HTTPS.
    Fetch {
        /// The name of the room.
        document: String,
        /// State vector of the client, in base64.
        #[serde(skip_serializing_if = "Option::is_none")]
        state_vector: Option<String>,
        /// Whether it then sends what the service lacks.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        asks: bool,
    },
    /// A message of a later version.
    #[serde(other)]
    Unknown,
}

impl Control {
    /// Parses a text frame of the service; none when it is no control message.
    pub fn read(text: &str) -> Option<Self> {
        parse(text.as_bytes()).ok()
    }

    /// The message as a text frame.
    pub fn frame(&self) -> Vec<u8> {
        // A type of texts and numbers has a form in JSON.
        serde_json::to_value(self).map(|value| control(&value)).unwrap_or_default()
    }
}

/// A binary message as a text frame.
pub fn text(message: &[u8]) -> Vec<u8> {
    STANDARD.encode(message).into_bytes()
}

/// Joins frames of one message each: messages share a frame up to its maximum size and number,
/// control messages stay alone.
pub fn packed(frames: impl IntoIterator<Item = Vec<u8>>) -> Vec<Vec<u8>> {
    let mut packed: Vec<Vec<u8>> = vec![];
    // Messages in the last frame.
    let mut count = 0;
    for frame in frames {
        let is_shared = |last: &&mut Vec<u8>| {
            ![&frame, *last].iter().any(|bytes| bytes.starts_with(b"{"))
                && count < MAX_MESSAGES
                && last.len() + 1 + frame.len() <= MAX_SENT_BYTES
        };
        match packed.last_mut().filter(is_shared) {
            Some(last) => {
                last.push(b' ');
                last.extend(frame);
                count += 1;
            }
            None => {
                packed.push(frame);
                count = 1;
            }
        }
    }
    packed
}

/// A control message as a text frame.
pub fn control(message: &Value) -> Vec<u8> {
    message.to_string().into_bytes()
}

/// A frame that directs a client to read the editor of a room over HTTPS. If it `is_asked`, it then
/// sends what the service lacks.
pub fn fetch(room_name: &str, state_vector: Option<&[u8]>, is_asked: bool) -> Vec<u8> {
    let state_vector = state_vector.map(|vector| STANDARD.encode(vector));
    Control::Fetch { document: room_name.to_owned(), state_vector, asks: is_asked }.frame()
}

impl Dialect {
    /// A message as a frame, if the dialect has it; for one that is too large, the order to fetch
    /// it.
    pub fn frame(
        self,
        room_name: &str,
        message: &Message,
        state_vector: Option<&[u8]>,
    ) -> Option<Vec<u8>> {
        let sent = text(&self.write(room_name, message)?);
        let is_small = sent.len() <= MAX_SENT_BYTES;
        Some(if is_small { sent } else { fetch(room_name, state_vector, false) })
    }
}

/// The reason for closing. Codes from 4400 are permanent, those from 4500 temporary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Close {
    /// The message or the room is malformed.
    BadRequest,
    /// The token is invalid or has expired.
    BadToken,
    /// A right is missing.
    Forbidden,
    /// The document does not exist.
    NotFound,
    /// The editor was deleted: who has its content has to load it anew.
    Gone,
    /// Too large.
    TooLarge,
    /// Temporarily unavailable.
    Unavailable,
    /// Too many connections.
    TooMany,
}

impl Close {
    /// The code.
    pub const fn code(self) -> u16 {
        match self {
            Self::BadRequest => 4400,
            Self::BadToken => 4401,
            Self::Forbidden => 4403,
            Self::NotFound => 4404,
            Self::Gone => 4410,
            Self::TooLarge => 4413,
            Self::Unavailable => 4503,
            Self::TooMany => 4529,
        }
    }

    /// The frame that tells a client to close.
    pub fn frame(self, reason: &str) -> Vec<u8> {
        Control::Close { code: self.code(), reason: reason.to_owned() }.frame()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Close, Frame, MAX_MESSAGES, MAX_SENT_BYTES, control, packed, text};

    #[test]
    fn a_frame_is_an_object_or_messages() {
        assert_eq!(Frame::read(r#"{"type":"ping"}"#), Ok(Frame::Control(json!({"type": "ping"}))));
        let cut = Frame::read(r#"{"type":"ping","id":"\ud83d"}"#);
        assert_eq!(cut, Ok(Frame::Control(json!({"type": "ping", "id": "\u{fffd}"}))));
        let sent = String::from_utf8(text(&[0, 255, 3])).unwrap();
        assert_eq!(Frame::read(&sent), Ok(Frame::Messages(vec![vec![0, 255, 3]])));
        let both = Frame::Messages(vec![vec![0], vec![1, 2]]);
        assert_eq!(Frame::read("AA== AQI="), Ok(both));
        for broken in ["{", "a", "AA==AA", "[1]", " {}", "AA== {}"] {
            assert!(Frame::read(broken).is_err(), "{broken}");
        }
        let most = vec!["AA=="; MAX_MESSAGES].join(" ");
        assert!(Frame::read(&most).is_ok() && Frame::read(&format!("{most} AA==")).is_err());
    }

    #[test]
    fn messages_share_a_frame_as_far_as_it_has_room() {
        let (small, large) = (text(&[0]), vec![b'A'; MAX_SENT_BYTES - 9]);
        let fetch = control(&json!({ "type": "fetch" }));
        let sent = [&small, &small, &fetch, &small, &large, &small, &small].map(Vec::clone);
        let lengths: Vec<usize> = packed(sent).iter().map(Vec::len).collect();
        assert_eq!(lengths, [9, fetch.len(), 5 + large.len(), 9]);
    }

    #[test]
    fn small_messages_share_frames_that_every_reader_takes() {
        let sent = vec![text(&[0]); 2 * MAX_MESSAGES + 1];
        let frames = packed(sent).into_iter().map(|frame| String::from_utf8(frame).unwrap());
        let frames: Vec<String> = frames.collect();
        let count = |frame: &String| match Frame::read(frame) {
            Ok(Frame::Messages(messages)) => messages.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!(frames.iter().map(count).collect::<Vec<_>>(), [MAX_MESSAGES, MAX_MESSAGES, 1]);
        let all = Frame::read_of_service(&frames.join(" "));
        assert_eq!(all, Ok(Frame::Messages(vec![vec![0]; 2 * MAX_MESSAGES + 1])));
        assert!(Frame::read_of_service("AA== A").is_err());
    }

    #[test]
    fn a_close_frame_names_code_and_reason() {
        let frame = String::from_utf8(Close::BadToken.frame("It \"expired\".")).unwrap();
        assert_eq!(frame, r#"{"code":4401,"reason":"It \"expired\".","type":"close"}"#);
    }
}
