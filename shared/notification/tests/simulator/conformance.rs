//! Without faults, the simulator satisfies the contract of the database.

use std::{pin::pin, sync::Arc, task::Poll};

use conformance::{Bench, Timed, hints_come_when_rows_are_due, rows_change_by_compare_and_set};
use model::Millis;
use notification::RowKey;
use parking_lot::Mutex;
use simulator::poll;

use crate::{
    plan::Plan,
    ports::Machine,
    run::sweep,
    state::{Item, MessageBody, State},
};

struct Calm {
    machines: [Machine; 2],
    heard: Mutex<Vec<RowKey>>,
}

impl Calm {
    fn new() -> Self {
        let machine = || {
            let plan = Plan { calm: 0, poison: false, acts: vec![], ..Plan::draw(0, None) };
            let state = Arc::new(Mutex::new(State::new(plan, false)));
            Machine { state, task: 0, skew: 0 }
        };
        Self { machines: [machine(), machine()], heard: Mutex::default() }
    }

    /// The next thing on the time line of a tenant; false when that is after `end`.
    fn step(&self, machine: &Machine, end: Millis) -> bool {
        let mut state = machine.state.lock();
        let next = state.line.next_at();
        let is_sweep = state.sweep_at < next;
        let at = next.min(state.sweep_at);
        state.now = state.now.max(at.min(end));
        state.catch_up();
        if at > end {
            return false;
        }
        if is_sweep {
            sweep(&mut state);
        } else if let Some(Item::Deliver(message)) = state.line.pop()
            && let MessageBody::Wake(key) = message.body
        {
            self.heard.lock().push(key);
        }
        true
    }

    fn run<T>(&self, future: impl Future<Output = T>) -> T {
        let mut future = pin!(future);
        loop {
            if let Poll::Ready(value) = poll(future.as_mut()) {
                return value;
            }
            let is_calling = |machine: &&Machine| {
                let state = machine.state.lock();
                state.line.items().any(|item| matches!(item, Item::Poll(_)))
            };
            let machine = self.machines.iter().find(is_calling).expect("a call");
            self.step(machine, Millis::MAX);
        }
    }
}

impl Bench for Calm {
    type Rows = Machine;

    fn tenant(&self, number: usize) -> &Machine {
        &self.machines[number]
    }

    fn advance(&self, by: Millis) {
        for machine in &self.machines {
            machine.state.lock().now += by;
        }
    }
}

impl Timed for Calm {
    async fn hear(&self, seconds: u64) -> Vec<RowKey> {
        let machine = &self.machines[0];
        let end = machine.clock() + seconds * 1000;
        while self.step(machine, end) {}
        std::mem::take(&mut *self.heard.lock())
    }
}

#[test]
fn the_simulated_rows_change_as_those_in_the_database() {
    let calm = Calm::new();
    calm.run(rows_change_by_compare_and_set(&calm));
}

#[test]
fn simulated_hints_come_as_those_of_the_timer_and_the_queues() {
    let calm = Calm::new();
    calm.run(hints_come_when_rows_are_due(&calm));
}
