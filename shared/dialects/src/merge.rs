//! Messages that wait for one client, as few.

use std::collections::BTreeMap;

use crate::{Awareness, Message, State};

/// Maximum size of updates that become one, in bytes: in base64 they fit a frame.
const MAX_BYTES: usize = 48 * 1024;
/// Maximum number of clients in one message: a state has at most 1 KB.
const MAX_CLIENTS: usize = 50;

/// Messages of one editor as few that do the same: updates become one, if `joined` can join them, and
/// of several states of a client the newest is left. Others keep their places among them.
pub fn merged(
    messages: Vec<Message>,
    joined: impl Fn(&[Vec<u8>]) -> Option<Vec<u8>>,
) -> Vec<Message> {
    let mut waiting = Waiting::default();
    let mut merged = vec![];
    for message in messages {
        match message {
            Message::Update(update) => {
                if waiting.bytes + update.len() > MAX_BYTES {
                    waiting.end_updates(&joined, &mut merged);
                }
                waiting.bytes += update.len();
                waiting.updates.push(update);
            }
            Message::Awareness(states) => match Awareness::read(&states) {
                Ok(Awareness(states)) => states.into_iter().for_each(|state| waiting.show(state)),
                Err(_) => merged.push(Message::Awareness(states)),
            },
            other => {
                waiting.end(&joined, &mut merged);
                merged.push(other);
            }
        }
    }
    waiting.end(&joined, &mut merged);
    merged
}

/// Messages that become few.
#[derive(Default)]
struct Waiting {
    updates: Vec<Vec<u8>>,
    bytes: usize,
    states: BTreeMap<u64, State>,
}

impl Waiting {
    fn show(&mut self, state: State) {
        let known = self.states.get(&state.client);
        if known.is_none_or(|known| known.clock <= state.clock) {
            self.states.insert(state.client, state);
        }
    }

    fn end_updates(
        &mut self,
        joined: impl Fn(&[Vec<u8>]) -> Option<Vec<u8>>,
        merged: &mut Vec<Message>,
    ) {
        let updates = std::mem::take(&mut self.updates);
        self.bytes = 0;
        let one = if updates.len() > 1 { joined(&updates) } else { None };
        let updates = one.map_or(updates, |one| vec![one]);
        merged.extend(updates.into_iter().map(Message::Update));
    }

    fn end(&mut self, joined: impl Fn(&[Vec<u8>]) -> Option<Vec<u8>>, merged: &mut Vec<Message>) {
        self.end_updates(joined, merged);
        let states: Vec<State> = std::mem::take(&mut self.states).into_values().collect();
        let states = states.chunks(MAX_CLIENTS).map(|part| Awareness(part.to_vec()).write());
        merged.extend(states.map(Message::Awareness));
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_BYTES, MAX_CLIENTS, merged};
    use crate::{Awareness, Message, State};

    fn update(bytes: &[u8]) -> Message {
        Message::Update(bytes.to_vec())
    }

    fn shown(states: &[(u64, u64)]) -> Message {
        let states = states.iter();
        let states = states.map(|&(client, clock)| State { client, clock, json: "{}".to_owned() });
        Message::Awareness(Awareness(states.collect()).write())
    }

    fn joined(updates: &[Vec<u8>]) -> Option<Vec<u8>> {
        Some(updates.concat()).filter(|one| !one.contains(&9))
    }

    #[test]
    fn updates_become_one_and_states_the_newest_of_each_client() {
        let sent = vec![
            update(&[1]),
            shown(&[(1, 5), (2, 1)]),
            update(&[2]),
            shown(&[(2, 7), (1, 4)]),
            Message::Stateless("a".to_owned()),
            update(&[3]),
        ];
        let wanted = vec![
            update(&[1, 2]),
            shown(&[(1, 5), (2, 7)]),
            Message::Stateless("a".to_owned()),
            update(&[3]),
        ];
        assert_eq!(merged(sent, joined), wanted);
    }

    #[test]
    fn what_cannot_be_joined_stays_as_it_was() {
        let sent = vec![update(&[9]), update(&[1]), Message::Awareness(vec![1])];
        let wanted = vec![Message::Awareness(vec![1]), update(&[9]), update(&[1])];
        assert_eq!(merged(sent, joined), wanted);
        assert_eq!(merged(vec![], joined), vec![]);
    }

    #[test]
    fn messages_stay_as_small_as_frames() {
        let large = vec![1; MAX_BYTES - 1];
        let sent = vec![update(&large), update(&[2]), update(&[3])];
        let sizes = |messages: Vec<Message>| {
            let size = |message| match message {
                Message::Update(bytes) => bytes.len(),
                _ => 0,
            };
            messages.into_iter().map(size).collect::<Vec<_>>()
        };
        assert_eq!(sizes(merged(sent, joined)), [MAX_BYTES, 1]);
        let all: Vec<Message> = (0..=MAX_CLIENTS as u64).map(|n| shown(&[(n, 1)])).collect();
        assert_eq!(merged(all, joined).len(), 2);
    }
}
