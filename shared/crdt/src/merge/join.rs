//! Several updates as one, for peers that get them at one time.

use std::{collections::BTreeMap, ops::Range};

use crate::{
    merge::{Part, written},
    wire::{Reader, Section, Struct, read, within},
};

/// Checked updates as one that does the same. Each struct stays as it was written. None if structs of
/// a client do not follow each other: such updates go one by one.
pub fn joined(updates: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut sections: BTreeMap<u64, Vec<Section<'_>>> = BTreeMap::new();
    let mut deletions: BTreeMap<u64, Vec<Range<u32>>> = BTreeMap::new();
    for update in updates {
        let read = read(update, update.len()).ok()?;
        for section in read.sections {
            sections.entry(section.client).or_default().push(section);
        }
        for (client, from, to) in read.deletions {
            deletions.entry(client).or_default().push(from..to);
        }
    }
    let mut parts = BTreeMap::new();
    for (client, mut sections) in sections {
        sections.sort_by_key(|section| section.clock);
        let mut part = Part { start: sections.first()?.clock, count: 0, bytes: vec![] };
        let mut next = part.start;
        for section in sections {
            if section.clock != next {
                return None;
            }
            let mut reader = Reader::new(section.bytes);
            for _ in 0..section.count {
                match reader.structure().ok()? {
                    (_, Struct::Gap) => return None,
                    (len, _) => next = within(next, len).ok()?,
                }
            }
            part.count += section.count as u64;
            part.bytes.extend(&section.bytes[..section.bytes.len() - reader.left.len()]);
        }
        parts.insert(client, part);
    }
    Some(written(parts, deletions))
}

#[cfg(test)]
mod tests {
    use yrs::{
        ClientID, Doc, GetString, Map, Options, ReadTxn, StateVector, Text, Transact, Update,
        updates::decoder::Decode,
    };

    use super::joined;
    use crate::check_update;

    fn doc(client: u64) -> Doc {
        Doc::with_options(Options { client_id: ClientID::new(client), ..Options::default() })
    }

    fn apply(doc: &Doc, update: &[u8]) {
        doc.transact_mut().apply_update(Update::decode_v1(update).unwrap()).unwrap();
    }

    fn all(doc: &Doc) -> Vec<u8> {
        doc.transact().encode_state_as_update_v1(&StateVector::default())
    }

    /// Each of several types, deletes and sets a key, and sees what the others did a round ago.
    fn written_by(clients: u64, rounds: u32) -> Vec<Vec<u8>> {
        let docs: Vec<Doc> = (1..=clients).map(doc).collect();
        let (mut updates, mut before): (Vec<Vec<u8>>, Vec<Vec<u8>>) = (vec![], vec![]);
        for round in 0..rounds {
            let mut now = vec![];
            for (n, doc) in docs.iter().enumerate() {
                before.iter().for_each(|update| apply(doc, update));
                let text = doc.get_or_insert_text("content");
                let map = doc.get_or_insert_map("map");
                let mut txn = doc.transact_mut();
                let length = text.len(&txn);
                text.insert(&mut txn, length / 2, &format!("é{n}.{round} "));
                if length > 4 {
                    text.remove_range(&mut txn, round % 3, 2);
                }
                map.insert(&mut txn, "last", round);
                now.push(txn.encode_update_v1());
            }
            updates.extend(now.iter().cloned());
            before = now;
        }
        updates
    }

    #[test]
    fn joined_updates_do_what_they_do_one_by_one() {
        let updates = written_by(4, 9);
        for size in [1, 2, 4, 7, 36] {
            let (alone, together) = (doc(91), doc(92));
            for some in updates.chunks(size) {
                some.iter().for_each(|update| apply(&alone, update));
                // Also in an order in which they did not come.
                let some: Vec<Vec<u8>> = some.iter().rev().cloned().collect();
                let one = joined(&some).unwrap();
                check_update(&one).unwrap();
                assert!(one.len() <= some.iter().map(Vec::len).sum());
                apply(&together, &one);
            }
            let text = |doc: &Doc| {
                let text = doc.get_or_insert_text("content");
                text.get_string(&doc.transact())
            };
            assert_eq!(text(&together), text(&alone));
            assert!(!text(&alone).is_empty());
            let map = together.get_or_insert_map("map");
            assert_eq!(map.len(&together.transact()), 1);
            let vector = |doc: &Doc| doc.transact().state_vector();
            assert_eq!(vector(&together), vector(&alone));
            assert_eq!(all(&together).len(), all(&alone).len());
        }
    }

    #[test]
    fn updates_that_repeat_or_lack_structs_go_one_by_one() {
        let updates = written_by(1, 3);
        let pick = |which: &[usize]| which.iter().map(|n| updates[*n].clone()).collect::<Vec<_>>();
        assert!(joined(&pick(&[0, 1, 2])).is_some());
        assert!(joined(&pick(&[2, 0, 1])).is_some());
        assert!(joined(&pick(&[0, 2])).is_none());
        assert!(joined(&pick(&[1, 1])).is_none());
        assert!(joined(&[vec![9]]).is_none());
        assert_eq!(joined(&[]), Some(vec![0, 0]));
    }
}
