//! The messages of y-websocket 3 and of Hocuspocus 3 and 4, which differ only in the leading name
//! of the document, tokens and acknowledgements.

use crate::{
    Close, Malformed,
    bytes::{Reader, Writer},
};

const SYNC: u64 = 0;
const AWARENESS: u64 = 1;
const AUTH: u64 = 2;
const QUERY_AWARENESS: u64 = 3;
const SYNC_REPLY: u64 = 4;
const STATELESS: u64 = 5;
const BROADCAST_STATELESS: u64 = 6;
const CLOSE: u64 = 7;
const SYNC_STATUS: u64 = 8;
const PING: u64 = 9;
const PONG: u64 = 10;

const STEP_1: u64 = 0;
const STEP_2: u64 = 1;
const UPDATE: u64 = 2;

/// Protocol of editor clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// y-websocket: one editor for each connection.
    Y,
    /// Hocuspocus: each message names its editor.
    Hocuspocus,
}

/// The right of a user in an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Read.
    ReadOnly,
    /// Read and write.
    ReadWrite,
}

/// A message about an editor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// A state vector: a request for the diff.
    Step1(Vec<u8>),
    /// The missing update.
    Step2(Vec<u8>),
    /// A change.
    Update(Vec<u8>),
    /// States of clients, see [`crate::Awareness`].
    Awareness(Vec<u8>),
    /// A request for the states of all known clients.
    QueryAwareness,
    /// The token of the user; Hocuspocus only.
    Token(String),
    /// The token is accepted; Hocuspocus only.
    Authenticated(Scope),
    /// Permission denied.
    Denied(String),
    /// Permission denied, with the close code behind the reason, which stock providers do not read.
    Refused(Close, String),
    /// A text for all others in the room; Hocuspocus only.
    Stateless(String),
    /// The client leaves the room, or must leave it; Hocuspocus only.
    Close(String),
    /// Acknowledgement of a stored update; Hocuspocus only.
    Saved(bool),
    /// An update that is not stored, with code and reason behind the status, which stock providers do not
    /// read; Hocuspocus only.
    Unsaved(Close, String),
    /// A ping; Hocuspocus only.
    Ping,
    /// A pong; Hocuspocus only.
    Pong,
}

/// A message of a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// The editor it names, in Hocuspocus.
    pub name: Option<String>,
    /// The message.
    pub message: Message,
}

impl Dialect {
    /// Parses a message of a client.
    ///
    /// # Errors
    /// When it is not a message of the dialect.
    pub fn read(self, bytes: &[u8]) -> Result<Received, Malformed> {
        // These two concern the connection, and name no editor.
        if let (Self::Hocuspocus, [kind]) = (self, bytes) {
            let message = match u64::from(*kind) {
                PING => Message::Ping,
                PONG => Message::Pong,
                _ => return Err(Malformed),
            };
            return Ok(Received { name: None, message });
        }
        let mut reader = Reader::new(bytes);
        let name = match self {
            Self::Y => None,
            Self::Hocuspocus => Some(reader.text()?.to_owned()),
        };
        let message = self.message(&mut reader)?;
        Ok(Received { name, message })
    }

    fn message(self, reader: &mut Reader<'_>) -> Result<Message, Malformed> {
        let is_named = self == Self::Hocuspocus;
        Ok(match reader.number()? {
            SYNC => sync(reader)?,
            SYNC_REPLY if is_named => sync(reader)?,
            AWARENESS => Message::Awareness(reader.bytes()?.to_vec()),
            QUERY_AWARENESS => Message::QueryAwareness,
            AUTH if is_named => match reader.number()? {
                0 => Message::Token(reader.text()?.to_owned()),
                _ => return Err(Malformed),
            },
            STATELESS | BROADCAST_STATELESS if is_named => {
                Message::Stateless(reader.text()?.to_owned())
            }
            CLOSE if is_named => Message::Close(String::new()),
            PING if is_named => Message::Ping,
            PONG if is_named => Message::Pong,
            _ => return Err(Malformed),
        })
    }

    /// A message to a client about the editor of that name; none when the dialect has no such
    /// message.
    pub fn write(self, name: &str, message: &Message) -> Option<Vec<u8>> {
        let is_named = self == Self::Hocuspocus;
        let start = || match self {
            Self::Y => Writer::default(),
            Self::Hocuspocus => Writer::default().text(name),
        };
        let sync = |step, bytes: &[u8]| start().number(SYNC).number(step).bytes(bytes);
        let denied = if is_named { 1 } else { 0 };
        let written = match message {
            Message::Step1(vector) => sync(STEP_1, vector),
            Message::Step2(update) => sync(STEP_2, update),
            Message::Update(update) => sync(UPDATE, update),
            Message::Awareness(states) => start().number(AWARENESS).bytes(states),
            Message::QueryAwareness => start().number(QUERY_AWARENESS),
            Message::Denied(reason) => start().number(AUTH).number(denied).text(reason),
            Message::Refused(_, reason) if !is_named => {
                start().number(AUTH).number(denied).text(reason)
            }
            Message::Refused(close, reason) => {
                let code = u64::from(close.code());
                start().number(AUTH).number(denied).text(reason).number(code)
            }
            _ if !is_named => return None,
            Message::Token(_) => return None,
            Message::Authenticated(scope) => {
                let scope = match scope {
                    Scope::ReadOnly => "readonly",
                    Scope::ReadWrite => "read-write",
                };
                start().number(AUTH).number(2).text(scope)
            }
            Message::Stateless(text) => start().number(STATELESS).text(text),
            Message::Close(reason) => start().number(CLOSE).text(reason),
            Message::Saved(is_saved) => start().number(SYNC_STATUS).number(u64::from(*is_saved)),
            Message::Unsaved(close, reason) => {
                let code = u64::from(close.code());
                start().number(SYNC_STATUS).number(0).number(code).text(reason)
            }
            Message::Ping => Writer::default().number(PING),
            Message::Pong => Writer::default().number(PONG),
        };
        Some(written.done())
    }
}

/// The verdict of a message of the service on a token of Hocuspocus: the editor, and the right of
/// the user; none of a refusal. None for other messages.
pub fn verdict_in(bytes: &[u8]) -> Option<(String, Option<Scope>)> {
    let mut reader = Reader::new(bytes);
    let name = reader.text().ok()?.to_owned();
    let (kind, verdict) = (reader.number().ok()?, reader.number().ok()?);
    if kind != AUTH {
        return None;
    }
    match (verdict, reader.text().ok()?) {
        (1, _) => Some((name, None)),
        (2, "readonly") => Some((name, Some(Scope::ReadOnly))),
        (2, _) => Some((name, Some(Scope::ReadWrite))),
        _ => None,
    }
}

fn sync(reader: &mut Reader<'_>) -> Result<Message, Malformed> {
    let step = reader.number()?;
    let bytes = reader.bytes()?.to_vec();
    Ok(match step {
        STEP_1 => Message::Step1(bytes),
        STEP_2 => Message::Step2(bytes),
        UPDATE => Message::Update(bytes),
        _ => return Err(Malformed),
    })
}

#[cfg(test)]
mod tests {
    use super::{Close, Dialect, Message, Received, Scope, verdict_in};

    #[test]
    fn messages_of_both_dialects_are_read_as_they_were_written() {
        for message in [
            Message::Step1(vec![0]),
            Message::Step2(vec![0, 0]),
            Message::Update(vec![1; 300]),
            Message::Awareness(vec![0]),
            Message::QueryAwareness,
        ] {
            let y = Dialect::Y.write("a/b/c", &message).unwrap();
            let received = Received { name: None, message: message.clone() };
            assert_eq!(Dialect::Y.read(&y), Ok(received));
            let named = Dialect::Hocuspocus.write("a/b/c", &message).unwrap();
            let received = Received { name: Some("a/b/c".to_owned()), message };
            assert_eq!(Dialect::Hocuspocus.read(&named), Ok(received));
        }
    }

    #[test]
    fn bytes_are_those_of_the_stock_packages() {
        let y = |message| Dialect::Y.write("x", &message);
        assert_eq!(y(Message::Step1(vec![0])), Some(vec![0, 0, 1, 0]));
        assert_eq!(y(Message::Denied("no".to_owned())), Some(vec![2, 0, 2, b'n', b'o']));
        assert_eq!(y(Message::Saved(true)), None);
        let named = |message| Dialect::Hocuspocus.write("x", &message);
        assert_eq!(named(Message::Saved(true)), Some(vec![1, b'x', 8, 1]));
        let unsaved = named(Message::Unsaved(Close::TooLarge, "no".to_owned()));
        assert_eq!(unsaved, Some(vec![1, b'x', 8, 0, 0xbd, 0x22, 2, b'n', b'o']));
        let scope = [&[1, b'x', 2, 2, 8][..], b"readonly"].concat();
        assert_eq!(named(Message::Authenticated(Scope::ReadOnly)), Some(scope));
        assert_eq!(named(Message::Pong), Some(vec![10]));
        let read = |message| verdict_in(&named(message).unwrap());
        for scope in [Scope::ReadOnly, Scope::ReadWrite] {
            let verdict = Some(("x".to_owned(), Some(scope)));
            assert_eq!(read(Message::Authenticated(scope)), verdict);
        }
        assert_eq!(read(Message::Denied("no".to_owned())), Some(("x".to_owned(), None)));
        assert_eq!(read(Message::Saved(true)), None);
        let refused = named(Message::Refused(Close::NotFound, "no".to_owned()));
        assert_eq!(refused, Some(vec![1, b'x', 2, 1, 2, b'n', b'o', 0xb4, 0x22]));
        // The version of the provider follows the token.
        let token = [&[1, b'x', 2, 0, 1, b't', 5][..], b"4.8.0"].concat();
        let received = Dialect::Hocuspocus.read(&token).unwrap();
        assert_eq!(received.message, Message::Token("t".to_owned()));
    }

    #[test]
    fn what_is_of_no_dialect_is_refused() {
        for bytes in [&[][..], &[0], &[0, 3, 0], &[2, 0, 0], &[4, 0, 1, 0], &[11], &[0, 0, 9]] {
            assert!(Dialect::Y.read(bytes).is_err(), "{bytes:?}");
        }
        for bytes in [&[][..], &[0], &[1, b'x', 2, 1, 0], &[1, b'x', 99], &[9, 0]] {
            assert!(Dialect::Hocuspocus.read(bytes).is_err(), "{bytes:?}");
        }
    }
}
