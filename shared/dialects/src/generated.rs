//! Messages of strangers: each is read or refused, and one that is read can be written.

use base64::{Engine, prelude::BASE64_STANDARD};
use proptest::{collection::vec, prelude::*};

use crate::{Address, Awareness, Dialect, Frame, Message, State, packed, text};

fn message() -> impl Strategy<Value = Message> {
    let bytes = || vec(any::<u8>(), 0..200);
    prop_oneof![
        bytes().prop_map(Message::Step1),
        bytes().prop_map(Message::Step2),
        bytes().prop_map(Message::Update),
        bytes().prop_map(Message::Awareness),
        Just(Message::QueryAwareness),
        "\\PC{0,20}".prop_map(Message::Stateless),
        Just(Message::Ping),
    ]
}

/// Bytes with some changed, left out, or more.
fn changed(mut bytes: Vec<u8>, changes: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    for (at, how, byte) in changes {
        if bytes.is_empty() {
            return vec![*byte];
        }
        let at = at.index(bytes.len());
        match how % 4 {
            0 => bytes[at] = *byte,
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, *byte),
            _ => bytes.truncate(at),
        }
    }
    bytes
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
    vec((any::<prop::sample::Index>(), any::<u8>(), any::<u8>()), 0..4)
}

/// A message that is read is written as one that is read as the same.
fn is_stable(dialect: Dialect, bytes: &[u8]) -> Result<(), TestCaseError> {
    let Ok(received) = dialect.read(bytes) else { return Ok(()) };
    let name = received.name.clone().unwrap_or_default();
    // Tokens and what announces them are never sent to clients.
    let Some(written) = dialect.write(&name, &received.message) else { return Ok(()) };
    let read = dialect.read(&written).expect("what was written");
    prop_assert_eq!(read.message, received.message);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn messages_are_read_or_refused(message in message(), name in "\\PC{0,20}", changes in changes()) {
        for dialect in [Dialect::Y, Dialect::Hocuspocus] {
            if let Some(written) = dialect.write(&name, &message) {
                prop_assert_eq!(&dialect.read(&written).expect("a message").message, &message);
                is_stable(dialect, &changed(written, &changes))?;
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..300)) {
        is_stable(Dialect::Y, &bytes)?;
        is_stable(Dialect::Hocuspocus, &bytes)?;
        if let Ok(states) = Awareness::read(&bytes) {
            prop_assert!(states.0.len() <= bytes.len());
        }
        let _ = Address::parse(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn states_are_read_or_refused(
        states in vec((0..1_u64 << 53, 0..1_u64 << 53, "\\PC{0,20}"), 0..5), changes in changes(),
    ) {
        let state = |(client, clock, json)| State { client, clock, json };
        let states = Awareness(states.into_iter().map(state).collect());
        let written = states.write();
        prop_assert_eq!(Awareness::read(&written), Ok(states));
        if let Ok(read) = Awareness::read(&changed(written, &changes)) {
            prop_assert_eq!(Awareness::read(&read.write()), Ok(read.clone()));
        }
    }

    #[test]
    fn frames_are_read_or_refused(messages in vec(vec(any::<u8>(), 1..50), 1..9), changes in changes()) {
        let frames = packed(messages.iter().map(|message| text(message)));
        let frame = frames.into_iter().next().expect("a frame");
        let sent = String::from_utf8(frame.clone()).expect("ASCII");
        prop_assert_eq!(Frame::read(&sent), Ok(Frame::Messages(messages)));
        let sent = changed(frame, &changes);
        let sent = String::from_utf8_lossy(&sent);
        if let Ok(Frame::Messages(read)) = Frame::read(&sent) {
            let again: Vec<String> = read.iter().map(|message| BASE64_STANDARD.encode(message)).collect();
            prop_assert_eq!(again.join(" "), sent);
        }
    }
}
