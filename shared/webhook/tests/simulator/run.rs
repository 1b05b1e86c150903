//! One simulation: drivers at work side by side, on a time line without a clock.

use std::{collections::BTreeMap, pin::Pin, sync::Arc, task::Poll};

use error::Result;
use model::Millis;
use parking_lot::Mutex;
use simulator::{Outcome, poll};
use webhook::{steps::delivery::deliver, types::DeliveryTask};

use crate::{
    plan::{HOUR, Mutant, Plan},
    ports::Machine,
    state::{Item, State, endpoint},
};

/// Six times the timeout of the function.
const VISIBILITY: Millis = 360_000;
const MAX_RECEIVES: u32 = 5;

struct Running {
    task: DeliveryTask,
    received: u32,
    future: Pin<Box<dyn Future<Output = Result<()>> + Send>>,
}

struct Simulation {
    state: Arc<Mutex<State>>,
    running: BTreeMap<u64, Running>,
}

/// Runs a plan to its end: what went through, and what went wrong.
pub(crate) fn run(plan: Plan, is_traced: bool) -> Outcome {
    let end = plan.end;
    let state = Arc::new(Mutex::new(State::new(plan, is_traced)));
    let mut simulation = Simulation { state, running: BTreeMap::new() };
    while simulation.step(end) {}
    let mut state = simulation.state.lock();
    if state.faults.is_empty() {
        state.check();
    }
    (std::mem::take(&mut state.counts), std::mem::take(&mut state.faults))
}

impl Simulation {
    /// The next thing on the time line; false when there is none.
    fn step(&mut self, end: Millis) -> bool {
        let mut state = self.state.lock();
        let next = state.line.next_at();
        let timer_at = state.timer_at();
        let at = next.min(timer_at);
        if at > end || !state.faults.is_empty() {
            return false;
        }
        state.now = at;
        if timer_at < next {
            state.timer();
            return true;
        }
        let Some(item) = state.line.pop() else { return false };
        match item {
            Item::Disable(n) => drop(state.disabled.insert(endpoint(n))),
            Item::Change(n, change) => state.change(n, &change),
            Item::Release(id, revision) => state.release(&id, revision),
            Item::Due(due) => state.check_due(&due),
            Item::Visible(id) => {
                drop(state);
                self.again(id);
            }
            Item::Receive { task, received } => {
                drop(state);
                self.begin(task, received);
            }
            Item::Poll(id) => {
                drop(state);
                self.poll(id);
            }
        }
        true
    }

    fn begin(&mut self, task: DeliveryTask, received: u32) {
        let mut state = self.state.lock();
        let id = state.serial();
        if task.order.is_some() {
            state.counts.count("ordered");
        }
        if !state.is(Mutant::AcknowledgedAtOnce) {
            let later = state.now + VISIBILITY;
            state.at(later, Item::Visible(id));
        }
        state.trace(|| format!("task {id} receives {task:?}"));
        drop(state);
        let (state, looked_at, first_target) =
            (self.state.clone(), Mutex::new((0, 0)), Mutex::new(None));
        let is_manual = task.order.is_some();
        let machine = Machine { state, task: id, is_manual, looked_at, first_target };
        let message = task.clone();
        let future = Box::pin(async move { deliver(&machine, &message).await });
        self.running.insert(id, Running { task, received, future });
        self.poll(id);
    }

    fn poll(&mut self, id: u64) {
        let Some(running) = self.running.get_mut(&id) else { return };
        match poll(running.future.as_mut()) {
            Poll::Pending => {}
            Poll::Ready(Ok(())) => {
                self.running.remove(&id);
                self.state.lock().check_listed(id);
            }
            Poll::Ready(Err(error)) => {
                self.state.lock().trace(|| format!("task {id} fails: {error:?}"));
                if self.state.lock().is(Mutant::AcknowledgedAtOnce) {
                    self.running.remove(&id);
                }
            }
        }
    }

    /// Unacknowledged messages repeat; those with too many failures after a redrive.
    fn again(&mut self, id: u64) {
        let Some(Running { task, received, .. }) = self.running.remove(&id) else { return };
        let mut state = self.state.lock();
        let (wait, received) = if received < MAX_RECEIVES { (1, received + 1) } else { (HOUR, 1) };
        let at = state.now + wait;
        state.at(at, Item::Receive { task, received });
    }
}
