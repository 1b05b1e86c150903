//! Invariants at the end of a simulation.

use std::collections::BTreeMap;

use crate::{plan::HOUR, state::State};

pub(crate) fn end(state: &mut State) {
    let mut faults = Vec::new();
    for (document, counters) in &state.counters {
        let numbers = state.taken.range((*document, 0)..=(*document, u64::MAX));
        let numbers: Vec<u64> = numbers.map(|((_, seq), _)| *seq).collect();
        let last = counters.last().map_or(0, |counter| counter.last);
        if numbers != (1..=last).collect::<Vec<_>>() {
            faults.push(format!("the numbers of {document} have gaps: {numbers:?}"));
        }
    }
    let (mut repaired, mut overwritten) = (0, 0);
    // The last number of each item and document, in the order of the writes.
    let mut last: BTreeMap<(usize, u64, u64), u64> = BTreeMap::new();
    for (n, event) in state.events.iter().enumerate() {
        let record = &state.records[event.record];
        let is_last = state.items.get(&record.item) == Some(&event.record);
        let given = state.given.get(&n).map_or(&[][..], Vec::as_slice);
        let sent = state.sent.get(&n);
        if record.is_forgotten && !is_last {
            overwritten += u64::from(sent.is_none());
            continue;
        }
        if event.is_wanted && sent.is_none() {
            faults.push(format!("event {n} was never sent"));
        }
        if record.is_forgotten {
            repaired += u64::from(event.is_wanted);
            continue;
        }
        let expected = usize::from(event.document.is_some());
        if given.len() != expected {
            faults.push(format!("event {n} has the numbers {given:?}"));
        }
        if let (Some(sent), Some(seq)) = (sent, given.first())
            && !sent.contains(&Some(*seq))
        {
            faults.push(format!("event {n} is number {seq}, and was sent as {sent:?}"));
        }
        if let Some(seq) = given.first()
            && last.insert(record.item, *seq).is_some_and(|before| before > *seq)
        {
            faults.push(format!("event {n} has a number below one before it on its item"));
        }
    }
    let is_long = state.plan.down.is_some_and(|(from, to)| to - from > 23 * HOUR);
    if state.counts.count_of("forgotten") > 0 && !is_long {
        faults.push("something was forgotten within an hour".to_owned());
    }
    state.counts.add("repaired", repaired);
    state.counts.add("overwritten", overwritten);
    faults.into_iter().for_each(|fault| state.fault(fault));
}
