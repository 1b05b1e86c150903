//! Invocations: what Lambda does with the shards of a stream.

use std::{collections::BTreeMap, pin::Pin, sync::Arc, task::Poll};

use error::Result;
use simulator::poll;
use store::journal::numbering::number;

use crate::{
    plan::{RETENTION, TABLES},
    ports::Machine,
    state::State,
};

type Running = Pin<Box<dyn Future<Output = Vec<Result<()>>> + Send>>;

/// An invocation at work.
struct Task {
    future: Running,
    /// The records of its batch, each with the number of its events.
    records: Vec<(usize, usize)>,
    /// Table and shard, until Lambda believes it to be dead.
    poller: Option<(usize, usize)>,
}

#[derive(Default)]
pub(crate) struct Lambda {
    tasks: BTreeMap<u64, Task>,
    next: u64,
}

/// Invocations that go on although Lambda has given up on them.
const STRAGGLERS: usize = 4;

impl Lambda {
    /// All invocations end where they are, and nothing begins.
    pub(crate) fn kill(&mut self, state: &mut State) {
        self.tasks.clear();
        for shard in state.shards.iter_mut().flatten() {
            shard.task = None;
        }
    }

    /// One step of one invocation, or the begin of one; false when there is nothing to do.
    pub(crate) fn step(&mut self, machine: &Machine) -> bool {
        let idle = idle(&mut machine.0.lock());
        let choices = idle.len() + self.tasks.len();
        if choices == 0 {
            return false;
        }
        let choice = machine.0.lock().dice.below(choices as u64);
        let choice = usize::try_from(choice).unwrap();
        if let Some((table, shard)) = idle.get(choice) {
            self.begin(machine, *table, *shard);
        } else if let Some(id) = self.tasks.keys().nth(choice - idle.len()).copied() {
            self.poll(machine, id);
        }
        true
    }

    fn begin(&mut self, machine: &Machine, table: usize, shard: usize) {
        let mut state = machine.0.lock();
        let size = usize::try_from(state.plan.batch).unwrap();
        let here = &state.shards[table][shard];
        let size = here.limit.map_or(size, |limit| limit.clamp(1, size));
        let waiting = here.records[here.checkpoint..].iter().take(size);
        let records: Vec<usize> = waiting.copied().collect();
        let events: Vec<_> = state.batch(&records);
        let counted = |record: usize| (record, state.records[record].events.len());
        let records: Vec<(usize, usize)> = records.into_iter().map(counted).collect();
        self.next += 1;
        state.trace(|| format!("invocation {} gets {records:?} of {table}", self.next));
        state.counts.count("invocations");
        state.shards[table][shard].task = Some(self.next);
        let own = Machine(Arc::clone(&machine.0));
        let future: Running = Box::pin(async move { number(&own, TABLES[table], events).await });
        self.tasks.insert(self.next, Task { future, records, poller: Some((table, shard)) });
    }

    fn poll(&mut self, machine: &Machine, id: u64) {
        let Some(mut task) = self.tasks.remove(&id) else { return };
        {
            let mut state = machine.0.lock();
            let (crash, timeout) = (state.plan.crash, state.plan.timeout);
            if state.wrong(crash) {
                state.trace(|| format!("invocation {id} dies"));
                state.counts.count("crashes");
                return failed(&mut state, task.poller);
            }
            let stragglers = self.tasks.values().filter(|task| task.poller.is_none()).count();
            if task.poller.is_some() && stragglers < STRAGGLERS && state.wrong(timeout) {
                state.trace(|| format!("invocation {id} is believed to be dead"));
                state.counts.count("timeouts");
                failed(&mut state, task.poller.take());
            }
            state.may_call = true;
        }
        let polled = poll(task.future.as_mut());
        let mut state = machine.0.lock();
        state.may_call = false;
        match polled {
            Poll::Pending => drop(self.tasks.insert(id, task)),
            Poll::Ready(results) => done(&mut state, id, &task, results),
        }
    }
}

/// The shards that a batch may be taken from: a child waits until its parent was read.
fn idle(state: &mut State) -> Vec<(usize, usize)> {
    let mut idle = Vec::new();
    for table in 0..TABLES.len() {
        for n in 0..state.shards[table].len() {
            forget(state, table, n);
            let shard = &state.shards[table][n];
            let is_read = |parent: usize| {
                let parent = &state.shards[table][parent];
                parent.checkpoint == parent.records.len()
            };
            let mut above = shard.parent;
            let mut is_ready = true;
            while let Some(parent) = above {
                is_ready &= is_read(parent);
                above = state.shards[table][parent].parent;
            }
            if is_ready && shard.task.is_none() && shard.checkpoint < shard.records.len() {
                idle.push((table, n));
            }
        }
    }
    idle
}

/// Records older than a day expire unread.
fn forget(state: &mut State, table: usize, n: usize) {
    while state.shards[table][n].task.is_none() {
        let shard = &state.shards[table][n];
        let Some(&record) = shard.records.get(shard.checkpoint) else { return };
        if state.records[record].at + RETENTION > state.now {
            return;
        }
        state.trace(|| format!("record {record} is gone"));
        state.records[record].is_forgotten = true;
        let events = state.records[record].events.len() as u64;
        state.counts.add("forgotten", events);
        state.shards[table][n].checkpoint += 1;
    }
}

/// Lambda tries again, with half of the batch.
fn failed(state: &mut State, poller: Option<(usize, usize)>) {
    let Some((table, shard)) = poller else { return };
    let size = usize::try_from(state.plan.batch).unwrap();
    let shard = &mut state.shards[table][shard];
    let waiting = shard.records.len() - shard.checkpoint;
    shard.limit = Some(shard.limit.unwrap_or(size).min(waiting).div_ceil(2));
    shard.task = None;
    state.counts.count("bisected");
}

/// The checkpoint moves to the first record that failed.
fn done(state: &mut State, id: u64, task: &Task, results: Vec<Result<()>>) {
    let mut results = results.into_iter();
    let all = |(_, events): &&(usize, usize)| {
        results.by_ref().take(*events).filter(Result::is_err).count() == 0
    };
    let finished = task.records.iter().take_while(all).count();
    state.trace(|| format!("invocation {id} has done {finished} of {}", task.records.len()));
    let Some((table, shard)) = task.poller else { return };
    state.shards[table][shard].checkpoint += finished;
    if finished < task.records.len() {
        failed(state, task.poller);
    }
    let shard = &mut state.shards[table][shard];
    shard.task = None;
    if finished == task.records.len() {
        shard.limit = None;
    }
}
