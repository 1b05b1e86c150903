//! The conversation on a connection of a stock provider, in the messages of its dialect on one side
//! and in frames of `/live` on the other.

use std::collections::{BTreeMap, VecDeque};

use axum::extract::Request;
use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Awareness, Close, Control, Dialect, Frame, Message, Scope, verdict_in};
use keyring::MAX_TOKEN_BYTES;

use super::{
    address::{at_gateway, room},
    large::State,
    over::{FAILED, MAX_REASON},
    room_state::Room,
};
use crate::{
    live::{
        bounds::MAX_CHARS,
        event,
        memory::{Kept, Memory},
    },
    net::{Payer, is_lifted},
};

/// Maximum size of a message that fits into an event of the function, in bytes.
const MAX_SMALL: usize = MAX_CHARS / 4 * 3;
/// Maximum number of documents of a connection.
const MAX_ROOMS: usize = 20;
/// Maximum length of the name of a document: three escaped ids of 256 bytes.
const MAX_NAME: usize = 2_306;
/// The state vector of an empty document.
const NOTHING: &[u8] = &[0];

/// A message of the client.
pub(super) enum Inbound {
    /// Nothing that the service needs.
    Nothing,
    /// A message for the function.
    Small {
        bytes: Vec<u8>,
        /// Whether it needs an event of its own.
        is_alone: bool,
    },
    /// A change that is too large for the function.
    Update(Update),
    /// A message that closes the connection.
    Refused(Close, &'static str),
}

/// A large change.
pub(super) struct Update {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// The state vector of what the client has had.
    pub(super) seen: Vec<u8>,
    /// Whether the user may write, as far as is known.
    pub(super) is_of_writer: bool,
}

/// A message for the client, or about it.
pub(super) enum Outbound {
    Message(Vec<u8>),
    Fetch(FetchRequest),
    Close(u16, String),
}

/// An order to read a document for the client.
#[derive(Debug, PartialEq)]
pub(super) struct FetchRequest {
    pub(super) name: String,
    /// State vector of the client; none: as little as is known.
    pub(super) vector: Option<Kept>,
    /// Whether the service wants to know what it lacks.
    pub(super) asks: bool,
}

impl FetchRequest {
    /// Queues it; orders for one document are one.
    pub(super) fn queue(self, orders: &mut VecDeque<Self>) {
        match orders.iter_mut().find(|order| order.name == self.name) {
            Some(waiting) => {
                waiting.vector = waiting.vector.take().or(self.vector);
                waiting.asks |= self.asks;
            }
            None => orders.push_back(self),
        }
    }
}

/// The state of a connection.
pub(in crate::live) struct Conversation {
    dialect: Dialect,
    /// The room in the path; empty in Hocuspocus.
    room: String,
    /// The token for all documents, and its user: a connection is one user's.
    token: Option<String>,
    user: Option<Payer>,
    /// Whether the service has accepted a token.
    is_accepted: bool,
    /// Whether the client has sent a token in a message.
    has_sent_token: bool,
    rooms: BTreeMap<String, Room>,
    /// The latest token, until somebody takes note of it.
    heard_token: Option<String>,
    /// The payer for the kept bytes.
    payer: Payer,
    memory: Memory,
}

impl Conversation {
    /// The conversation of a new connection, whose request becomes one to API Gateway.
    pub(in crate::live) fn open(
        dialect: Dialect,
        request: &mut Request,
        payer: Payer,
        memory: Memory,
    ) -> Option<Self> {
        let token = event::token(request);
        let uri = request.uri();
        let room = room(uri).to_owned();
        *request.uri_mut() = at_gateway(uri, dialect)?;
        Some(Self {
            dialect,
            room,
            token,
            user: payer.is_proven().then(|| payer.clone()),
            is_accepted: false,
            has_sent_token: false,
            rooms: BTreeMap::new(),
            heard_token: None,
            payer,
            memory,
        })
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The token of the last message, if it had one.
    pub(super) fn take_token(&mut self) -> Option<String> {
        self.heard_token.take()
    }

    /// Keeps the token of a user, unless the service has accepted that of another one.
    pub(super) fn keep_token(&mut self, user: Payer, token: String) {
        if !self.is_accepted || self.user.as_ref() == Some(&user) {
            (self.token, self.user) = (Some(token), Some(user));
        }
    }

    /// Takes note of the payer from now on.
    pub(super) fn is_paid_by(&mut self, payer: Payer) {
        self.payer = payer;
    }

    /// The name of a document in its address.
    pub(super) fn address<'a>(&'a self, name: &'a str) -> &'a str {
        if name.is_empty() { &self.room } else { name }
    }

    /// The token for its documents.
    pub(super) fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    fn room(&mut self, name: &str) -> Option<&mut Room> {
        if self.rooms.len() >= MAX_ROOMS && !self.rooms.contains_key(name) {
            return None;
        }
        Some(self.rooms.entry(name.to_owned()).or_default())
    }

    /// The document of a message of the service. It is none that the client has left, or was refused.
    fn known_room(&mut self, name: &str) -> Option<&mut Room> {
        match self.dialect {
            Dialect::Y => self.room(name),
            Dialect::Hocuspocus => self.rooms.get_mut(name),
        }
    }

    /// Whether a document is kept that a message names. A client that nobody knows has those alone
    /// whose token is to be judged.
    fn keeps(&self, name: &str, message: &Message) -> bool {
        self.dialect == Dialect::Y
            || self.payer.is_proven()
            || matches!(message, Message::Token(_))
            || self.rooms.contains_key(name)
    }

    /// Takes a message of the client.
    pub(super) fn receive(&mut self, bytes: Vec<u8>) -> Inbound {
        let is_small = bytes.len() <= MAX_SMALL;
        let Ok(received) = self.dialect.read(&bytes) else {
            return match is_small {
                true => Inbound::Small { bytes, is_alone: true },
                false => Inbound::Refused(Close::BadRequest, "The message cannot be read."),
            };
        };
        if received.name.is_none() && received.message == Message::Pong {
            return Inbound::Nothing;
        }
        let dialect = self.dialect;
        let is_ping = matches!(received.message, Message::Ping);
        let name = received.name.unwrap_or_default();
        if is_ping && name.is_empty() {
            return Inbound::Small { bytes, is_alone: false };
        }
        if name.len() > MAX_NAME && !is_lifted("names") {
            return Inbound::Refused(Close::BadRequest, "The name is not that of a document.");
        }
        if matches!(&received.message, Message::Token(token) if token.len() > MAX_TOKEN_BYTES) {
            return Inbound::Refused(Close::BadToken, "The token is none, or has expired.");
        }
        if !self.keeps(&name, &received.message) {
            return match self.has_sent_token {
                // The token was refused, and there may be another one.
                true => Inbound::Nothing,
                false => Inbound::Refused(Close::BadToken, "Send the token of an end user first."),
            };
        }
        let Some(room) = self.room(&name) else {
            return Inbound::Refused(Close::BadRequest, "A connection has at most 20 documents.");
        };
        if let Message::Token(token) = &received.message {
            room.is_denied = false;
            self.heard_token = Some(token.clone());
            self.has_sent_token = true;
        }
        let Some(room) = self.rooms.get_mut(&name) else { return Inbound::Nothing };
        if room.is_denied {
            return Inbound::Nothing;
        }
        let is_alone = !matches!(
            received.message,
            Message::Update(_) | Message::Step2(_) | Message::Awareness(_)
        );
        match received.message {
            Message::Awareness(states) => match room.news(&states) {
                None => Inbound::Nothing,
                Some(news) => {
                    let written = dialect.write(&name, &Message::Awareness(news));
                    written.filter(|bytes| bytes.len() <= MAX_SMALL).map_or(
                        // A newer state comes.
                        Inbound::Nothing,
                        |bytes| Inbound::Small { bytes, is_alone },
                    )
                }
            },
            Message::Close(_) => {
                self.rooms.remove(&name);
                Inbound::Small { bytes, is_alone }
            }
            _ if is_small => Inbound::Small { bytes, is_alone },
            Message::Update(bytes) | Message::Step2(bytes) => {
                let seen = room.seen.as_ref().map_or(NOTHING, Kept::bytes).to_vec();
                let is_of_writer = room.is_writer;
                Inbound::Update(Update { name, bytes, seen, is_of_writer })
            }
            Message::Step1(vector) => {
                // A client with a vector too large to be kept gets the whole state.
                room.large_vector = self.memory.keep(&self.payer, vector);
                let asked = dialect.write(&name, &Message::Step1(NOTHING.to_vec()));
                asked.map_or(Inbound::Nothing, |bytes| Inbound::Small { bytes, is_alone })
            }
            _ => Inbound::Refused(Close::TooLarge, "Such a message may have 24 KB."),
        }
    }

    /// Takes note of what a change of the client has, which comes back as an order to read the
    /// document.
    pub(super) fn sees(&mut self, name: &str, vector: Vec<u8>) {
        if let Some(room) = self.rooms.get_mut(name) {
            room.seen = self.memory.keep(&self.payer, vector);
        }
    }

    /// Takes a frame of the service.
    pub(super) fn deliver(&mut self, frame: &str) -> Vec<Outbound> {
        if frame.starts_with('{') {
            return self.control(frame).into_iter().collect();
        }
        let Ok(Frame::Messages(messages)) = Frame::read_of_service(frame) else {
            // The content of the frame is lost for this client, who comes back and syncs.
            return vec![Outbound::Close(Close::Unavailable.code(), FAILED.to_owned())];
        };
        messages.into_iter().map(|bytes| self.message(bytes)).collect()
    }

    fn control(&mut self, frame: &str) -> Option<Outbound> {
        match Control::read(frame)? {
            Control::Close { code, mut reason } => {
                reason.truncate(reason.floor_char_boundary(MAX_REASON));
                Some(Outbound::Close(code, reason))
            }
            Control::Fetch { document, state_vector, asks } => {
                let is_named = self.dialect == Dialect::Hocuspocus;
                let name = if is_named { document } else { String::new() };
                let vector = state_vector.and_then(|vector| STANDARD.decode(vector).ok());
                let vector = vector.and_then(|vector| self.memory.keep(&self.payer, vector));
                let room = self.known_room(&name)?;
                room.is_writer |= asks && !is_named;
                let vector = match vector {
                    Some(vector) if vector.bytes() == NOTHING => {
                        room.large_vector.take().or(Some(vector))
                    }
                    vector => vector,
                };
                Some(Outbound::Fetch(FetchRequest { name, vector, asks }))
            }
            Control::Pong | Control::Unknown => None,
        }
    }

    fn message(&mut self, bytes: Vec<u8>) -> Outbound {
        if self.dialect == Dialect::Hocuspocus {
            self.note_scope(&bytes);
        }
        let is_named = self.dialect == Dialect::Hocuspocus;
        if let Ok(received) = self.dialect.read(&bytes) {
            let name = received.name.unwrap_or_default();
            match (received.message, self.known_room(&name)) {
                (Message::Awareness(states), Some(room)) => room.show(&states),
                (Message::Step1(vector), Some(room)) => {
                    room.is_writer |= !is_named;
                    self.sees(&name, vector);
                }
                _ => {}
            }
        }
        Outbound::Message(bytes)
    }

    /// Notes whether a token was accepted.
    fn note_scope(&mut self, bytes: &[u8]) {
        let Some((name, scope)) = verdict_in(bytes) else { return };
        let Some(room) = self.rooms.get_mut(&name) else { return };
        match scope {
            Some(scope) => {
                room.is_writer = scope == Scope::ReadWrite;
                self.is_accepted = true;
            }
            None if self.payer.is_proven() => room.is_denied = true,
            None => drop(self.rooms.remove(&name)),
        }
    }

    /// The state vector to read from for an order.
    pub(super) fn vector(&self, order: &FetchRequest) -> Option<Vec<u8>> {
        let seen = || self.rooms.get(&order.name)?.seen.as_ref();
        order.vector.as_ref().or_else(seen).map(|kept| kept.bytes().to_vec())
    }

    /// The messages for a state that was read.
    pub(super) fn fetched(&mut self, order: &FetchRequest, state: State) -> Vec<Vec<u8>> {
        let State { before, update, state_vector } = state;
        // A provider takes the document for whole at its first step 2.
        let before = before.into_iter();
        let before = before.map(|part| self.dialect.write(&order.name, &Message::Update(part)));
        let mut messages: Vec<_> = before.collect();
        let step_2 = self.dialect.write(&order.name, &Message::Step2(update));
        let step_1 = Message::Step1(state_vector.clone());
        let step_1 = self.dialect.write(&order.name, &step_1).filter(|_| order.asks);
        self.sees(&order.name, state_vector);
        messages.extend([step_2, step_1]);
        messages.into_iter().flatten().collect()
    }

    /// A message without a meaning, about any of the documents.
    pub(super) fn reassurance(&self) -> Option<Vec<u8>> {
        let name = self.rooms.keys().next()?;
        self.dialect.write(name, &Message::Awareness(Awareness::default().write()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use axum::{body::Body, extract::Request};
    use dialects::{Awareness, Close, Dialect, Message, Scope, State, fetch, text};

    use super::{
        Conversation, FetchRequest, Inbound, MAX_NAME, MAX_ROOMS, MAX_SMALL, Memory, Outbound,
        Payer,
    };

    const NAME: &str = "acme/d/e";

    fn user(user: &str) -> Payer {
        Payer::User { key: "k".to_owned(), user: user.to_owned() }
    }

    fn open(dialect: Dialect, uri: &str) -> (Conversation, String) {
        open_as(user("ann"), dialect, uri)
    }

    fn open_as(payer: Payer, dialect: Dialect, uri: &str) -> (Conversation, String) {
        let mut request = Request::builder().uri(uri).body(Body::empty()).unwrap();
        let memory = Memory::default();
        let conversation = Conversation::open(dialect, &mut request, payer, memory).unwrap();
        (conversation, request.uri().to_string())
    }

    /// The message with a token of one letter, and a version.
    fn token(name: &str, letter: u8) -> Vec<u8> {
        let length = u8::try_from(name.len()).unwrap();
        [&[length], name.as_bytes(), &[2, 0, 1, letter, 1, b'4']].concat()
    }

    fn written(dialect: Dialect, message: &Message) -> Vec<u8> {
        dialect.write(NAME, message).unwrap()
    }

    fn posted(conversation: &mut Conversation, frame: Vec<u8>) -> Vec<Outbound> {
        conversation.deliver(&String::from_utf8(frame).unwrap())
    }

    #[test]
    fn the_path_is_the_query_of_the_gateway() {
        let uri = "/live/y/acme/a%2Fb/e?token=t&room=other&protocol=events";
        let (conversation, uri) = open(Dialect::Y, uri);
        let own = "protocol=y&room=acme%2Fa%252Fb%2Fe";
        assert_eq!(uri, format!("/live?token=t&room=other&protocol=events&{own}"));
        assert_eq!((conversation.address(""), conversation.token()), ("acme/a%2Fb/e", Some("t")));
        let (conversation, uri) = open(Dialect::Hocuspocus, "/live/hocuspocus");
        assert_eq!((uri.as_str(), conversation.token()), ("/live?protocol=hocuspocus", None));
    }

    #[test]
    fn after_a_refused_token_only_another_token_is_passed_on() {
        let (mut conversation, _) = open(Dialect::Hocuspocus, "/live/hocuspocus");
        let token = |letter| token(NAME, letter);
        let is_passed = |said| matches!(said, Inbound::Small { is_alone: true, .. });
        assert!(is_passed(conversation.receive(token(b'a'))));
        let step_1 = || written(Dialect::Hocuspocus, &Message::Step1(vec![0]));
        assert!(is_passed(conversation.receive(step_1())));
        let denied = written(Dialect::Hocuspocus, &Message::Denied("no".to_owned()));
        assert_eq!(posted(&mut conversation, text(&denied)).len(), 1);
        assert!(matches!(conversation.receive(step_1()), Inbound::Nothing));
        assert!(
            is_passed(conversation.receive(token(b'b')))
                && is_passed(conversation.receive(step_1()))
        );
    }

    #[test]
    fn a_connection_keeps_one_token_and_once_it_is_accepted_those_of_its_user() {
        let (mut conversation, _) = open(Dialect::Hocuspocus, "/live/hocuspocus");
        conversation.keep_token(user("eve"), "a".to_owned());
        conversation.keep_token(user("ann"), "b".to_owned());
        conversation.receive(token(NAME, b'b'));
        assert_eq!(conversation.take_token().as_deref(), Some("b"));
        let authenticated = Message::Authenticated(Scope::ReadWrite);
        posted(&mut conversation, text(&written(Dialect::Hocuspocus, &authenticated)));
        conversation.keep_token(user("eve"), "c".to_owned());
        assert_eq!(conversation.token(), Some("b"));
        conversation.keep_token(user("ann"), "d".to_owned());
        assert_eq!(conversation.token(), Some("d"));
    }

    #[test]
    fn a_client_without_a_proven_user_keeps_no_document_whose_token_was_refused() {
        let stranger = || Payer::Unproven("9.9.9.9".parse().unwrap());
        let uri = "/live/hocuspocus";
        let (mut early, _) = open_as(stranger(), Dialect::Hocuspocus, uri);
        let step_1 =
            |name: &str| Dialect::Hocuspocus.write(name, &Message::Step1(vec![0])).unwrap();
        assert!(matches!(early.receive(step_1(NAME)), Inbound::Refused(Close::BadToken, _)));
        let (mut conversation, _) = open_as(stranger(), Dialect::Hocuspocus, uri);
        for n in 0..2 * MAX_ROOMS {
            let name = format!("acme/d/{n}");
            assert!(matches!(conversation.receive(token(&name, b'a')), Inbound::Small { .. }));
            let refusal = Message::Denied("no".to_owned());
            let denied = Dialect::Hocuspocus.write(&name, &refusal).unwrap();
            posted(&mut conversation, text(&denied));
            let after = step_1(&name);
            assert!(matches!(conversation.receive(after), Inbound::Nothing));
        }
        assert!(conversation.rooms.is_empty());
    }

    #[test]
    fn states_of_others_are_passed_on_only_if_they_are_news() {
        let (mut conversation, _) = open(Dialect::Y, "/live/y/acme/d/e");
        let state = |client, clock| State { client, clock, json: "{}".to_owned() };
        let shown = |states: &[State]| Message::Awareness(Awareness(states.to_vec()).write());
        let frame = |states: &[State]| text(&written(Dialect::Y, &shown(states)));
        let said = |conversation: &mut Conversation, states: &[State]| match conversation
            .receive(written(Dialect::Y, &shown(states)))
        {
            Inbound::Small { bytes, is_alone: false } => {
                Some(Dialect::Y.read(&bytes).unwrap().message)
            }
            _ => None,
        };
        let (own, other) = (state(1, 1), state(2, 7));
        let alone = std::slice::from_ref(&own);
        assert_eq!(said(&mut conversation, alone), Some(shown(alone)));
        posted(&mut conversation, frame(&[own.clone(), other.clone()]));
        assert_eq!(said(&mut conversation, std::slice::from_ref(&other)), None);
        // A client that is asked tells all; only its own state is news.
        let all = [other, own.clone()];
        assert_eq!(said(&mut conversation, &all), Some(shown(&[own])));
        assert!(said(&mut conversation, &[state(2, 8)]).is_some());
    }

    #[test]
    fn a_large_state_vector_is_kept_for_the_order_to_fetch() {
        let (mut conversation, _) = open(Dialect::Y, "/live/y/acme/d/e");
        let large = vec![1; MAX_SMALL];
        let said = conversation.receive(written(Dialect::Y, &Message::Step1(large.clone())));
        let asked = written(Dialect::Y, &Message::Step1(vec![0]));
        assert!(matches!(said, Inbound::Small { bytes, .. } if bytes == asked));
        let mut orders = VecDeque::new();
        for vector in [Some(&[0][..]), None] {
            for heard in posted(&mut conversation, fetch(NAME, vector, vector.is_some())) {
                let Outbound::Fetch(order) = heard else { panic!("no order") };
                order.queue(&mut orders);
            }
        }
        let orders: VecDeque<FetchRequest> = orders;
        assert_eq!(conversation.vector(&orders[0]), Some(large));
        assert!(orders.len() == 1 && orders[0].asks);
    }

    #[test]
    fn what_is_kept_of_messages_is_bounded() {
        let (mut conversation, _) = open(Dialect::Hocuspocus, "/live/hocuspocus");
        let name = "a".repeat(MAX_NAME + 1);
        let said = Dialect::Hocuspocus.write(&name, &Message::Step1(vec![0])).unwrap();
        assert!(matches!(conversation.receive(said), Inbound::Refused(..)));
        assert!(conversation.rooms.is_empty());
        let (mut conversation, _) = open(Dialect::Y, "/live/y/acme/d/e");
        let vector = Message::Step1(vec![1; 14 * 1024 * 1024]);
        assert!(matches!(
            conversation.receive(written(Dialect::Y, &vector)),
            Inbound::Small { .. }
        ));
        assert!(conversation.rooms[""].large_vector.is_none());
    }
}
