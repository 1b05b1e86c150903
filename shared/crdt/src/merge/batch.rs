//! Writing updates for the library.

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// An update in the making: structs without gaps, and deletions of what is there.
#[derive(Debug, Default)]
pub(super) struct Batch {
    structs: Vec<Struct>,
    bytes: Vec<u8>,
    clients: BTreeSet<u64>,
    deletions: BTreeMap<u64, Vec<Range<u32>>>,
    is_ordered: bool,
}

#[derive(Debug)]
struct Struct {
    client: u64,
    clock: u32,
    /// End of the struct among the bytes of the batch.
    end: usize,
}

impl Batch {
    /// Adds a struct of `client` at `clock`. It follows the last one of this client.
    pub(super) fn add(&mut self, client: u64, clock: u32, parts: &[&[u8]]) {
        parts.iter().for_each(|bytes| self.bytes.extend_from_slice(bytes));
        self.structs.push(Struct { client, clock, end: self.bytes.len() });
        if self.structs.len() < 2 || self.structs[self.structs.len() - 2].client != client {
            self.clients.insert(client);
        }
    }

    pub(super) fn has(&self, client: u64) -> bool {
        self.clients.contains(&client)
    }

    pub(super) fn delete(&mut self, client: u64, start: u32, end: u32) {
        self.deletions.entry(client).or_default().push(start..end);
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
            for Struct { client, clock, end } in &self.structs {
                let bytes = self.bytes[from..*end].to_vec();
                let part = Part { start: *clock, count: 1, bytes };
                updates.push(written([(*client, part)].into(), BTreeMap::new()));
                from = *end;
            }
            self.structs.clear();
        }
        let mut clients: BTreeMap<u64, Part> = BTreeMap::new();
        let mut from = 0;
        for Struct { client, clock, end } in &self.structs {
            let empty = || Part { start: *clock, count: 0, bytes: Vec::new() };
            let part = clients.entry(*client).or_insert_with(empty);
            part.count += 1;
            part.bytes.extend_from_slice(&self.bytes[from..*end]);
            from = *end;
        }
        if !clients.is_empty() || !deletions.is_empty() {
            updates.push(written(clients, deletions));
        }
    }
}

/// Structs of a client, one after the other.
pub(crate) struct Part {
    /// The clock of the first.
    pub(crate) start: u32,
    pub(crate) count: u64,
    pub(crate) bytes: Vec<u8>,
}

/// An update with these structs and deletions.
pub(crate) fn written(
    clients: BTreeMap<u64, Part>,
    deletions: BTreeMap<u64, Vec<Range<u32>>>,
) -> Vec<u8> {
    let mut update = Vec::new();
    number(&mut update, clients.len() as u64);
    for (client, Part { start, count, bytes }) in clients.into_iter().rev() {
        number(&mut update, count);
        number(&mut update, client);
        number(&mut update, u64::from(start));
        update.extend_from_slice(&bytes);
    }
    number(&mut update, deletions.len() as u64);
    for (client, mut ranges) in deletions.into_iter().rev() {
        // The library takes them to be in order and apart.
        ranges.sort_unstable_by_key(|range| (range.start, range.end));
        ranges.dedup_by(|next, range| {
            let is_joined = next.start <= range.end;
            range.end = if is_joined { range.end.max(next.end) } else { range.end };
            is_joined
        });
        number(&mut update, client);
        number(&mut update, ranges.len() as u64);
        for Range { start, end } in ranges {
            number(&mut update, u64::from(start));
            number(&mut update, u64::from(end - start));
        }
    }
    update
}

/// Writes a number of variable length.
pub(crate) fn number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(u8::try_from(number & 0x7f).unwrap_or_default() | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).unwrap_or_default());
}
