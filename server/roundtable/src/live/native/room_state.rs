//! State of a connection of a stock provider about a document.

use std::collections::HashMap;

use dialects::Awareness;

use crate::live::memory::Kept;

/// Maximum number of other clients of a document that are remembered.
const MAX_CLIENTS: usize = 5_000;
/// Maximum number of clients of the connection itself: there is one, unless it misbehaves.
const MAX_OWN: usize = 20;

/// The facts that are known of a document.
#[derive(Default)]
pub(super) struct Room {
    /// Whether the service refused the token; what follows it is not sent.
    pub(super) is_denied: bool,
    /// Whether the service takes changes.
    pub(super) is_writer: bool,
    /// The state vector that a message of the client had no space for.
    pub(super) large_vector: Option<Kept>,
    /// The state vector of what the client has, once it was sent everything.
    pub(super) seen: Option<Kept>,
    /// The clock of each other client that was sent. Providers repeat what they are sent.
    others: HashMap<u64, u64>,
    /// Clients of whom the client was the first to speak.
    own: Vec<u64>,
}

impl Room {
    /// The states that are not what was sent to the client; none if there are no others.
    pub(super) fn news(&mut self, states: &[u8]) -> Option<Vec<u8>> {
        // The function refuses what cannot be read.
        let Ok(Awareness(mut states)) = Awareness::read(states) else { return Some(states.into()) };
        states.retain(|state| self.others.get(&state.client) != Some(&state.clock));
        for state in &states {
            self.others.remove(&state.client);
            if !self.own.contains(&state.client) && self.own.len() < MAX_OWN {
                self.own.push(state.client);
            }
        }
        if states.is_empty() { None } else { Some(Awareness(states).write()) }
    }

    /// Takes note of states that are sent to the client.
    pub(super) fn show(&mut self, states: &[u8]) {
        let Ok(Awareness(states)) = Awareness::read(states) else { return };
        if self.others.len() > MAX_CLIENTS {
            self.others.clear();
        }
        let others = states.into_iter().filter(|state| !self.own.contains(&state.client));
        self.others.extend(others.map(|state| (state.client, state.clock)));
    }
}
