//! Merging updates as Yjs does, ahead of the library.
//!
//! The effect of an accepted update is a property of the document that it is merged into, and not
//! of its bytes: peers refer to items that are no types, are collected, or never arrive. Yjs has an
//! answer to each. The library refuses the whole document, or integrates what comes after a gap. It
//! therefore gets only what has no gaps, and collected content where Yjs collects.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap, HashSet},
};

use batch::Batch;
pub(crate) use batch::{Part, number, written};
pub(crate) use known::Known;
use known::{KnownItem, Type, What};

use crate::{
    originals::Originals,
    wire::{Id, Item, Parent, Read, Reader, Section, Struct, content, within},
};

mod batch;
pub(crate) mod join;
mod known;

/// A document that updates are merged into, one after the other.
#[derive(Debug)]
pub(crate) struct Merge<'a> {
    pub(crate) known: Known,
    pub(crate) originals: Originals,
    units: Vec<Unit<'a>>,
    /// The first unit of each update.
    starts: Vec<usize>,
    /// Units by the client and clock that they wait for.
    waiting: HashMap<u64, BTreeMap<u32, Vec<usize>>>,
    /// Units of earlier updates that wait no longer.
    released: Vec<usize>,
    batch: Batch,
    ready: Vec<Vec<u8>>,
}

/// A part of an update that is merged on its own; what is left of it.
#[derive(Clone, Debug)]
enum Unit<'a> {
    Structs(Section<'a>),
    /// A client, from one clock to another.
    Deletion((u64, u32, u32)),
}

impl<'a> Merge<'a> {
    pub(crate) fn into(known: Known) -> Self {
        Self {
            known,
            originals: Originals::default(),
            units: Vec::new(),
            starts: Vec::new(),
            waiting: HashMap::new(),
            released: Vec::new(),
            batch: Batch::default(),
            ready: Vec::new(),
        }
    }

    /// Merges an update, and the units that waited for it: the updates for the library, in this
    /// order. The deletions of each have to be made known before the next one.
    pub(crate) fn add(&mut self, update: &Read<'a>) -> Result<Vec<Vec<u8>>, &'static str> {
        let start = self.units.len();
        self.starts.push(start);
        self.units.extend(update.sections.iter().cloned().map(Unit::Structs));
        self.units.extend(update.deletions.iter().copied().map(Unit::Deletion));
        self.released.extend(start..self.units.len());
        // As in Yjs, its own structs come first, and then those that waited.
        while !self.released.is_empty() {
            let released = std::mem::take(&mut self.released);
            let is_structs = |unit: &usize| matches!(self.units[*unit], Unit::Structs(_));
            let (structs, deletions) = released.into_iter().partition(is_structs);
            self.structs(structs)?;
            self.deletions(deletions);
            self.flush();
        }
        Ok(std::mem::take(&mut self.ready))
    }

    /// The known structs, and the positions of the updates that wait for others, wholly or in part.
    pub(crate) fn finish(self) -> (Known, Vec<usize>) {
        let units = self.waiting.values().flat_map(BTreeMap::values).flatten();
        let update_of = |unit: &usize| self.starts.partition_point(|start| start <= unit) - 1;
        let mut waiting: Vec<usize> = units.map(update_of).collect();
        waiting.sort_unstable();
        waiting.dedup();
        (self.known, waiting)
    }

    /// Merges sections in the order of Yjs: of the highest client first, and whenever a struct
    /// lacks another one, the next struct of its client comes before. Structs that still lack
    /// something wait.
    fn structs(&mut self, mut sections: Vec<usize>) -> Result<(), &'static str> {
        sections.sort_by_key(|unit| match &self.units[*unit] {
            Unit::Structs(section) => (section.client, Reverse(section.clock)),
            Unit::Deletion(_) => (0, Reverse(0)),
        });
        let mut of_client: HashMap<u64, Vec<usize>> = HashMap::new();
        for unit in &sections {
            if let Unit::Structs(section) = &self.units[*unit] {
                of_client.entry(section.client).or_default().push(*unit);
            }
        }
        let (mut is_out, mut is_on_stack) = (HashSet::new(), HashSet::new());
        while let Some(base) = sections.pop() {
            let mut stack: Vec<(usize, Id)> = Vec::new();
            let mut next = Some(base).filter(|base| !is_out.contains(base));
            while let Some(unit) = next {
                let Unit::Structs(mut section) = self.units[unit].clone() else { break };
                let step = self.step(&mut section)?;
                self.units[unit] = Unit::Structs(section);
                let mut below = || {
                    let (unit, _) = stack.pop()?;
                    is_on_stack.remove(&unit);
                    Some(unit)
                };
                next = match step {
                    Step::Placed => below().or(Some(unit)),
                    Step::Done => {
                        is_out.insert(unit);
                        below()
                    }
                    Step::Lacks(id) => {
                        stack.push((unit, id));
                        is_on_stack.insert(unit);
                        let others = of_client.entry(id.client).or_default();
                        while others.pop_if(|other| is_out.contains(other)).is_some() {}
                        others.last().copied().filter(|other| !is_on_stack.contains(other))
                    }
                };
            }
            for (unit, id) in stack {
                is_on_stack.remove(&unit);
                is_out.insert(unit);
                self.wait(unit, id);
            }
        }
        Ok(())
    }

    /// Places the next struct that is not there.
    fn step(&mut self, section: &mut Section<'_>) -> Result<Step, &'static str> {
        let client = section.client;
        let have = self.known.clock(client);
        while section.count > 0 {
            let mut reader = Reader::new(section.bytes);
            let (len, what) = reader.structure()?;
            let (start, end) = (section.clock, within(section.clock, len)?);
            let is_new = end > have && !matches!(what, Struct::Gap);
            if is_new && let Some(id) = self.lacks(Id { client, clock: start }, have, &what) {
                return Ok(Step::Lacks(id));
            }
            *section = Section { client, clock: end, count: section.count - 1, bytes: reader.left };
            if is_new {
                self.place(Id { client, clock: start }, have, end, &what);
                self.release(client);
                return Ok(Step::Placed);
            }
        }
        Ok(Step::Done)
    }

    fn wait(&mut self, unit: usize, id: Id) {
        // The struct may have come after it was missed.
        if self.known.clock(id.client) > id.clock {
            self.released.push(unit);
        } else {
            let clocks = self.waiting.entry(id.client).or_default();
            clocks.entry(id.clock).or_default().push(unit);
        }
    }

    /// Releases what waited for a client.
    fn release(&mut self, client: u64) {
        let Some(clocks) = self.waiting.get_mut(&client) else { return };
        let have = self.known.clock(client);
        while let Some(entry) = clocks.first_entry().filter(|entry| *entry.key() < have) {
            self.released.extend(entry.remove());
        }
    }

    /// The struct that has to come before this one, by an id of it.
    fn lacks(&self, at: Id, have: u32, what: &Struct<'_>) -> Option<Id> {
        if at.clock > have {
            return Some(Id { clock: at.clock - 1, ..at });
        }
        match what {
            Struct::Item(item) => item.needs().find(|id| self.known.clock(id.client) <= id.clock),
            Struct::Gap | Struct::Gone => None,
        }
    }

    /// Adds a struct, of which everything before `have` is there.
    fn place(&mut self, at: Id, have: u32, end: u32, what: &Struct<'_>) {
        let client = at.client;
        // The library takes away what is there, but not within an update.
        if at.clock < have && self.batch.has(client) {
            self.flush();
        }
        let (is, item) = match what {
            Struct::Item(item) => (self.becomes(at, have, item), item),
            Struct::Gap | Struct::Gone => return self.gone(client, have, end),
        };
        let What::Item(place) = is else { return self.gone(client, have, end) };
        self.originals.keep(client, at.clock, item);
        // The item continues what is there, wherever that is: the library trusts what it says.
        let origin =
            if at.clock < have { Some(Id { client, clock: have - 1 }) } else { item.origin };
        let right_origin = item.right_origin.filter(|id| place.has_key || !self.has_key(*id));
        let mut written = Written { item, origin, right_origin };
        self.known.add(client, end, is);
        let has_several = place.has_key && end - at.clock > 1;
        match if has_several { item.last() } else { None } {
            // Of the values under a key, the last one counts. The library forgets to delete the
            // others with the map, and reads them afterwards.
            Some(last) => {
                if end - have > 1 {
                    let mut len = Vec::new();
                    number(&mut len, u64::from(end - have - 1));
                    self.batch.add(client, have, &[&written.head(1), &len]);
                    written.origin = Some(Id { client, clock: end - 2 });
                }
                self.batch.add(client, end - 1, &[&written.head(item.tag()), &last]);
                // Nothing comes between the two.
                self.batch.keep_order();
            }
            None if item.unsupported().is_some() => {
                self.batch.add(client, at.clock, &[&written.head(1), &[1]]);
            }
            None => self.batch.add(client, at.clock, &[&written.head(item.tag()), &content(item)]),
        }
    }

    fn gone(&mut self, client: u64, have: u32, end: u32) {
        self.known.add(client, end, What::Gone);
        let mut bytes = vec![0];
        number(&mut bytes, u64::from(end - have));
        self.batch.add(client, have, &[&bytes]);
    }

    /// The content that Yjs makes of an item: `Item.getMissing` and `Item.integrate` in its source.
    fn becomes(&mut self, at: Id, have: u32, item: &Item<'_>) -> What {
        let at_id = |id: Option<Id>| id.and_then(|id| self.known.at(id));
        let (left, right) = (at_id(item.origin), at_id(item.right_origin));
        let before = at_id((at.clock < have).then(|| Id { clock: have - 1, ..at }));
        if [left, right, before].contains(&Some(What::Gone)) {
            return What::Gone;
        }
        let parent = match item.parent {
            Some(Parent::Item(id)) => self.known.type_at(id),
            _ => Some(Type::default()),
        };
        let (parent, has_key) = match (before.or(left).or(right), parent) {
            (Some(What::Item(beside)), Some(_)) => (beside.parent, beside.has_key),
            (None, Some(parent)) => (parent, item.key.is_some()),
            _ => return What::Gone,
        };
        let is = item.is_type().then(|| self.known.new_type());
        What::Item(KnownItem { parent, has_key, is })
    }

    /// Whether an item is under a key. The library puts what comes before it under that key, even
    /// if it is in a sequence.
    fn has_key(&self, id: Id) -> bool {
        matches!(self.known.at(id), Some(What::Item(KnownItem { has_key: true, .. })))
    }

    fn deletions(&mut self, units: Vec<usize>) {
        for unit in units {
            let Unit::Deletion((client, start, end)) = self.units[unit] else { continue };
            let there = self.known.clock(client).min(end).max(start);
            if start < there {
                self.batch.delete(client, start, there);
            }
            self.units[unit] = Unit::Deletion((client, there, end));
            if there < end {
                self.wait(unit, Id { client, clock: there });
            }
        }
    }

    fn flush(&mut self) {
        std::mem::take(&mut self.batch).finish(&mut self.ready);
    }
}

/// Outcome for the next struct of a section.
enum Step {
    Placed,
    Lacks(Id),
    /// There is none.
    Done,
}

/// An item as it is written for the library.
struct Written<'i, 'a> {
    item: &'i Item<'a>,
    origin: Option<Id>,
    right_origin: Option<Id>,
}

impl Written<'_, '_> {
    /// Everything before the content of this kind.
    fn head(&self, tag: u8) -> Vec<u8> {
        let flag = |id: Option<Id>, flag: u8| if id.is_some() { flag } else { 0 };
        let beside = flag(self.origin, 0x80) | flag(self.right_origin, 0x40);
        let mut head = vec![tag | beside | self.item.info & 0x20];
        for id in [self.origin, self.right_origin].into_iter().flatten() {
            number(&mut head, id.client);
            number(&mut head, u64::from(id.clock));
        }
        if beside == 0 {
            head.extend_from_slice(self.item.place);
        }
        head
    }
}

#[cfg(test)]
mod tests;
