//! Runs a history on a deployment, and asks the model whether each answer is right.

use std::{
    collections::{BTreeSet, VecDeque},
    fmt,
    future::Future,
    mem,
    pin::{Pin, pin},
    sync::Arc,
};

use embedded::{Effect, Fault, Hold};
use futures_util::future::{Either, select};
use reference::{Actor, Answer, Asked, Call, Held, Tok, Worlds};
use serde_json::json;

use super::{
    Broken,
    deployment::{Beginning, Deployment, Reply, Sender},
    history::{DAY, Fails, History, Step},
    images::Images,
    mails, names, replies, requests, sweep,
    workers::{Source, Workers, hold_at},
};

/// The fault that a history showed.
#[derive(Clone, Debug)]
pub struct Found {
    /// The step, from 0 on.
    pub step: usize,
    pub what: String,
}

impl Found {
    /// Kind of the fault, without its details: the call whose answer is wrong, or the kind of row.
    pub fn kind(&self) -> String {
        let call = self.what.split("call: ").nth(1).filter(|_| self.what.starts_with("Asked"));
        let shown = call.unwrap_or(&self.what);
        shown.chars().take_while(|c| c.is_ascii_alphabetic() || " ,-#".contains(*c)).collect()
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONG: usize = 600;
        let shown: String = self.what.chars().take(LONG).collect();
        write!(f, "{}{}", shown, if shown.len() < self.what.len() { " …" } else { "" })
    }
}

/// A deployment to begin with, and the worlds that are possible there.
pub(crate) struct Scene {
    pub(crate) data: Beginning,
    pub(crate) worlds: Worlds,
}

/// The answer of a call, once it comes.
type Answering = Pin<Box<dyn Future<Output = Result<Answer, String>>>>;

/// How long a call waits at least, in milliseconds.
const HELD: u64 = 1_000;
/// No call takes so long, in milliseconds: an erasure looks again after a minute.
const LONGEST: u64 = 60_000;

/// A call that waits.
struct Waiting {
    asked: Asked,
    held: Held,
    hold: Hold,
    answer: Answering,
    /// When it began, in epoch milliseconds.
    since: u64,
}

/// A deployment in a history.
pub(crate) struct Run {
    pub(crate) deployment: Arc<Deployment>,
    pub(crate) workers: Workers,
    pub(crate) worlds: Worlds,
    tokens: [Option<String>; 3],
    waiting: VecDeque<Waiting>,
    /// Calls that were answered during an erasure, which counts before them.
    answered: Vec<(Asked, Held, Answer)>,
    /// Whether the step meets a fault, so that no answer may come.
    is_faulty: bool,
    /// The time that the model knows.
    known: u64,
    /// Whether all work is done, and nothing was called since.
    is_settled: bool,
    images: Images,
    /// Decisions and rights that the questions were about.
    reached: BTreeSet<String>,
}

/// Runs a history; what is wrong first, if anything is.
pub(crate) async fn run(
    data: &Beginning,
    worlds: Worlds,
    broken: Option<Broken>,
    history: &History,
    reached: &mut BTreeSet<String>,
) -> Option<Found> {
    let mut run = Run::of(Deployment::start(data).await, worlds);
    run.deployment.embedded().set_port(broken.map(Broken::port));
    let mut found = None;
    for (step, taken) in history.steps.iter().enumerate() {
        if let Err(what) = run.step(taken).await {
            found = Some(Found { step, what });
            break;
        }
    }
    reached.append(&mut run.reached);
    found
}

impl Run {
    pub(crate) fn of(deployment: Deployment, worlds: Worlds) -> Self {
        let workers = Workers::new(&deployment);
        let known = deployment.clock.now();
        let mut images = Images::default();
        images.skip(deployment.embedded());
        Self {
            workers,
            worlds,
            tokens: [const { None }; 3],
            waiting: VecDeque::new(),
            answered: vec![],
            is_faulty: false,
            known,
            is_settled: false,
            images,
            reached: BTreeSet::new(),
            deployment: Arc::new(deployment),
        }
    }

    async fn step(&mut self, step: &Step) -> Result<(), String> {
        while let Step::Advance(millis) = step
            && self.waits_for_long(*millis)
        {
            self.take_and_look(&Step::Release).await?;
        }
        self.take_and_look(step).await
    }

    /// Whether a call would wait longer than any does, if the clock went on.
    fn waits_for_long(&self, millis: u64) -> bool {
        let then = self.deployment.clock.now() + millis;
        self.waiting.front().is_some_and(|first| then.saturating_sub(first.since) >= LONGEST)
    }

    async fn take_and_look(&mut self, step: &Step) -> Result<(), String> {
        let released = self.waiting.front().map(|waiting| waiting.asked.call.clone());
        self.take(step).await?;
        let by = match step {
            Step::Call(_, call) | Step::Begin(_, call, _) => Some(call),
            Step::Release => released.as_ref(),
            _ => None,
        };
        // A call that waited until the end goes on in between.
        if matches!(step, Step::Settle) && released.is_some() {
            self.images.skip(self.deployment.embedded());
        }
        self.images.look(self.deployment.embedded(), by)
    }

    async fn take(&mut self, step: &Step) -> Result<(), String> {
        // Each step is later than the one before, unless a step says otherwise.
        if !matches!(step, Step::Advance(_)) {
            self.deployment.advance(1);
        }
        self.tell_time();
        let deployment = Arc::clone(&self.deployment);
        self.is_settled &= matches!(step, Step::Call(_, call) if call.is_question());
        match step {
            Step::Fault(fails, skip, times) => {
                self.inject(*fails, *skip, *times);
                return Ok(());
            }
            Step::Call(by, call) => self.call(*by, call).await?,
            Step::Begin(by, call, request) => self.begin(*by, call, *request).await?,
            Step::Release => self.release().await?,
            Step::Work(source, pick) => {
                self.workers.work(&deployment, *source, *pick, None).await;
            }
            Step::Kill(source, pick, request) => {
                self.workers.work(&deployment, *source, *pick, Some(*request)).await;
            }
            Step::Again => self.workers.again(&deployment).await,
            Step::Forget(pick) => self.workers.forget(&deployment, *pick).await,
            Step::Advance(millis) => {
                // A stream keeps its records for a day. Only a clean-up waits for longer: what else
                // would come so late expires.
                if *millis >= DAY {
                    self.workers.run_dry(&deployment, Some(Source::Cleanup)).await?;
                }
                self.deployment.advance(*millis);
            }
            Step::Tick => self.workers.tick(&deployment).await,
            Step::Expire => drop(deployment.embedded().sweep_expired()),
            Step::Dry => self.dry().await?,
            Step::Settle => self.settle().await?,
        }
        if mem::take(&mut self.is_faulty) {
            self.deployment.embedded().clear_faults();
        }
        self.tell_time();
        Ok(())
    }

    /// Tells the model how far the clock has gone.
    pub(crate) fn tell_time(&mut self) {
        let now = self.deployment.clock.now();
        self.worlds.advance(now.saturating_sub(mem::replace(&mut self.known, now)));
    }

    fn inject(&mut self, fails: Fails, skip: usize, times: usize) {
        let effect = match fails {
            Fails::Throttle => Effect::Throttle,
            Fails::InternalError => Effect::InternalError,
            Fails::Unprocessed => Effect::Unprocessed,
            Fails::Conflict => Effect::TransactionConflict,
            Fails::LoseReply => Effect::LoseReply,
        };
        self.is_faulty = true;
        let operation = "*".to_owned();
        self.deployment.embedded().inject(Fault { operation, skip, times, effect });
    }

    /// The token of a holder, if there is one.
    fn token(&self, by: Actor) -> Option<Option<String>> {
        match by {
            Actor::Server => Some(None),
            Actor::Holder(Tok(slot)) => self.tokens[usize::from(slot)].clone().map(Some),
        }
    }

    async fn call(&mut self, by: Actor, call: &Call) -> Result<(), String> {
        // A part of a history may ask for what is due before the work is done.
        let call = &match call {
            Call::Inbox(org, of, is_due) => Call::Inbox(*org, *of, *is_due && self.is_settled),
            Call::Outbox(of, is_due) => Call::Outbox(*of, *is_due && self.is_settled),
            call => call.clone(),
        };
        let asked = Asked { by, call: call.clone() };
        let Some(token) = self.token(by) else { return Ok(()) };
        let answer = match call {
            Call::Erase(_) | Call::Issue(..) | Call::ResetTokens => {
                self.deployment.embedded().clear_faults();
                self.is_faulty = false;
                match call {
                    Call::Erase(_) => self.erase(call).await?,
                    _ => self.credentials(call).await?,
                }
            }
            Call::Outbox(of, _) => Answer::Told(mails::told(self.deployment.embedded(), *of)),
            _ => {
                let first = self.first_comment(call).await;
                answer(Arc::clone(&self.deployment), token, call.clone(), first).await?
            }
        };
        self.tell_time();
        self.judge(&asked, &answer)?;
        for (asked, held, answer) in mem::take(&mut self.answered) {
            self.judge_held(&asked, held, &answer)?;
        }
        Ok(())
    }

    fn judge(&mut self, asked: &Asked, answer: &Answer) -> Result<(), String> {
        if *answer == Answer::Lost && !self.is_faulty {
            return Err(format!("{asked:?} failed without a fault"));
        }
        self.reached.append(&mut self.worlds.reached(asked));
        self.worlds.judge(asked, answer).map_err(|fault| fault.0)
    }

    async fn begin(&mut self, by: Actor, call: &Call, request: usize) -> Result<(), String> {
        let is_whole =
            matches!(call, Call::Erase(_) | Call::Issue(..) | Call::ResetTokens | Call::Outbox(..));
        if is_whole {
            return self.call(by, call).await;
        }
        let Some(token) = self.token(by) else { return Ok(()) };
        let first = self.first_comment(call).await;
        let asked = Asked { by, call: call.clone() };
        let mut answer: Answering =
            Box::pin(answer(Arc::clone(&self.deployment), token, call.clone(), first));
        let hold = hold_at(self.deployment.embedded(), request);
        let early = match select(&mut answer, pin!(hold.reached())).await {
            Either::Left((answer, _)) => Some(answer?),
            Either::Right(_) => None,
        };
        match early {
            Some(answer) => {
                self.deployment.embedded().clear_faults();
                self.judge(&asked, &answer)
            }
            None => {
                let held = self.worlds.begin(&asked);
                let since = self.deployment.clock.now();
                self.waiting.push_back(Waiting { asked, held, hold, answer, since });
                // A call that takes no longer than usual may count from its beginning.
                self.deployment.advance(HELD);
                self.tell_time();
                Ok(())
            }
        }
    }

    async fn release(&mut self) -> Result<(), String> {
        let Some(Waiting { asked, held, hold, answer, .. }) = self.waiting.pop_front() else {
            return Ok(());
        };
        hold.release();
        let answer = answer.await?;
        self.tell_time();
        self.judge_held(&asked, held, &answer)
    }

    /// A call that waited for too long may give up.
    fn judge_held(&mut self, asked: &Asked, held: Held, answer: &Answer) -> Result<(), String> {
        let judged = self.worlds.release(held, answer);
        judged.map_err(|fault| format!("{asked:?} in flight: {}", fault.0))
    }

    /// The number of the first comment of a thread that is reacted to.
    async fn first_comment(&self, call: &Call) -> u64 {
        let Call::React(reference::At(org, doc), thread, _) = call else { return 0 };
        let sent = json!({
            "organizationId": names::org(*org),
            "documentId": names::doc(*doc),
            "annotationIds": [names::thread(*thread)],
        });
        // The faults are those of the call.
        let faults = self.deployment.embedded().clear_faults();
        let found = self.deployment.call(Sender::Server, "comments.annotations_get", sent).await;
        faults.into_iter().for_each(|fault| self.deployment.embedded().inject(fault));
        found.data()[0]["comments"][0]["commentId"].as_u64().unwrap_or(0)
    }

    /// Issues or resets tokens.
    async fn credentials(&mut self, call: &Call) -> Result<Answer, String> {
        let (operation, data) = requests::request(call, self.deployment.clock.now(), 0);
        if let Call::Issue(Tok(slot), ..) = call {
            let reply = self.deployment.call(Sender::Server, operation, data).await;
            let token = reply.data()["token"].as_str().map(str::to_owned);
            if token.is_some() {
                self.tokens[usize::from(*slot)] = token;
            }
            return replies::answer(call, &reply);
        }
        let reply = self.deployment.reset_token().await;
        replies::answer(call, &reply)
    }

    /// Erases a user, until the job says that it has ended.
    async fn erase(&mut self, call: &Call) -> Result<Answer, String> {
        const LOOKS: usize = 20;
        const PAUSE: u64 = 61_000;
        // A call in flight may write the user again.
        let is_alone = self.waiting.is_empty();
        let (operation, data) = requests::request(call, 0, 0);
        let reply = self.deployment.call(Sender::Server, operation, data).await;
        let job = json!({ "jobId": reply.data()["jobId"] });
        for _ in 0..LOOKS {
            self.dry().await?;
            let status =
                self.deployment.call(Sender::Server, "user-data.delete_status", job.clone());
            if status.await.data()["isDeleteCompleted"] == true {
                let Call::Erase(erased) = call else { return Ok(Answer::Done) };
                if is_alone {
                    sweep::traces(&self.deployment, *erased)?;
                }
                return Ok(Answer::Done);
            }
            while self.waits_for_long(PAUSE) {
                self.images.look(self.deployment.embedded(), Some(call))?;
                let Some(Waiting { asked, held, hold, answer, .. }) = self.waiting.pop_front()
                else {
                    break;
                };
                hold.release();
                let answer = answer.await?;
                self.images.look(self.deployment.embedded(), Some(&asked.call))?;
                self.answered.push((asked, held, answer));
            }
            self.deployment.advance(PAUSE);
            let deployment = Arc::clone(&self.deployment);
            self.workers.tick(&deployment).await;
        }
        Err("an erasure does not end".to_owned())
    }

    /// Does all work that is due.
    pub(crate) async fn dry(&mut self) -> Result<(), String> {
        let deployment = Arc::clone(&self.deployment);
        self.workers.run_dry(&deployment, None).await.map(drop)
    }

    /// Does all work, of two looks and of what expires, and sweeps the tables.
    pub(crate) async fn settle(&mut self) -> Result<(), String> {
        const LOOKS: [u64; 4] = [0, 1_260_000, 1_260_000, 176_400_000];
        self.deployment.embedded().clear_faults();
        while !self.waiting.is_empty() {
            self.release().await?;
        }
        let deployment = Arc::clone(&self.deployment);
        for millis in LOOKS {
            deployment.advance(millis);
            self.workers.tick(&deployment).await;
            self.dry().await?;
        }
        drop(deployment.embedded().sweep_expired());
        self.dry().await?;
        self.tell_time();
        self.worlds.settle();
        if let Some(letter) = self.workers.dead.first() {
            return Err(format!("a message was given up: {letter}"));
        }
        sweep(deployment.embedded())?;
        self.is_settled = true;
        Ok(())
    }
}

/// Makes a call and reads the answer, with all pages of an export.
async fn answer(
    deployment: Arc<Deployment>,
    token: Option<String>,
    call: Call,
    first: u64,
) -> Result<Answer, String> {
    const PAGES: usize = 50;
    let sender = token.as_deref().map_or(Sender::Server, Sender::EndUser);
    let (operation, mut data) = requests::request(&call, deployment.clock.now(), first);
    let mut reply = deployment.call(sender, operation, data.clone()).await;
    if let Call::Export(..) = call {
        let mut next = reply.body["result"]["nextPageToken"].clone();
        for _ in 0..PAGES {
            if next.is_null() || reply.status != 200 {
                break;
            }
            data["pageToken"] = next;
            let page = deployment.call(sender, operation, data.clone()).await;
            if page.status != 200 {
                reply = page;
                break;
            }
            next = page.body["result"]["nextPageToken"].clone();
            append(&mut reply, page);
        }
    }
    replies::answer(&call, &reply)
}

/// Adds the lists of a page to those before it.
fn append(reply: &mut Reply, page: Reply) {
    let Some(lists) = page.data().as_object() else { return };
    for (name, list) in lists {
        let known = &mut reply.body["result"]["data"][name];
        if let (Some(known), Some(more)) = (known.as_array_mut(), list.as_array()) {
            known.extend(more.to_vec());
        }
    }
}
