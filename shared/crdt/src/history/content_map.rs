//! Attributions as Yjs 14 encodes them: `encodeContentMap` in its source.

use std::collections::BTreeMap;

use model::Millis;

use super::{Attribution, IdRange};
use crate::merge::number;

/// An attribute: its name, and its value as `lib0` encodes any value.
type Attribute = (&'static str, Vec<u8>);

/// The two maps, from inserted and from deleted ids to attributes.
pub(super) fn encoded(attributions: &[Attribution]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let inserts = attributions.iter().map(|it| (attributes(it, "insert", "insertAt"), &it.inserts));
    write(&mut bytes, inserts);
    let deletes = attributions.iter().map(|it| (attributes(it, "delete", "deleteAt"), &it.deletes));
    write(&mut bytes, deletes);
    bytes
}

fn attributes(of: &Attribution, by: &'static str, at: &'static str) -> Vec<Attribute> {
    let user = of.user.as_ref().map(|user| {
        let mut value = vec![119];
        string(&mut value, user);
        (by, value)
    });
    user.into_iter().chain([(at, time(of.at))]).collect()
}

fn string(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// A time as a number of JavaScript, which is exact up to the year 287396.
#[expect(clippy::cast_precision_loss, reason = "times are far below the limit")]
fn time(at: Millis) -> Vec<u8> {
    let mut value = vec![123];
    value.extend((at as f64).to_be_bytes());
    value
}

/// Writes one map. Attributes and their names are written once, and then named by their numbers.
fn write<'a>(
    bytes: &mut Vec<u8>,
    attributed: impl Iterator<Item = (Vec<Attribute>, &'a Vec<IdRange>)>,
) {
    let mut sets: Vec<Vec<Attribute>> = Vec::new();
    let mut clients: BTreeMap<u64, Vec<(IdRange, usize)>> = BTreeMap::new();
    for (attributes, ranges) in attributed {
        for range in ranges {
            clients.entry(range.client).or_default().push((*range, sets.len()));
        }
        sets.push(attributes);
    }
    let (mut known, mut names) = (BTreeMap::new(), BTreeMap::new());
    number(bytes, clients.len() as u64);
    let mut last = 0;
    for (client, mut ranges) in clients {
        ranges.sort_unstable_by_key(|(range, _)| range.clock);
        number(bytes, client - last);
        last = client;
        number(bytes, ranges.len() as u64);
        let mut clock = 0;
        for (range, set) in ranges {
            number(bytes, u64::from(range.clock - clock));
            number(bytes, u64::from(range.length - 1));
            clock = range.end();
            number(bytes, sets[set].len() as u64);
            for (name, value) in &sets[set] {
                let new = known.len();
                let id = *known.entry((*name, value)).or_insert(new);
                number(bytes, id as u64);
                if id < new {
                    continue;
                }
                let new = names.len();
                let id = *names.entry(*name).or_insert(new);
                number(bytes, id as u64);
                if id == new {
                    string(bytes, name);
                }
                bytes.extend_from_slice(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::encoded;
    use crate::history::{Attribution, IdRange};

    #[test]
    fn attributes_are_written_once() {
        let range = |client, clock| IdRange { client, clock, length: 2 };
        let of = |user: Option<&str>, inserts: Vec<IdRange>| Attribution {
            user: user.map(str::to_owned),
            at: 2,
            inserts,
            deletes: vec![range(7, 1)],
        };
        let two = [123, 64, 0, 0, 0, 0, 0, 0, 0];
        let mut expected = Vec::new();
        // Two clients; the first has one range of two clocks with two attributes.
        expected.extend([2, 3, 1, 0, 1, 2]);
        expected.extend([0, 0, 6]);
        expected.extend(b"insert");
        expected.extend([119, 3]);
        expected.extend(b"ada");
        expected.extend([1, 1, 8]);
        expected.extend(b"insertAt");
        expected.extend(two);
        // The second, 4 after it, has two: one of nobody, one of the same user after a gap of 3.
        expected.extend([4, 2, 0, 1, 1, 1, 3, 1, 2, 0, 1]);
        // One client, with one deletion.
        expected.extend([1, 7, 1, 1, 1, 2, 0, 0, 6]);
        expected.extend(b"delete");
        expected.extend([119, 3]);
        expected.extend(b"ada");
        expected.extend([1, 1, 8]);
        expected.extend(b"deleteAt");
        expected.extend(two);
        let ada = of(Some("ada"), vec![range(7, 5), range(3, 0)]);
        let nobody = Attribution { deletes: vec![], ..of(None, vec![range(7, 0)]) };
        assert_eq!(encoded(&[ada, nobody]), expected);
    }
}
