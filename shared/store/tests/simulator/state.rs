//! The simulated environment.

use std::collections::{BTreeMap, BTreeSet};

use simulator::{Counts, Dice};
use store::journal::numbering::{self, Counter, Digest, Position};

use crate::plan::{Act, Mutant, Plan, TABLES};

/// An event, as its writer made it.
pub(crate) struct Event {
    /// The document that numbers it.
    pub(crate) document: Option<u64>,
    pub(crate) is_wanted: bool,
    /// Whether its hand-over alone fails.
    pub(crate) is_poison: bool,
    pub(crate) record: usize,
}

/// A record of a stream.
pub(crate) struct Record {
    pub(crate) item: (usize, u64, u64),
    pub(crate) at: u64,
    pub(crate) sequence: u64,
    pub(crate) events: Vec<usize>,
    pub(crate) is_forgotten: bool,
}

/// A shard of a stream with its poller: one batch at a time, from the checkpoint on.
#[derive(Default)]
pub(crate) struct Shard {
    pub(crate) records: Vec<usize>,
    pub(crate) parent: Option<usize>,
    /// Child shards after a split.
    pub(crate) children: Option<(usize, usize)>,
    pub(crate) checkpoint: usize,
    pub(crate) task: Option<u64>,
    /// The size of the next batch after a failure.
    pub(crate) limit: Option<usize>,
}

pub(crate) struct State {
    pub(crate) plan: Plan,
    pub(crate) dice: Dice,
    pub(crate) now: u64,
    /// Whether nothing goes wrong any more.
    pub(crate) is_calm: bool,
    /// Whether the invocation that is polled may make one more call.
    pub(crate) may_call: bool,
    pub(crate) events: Vec<Event>,
    pub(crate) records: Vec<Record>,
    pub(crate) shards: [Vec<Shard>; TABLES.len()],
    /// The last record of each item, still on the item.
    pub(crate) items: BTreeMap<(usize, u64, u64), usize>,
    /// The counter of each document, as it was and, last, as it is.
    pub(crate) counters: BTreeMap<u64, Vec<Counter>>,
    pub(crate) entries: BTreeMap<usize, Option<u64>>,
    /// The numbers that each event was given.
    pub(crate) given: BTreeMap<usize, Vec<u64>>,
    pub(crate) taken: BTreeMap<(u64, u64), usize>,
    pub(crate) sent: BTreeMap<usize, BTreeSet<Option<u64>>>,
    pub(crate) faults: Vec<String>,
    pub(crate) counts: Counts,
    is_traced: bool,
}

pub(crate) fn digest(event: usize) -> Digest {
    (event as u64 + 1).to_be_bytes()
}

impl State {
    pub(crate) fn new(plan: Plan, is_traced: bool) -> Self {
        Self {
            dice: Dice::new(!plan.seed),
            plan,
            now: 0,
            is_calm: false,
            may_call: false,
            events: vec![],
            records: vec![],
            shards: TABLES.map(|_| vec![Shard::default()]),
            items: BTreeMap::new(),
            counters: BTreeMap::new(),
            entries: BTreeMap::new(),
            given: BTreeMap::new(),
            taken: BTreeMap::new(),
            sent: BTreeMap::new(),
            faults: vec![],
            counts: Counts::default(),
            is_traced,
        }
    }

    pub(crate) fn trace(&self, text: impl FnOnce() -> String) {
        if self.is_traced {
            println!("{} {}", self.now, text());
        }
    }

    pub(crate) fn fault(&mut self, text: String) {
        self.trace(|| format!("FAULT {text}"));
        self.faults.push(text);
    }

    pub(crate) fn is(&self, mutant: Mutant) -> bool {
        self.plan.mutant == Some(mutant)
    }

    /// Whether something goes wrong now that does so many times in 10,000.
    pub(crate) fn wrong(&mut self, in_10_000: u64) -> bool {
        !self.is_calm && self.dice.chance(in_10_000)
    }

    /// An item is written with its events, and its stream gets the record.
    pub(crate) fn write(&mut self, act: Act) {
        let record = self.records.len();
        let mut events = Vec::new();
        for _ in 0..act.events {
            let (unnumbered, poison, unwanted) =
                (self.plan.unnumbered, self.plan.poison, self.plan.unwanted);
            let document = (!self.dice.chance(unnumbered)).then_some(act.document);
            let is_wanted = !self.dice.chance(unwanted);
            let is_poison = self.dice.chance(poison);
            events.push(self.events.len());
            self.events.push(Event { document, is_wanted, is_poison, record });
            self.counts.count("events");
        }
        let split = if self.is(Mutant::SplitDocuments) { act.item } else { 0 };
        let shard = self.shard_of(act.table, act.document + split);
        self.trace(|| format!("{act:?} is record {record} of shard {shard} with {events:?}"));
        self.shards[act.table][shard].records.push(record);
        let item = (act.table, act.document, act.item);
        self.items.insert(item, record);
        let sequence = 90 + record as u64 * 7;
        self.records.push(Record { item, at: act.at, sequence, events, is_forgotten: false });
    }

    /// Where the records of a document go: all items of one are in one shard.
    fn shard_of(&self, table: usize, document: u64) -> usize {
        let (mut shard, mut bits) = (0, document);
        while let Some((low, high)) = self.shards[table][shard].children {
            shard = if bits.is_multiple_of(2) { low } else { high };
            bits /= 2;
        }
        shard
    }

    /// A shard ends, and later writes go to two others.
    pub(crate) fn split(&mut self, table: usize) {
        let open = |(_, shard): &(usize, &Shard)| shard.children.is_none();
        let all = &mut self.shards[table];
        let open: Vec<usize> = all.iter().enumerate().filter(open).map(|(n, _)| n).collect();
        let parent = self.dice.pick(&open);
        all[parent].children = Some((all.len(), all.len() + 1));
        all.extend([0, 1].map(|_| Shard { parent: Some(parent), ..Shard::default() }));
        self.counts.count("splits");
    }

    /// The events of records as the consumer of their stream gets them.
    pub(crate) fn batch(&self, records: &[usize]) -> Vec<numbering::Record<u64, usize>> {
        let of_record = |record: &usize| {
            let Record { sequence, events, .. } = &self.records[*record];
            let sequence = sequence.to_string();
            let one = move |(n, event): (usize, &usize)| numbering::Record {
                document: self.events[*event].document,
                position: Some(Position::new("stream", &sequence, u32::try_from(n).unwrap())),
                digest: digest(*event),
                event: *event,
            };
            events.iter().enumerate().map(one).collect::<Vec<_>>()
        };
        records.iter().flat_map(of_record).collect()
    }
}
