//! The harness of the integration tests: a whole deployment in memory for each test, called over
//! HTTP.

mod activity_config;
pub mod answers;
mod beginning;
pub mod cost;
pub mod guide;
pub mod histories;
mod logs;
pub mod notified;
pub mod receiver;
mod reply;
pub mod rights;
mod samples;
pub mod scattered;
pub mod socket;

use std::{
    collections::BTreeMap,
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use embedded::{Call, Effect, EmbeddedServices, Fault, MAX_CALLS, SentMail, Snapshot};
use parking_lot::Mutex;
use roundtable::{
    AwsPort, Delays, GatewayOptions, HostSetup, LiveOptions, Page, Setup, Sources, Stack,
    dead_letters_name, table_name,
};

use queue::Queue;
use serde_json::{Value, json};
use service::{AccessType, Clock, Egress, Family, Keyring, Limits, Names, Spec, Table};
use tokio::{net::TcpListener, sync::oneshot};

use crate::beginning::{Beginning, Ids};

pub use logs::logged;
pub use reply::Reply;
pub use samples::sample;

/// The secret of every test deployment.
pub const KEYRING: &str = "test=0123456789abcdef0123456789abcdef";
/// The token of the operator of every test deployment.
pub const ADMIN_TOKEN: &str = "admin-token-of-the-tests";

/// A log of calls, which has lost none.
pub(crate) fn whole(calls: Vec<Call>) -> Vec<Call> {
    assert!(calls.len() < MAX_CALLS, "calls were dropped from the log");
    calls
}

/// Every operation, by name.
pub fn specs() -> &'static BTreeMap<&'static str, Spec> {
    static SPECS: OnceLock<BTreeMap<&'static str, Spec>> = OnceLock::new();
    SPECS.get_or_init(|| {
        let families = registry::families();
        let routes = families.into_iter().flat_map(|family| family.operations);
        routes.map(|route| (route.spec.name, route.spec)).collect()
    })
}

/// An API key with one of its auth tokens.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    /// The key.
    pub api_key: String,
    /// The token.
    pub auth_token: String,
}

/// A workspace with its auth token.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    /// The workspace.
    pub id: String,
    /// The token.
    pub token: String,
}

/// A separate deployment, with one workspace and one tenant.
pub struct App {
    /// Base URL of its gateway.
    pub base: String,
    /// The default tenant of calls.
    pub key: Credentials,
    /// The default workspace of calls.
    pub workspace: Workspace,
    stack: Stack,
    clock: Clock,
    client: reqwest::Client,
    /// The gateway stops when it is dropped.
    _is_needed: oneshot::Sender<()>,
    sources: tokio::sync::Mutex<Sources>,
    expects_dead_letters: Mutex<bool>,
    expects_denials: Mutex<bool>,
    answers: answers::Watch,
    ids: Mutex<Ids>,
    /// The calls without an answer yet.
    under_way: AtomicUsize,
}

/// How the clock of a deployment moves. Timeouts of sockets and deadlines of calls are real time
/// with either: a peer outside of the deployment waits by a clock of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Time {
    /// Only [`App::advance`], so that no test depends on how fast the machine is. All that happens
    /// between two moves has one time.
    #[default]
    StandsStill,
    /// The clock of the system as well.
    Runs {
        /// Why a test cannot move the clock itself.
        because: &'static str,
    },
}

impl Time {
    /// A clock that shows a time, in epoch milliseconds.
    fn clock(self, at: u64) -> Clock {
        match self {
            Self::StandsStill => Clock::stopped(at),
            Self::Runs { .. } => Clock::from(at),
        }
    }
}

/// Options of a deployment.
pub struct Options {
    /// How its clock moves.
    pub time: Time,
    /// Whether webhooks may go to loopback.
    pub allows_private: bool,
    /// The HTTP provider of mails.
    pub email_provider_url: Option<String>,
    /// The secrets of the deployment.
    pub keyring: &'static str,
    /// Whether functions share no caches, as in Lambda; `ROUNDTABLE_SEPARATE=1` sets it for all
    /// tests.
    pub is_separate: bool,
    /// Default rate limits of keys and workspaces.
    pub limits: Limits,
    /// The default access type for documents of new keys. The tenant of each test is made with
    /// `public` anyway.
    pub default_document_access_type: AccessType,
    /// Names of a compatible vendor, as JSON.
    pub names: Option<Value>,
    /// How much the gateway takes on.
    pub gateway: GatewayOptions,
    /// Options of the live channel.
    pub live: LiveOptions,
    /// Functions in addition to the registry; their sockets replace its own.
    pub families: Vec<Family>,
    /// Pages that are served as documentation.
    pub documentation: Vec<Page>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            time: Time::default(),
            allows_private: true,
            email_provider_url: None,
            keyring: KEYRING,
            is_separate: rights::variable("ROUNDTABLE_SEPARATE").is_some(),
            limits: Limits::default(),
            default_document_access_type: AccessType::OF_NEW_KEYS,
            names: None,
            gateway: GatewayOptions::default(),
            live: LiveOptions::default(),
            families: vec![],
            documentation: vec![],
        }
    }
}

impl App {
    /// Starts a deployment in memory.
    pub async fn start() -> Self {
        Self::start_with(Options::default()).await
    }

    /// Starts a deployment in memory with options.
    pub async fn start_with(options: Options) -> Self {
        if options.keyring != KEYRING {
            return Box::pin(Self::without_snapshot(options)).await;
        }
        // On the heap: a deployment is started from deep within loops, whose stack is small.
        Box::pin(async { Beginning::with_tenant().await.start(options).await }).await
    }

    /// Starts a deployment that creates its tables, queues and tenant itself.
    async fn without_snapshot(options: Options) -> Self {
        let mut app = Self::open(options, None).await;
        (app.workspace, app.key) = app.new_workspace().await;
        app.forget_calls();
        app
    }

    /// Starts a deployment with the data of a snapshot and the time to continue from, or without
    /// data.
    async fn open(options: Options, snapshot: Option<(&Snapshot, u64)>) -> Self {
        let Options { time, allows_private, email_provider_url, keyring, .. } = options;
        let Options {
            default_document_access_type,
            names,
            limits,
            is_separate,
            gateway,
            live,
            mut families,
            documentation,
            ..
        } = options;
        families.extend(registry::families());
        logs::install();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let base = format!("http://{}", listener.local_addr().expect("an address"));
        let (snapshot, at) = snapshot.unzip();
        let clock = time.clock(at.unwrap_or_else(beginning::whole_minute));
        let stack = Stack::open(Setup {
            functions: HostSetup {
                dir: None,
                is_synced: false,
                snapshot,
                keyring: Keyring::parse(keyring).expect("a keyring"),
                admin_token: ADMIN_TOKEN.to_owned(),
                clock: clock.clone(),
                regions: None,
                outbox: None,
                public_url: Some(base.clone()),
                email_provider_url,
                smtp: None,
                sender: None,
                egress: if allows_private { Egress::Local } else { Egress::Public },
                is_separate,
                limits,
                default_document_access_type,
                names: names.map(|names| {
                    let regions = service::Config::parse_regions(None);
                    Names::parse(&names.to_string(), &regions).expect("names").into()
                }),
                aws: Some(AwsPort::FREE),
                delays: Delays::default(),
                families,
            },
            host: None,
            is_laptop: true,
            gateway,
            live,
            documentation,
        });
        let stack = stack.await.expect("a stack");
        let (is_needed, stop) = oneshot::channel::<()>();
        let stop = async { drop(stop.await) };
        tokio::spawn(roundtable::serve(stack.clone(), listener, stop));

        let nobody = Credentials { api_key: String::new(), auth_token: String::new() };
        let sources = tokio::sync::Mutex::new(stack.sources(None));
        Self {
            base,
            key: nobody,
            workspace: Workspace { id: String::new(), token: String::new() },
            stack,
            clock,
            client: reqwest::Client::new(),
            _is_needed: is_needed,
            sources,
            expects_dead_letters: Mutex::new(false),
            expects_denials: Mutex::new(false),
            answers: answers::Watch::default(),
            ids: Mutex::default(),
            under_way: AtomicUsize::new(0),
        }
    }

    /// Creates a workspace; its first key comes with it. Documents of the key are public, so that a
    /// test about something else needs no rights.
    pub async fn new_workspace(&self) -> (Workspace, Credentials) {
        let created = self
            .call(
                "operator.workspace_create",
                json!({
                    "ownerEmail": "owner@example.com", "defaultDocumentAccessType": "public",
                }),
            )
            .await;
        let created = created.data();
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let workspace = Workspace { id: text(&created["id"]), token: text(&created["authToken"]) };
        let api_key =
            created["apiKeyList"].as_object().and_then(|keys| keys.keys().next().cloned());
        let key = self.credentials(&workspace, api_key.expect("a key")).await;
        (workspace, key)
    }

    /// Creates another key in the workspace: another tenant, with public documents as well.
    pub async fn second_key(&self) -> Credentials {
        let sent = json!({
            "ownerEmail": "owner@example.com", "type": "testing", "createAuthToken": true,
            "defaultDocumentAccessType": "public",
        });
        let created = self.call("workspace.api_key_create", sent).await.data();
        self.credentials(&self.workspace, created["apiKey"].as_str().expect("a key").to_owned())
            .await
    }

    /// The credentials of a key of the workspace.
    pub async fn credentials_of(&self, api_key: &str) -> Credentials {
        self.credentials(&self.workspace, api_key.to_owned()).await
    }

    async fn credentials(&self, workspace: &Workspace, api_key: String) -> Credentials {
        let caller = self.caller().workspace(workspace);
        let tokens =
            caller.call("workspace.auth_tokens_get", json!({ "apiKey": api_key })).await.data();
        let auth_token = tokens["authTokens"][0]["token"].as_str().expect("a token").to_owned();
        Credentials { api_key, auth_token }
    }

    /// A caller with the credentials of this deployment.
    pub fn caller(&self) -> Caller<'_> {
        Caller {
            app: self,
            key: self.key.clone(),
            workspace: self.workspace.clone(),
            headers: vec![],
        }
    }

    /// Calls an operation by name, at its newest path.
    pub async fn call(&self, operation: &str, data: Value) -> Reply {
        self.caller().call(operation, data).await
    }

    /// Calls an operation by path.
    pub async fn call_at(&self, path: &str, data: Value) -> Reply {
        self.caller().call_at(path, data).await
    }

    /// Calls an operation as another tenant.
    pub async fn call_as(&self, key: &Credentials, operation: &str, data: Value) -> Reply {
        self.caller().key(key).call(operation, data).await
    }

    /// A caller whose requests come from a page of `origin`.
    pub fn with_origin(&self, origin: &str) -> Caller<'_> {
        self.caller().header("origin", origin)
    }

    /// Sends a raw request, without credentials. A millisecond passes when no call is under way any
    /// more.
    pub async fn send(
        &self,
        path: &str,
        body: impl Into<reqwest::Body>,
        headers: &[(&str, &str)],
    ) -> Reply {
        let mut request = self.client.post(format!("{}{path}", self.base)).body(body);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.answers.begin(self);
        self.under_way.fetch_add(1, Ordering::SeqCst);
        let reply = Reply::read(request.send().await.expect("an answer"), path).await;
        let is_end_user = headers.iter().any(|(name, _)| *name == "authorization");
        self.answers.end(self, path, is_end_user, &reply);
        // Calls one after the other have an order, which one time would take away.
        if self.under_way.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.advance(Duration::from_millis(1));
        }
        reply
    }

    /// Runs all due work until nothing is left.
    pub async fn settle(&self) -> usize {
        let mut sources = self.sources.lock().await;
        sources.settle().await.expect("the sources run dry")
    }

    /// Like [`App::settle`], with a source that is expected to fail.
    ///
    /// # Errors
    /// The error of the source.
    pub async fn try_settle(&self) -> Result<usize, String> {
        self.sources.lock().await.settle().await
    }

    /// Skips the stream records so far, so that [`App::settle`] does only what follows from later
    /// writes.
    pub async fn skip_records(&self) {
        self.sources.lock().await.skip().await.expect("the streams");
    }

    /// Does all work, with all looks of all clean-ups.
    pub async fn clean_up(&self) {
        for _ in 0..4 {
            self.settle().await;
            self.advance(Duration::from_secs(21 * 60));
            self.tick().await;
        }
        self.settle().await;
    }

    /// Runs the minute timer once.
    pub async fn tick(&self) {
        self.sources.lock().await.tick().await;
    }

    /// Advances the clock of the deployment; also by no time, or by days at once. Work that becomes
    /// due is done by [`App::tick`] and [`App::settle`].
    pub fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// The time of the deployment, in epoch milliseconds.
    pub fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Requests to DynamoDB, SQS and SES.
    ///
    /// # Panics
    /// When there were more than the log keeps.
    pub fn calls(&self) -> Vec<Call> {
        whole(self.embedded().calls())
    }

    /// Clears the log of requests.
    pub fn forget_calls(&self) {
        self.embedded().take_calls();
    }

    /// The mails sent so far, oldest first.
    pub fn mails(&self) -> Vec<SentMail> {
        self.embedded().mails()
    }

    /// Injects a fault between SDK and store.
    pub fn fault(&self, fault: Fault) {
        self.embedded().inject(fault);
    }

    /// Makes every write fail until the faults are cleared.
    pub fn fail_writes(&self) {
        let writes = [
            "PutItem",
            "UpdateItem",
            "DeleteItem",
            "BatchWriteItem",
            "BatchExecuteStatement",
            "TransactWriteItems",
        ];
        for operation in writes.map(str::to_owned) {
            self.fault(Fault { operation, skip: 0, times: 100, effect: Effect::InternalError });
        }
    }

    /// The embedded DynamoDB, SQS and SES.
    pub fn embedded(&self) -> &EmbeddedServices {
        self.stack.embedded()
    }

    /// The deployment itself.
    pub fn stack(&self) -> &Stack {
        &self.stack
    }

    /// The stream records with events, oldest first.
    pub fn records(&self) -> Vec<Value> {
        let mut records = Vec::new();
        for table in [Table::Resources, Table::Crdt] {
            let mut after: Option<String> = None;
            loop {
                let page = self.embedded().stream(&table_name(table), after.as_deref(), 1000);
                let page = page.expect("the stream");
                let Some(last) = page.last() else { break };
                after = Some(last.sequence.clone());
                records.extend(page.into_iter().map(|record| record.record));
            }
        }
        records.retain(|record| !events_of(record).is_empty());
        records.sort_by_key(|record| events_of(record)[0]["at"].as_u64());
        records
    }

    /// Runs the numbering of the journal, and returns the last number of a document.
    pub async fn last_number(&self, document: &str) -> u64 {
        self.settle().await;
        let items = self.items_of(Table::Events, &self.key);
        let is_counter = |item: &&Value| {
            let partition = item["PK"]["S"].as_str().unwrap_or_default();
            partition.ends_with(&format!("#document#{document}")) && item["SK"]["S"] == "counter"
        };
        let counter = items.iter().find(is_counter);
        counter.and_then(|item| item["seq"]["N"].as_str()?.parse().ok()).unwrap_or(0)
    }

    /// The events of all writes, oldest first, as stored without numbers.
    pub fn events(&self) -> Vec<Value> {
        self.records().iter().flat_map(events_of).collect()
    }

    /// All items of a tenant in a table, without tombstones.
    pub fn items_of(&self, table: Table, key: &Credentials) -> Vec<Value> {
        let own = format!("key#{}", key.api_key);
        let items = self.embedded().dump(&table_name(table)).expect("a dump");
        let is_own = |item: &Value| {
            let partition = item["PK"]["S"].as_str().unwrap_or_default();
            let is_there = item.get("_gone").is_none();
            is_there && (partition == own || partition.starts_with(&format!("{own}#")))
        };
        items.into_iter().filter(is_own).collect()
    }

    /// Allows dead letters at the end of the test.
    pub fn expect_dead_letters(&self) {
        *self.expects_dead_letters.lock() = true;
    }

    /// Allows requests that roles refuse.
    pub fn expect_denials(&self) {
        *self.expects_denials.lock() = true;
    }

    /// Number of dead letters.
    pub fn dead_letters(&self) -> u64 {
        let depth = |queue: Queue| {
            self.embedded().queue_depth(&dead_letters_name(queue)).map_or(0, |depth| depth.visible)
        };
        Queue::ALL.into_iter().map(depth).sum()
    }
}

/// The events of a stream record, as stored without numbers.
pub fn events_of(record: &Value) -> Vec<Value> {
    let (_, recorded) = service::store::journal::recorded(record).expect("a record");
    let event =
        |it: service::store::journal::Recorded| serde_json::to_value(it.event).expect("JSON");
    recorded.into_iter().map(event).collect()
}

impl Drop for App {
    fn drop(&mut self) {
        let mut asked = self.embedded().asked();
        if *self.expects_denials.lock() {
            asked.retain(|asked| asked.allowed);
        }
        rights::record(&asked);
        // Also where what was refused is made up for, or logged and forgotten.
        let denied: Vec<_> = asked.iter().filter(|asked| !asked.allowed).collect();
        if !std::thread::panicking() {
            assert!(denied.is_empty(), "roles do not allow {denied:#?}");
        }
        let expected = *self.expects_dead_letters.lock();
        if !std::thread::panicking() && !expected {
            assert_eq!(self.dead_letters(), 0, "messages were given up");
        }
    }
}

/// Identity and credentials of a caller.
#[derive(Clone)]
pub struct Caller<'a> {
    app: &'a App,
    key: Credentials,
    workspace: Workspace,
    headers: Vec<(String, String)>,
}

impl Caller<'_> {
    /// As another tenant.
    #[must_use]
    pub fn key(self, key: &Credentials) -> Self {
        Self { key: key.clone(), ..self }
    }

    /// As another workspace.
    #[must_use]
    pub fn workspace(self, workspace: &Workspace) -> Self {
        Self { workspace: workspace.clone(), ..self }
    }

    /// As an end user, with a token of theirs instead of the credentials of the tenant.
    #[must_use]
    pub fn end_user(self, token: &str) -> Self {
        let key = Credentials { api_key: String::new(), auth_token: String::new() };
        Self { key, ..self }.header("authorization", &format!("Bearer {token}"))
    }

    /// With an additional header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Calls an operation by name, at its newest path.
    pub async fn call(&self, operation: &str, data: Value) -> Reply {
        let spec =
            specs().get(operation).unwrap_or_else(|| panic!("there is no operation {operation}"));
        self.call_at(spec.paths[0], data).await
    }

    /// Calls an operation by path.
    pub async fn call_at(&self, path: &str, data: Value) -> Reply {
        self.body_at(path, json!({ "data": data }).to_string()).await
    }

    /// Sends a raw body, with the credentials of the path's level.
    pub async fn body_at(&self, path: &str, body: impl Into<reqwest::Body>) -> Reply {
        let spec = specs().values().find(|spec| spec.paths.contains(&path));
        let level = spec.map_or("", |spec| spec.level);
        let mut headers = self.credentials(level);
        headers.extend(self.headers.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        self.app.send(path, body, &headers).await
    }

    fn credentials(&self, level: &str) -> Vec<(&str, &str)> {
        match level {
            "admin" => vec![("x-service-admin-token", ADMIN_TOKEN)],
            "workspace" | "workspaceOrAdmin" => vec![
                ("x-service-workspace-id", self.workspace.id.as_str()),
                ("x-service-workspace-auth-token", self.workspace.token.as_str()),
            ],
            "apiKey" if self.key.api_key.is_empty() => vec![],
            "apiKey" => vec![
                ("x-service-api-key", self.key.api_key.as_str()),
                ("x-service-auth-token", self.key.auth_token.as_str()),
            ],
            _ => vec![],
        }
    }
}
