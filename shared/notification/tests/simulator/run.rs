//! One simulation: drivers at work side by side, on a time line without a clock.

use std::{collections::BTreeMap, pin::Pin, sync::Arc, task::Poll};

use error::Result;
use model::{Millis, event::EventType, notification::NotificationSource};
use notification::{
    Change, Channels, Mail, MailStep, NotifiableEvent, Policy, Row, RowBody as _, RowKey,
    StoredRow, intake, wake,
};
use parking_lot::Mutex;
use serde_json::Value;
use simulator::{Outcome, poll};

use crate::{
    check,
    plan::{Act, Mutant, Plan},
    ports::Machine,
    state::{Item, Message, MessageBody, Raised, State, document, organization, user},
};

const VISIBILITY: Millis = 30_000;
const MAX_RECEIVES: u32 = 5;
/// Calls of one simulation; far more than any needs that ends.
const MAX_POLLS: u64 = 300_000;

struct NotificationTask {
    message: Message,
    future: Pin<Box<dyn Future<Output = Result<()>> + Send>>,
}

struct Simulation {
    state: Arc<Mutex<State>>,
    tasks: BTreeMap<u64, NotificationTask>,
}

/// A row that no hint can be sent for; the first of the index.
pub(crate) fn poisoned() -> RowKey {
    RowKey::Pending { event_id: String::new() }
}

/// Runs a plan to its end: what went through, and what went wrong.
pub(crate) fn run(plan: Plan, traced: bool) -> Outcome {
    let end = plan.end;
    let state = Arc::new(Mutex::new(State::new(plan, traced)));
    let mut simulation = Simulation { state, tasks: BTreeMap::new() };
    while simulation.step(end) {}
    let mut state = simulation.state.lock();
    if state.faults.is_empty() {
        check::end(&mut state);
    }
    (std::mem::take(&mut state.counts), std::mem::take(&mut state.faults))
}

impl Simulation {
    /// The next thing on the time line; false when there is none.
    fn step(&mut self, end: Millis) -> bool {
        let mut state = self.state.lock();
        let next = state.line.next_at();
        let is_sweep = state.sweep_at < next;
        let at = next.min(state.sweep_at);
        if at > end || !state.faults.is_empty() {
            return false;
        }
        state.now = at;
        state.catch_up();
        if is_sweep {
            sweep(&mut state);
            return true;
        }
        let Some(item) = state.line.pop() else { return false };
        match item {
            Item::Poll(task) => {
                drop(state);
                self.poll(task);
            }
            Item::Deliver(message) => {
                drop(state);
                self.begin(message);
            }
            Item::Visible(task) => {
                if let Some(task) = self.tasks.get(&task) {
                    let message = task.message.clone();
                    again(&mut state, message, 0);
                }
            }
            Item::Act(number) => act(&mut state, number),
        }
        true
    }

    fn begin(&mut self, message: Message) {
        let mut state = self.state.lock();
        if let MessageBody::Wake(RowKey::Mail { .. }) = &message.body {
            return mail(&mut state, message);
        }
        let task = state.line.serial();
        let skews = state.plan.skews;
        let skew = state.dice.pick(&skews);
        let later = state.now + VISIBILITY;
        state.line.at(later, Item::Visible(task));
        state.trace(|| format!("task {task} receives {:?}", message.body));
        let machine = Machine { state: self.state.clone(), task, skew };
        let future: Pin<Box<dyn Future<Output = Result<()>> + Send>> = match &message.body {
            MessageBody::Intake(number) => {
                // The worker reads these once, when it begins.
                let (limits, on) = (state.limits.last().unwrap().1, state.service);
                let raised = &state.raised[*number];
                let open = if on { raised.policy.channels } else { Channels::default() };
                let (event, policy) =
                    (raised.event.clone(), Policy { open, limits, ..raised.policy });
                Box::pin(async move { intake(&machine, &machine, event, policy).await })
            }
            MessageBody::Wake(key) => {
                let key = key.clone();
                Box::pin(async move { wake(&machine, &machine, &key).await })
            }
        };
        drop(state);
        self.tasks.insert(task, NotificationTask { message, future });
        self.poll(task);
    }

    fn poll(&mut self, id: u64) {
        let Some(mut task) = self.tasks.remove(&id) else { return };
        {
            let mut state = self.state.lock();
            state.counts.count("polls");
            if state.counts.count_of("polls") > MAX_POLLS {
                return state.fault("messages make more of themselves".to_owned());
            }
            let crash = state.plan.crash;
            if state.wrong(crash) {
                state.trace(|| format!("task {id} crashes"));
                state.counts.count("crashes");
                return again(&mut state, task.message, VISIBILITY);
            }
        }
        match poll(task.future.as_mut()) {
            Poll::Pending => {
                self.tasks.insert(id, task);
            }
            Poll::Ready(Ok(())) => self.state.lock().trace(|| format!("task {id} is done")),
            Poll::Ready(Err(error)) => {
                let mut state = self.state.lock();
                state.trace(|| format!("task {id} fails: {error}"));
                if error.to_string().starts_with("INTERNAL") {
                    state.fault(error.to_string());
                }
                again(&mut state, task.message, VISIBILITY);
            }
        }
    }
}

/// A message is received again. Messages of the outbox always are; others are given up.
fn again(state: &mut State, mut message: Message, after: Millis) {
    message.receives += 1;
    if matches!(message.body, MessageBody::Intake(_)) || message.receives <= MAX_RECEIVES {
        let at = state.now + after + state.dice.below(1000);
        state.line.at(at, Item::Deliver(message));
    }
}

/// Sends hints for rows due within two minutes, and for overdue ones.
pub(crate) fn sweep(state: &mut State) {
    let (missed, broken) = (state.plan.missed_sweep, state.plan.broken_sweep);
    let is_missed = state.wrong(missed) || state.plan.mutant == Some(Mutant::NoSweep);
    let found: Vec<(RowKey, Millis)> = state
        .index
        .iter()
        .filter(|(_, due)| **due <= state.now + 120_000)
        .map(|(key, due)| (key.clone(), *due))
        .collect();
    state.trace(|| format!("sweep finds {}", found.len()));
    for (key, due) in found.into_iter().filter(|_| !is_missed) {
        if key == poisoned() {
            if state.plan.mutant == Some(Mutant::SweepStopsAtAnError) {
                break;
            }
            continue;
        }
        if state.wrong(broken) {
            break;
        }
        state.hint(key, due);
    }
    let poison = poisoned();
    let others = state.index.iter().filter(|(key, _)| **key != poison);
    let earliest = others.map(|(_, due)| due.saturating_sub(120_000)).min();
    let minute = state.now / 60_000 * 60_000 + 60_000;
    state.sweep_at = match earliest {
        _ if state.is_index_behind() => minute,
        Some(at) => minute.max(at / 60_000 * 60_000),
        None => Millis::MAX,
    };
}

/// Sends a mail; its faults are not simulated.
fn mail(state: &mut State, message: Message) {
    let MessageBody::Wake(key) = message.body else { return };
    let RowKey::Mail { user_id, .. } = &key else { return };
    let Some(StoredRow { row, version }) = state.rows.get(&key) else { return };
    let mail = Mail::from_row(row).unwrap();
    let skews = state.plan.skews;
    let skew = state.dice.pick(&skews);
    let clock = state.now.saturating_add_signed(skew);
    let mail = match mail.next_step(clock) {
        MailStep::Send(mail) => mail.accepted("", clock),
        MailStep::Wait(at) => return state.hint(key, at.saturating_add_signed(-skew)),
        _ => return,
    };
    for id in mail.event_ids() {
        if !state.mailed.insert((user_id.clone(), id.clone())) {
            state.fault(format!("N16 {id} is in two mails to {user_id}"));
        }
    }
    let row = mail.to_row().unwrap();
    let seen = Some(version);
    state.commit(vec![Change::Put { key, row, seen }], clock);
}

fn act(state: &mut State, number: usize) {
    let (_, act) = state.plan.acts[number];
    state.trace(|| format!("{act:?}"));
    let now = state.now;
    match act {
        Act::Raise { thread, actor, again } => raise(state, thread, actor, again),
        Act::See { user, thread } => state.sights.entry((user, thread)).or_default().push(now),
        Act::Want { user, channels } => {
            state.wants.insert(user, channels);
            let unwanted = state.unwanted.entry(user).or_default();
            let all = Channels::ALL.iter().filter(|channel| channels.has(*channel));
            let no = all.fold(Channels::ALL, Channels::without);
            *unwanted = Channels {
                inbox: unwanted.inbox || no.inbox,
                email: unwanted.email || no.email,
                chat: unwanted.chat || no.chat,
            };
        }
        Act::Delete { thread } => {
            state.deleted.entry(thread).or_insert(now);
        }
        Act::Access { user, may: false } => {
            state.locked_out.insert(user);
            state.was_locked_out.insert(user);
        }
        Act::Access { user, may: true } => {
            state.locked_out.remove(&user);
        }
        Act::Service { on } => {
            state.service = on;
            state.was_off |= !on;
        }
        Act::Configure { delay, limits } => {
            state.delay = delay;
            state.limits.push((now, limits));
        }
    }
}

fn raise(state: &mut State, thread: u64, actor: u64, again: bool) {
    let number = state.raised.len();
    let skew = state.dice.below(10_001);
    let on = state.service;
    let event = NotifiableEvent {
        id: format!("E{number:03}"),
        organization_id: organization(),
        document_id: document(thread),
        annotation_id: Some(format!("t{thread}").try_into().unwrap()),
        comment_id: None,
        kind: EventType::CommentAdd,
        source: NotificationSource::Comment,
        actor_id: Some(user(actor)),
        t0: state.now + skew - 5_000,
        facts: Value::Null,
    };
    let only = if state.plan.is_scattered { state.dice.below(state.plan.users) } else { 0 };
    let built_in = Channels { inbox: true, email: thread == 0, chat: false };
    let may_see =
        (0..state.plan.users).filter(|user| *user != actor && !state.locked_out.contains(user));
    let is_for_one = state.plan.is_scattered && number > 0;
    let may_see = may_see.filter(|user| !is_for_one || *user == only);
    let channels = |number: u64| state.wants.get(&number).copied().unwrap_or(built_in);
    let recipients = may_see.map(|number| (user(number), channels(number))).collect();
    let channels = Channels { inbox: on, email: on, chat: false };
    let limits = state.limits.last().unwrap().1;
    let policy = Policy { delay: state.delay, channels, open: channels, limits };
    state.numbers.insert(event.id.clone(), number);
    state.raised.push(Raised { event, policy, thread, recipients });
    state.counts.count("events");
    let now = state.now;
    if state.plan.poison && number == 0 {
        let row = Row { body: Value::Null, due: Some(state.now), expires: None };
        state.commit(vec![Change::Put { key: poisoned(), row, seen: None }], now);
    }
    state.send(MessageBody::Intake(number), now);
    if again {
        let later = now + state.dice.below(1_000_000);
        state.send(MessageBody::Intake(number), later);
    }
}
