//! A digest to compare replicas: SHA-256, in hexadecimal, of `client:clock` for each client,
//! ascending and joined by commas, then `|`, then `client:clock+length` for each range of deleted
//! items, ascending, joined by commas, with adjacent ranges merged. Every Yjs library encodes both
//! inputs: the state vector and the delete set.

use std::collections::BTreeMap;

use crdt::State;

/// The digest; none while updates wait for missing dependencies.
pub(crate) fn of(state: &State) -> Option<String> {
    if state.has_pending() {
        return None;
    }
    let vector = state.state_vector();
    // The diff for a peer that has every item is the delete set.
    let deletions = state.diff(&vector).ok()?;
    canonical(&vector, &deletions).map(|text| service::sha256_hex(&text))
}

fn canonical(vector: &[u8], deletions: &[u8]) -> Option<String> {
    let mut reader = Reader(vector);
    let mut clocks = BTreeMap::new();
    for _ in 0..reader.number()? {
        clocks.insert(reader.number()?, reader.number()?);
    }
    let mut reader = Reader(deletions);
    if reader.number()? != 0 {
        return None;
    }
    let mut deleted: BTreeMap<u64, BTreeMap<u64, u64>> = BTreeMap::new();
    for _ in 0..reader.number()? {
        let ranges = deleted.entry(reader.number()?).or_default();
        for _ in 0..reader.number()? {
            ranges.insert(reader.number()?, reader.number()?);
        }
    }
    let clocks: Vec<String> =
        clocks.iter().map(|(client, clock)| format!("{client}:{clock}")).collect();
    let mut ranges: Vec<(u64, u64, u64)> = Vec::new();
    for (client, own) in &deleted {
        for (clock, length) in own {
            match ranges.last_mut() {
                Some(last) if last.0 == *client && last.1.checked_add(last.2)? == *clock => {
                    last.2 = last.2.checked_add(*length)?;
                }
                _ => ranges.push((*client, *clock, *length)),
            }
        }
    }
    let ranges = ranges.iter().map(|(client, clock, length)| format!("{client}:{clock}+{length}"));
    Some(format!("{}|{}", clocks.join(","), ranges.collect::<Vec<_>>().join(",")))
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    /// Seven bits per byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..63).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn the_order_of_clients_and_the_cut_of_ranges_do_not_matter() {
        let text = Some("1:300,2:5|1:0+4,2:1+1".to_owned());
        assert_eq!(canonical(&[2, 1, 172, 2, 2, 5], &[0, 2, 1, 1, 0, 4, 2, 1, 1, 1]), text);
        assert_eq!(canonical(&[2, 2, 5, 1, 172, 2], &[0, 2, 2, 1, 1, 1, 1, 2, 0, 1, 1, 3]), text);
    }

    #[test]
    fn an_empty_state_has_a_text_and_broken_bytes_have_none() {
        assert_eq!(canonical(&[0], &[0, 0]), Some("|".to_owned()));
        for (vector, deletions) in [(&[][..], &[0, 0][..]), (&[1, 1], &[0, 0]), (&[0], &[1, 0])] {
            assert_eq!(canonical(vector, deletions), None);
        }
    }
}
