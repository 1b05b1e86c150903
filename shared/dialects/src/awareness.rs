//! Awareness: the ephemeral state of each client, such as its cursor.
//!
//! A state is valid if its clock is higher than the last one of that client. To announce that a
//! client has gone, the server needs a clock above all previous ones, and below all after the
//! client returns. Clocks are therefore relayed behind the time of the connection ([`Epoch`]).

use model::{Millis, live::EPOCH};

use crate::{
    Malformed,
    bytes::{Reader, Writer},
};

/// Maximum number of clients in one message.
const MAX_CLIENTS: u64 = 1000;
/// Bits of a relayed clock for the client's own: half a million changes per connection.
const OWN_BITS: u32 = 19;
/// The last clock of a connection, reserved for the server after its end.
const LAST: u64 = (1 << OWN_BITS) - 1;
/// Start of the time of connections, which is counted in epochs: 2020.
const BEGIN: Millis = 1_577_836_800_000;

/// Awareness state of one client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The client.
    pub client: u64,
    /// The clock of its state.
    pub clock: u64,
    /// JSON; `null` when the client has gone.
    pub json: String,
}

impl State {
    /// Whether the client has gone.
    pub fn is_gone(&self) -> bool {
        self.json == "null"
    }
}

/// The states of several clients.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Awareness(pub Vec<State>);

/// The order of a client's connections: clocks of a later one are higher.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(u64);

impl Epoch {
    /// The epoch of a connection opened at a time.
    pub fn at(time: Millis) -> Self {
        Self((time.saturating_sub(BEGIN) / EPOCH) << OWN_BITS)
    }

    /// The relayed clock for a clock of the client.
    pub const fn clock(self, own: u64) -> u64 {
        // A client that received its own relayed clock continues from there.
        let own = own & LAST;
        self.0 | if own == LAST { LAST - 1 } else { own }
    }

    /// The state that announces the end of a client's connection.
    pub fn gone(self, client: u64) -> Awareness {
        Awareness(vec![State { client, clock: self.0 | LAST, json: "null".to_owned() }])
    }
}

impl Awareness {
    /// Parses a message.
    ///
    /// # Errors
    /// When it is malformed, or contains more than 1,000 clients.
    pub fn read(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = Reader::new(bytes);
        let count = reader.number()?;
        if count > MAX_CLIENTS {
            return Err(Malformed);
        }
        let states = (0..count).map(|_| {
            let (client, clock) = (reader.number()?, reader.number()?);
            Ok(State { client, clock, json: reader.text()?.to_owned() })
        });
        let states = states.collect::<Result<_, _>>()?;
        if reader.is_empty() { Ok(Self(states)) } else { Err(Malformed) }
    }

    /// The message.
    pub fn write(&self) -> Vec<u8> {
        let start = Writer::default().number(self.0.len() as u64);
        let write = |to: Writer, state: &State| {
            to.number(state.client).number(state.clock).text(&state.json)
        };
        self.0.iter().fold(start, write).done()
    }
}

#[cfg(test)]
mod tests {
    use super::{Awareness, BEGIN, Epoch, State};

    #[test]
    fn states_are_read_as_they_were_written() {
        let state = |client, clock, json: &str| State { client, clock, json: json.to_owned() };
        let states = Awareness(vec![state(1 << 40, 3, r#"{"user":"é"}"#), state(7, 0, "null")]);
        assert_eq!(Awareness::read(&states.write()), Ok(states.clone()));
        assert!(states.0[1].is_gone() && !states.0[0].is_gone());
        for broken in [&[][..], &[1], &[1, 1, 1], &[0xe9, 0x07], &[0, 0]] {
            assert!(Awareness::read(broken).is_err(), "{broken:?}");
        }
    }

    #[test]
    fn the_end_of_a_connection_is_behind_its_states_and_before_those_of_the_next() {
        let now = BEGIN + 200_000_000_000;
        let (first, second) = (Epoch::at(now), Epoch::at(now + 125));
        let end = first.gone(9).0[0].clock;
        assert!(first.clock(0) < first.clock(1) && first.clock(400_000) < end);
        assert!(end < second.clock(0));
        assert!(second.gone(9).0[0].clock < 1 << 53);
        // A relayed clock does not raise the client's own.
        assert_eq!(second.clock(first.clock(5) + 1), second.clock(6));
        assert!(first.clock(u64::MAX) < end);
    }
}
