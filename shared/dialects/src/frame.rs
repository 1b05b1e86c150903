//! Text frames: API Gateway accepts no others.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};

use crate::Malformed;

/// Maximum size of a frame to a client in bytes: below the 128 KB of API Gateway.
pub const MAX_SENT_BYTES: usize = 90 * 1024;

/// A frame of a client.
#[derive(Clone, Debug, PartialEq)]
pub enum Frame {
    /// A message of the dialect.
    Binary(Vec<u8>),
    /// A control message.
    Control(Value),
}

impl Frame {
    /// Parses a text frame.
    ///
    /// # Errors
    /// When it is neither a JSON object nor standard base64 with padding.
    pub fn read(text: &str) -> Result<Self, Malformed> {
        match text.starts_with('{') {
            true => serde_json::from_str(text).map(Self::Control).map_err(|_| Malformed),
            false => STANDARD.decode(text).map(Self::Binary).map_err(|_| Malformed),
        }
    }
}

/// A binary message as a text frame.
pub fn text(message: &[u8]) -> Vec<u8> {
    STANDARD.encode(message).into_bytes()
}

/// A control message as a text frame.
pub fn control(message: &Value) -> Vec<u8> {
    message.to_string().into_bytes()
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
            Self::TooLarge => 4413,
            Self::Unavailable => 4503,
            Self::TooMany => 4529,
        }
    }

    /// The frame that tells a client to close.
    pub fn frame(self, reason: &str) -> Vec<u8> {
        control(&json!({ "type": "close", "code": self.code(), "reason": reason }))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Close, Frame, text};

    #[test]
    fn a_frame_is_an_object_or_base64() {
        assert_eq!(Frame::read(r#"{"type":"ping"}"#), Ok(Frame::Control(json!({"type": "ping"}))));
        let sent = String::from_utf8(text(&[0, 255, 3])).unwrap();
        assert_eq!(Frame::read(&sent), Ok(Frame::Binary(vec![0, 255, 3])));
        for broken in ["{", "a", "AA==AA", "[1]", " {}"] {
            assert!(Frame::read(broken).is_err(), "{broken}");
        }
    }

    #[test]
    fn a_close_frame_names_code_and_reason() {
        let frame = String::from_utf8(Close::BadToken.frame("It \"expired\".")).unwrap();
        assert_eq!(frame, r#"{"code":4401,"reason":"It \"expired\".","type":"close"}"#);
    }
}
