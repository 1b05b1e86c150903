//! One simulation: writers, consumers, an outage, and the repair behind it.

use std::{
    pin::pin,
    sync::{Arc, Mutex},
    task::Poll,
};

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
            machine.lock().fault("it does not come to an end".to_owned());
        }
        if !machine.lock().faults.is_empty() {
            break;
        }
        let now = machine.lock().now;
        let is_down = down.is_some_and(|(from, to)| (from..to).contains(&now));
        if is_down {
            lambda.kill(&mut machine.lock());
        }
        let is_consumers_turn = acts.peek().is_none() || machine.lock().dice.chance(pace);
        if !is_down && is_consumers_turn && lambda.step(&machine) {
            machine.lock().now += 20;
            continue;
        }
        let mut state = machine.lock();
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
    if machine.lock().faults.is_empty() && !machine.lock().is(Mutant::NoRepair) {
        machine.lock().now += RETENTION + HOUR;
        repair_all(&machine);
    }
    let mut state = machine.lock();
    if state.faults.is_empty() {
        check::end(&mut state);
    }
    (state.counts.clone(), std::mem::take(&mut state.faults))
}

/// Goes through all items, page by page; a page that fails is begun again.
fn repair_all(machine: &Machine) {
    let found = found(&machine.lock());
    for page in found.chunks(PAGE) {
        machine.lock().is_calm = false;
        for attempt in 0.. {
            if attempt == 100 {
                machine.lock().is_calm = true;
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
            let mut state = machine.lock();
            let crash = state.plan.crash;
            if state.wrong(crash) {
                return false;
            }
            state.may_call = true;
        }
        let polled = poll(repairing.as_mut());
        machine.lock().may_call = false;
        if let Poll::Ready(results) = polled {
            return results.iter().all(Result::is_ok);
        }
    }
}
