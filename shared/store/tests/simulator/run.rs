//! One simulation: writers, consumers, an outage, and the repair behind it.

use std::{pin::pin, sync::Arc, task::Poll};

use parking_lot::Mutex;
use simulator::{Outcome, poll};
use store::journal::numbering::{Record, repair};

use crate::{
    check,
    lambda::Lambda,
    plan::{HOUR, Mutant, Plan, RETENTION, TABLES},
    ports::Machine,
    state::{State, digest},
};

/// Steps after which a simulation has got stuck.
const MAX_STEPS: usize = 1_000_000;
/// Events that the repair takes at once.
const PAGE: usize = 5;

/// Runs a plan to its end: what went through, and what went wrong.
pub(crate) fn run(plan: Plan, is_traced: bool) -> Outcome {
    let (pace, down) = (plan.pace, plan.down);
    let mut acts = plan.acts.clone().into_iter().peekable();
    let machine = Machine(Arc::new(Mutex::new(State::new(plan, is_traced))));
    let mut lambda = Lambda::default();
    for step in 0.. {
        if step == MAX_STEPS {
            machine.0.lock().fault("it does not come to an end".to_owned());
        }
        if !machine.0.lock().faults.is_empty() {
            break;
        }
        let now = machine.0.lock().now;
        let is_down = down.is_some_and(|(from, to)| (from..to).contains(&now));
        if is_down {
            lambda.kill(&mut machine.0.lock());
        }
        let is_consumers_turn = acts.peek().is_none() || machine.0.lock().dice.chance(pace);
        if !is_down && is_consumers_turn && lambda.step(&machine) {
            machine.0.lock().now += 20;
            continue;
        }
        let mut state = machine.0.lock();
        if let Some(act) = acts.next() {
            state.now = state.now.max(act.at);
            state.write(act);
            let split = state.plan.split;
            if state.wrong(split) {
                let table = usize::try_from(state.dice.below(TABLES.len() as u64)).unwrap();
                state.split(table);
            }
        } else if let Some((_, to)) = down.filter(|(_, to)| state.now < *to) {
            state.now = to;
        } else if state.is_calm {
            break;
        } else {
            state.is_calm = true;
        }
    }
    if machine.0.lock().faults.is_empty() && !machine.0.lock().is(Mutant::NoRepair) {
        machine.0.lock().now += RETENTION + HOUR;
        repair_all(&machine);
    }
    let mut state = machine.0.lock();
    if state.faults.is_empty() {
        check::end(&mut state);
    }
    (state.counts.clone(), std::mem::take(&mut state.faults))
}

/// Goes through all items, page by page; a page that fails is begun again.
fn repair_all(machine: &Machine) {
    let found = found(&machine.0.lock());
    for page in found.chunks(PAGE) {
        machine.0.lock().is_calm = false;
        for attempt in 0.. {
            if attempt == 100 {
                machine.0.lock().is_calm = true;
            }
            if repair_page(machine, page) {
                break;
            }
        }
    }
}

/// The events of the items that have subscribers.
fn found(state: &State) -> Vec<Record<u64, usize>> {
    let events = state.items.values().flat_map(|record| &state.records[*record].events);
    let wanted = events.filter(|event| state.events[**event].is_wanted);
    let record = |event: &usize| Record {
        document: state.events[*event].document,
        position: None,
        digest: digest(*event),
        event: *event,
    };
    wanted.map(record).collect()
}

/// Whether a page was repaired: the one who does it may die.
fn repair_page(machine: &Machine, page: &[Record<u64, usize>]) -> bool {
    let mut repairing = pin!(repair(machine, page.to_vec()));
    loop {
        {
            let mut state = machine.0.lock();
            let crash = state.plan.crash;
            if state.wrong(crash) {
                return false;
            }
            state.may_call = true;
        }
        let polled = poll(repairing.as_mut());
        machine.0.lock().may_call = false;
        if let Poll::Ready(results) = polled {
            return results.iter().all(Result::is_ok);
        }
    }
}
