//! Messages that wait for a client, as few.

use std::sync::Arc;

use dialects::{Dialect, Frame, Message, merged as merge, packed, text};

/// Frames of `/live` as few that do the same. A frame without messages of editors stays as it is.
pub(super) fn merged_frames(dialect: Dialect, frames: Vec<Arc<str>>) -> Vec<Vec<u8>> {
    let mut merged_frames: Vec<Vec<u8>> = vec![];
    let mut run: Vec<(Arc<str>, Vec<Vec<u8>>)> = vec![];
    let mut end = |run: &mut Vec<(Arc<str>, Vec<Vec<u8>>)>| match run.len() {
        0 | 1 => merged_frames.extend(run.pop().map(|(frame, _)| frame.as_bytes().to_vec())),
        _ => {
            let messages = run.drain(..).flat_map(|(_, messages)| messages).collect();
            let few = merged(dialect, messages);
            merged_frames.extend(packed(few.iter().map(|message| text(message))));
        }
    };
    for frame in frames {
        let messages = match Frame::read_of_service(&frame) {
            Ok(Frame::Messages(messages)) => Some(messages),
            Ok(Frame::Control(_)) | Err(_) => None,
        };
        let read = |message: &Vec<u8>| dialect.read(message).is_ok();
        let messages = messages.filter(|messages| messages.iter().all(read));
        let is_alone = messages.is_none();
        if is_alone {
            end(&mut run);
        }
        run.push((frame, messages.unwrap_or_default()));
        if is_alone {
            end(&mut run);
        }
    }
    end(&mut run);
    merged_frames
}

/// Messages as few that do the same: those of one document that follow each other.
pub(super) fn merged(dialect: Dialect, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    if messages.len() < 2 {
        return messages;
    }
    let mut merged = vec![];
    let mut run = Run { dialect, name: String::new(), messages: vec![], bytes: vec![] };
    for bytes in messages {
        match dialect.read(&bytes) {
            Ok(read) if matches!(read.message, Message::Update(_) | Message::Awareness(_)) => {
                let name = read.name.unwrap_or_default();
                if name != run.name {
                    run.end(&mut merged);
                    run.name = name;
                }
                run.messages.push(read.message);
                run.bytes.push(bytes);
            }
            _ => {
                run.end(&mut merged);
                merged.push(bytes);
            }
        }
    }
    run.end(&mut merged);
    merged
}

/// Messages of one document.
struct Run {
    dialect: Dialect,
    name: String,
    messages: Vec<Message>,
    /// The messages as they came.
    bytes: Vec<Vec<u8>>,
}

impl Run {
    fn end(&mut self, merged: &mut Vec<Vec<u8>>) {
        let (messages, bytes) =
            (std::mem::take(&mut self.messages), std::mem::take(&mut self.bytes));
        if messages.len() < 2 {
            return merged.extend(bytes);
        }
        let few = merge(messages, crdt::joined);
        merged.extend(few.iter().filter_map(|message| self.dialect.write(&self.name, message)));
    }
}

#[cfg(test)]
mod tests {
    use dialects::{Awareness, Dialect, Message, State, text};

    use super::{merged, merged_frames};

    #[test]
    fn messages_of_a_document_that_follow_each_other_become_few() {
        for dialect in [Dialect::Y, Dialect::Hocuspocus] {
            let state = |client, clock| State { client, clock, json: "{}".to_owned() };
            let shown = |states: &[State]| Message::Awareness(Awareness(states.to_vec()).write());
            let write = |message: &Message| dialect.write("acme/d/e", message).unwrap();
            let other = dialect.write("acme/d/f", &shown(&[state(1, 1)])).unwrap();
            let step_1 = write(&Message::Step1(vec![0]));
            let sent = vec![
                write(&shown(&[state(1, 3)])),
                write(&shown(&[state(2, 1), state(1, 2)])),
                step_1.clone(),
                write(&shown(&[state(1, 4)])),
            ];
            let wanted = vec![
                write(&shown(&[state(1, 3), state(2, 1)])),
                step_1,
                write(&shown(&[state(1, 4)])),
            ];
            assert_eq!(merged(dialect, sent), wanted);
            if dialect == Dialect::Hocuspocus {
                let apart = vec![write(&shown(&[state(1, 3)])), other, vec![9]];
                assert_eq!(merged(dialect, apart.clone()), apart);
            }
        }
    }

    #[test]
    fn frames_of_messages_become_few_and_others_stay() {
        let state = |clock| State { client: 1, clock, json: "{}".to_owned() };
        let message = |clock| {
            let shown = Message::Awareness(Awareness(vec![state(clock)]).write());
            Dialect::Y.write("", &shown).unwrap()
        };
        let frame = |clock| String::from_utf8(text(&message(clock))).unwrap();
        let both = format!("{} {}", frame(1), frame(3));
        let pong = r#"{"type":"pong"}"#.to_owned();
        let sent = vec![both, frame(2), pong.clone(), "welcome".to_owned(), frame(5)];
        let wanted = [frame(3), pong, "welcome".to_owned(), frame(5)].map(String::into_bytes);
        let sent = sent.into_iter().map(Into::into).collect();
        assert_eq!(merged_frames(Dialect::Y, sent), wanted);
        assert!(merged_frames(Dialect::Y, vec![]).is_empty());
    }
}
