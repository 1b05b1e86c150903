//! Histories over HTTP against a service of its own process, which is killed, or loses its power,
//! while it answers. A call that was not answered was made or not; whatever was answered holds.
//!
//! The clock of the process runs and its workers come when they like, so only answers are judged,
//! and no step waits for anything.

use std::{
    fs, io,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use reference::{Actor, Answer, Asked, At, Call, Generator, Tok, Worlds};
use serde_json::{Value, json};
use simulator::Dice;
use tokio::{
    runtime::{Builder, Runtime},
    task::JoinHandle,
    time::sleep,
};

use super::{
    Found, History, Judged, Step,
    deployment::{Access, Reply, Sender, routes},
    names, replies, requests, scene,
};

/// Time until a service that was started has to answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Counts of what was tried.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tried {
    pub histories: u64,
    /// Ends of the process.
    pub cuts: u64,
    /// Calls that were answered.
    pub answered: u64,
    /// Calls that were not.
    pub unanswered: u64,
}

/// A folder in which a service runs that loses what was not synced.
struct Service {
    program: PathBuf,
    shim: PathBuf,
    folder: PathBuf,
    port: u16,
    child: Option<Child>,
}

impl Service {
    fn live(&self) -> PathBuf {
        self.folder.join("live")
    }

    fn disk(&self) -> PathBuf {
        self.folder.join("disk")
    }

    /// Of writes that were not synced, so many per cent reach the disk nevertheless.
    async fn start(&mut self, early: u64) -> io::Result<()> {
        let mut command = Command::new(&self.program);
        command.args(["--port", &self.port.to_string(), "--durability", "disk", "--data-dir"]);
        command.arg(self.live());
        command.env("LD_PRELOAD", &self.shim).env("DISK_EARLY", early.to_string());
        command.env("DISK_FROM", self.live()).env("DISK_TO", self.disk());
        let log = fs::File::options().create(true).append(true).open(self.folder.join("log"))?;
        self.child = Some(command.stdout(Stdio::null()).stderr(log).spawn()?);
        let (begun, url) = (Instant::now(), format!("http://127.0.0.1:{}/health", self.port));
        while reqwest::get(&url).await.is_err() {
            let has_ended = match &mut self.child {
                Some(child) => child.try_wait()?.is_some(),
                None => true,
            };
            if has_ended || begun.elapsed() > PATIENCE {
                return Err(io::Error::other("the service does not start"));
            }
            sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    }

    fn kill(&mut self) -> io::Result<()> {
        if let Some(mut child) = self.child.take() {
            child.kill()?;
            child.wait()?;
        }
        Ok(())
    }

    /// After a power cut only what was synced is left; after the end of the process, everything.
    fn lose(&self, is_power: bool) -> io::Result<()> {
        let (live, disk) = (self.live(), self.disk());
        if is_power {
            fs::remove_dir_all(&live)?;
            fs::rename(&disk, &live)?;
        } else {
            fs::remove_dir_all(&disk)?;
        }
        copy(&live, &disk)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        match entry.file_type()? {
            kind if kind.is_dir() => copy(&entry.path(), &to)?,
            kind if kind.is_file() => drop(fs::copy(entry.path(), to)?),
            // The socket of the process that has ended.
            _ => {}
        }
    }
    Ok(())
}

/// Calls of a tenant.
#[derive(Clone)]
struct Client {
    http: reqwest::Client,
    port: u16,
    access: Access,
}

impl Client {
    async fn call(&self, sender: Sender<'_>, operation: &str, data: Value) -> Option<Reply> {
        let path = routes()[operation].spec.paths[0];
        let url = format!("http://127.0.0.1:{}{path}", self.port);
        let request = self.http.post(url).headers(self.access.headers(sender));
        let body = json!({ "data": data }).to_string();
        let answer = request.header("content-type", "application/json").body(body).send();
        let answer = answer.await.ok()?;
        let status = answer.status().as_u16();
        let body = serde_json::from_slice(&answer.bytes().await.ok()?).ok()?;
        Some(Reply { status, body })
    }
}

/// Runs histories, with cuts.
pub struct Cuts {
    runtime: Runtime,
    service: Service,
    client: Client,
    tried: Tried,
}

impl Cuts {
    /// A service, from its program, with a library that keeps what was synced (`.ci/power/disk.c`).
    ///
    /// # Errors
    /// The folder cannot be written, or the service does not start.
    pub fn new(program: PathBuf, shim: PathBuf, folder: PathBuf, port: u16) -> io::Result<Self> {
        fs::create_dir_all(folder.join("disk"))?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let mut service = Service { program, shim, folder, port, child: None };
        runtime.block_on(service.start(0))?;
        let token = fs::read_to_string(service.live().join("admin-token"))?;
        let access = Access { admin: token.trim().to_owned(), ..Access::default() };
        let client = Client { http: http(), port, access };
        Ok(Self { runtime, service, client, tried: Tried::default() })
    }

    /// The counts so far.
    pub fn tried(&self) -> Tried {
        self.tried
    }

    /// Runs the history of a seed with cuts at some of its calls; what is wrong, if anything is.
    ///
    /// # Errors
    /// The service does not start any more.
    pub fn judge(&mut self, seed: u64) -> io::Result<Option<Judged>> {
        let mut history = History::draw(seed, super::GROUPS);
        history.steps.retain_mut(simplify);
        let Self { runtime, service, client, tried } = self;
        tried.histories += 1;
        let found = runtime.block_on(async {
            let mut run = Run::begin(service, client, tried, &history).await?;
            run.all(seed, &history).await
        })?;
        Ok(found.map(|found| Judged { seed: Some(seed), history, found }))
    }
}

fn http() -> reqwest::Client {
    let client = reqwest::Client::builder().timeout(Duration::from_secs(30));
    client.build().expect("a client")
}

/// Leaves calls that neither wait for workers nor ask for what they have to have done, and whose
/// outcome does not depend on the second.
fn simplify(step: &mut Step) -> bool {
    if let Step::Begin(by, call, _) = step {
        *step = Step::Call(*by, call.clone());
    }
    let Step::Call(_, call) = step else { return false };
    match call {
        Call::Grant(.., until) => *until = None,
        Call::Inbox(.., is_due) => *is_due = false,
        Call::Erase(_) | Call::ResetTokens | Call::Outbox(..) => return false,
        _ => {}
    }
    true
}

struct Run<'a> {
    service: &'a mut Service,
    client: Client,
    tried: &'a mut Tried,
    worlds: Worlds,
    tokens: [Option<String>; 3],
    /// The time that the model knows.
    known: u64,
}

#[expect(clippy::disallowed_methods, reason = "the clock of another process runs")]
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

impl<'a> Run<'a> {
    /// A new workspace, whose key is in the scene of histories.
    async fn begin(
        service: &'a mut Service,
        client: &Client,
        tried: &'a mut Tried,
        history: &History,
    ) -> io::Result<Self> {
        let failed = |what: &str| io::Error::other(format!("the scene fails: {what}"));
        let mut client = client.clone();
        let owner = json!({ "ownerEmail": "owner@example.com" });
        let made = client.call(Sender::Operator, "operator.workspace_create", owner).await;
        let made = made.ok_or_else(|| failed("no workspace"))?;
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        client.access.workspace.id = text(&made.data()["id"]);
        client.access.workspace.token = text(&made.data()["authToken"]);
        let keys = made.data()["apiKeyList"].as_object();
        let key = keys.and_then(|keys| keys.keys().next()).cloned();
        client.access.key.api_key = key.ok_or_else(|| failed(&made.body.to_string()))?;
        let of_key = json!({ "apiKey": client.access.key.api_key });
        let workspace = client.access.workspace.clone();
        let owner = Sender::Workspace(&workspace.id, &workspace.token);
        let tokens = client.call(owner, "workspace.auth_tokens_get", of_key).await;
        let tokens = tokens.ok_or_else(|| failed("no token"))?;
        client.access.key.auth_token = text(&tokens.data()["authTokens"][0]["token"]);
        for (operation, data) in scene::settings(history.kind) {
            let set = client.call(Sender::Server, operation, data).await;
            if set.is_none_or(|it| it.status != 200) {
                return Err(failed(operation));
            }
        }
        let known = now();
        let worlds = Worlds::new(history.kind, known, None);
        let mut run = Self { service, client, tried, worlds, tokens: Default::default(), known };
        for asked in Generator::scene() {
            let answer = run.answer(&asked).await.map_err(io::Error::other)?;
            run.judge(&asked, &answer).map_err(io::Error::other)?;
        }
        Ok(run)
    }

    async fn all(&mut self, seed: u64, history: &History) -> io::Result<Option<Found>> {
        let mut dice = Dice::new(seed ^ 0x0c07);
        let found = |step, what| Ok(Some(Found { step, what }));
        for (n, step) in history.steps.iter().enumerate() {
            let Step::Call(by, call) = step else { continue };
            let asked = Asked { by: *by, call: call.clone() };
            if let Actor::Holder(Tok(slot)) = by
                && self.tokens[usize::from(*slot)].is_none()
            {
                continue;
            }
            let is_cut = !call.is_question() && !matches!(call, Call::Issue(..));
            let judged = match is_cut && dice.chance(2_500) {
                true => self.cut(&asked, &mut dice).await?,
                false => match self.answer(&asked).await {
                    Ok(answer) => self.judge(&asked, &answer),
                    Err(what) => Err(what),
                },
            };
            if let Err(what) = judged {
                return found(n, what);
            }
        }
        Ok(None)
    }

    /// Makes a call, and ends the process meanwhile.
    async fn cut(&mut self, asked: &Asked, dice: &mut Dice) -> io::Result<Result<(), String>> {
        self.tell_time().await;
        let held = self.worlds.begin(asked);
        let asking = self.ask(asked).await;
        sleep(Duration::from_micros(dice.below(25_000))).await;
        self.service.kill()?;
        let answer = match asking.await.map_err(io::Error::other)? {
            Some(Ok(answer)) => answer,
            Some(Err(what)) => return Ok(Err(what)),
            None => Answer::Lost,
        };
        self.count(&answer);
        self.tell_time().await;
        let judged = self.worlds.release(held, &answer).map_err(|fault| fault.0);
        self.service.lose(dice.chance(7_000))?;
        self.service.start(dice.pick(&[0, 0, 20, 80])).await?;
        self.client.http = http();
        self.tried.cuts += 1;
        Ok(judged)
    }

    fn count(&mut self, answer: &Answer) {
        match answer {
            Answer::Lost => self.tried.unanswered += 1,
            _ => self.tried.answered += 1,
        }
    }

    /// Tells the model the time; what follows is later.
    async fn tell_time(&mut self) {
        sleep(Duration::from_millis(2)).await;
        let now = now();
        self.worlds.advance(now.saturating_sub(std::mem::replace(&mut self.known, now)));
    }

    async fn answer(&mut self, asked: &Asked) -> Result<Answer, String> {
        self.tell_time().await;
        let asking = self.ask(asked).await;
        let answer = asking.await.map_err(|error| error.to_string())?;
        let answer = answer.unwrap_or(Ok(Answer::Lost))?;
        self.count(&answer);
        self.tell_time().await;
        Ok(answer)
    }

    fn judge(&mut self, asked: &Asked, answer: &Answer) -> Result<(), String> {
        if *answer == Answer::Lost {
            return Err(format!("{asked:?} failed although nothing was cut"));
        }
        self.worlds.judge(asked, answer).map_err(|fault| fault.0)
    }

    /// Begins a call; its answer, none if it does not come.
    async fn ask(&mut self, asked: &Asked) -> JoinHandle<Option<Result<Answer, String>>> {
        let token = match asked.by {
            Actor::Server => None,
            Actor::Holder(Tok(slot)) => self.tokens[usize::from(slot)].clone(),
        };
        let first = self.first_comment(&asked.call).await;
        let (client, call) = (self.client.clone(), asked.call.clone());
        if let Call::Issue(Tok(slot), ..) = &call {
            // The answer is needed before the next call.
            let (operation, data) = requests::request(&call, now(), first);
            let reply = client.call(Sender::Server, operation, data).await;
            let issued = reply.as_ref().and_then(|reply| reply.data()["token"].as_str());
            if let Some(issued) = issued {
                self.tokens[usize::from(*slot)] = Some(issued.to_owned());
            }
            return tokio::spawn(async move { Some(replies::answer(&call, &reply?)) });
        }
        tokio::spawn(async move {
            let sender = token.as_deref().map_or(Sender::Server, Sender::EndUser);
            let (operation, data) = requests::request(&call, now(), first);
            let reply = client.call(sender, operation, data).await?;
            Some(replies::answer(&call, &reply))
        })
    }

    /// The number of the first comment of a thread that is reacted to.
    async fn first_comment(&self, call: &Call) -> u64 {
        let Call::React(At(org, doc), thread, _) = call else { return 0 };
        let sent = json!({
            "organizationId": names::org(*org),
            "documentId": names::doc(*doc),
            "annotationIds": [names::thread(*thread)],
        });
        let found = self.client.call(Sender::Server, "comments.annotations_get", sent).await;
        let first = found.and_then(|it| it.data()[0]["comments"][0]["commentId"].as_u64());
        first.unwrap_or(0)
    }
}
