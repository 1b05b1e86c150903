//! Writing what the steps say.

use std::collections::BTreeMap;

use super::{Content, Place, ROOTS, Ref, Step};

#[derive(Default)]
pub(super) struct Maker {
    pub(super) updates: Vec<Vec<u8>>,
    next: BTreeMap<u8, u32>,
    /// Client, clock and length.
    made: Vec<(u8, u32, u32)>,
    types: Vec<(u8, u32)>,
    sections: BTreeMap<u8, (u32, u32, Vec<u8>)>,
    deletions: Vec<(u8, u32, u32)>,
}

fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn string(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

/// The client ids in use: small, in no order, and the largest.
fn client(at: u8) -> u64 {
    [7, 3, 300, (1 << 53) - 1, 5][usize::from(at % 5)]
}

impl Maker {
    /// The id to which an item at `own` refers: before the item, except for a reference to the item
    /// itself.
    fn id(&self, of: Ref, own: (u8, u32)) -> Option<(u8, u32)> {
        let (client, clock) = match of {
            Ref::Generated(at, unit) => {
                let (client, clock, len) =
                    self.made.get(usize::from(at) % self.made.len().max(1)).copied()?;
                (client, clock + u32::from(unit) % len.max(1))
            }
            Ref::Type(at) => self.types.get(usize::from(at) % self.types.len().max(1)).copied()?,
            Ref::Any(client, clock) => (client, clock.into()),
            Ref::Own(after) => return Some((own.0, own.1 + u32::from(after))),
        };
        if client == own.0 && clock >= own.1 {
            return Some((client, own.1.checked_sub(1)?));
        }
        Some((client, clock))
    }

    fn add(&mut self, client: u8, len: u32, bytes: &[u8]) -> u32 {
        let next = self.next.entry(client).or_default();
        let clock = *next;
        *next += len;
        let section = self.sections.entry(client).or_insert((clock, 0, Vec::new()));
        section.1 += 1;
        section.2.extend(bytes);
        clock
    }

    fn item(
        &mut self,
        by: u8,
        (origin, right, place, key): (Option<Ref>, Option<Ref>, Place, Option<u8>),
        content: &Content,
    ) {
        let own = (by, self.next.get(&by).copied().unwrap_or(0));
        let mut written = Vec::new();
        let (tag, len) = match content {
            Content::Deleted(len) => {
                number(&mut written, u64::from(*len));
                (1, u32::from(*len))
            }
            Content::Bytes => {
                written.extend([2, 1, 2]);
                (3, 1)
            }
            Content::Text(text) => {
                string(&mut written, text);
                (4, text.encode_utf16().count() as u32)
            }
            Content::Embed(json) => {
                string(&mut written, json);
                (5, 1)
            }
            Content::Format(name, json) => {
                string(&mut written, name);
                string(&mut written, json);
                (6, 1)
            }
            Content::Type(kind) => {
                written.push(*kind);
                if matches!(kind, 3 | 5) {
                    string(&mut written, "p");
                }
                (7, 1)
            }
            Content::Values(len) => {
                number(&mut written, u64::from(*len));
                (0..*len).for_each(|at| written.extend([125, at]));
                (8, u32::from(*len))
            }
            Content::Document => {
                string(&mut written, "g");
                written.extend([118, 0]);
                (9, 1)
            }
        };
        let root = if let Place::Root(at) = place { usize::from(at) } else { 0 };
        let origin = origin.and_then(|of| self.id(of, own));
        let right = right.and_then(|of| self.id(of, own)).filter(|right| origin != Some(*right));
        let place = match place {
            Place::In(of) => self.id(of, own),
            Place::Root(_) => None,
        };
        let bit = |is: bool, bit: u8| if is { bit } else { 0 };
        let mut bytes = vec![
            tag | bit(origin.is_some(), 0x80)
                | bit(right.is_some(), 0x40)
                | bit(key.is_some(), 0x20),
        ];
        for (of, clock) in [origin, right].into_iter().flatten() {
            number(&mut bytes, client(of));
            number(&mut bytes, clock.into());
        }
        if origin.is_none() && right.is_none() {
            if let Some((of, clock)) = place {
                bytes.push(0);
                number(&mut bytes, client(of));
                number(&mut bytes, clock.into());
            } else {
                bytes.push(1);
                string(&mut bytes, ROOTS[root]);
            }
            if let Some(key) = key {
                string(&mut bytes, ["k", "l"][usize::from(key)]);
            }
        }
        bytes.extend(written);
        let clock = self.add(by, len, &bytes);
        self.made.push((by, clock, len));
        if tag == 7 {
            self.types.push((by, clock));
        }
    }

    pub(super) fn send(&mut self) {
        let (sections, deletions) =
            (std::mem::take(&mut self.sections), std::mem::take(&mut self.deletions));
        if sections.is_empty() && deletions.is_empty() {
            return;
        }
        let mut update = Vec::new();
        number(&mut update, sections.len() as u64);
        for (of, (clock, count, bytes)) in sections {
            number(&mut update, count.into());
            number(&mut update, client(of));
            number(&mut update, clock.into());
            update.extend(bytes);
        }
        // One deletion in ten is written as it comes: empty, out of order or twice.
        let is_neat = deletions.len() + self.updates.len() % 10 != 9;
        let mut ranges: BTreeMap<u8, Vec<(u32, u32)>> = BTreeMap::new();
        for (of, clock, len) in deletions {
            let ranges = ranges.entry(of).or_default();
            if !is_neat || (len > 0 && ranges.iter().all(|(at, size)| at + size < clock)) {
                ranges.push((clock, len));
            }
        }
        ranges.retain(|_, ranges| !ranges.is_empty());
        number(&mut update, ranges.len() as u64);
        for (of, ranges) in ranges {
            number(&mut update, client(of));
            number(&mut update, ranges.len() as u64);
            for (clock, len) in ranges {
                number(&mut update, clock.into());
                number(&mut update, len.into());
            }
        }
        self.updates.push(update);
    }

    pub(super) fn step(&mut self, step: &Step) {
        match step {
            Step::Item { client, origin, right, place, key, content } => {
                self.item(*client, (*origin, *right, *place, *key), content);
            }
            Step::Gone { client, len } | Step::Gap { client, len } => {
                let info = if matches!(step, Step::Gone { .. }) { 0 } else { 10 };
                let clock = self.add(*client, u32::from(*len), &[info, *len]);
                self.made.push((*client, clock, u32::from(*len)));
            }
            Step::Back { client, len } => {
                self.send();
                let next = self.next.entry(*client).or_default();
                *next = next.saturating_sub(u32::from(*len));
            }
            Step::Delete { at, len } => {
                let Some((client, clock)) = self.id(*at, (u8::MAX, 0)) else { return };
                self.deletions.push((client, clock, u32::from(*len)));
            }
            Step::Send => self.send(),
            Step::Again(at) => {
                self.send();
                if !self.updates.is_empty() {
                    self.updates.push(self.updates[usize::from(*at) % self.updates.len()].clone());
                }
            }
        }
    }
}
