//! The position of an event in the stream of a table.

use std::{cmp::Ordering, fmt, str::FromStr};

/// A stream, the sequence number of a record in it, and the index of the event in the record. Later
/// positions are greater. A stream that was enabled again is greater than the previous one, whose
/// sequence numbers it does not continue.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Position {
    stream: String,
    sequence: String,
    index: u32,
}

impl Position {
    /// `stream` is the label of the stream, the time it was enabled; `sequence` a decimal number of
    /// any length.
    pub fn new(stream: &str, sequence: &str, index: u32) -> Self {
        let sequence = sequence.trim_start_matches('0').to_owned();
        Self { stream: stream.to_owned(), sequence, index }
    }
}

impl Ord for Position {
    fn cmp(&self, other: &Self) -> Ordering {
        let sequences = || {
            let lengths = self.sequence.len().cmp(&other.sequence.len());
            lengths.then_with(|| self.sequence.cmp(&other.sequence))
        };
        let streams = self.stream.cmp(&other.stream);
        streams.then_with(sequences).then_with(|| self.index.cmp(&other.index))
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.stream, self.sequence, self.index)
    }
}

impl FromStr for Position {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.rsplitn(3, '/');
        let mut part = || parts.next().ok_or_else(|| format!("{text} is no position"));
        let index = part()?.parse().map_err(|_| format!("{text} has no index"))?;
        let sequence = part()?.to_owned();
        Ok(Self::new(part()?, &sequence, index))
    }
}

#[cfg(test)]
mod tests {
    use super::Position;

    #[test]
    fn positions_are_in_the_order_of_time() {
        let ordered = [
            ("2026-01-01", "99", 0),
            ("2026-01-01", "0100", 0),
            ("2026-01-01", "100", 1),
            ("2026-01-01", "44215845000000000174504390910000000000001", 0),
            ("2026-01-02", "7", 0),
        ];
        let ordered = ordered.map(|(stream, sequence, n)| Position::new(stream, sequence, n));
        assert!(ordered.is_sorted_by(|a, b| a < b), "{ordered:?}");
        assert!(ordered.iter().all(|position| *position > Position::default()));
        assert_eq!(Position::new("s", "007", 0), Position::new("s", "7", 0));
    }

    #[test]
    fn a_position_survives_its_text() {
        for position in [Position::new("2026-11-20T00:00:00.000", "442", 3), Position::default()] {
            assert_eq!(position.to_string().parse(), Ok(position));
        }
        for broken in ["", "1", "s/1", "s/1/x"] {
            assert!(broken.parse::<Position>().is_err(), "{broken}");
        }
    }
}
