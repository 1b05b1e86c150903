//! The ports of a consumer: each call is a step of its own, may fail before or after its effect,
//! and may be the last one.

use std::{future::poll_fn, sync::Arc, task::Poll};

use error::{Error, Result};
use parking_lot::Mutex;
use store::journal::numbering::{
    Counter, Digest, EventEntry, Journal, Numbered, Position, RUN, Swap,
};

use crate::{
    plan::Mutant,
    state::{State, digest},
};

/// A machine that runs a consumer.
pub(crate) struct Machine(pub(crate) Arc<Mutex<State>>);

impl Machine {
    async fn call(&self) -> Result<()> {
        poll_fn(|context| {
            if std::mem::take(&mut self.0.lock().may_call) {
                return Poll::Ready(());
            }
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        self.fault()
    }

    fn fault(&self) -> Result<()> {
        let mut state = self.0.lock();
        let fault = state.plan.fault;
        if state.wrong(fault) { Err(Error::unavailable("simulated")) } else { Ok(()) }
    }

    async fn keep(&self, numbered: &Numbered<usize>) -> Result<()> {
        if !self.0.lock().events[numbered.event].is_wanted {
            return Ok(());
        }
        self.call().await?;
        self.0.lock().keep(numbered);
        self.fault()
    }

    async fn send(&self, numbered: &Numbered<usize>) -> Result<()> {
        self.call().await?;
        self.0.lock().send(numbered);
        self.fault()
    }

    async fn pass_one_on(&self, numbered: &Numbered<usize>) -> Result<()> {
        if self.0.lock().is(Mutant::EntryAfterSending) {
            self.send(numbered).await?;
            return self.keep(numbered).await;
        }
        self.keep(numbered).await?;
        self.send(numbered).await
    }
}

impl Journal for Machine {
    type Document = u64;
    type Event = usize;

    async fn load(&self, documents: &[u64]) -> Result<Vec<Option<Counter>>> {
        self.call().await?;
        let mut state = self.0.lock();
        Ok(documents.iter().map(|document| state.remembered(*document)).collect())
    }

    async fn swap(&self, document: &u64, seen: u64, counter: &Counter) -> Result<Swap> {
        self.call().await?;
        let swap = self.0.lock().swap(*document, seen, counter);
        self.fault()?;
        Ok(swap)
    }

    async fn pass_on(&self, events: Vec<Numbered<usize>>) -> Vec<Result<()>> {
        let mut results = Vec::new();
        for numbered in &events {
            let passed = self.pass_one_on(numbered).await;
            let is_ignored = self.0.lock().is(Mutant::DoneBeforeSent);
            results.push(if is_ignored { Ok(()) } else { passed });
        }
        results
    }

    async fn find_entry(&self, event: &usize) -> Result<EventEntry> {
        self.call().await?;
        let entry = self.0.lock().entries.get(event).copied();
        Ok(entry.map_or(EventEntry::Missing, |seq| EventEntry::Stored { seq }))
    }
}

impl State {
    /// A counter as some consumer may remember it: as it is, or as it was.
    fn remembered(&mut self, document: u64) -> Option<Counter> {
        let all = self.counters.get(&document)?;
        let last = all.len() as u64 - 1;
        let back = if self.is_calm || self.dice.chance(7000) { 0 } else { self.dice.below(4) };
        all.get(usize::try_from(last.saturating_sub(back)).unwrap()).cloned()
    }

    fn swap(&mut self, document: u64, seen: u64, counter: &Counter) -> Swap {
        let found = self.counters.get(&document).and_then(|all| all.last()).cloned();
        let run = counter.lanes.values().max_by_key(|run| run.first).expect("a run");
        let named = |it: &Digest| (0..self.events.len()).find(|n| digest(*n) == *it);
        let events: Vec<usize> = run.digests.iter().filter_map(named).collect();
        let numbers: Vec<(usize, u64)> = events.into_iter().zip(run.first..).collect();
        if self.is(Mutant::SentBeforeTheNumber) {
            for (event, seq) in &numbers {
                self.send(&Numbered { event: *event, seq: Some(*seq) });
            }
        }
        let is_other = found.as_ref().map_or(0, |found| found.last) != seen;
        if is_other {
            self.counts.count("conflicts");
            if !self.is(Mutant::NoCompareAndSet) {
                return Swap::Refused(found);
            }
        }
        self.counts.add("full_runs", u64::from(numbers.len() == RUN));
        for (event, seq) in numbers {
            self.trace(|| format!("event {event} is number {seq} of {document}"));
            self.give(document, event, seq);
        }
        let mut counter = counter.clone();
        let latest = run.first;
        for run in counter.lanes.values_mut() {
            if self.is(Mutant::NoPosition) {
                run.position = Position::default();
            }
            let is_others = run.first != latest && self.is(Mutant::OneRunForAllLanes);
            if is_others || self.is(Mutant::NoDigests) {
                run.digests.clear();
            }
        }
        self.counters.entry(document).or_default().push(counter);
        Swap::Done
    }

    fn give(&mut self, document: u64, event: usize, seq: u64) {
        if let Some(other) = self.taken.insert((document, seq), event) {
            self.fault(format!("{other} and {event} are both number {seq} of {document}"));
        }
        let given = self.given.entry(event).or_default();
        given.push(seq);
        // A consumer may have numbered it and died; no one was sent that number.
        let is_forgotten = self.records[self.events[event].record].is_forgotten;
        if given.len() > 1 && !is_forgotten {
            self.fault(format!("event {event} has a second number"));
        }
    }

    /// Writes the entry unless there is one.
    fn keep(&mut self, Numbered { event, seq }: &Numbered<usize>) {
        let kept = *self.entries.entry(*event).or_insert(*seq);
        if kept != *seq {
            self.fault(format!("the entry of {event} is number {kept:?} and not {seq:?}"));
        }
    }

    fn send(&mut self, Numbered { event, seq }: &Numbered<usize>) {
        if !self.events[*event].is_wanted {
            return;
        }
        if self.events[*event].is_poison {
            // Poison goes to the queue of events that fail alone, with its number.
            self.counts.count("set_aside");
        }
        self.trace(|| format!("event {event} is sent as {seq:?}"));
        if !self.is(Mutant::SentBeforeTheNumber)
            && !self.is(Mutant::EntryAfterSending)
            && self.entries.get(event) != Some(seq)
        {
            self.fault(format!("event {event} is sent without its entry"));
        }
        let numbers = self.sent.entry(*event).or_default();
        let is_repeat = !numbers.insert(*seq) && numbers.len() == 1;
        if numbers.len() > 1 {
            self.fault(format!("event {event} is sent with two numbers"));
        }
        self.counts.add("repeats", u64::from(is_repeat));
    }
}
