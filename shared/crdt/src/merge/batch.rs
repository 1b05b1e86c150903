//! Writing updates for the library.

use std::collections::{BTreeMap, BTreeSet};

/// An update in the making: structs without gaps, and deletions of what is there.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// Client, clock and end among `bytes`.
    structs: Vec<(u64, u32, usize)>,
    bytes: Vec<u8>,
    clients: BTreeSet<u64>,
    deletions: BTreeMap<u64, Vec<(u32, u32)>>,
    is_ordered: bool,
}

impl Batch {
    /// Adds a struct of `client` at `clock`. It follows the last one of this client.
    pub(super) fn add(&mut self, client: u64, clock: u32, parts: &[&[u8]]) {
        parts.iter().for_each(|bytes| self.bytes.extend_from_slice(bytes));
        self.structs.push((client, clock, self.bytes.len()));
        if self.structs.len() < 2 || self.structs[self.structs.len() - 2].0 != client {
            self.clients.insert(client);
        }
    }

    pub(super) fn has(&self, client: u64) -> bool {
        self.clients.contains(&client)
    }

    pub(super) fn delete(&mut self, client: u64, start: u32, end: u32) {
        self.deletions.entry(client).or_default().push((start, end));
    }

    /// Makes the library integrate the structs in this order, and not in its own.
    pub(super) fn keep_order(&mut self) {
        self.is_ordered = true;
    }

    /// Adds the updates to `updates`: one, unless there is nothing or the order counts.
    pub(super) fn finish(mut self, updates: &mut Vec<Vec<u8>>) {
        let deletions = std::mem::take(&mut self.deletions);
        if self.is_ordered {
            let mut from = 0;
            for (client, clock, end) in &self.structs {
                let part = (*clock, 1, self.bytes[from..*end].to_vec());
                updates.push(written([(*client, part)].into(), BTreeMap::new()));
                from = *end;
            }
            self.structs.clear();
        }
        let mut clients: BTreeMap<u64, Part> = BTreeMap::new();
        let mut from = 0;
        for (client, clock, end) in &self.structs {
            let part = clients.entry(*client).or_insert((*clock, 0, Vec::new()));
            part.1 += 1;
            part.2.extend_from_slice(&self.bytes[from..*end]);
            from = *end;
        }
        if !clients.is_empty() || !deletions.is_empty() {
            updates.push(written(clients, deletions));
        }
    }
}

/// Structs of a client: the clock of the first, their number and bytes.
type Part = (u32, u64, Vec<u8>);

fn written(clients: BTreeMap<u64, Part>, deletions: BTreeMap<u64, Vec<(u32, u32)>>) -> Vec<u8> {
    let mut update = Vec::new();
    number(&mut update, clients.len() as u64);
    for (client, (start, count, bytes)) in clients.into_iter().rev() {
        number(&mut update, count);
        number(&mut update, client);
        number(&mut update, u64::from(start));
        update.extend_from_slice(&bytes);
    }
    number(&mut update, deletions.len() as u64);
    for (client, mut ranges) in deletions.into_iter().rev() {
        // The library takes them to be in order and apart.
        ranges.sort_unstable();
        ranges.dedup_by(|next, range| {
            let is_joined = next.0 <= range.1;
            range.1 = if is_joined { range.1.max(next.1) } else { range.1 };
            is_joined
        });
        number(&mut update, client);
        number(&mut update, ranges.len() as u64);
        for (start, end) in ranges {
            number(&mut update, u64::from(start));
            number(&mut update, u64::from(end - start));
        }
    }
    update
}

/// Writes a number of variable length.
pub(super) fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap_or_default());
}
