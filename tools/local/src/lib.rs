//! Every operation and worker in one process, over an embedded DynamoDB, SQS and SES.
//!
//! Handlers get the same Lambda events as deployed functions and use the same SDK; only the
//! endpoints differ. `cargo run` serves this, and the tests are written against it.

mod background;
mod console;
mod docs;
mod event;
mod gateway;
mod outbox;
mod resources;
mod sources;
mod streams;

use std::{collections::BTreeMap, net::Ipv4Addr, path::PathBuf, sync::Arc};

use emulator::{Emulator, Options};
use queue::Queue;
use serde_json::Value;
use service::{
    AwsSettings, Clock, Config, Egress, Email, Environment, Family, Keyring, MailSettings,
    PageSpec, WorkerSpec,
};
use tokio::net::TcpListener;

pub use gateway::serve;
pub use resources::{PREFIX, queue_name, table_name};
pub use sources::Sources;

/// Who mails come from, and the configuration set that tells what becomes of them.
const MAIL_FROM: &str = "roundtable@localhost.localdomain";
const MAIL_CONFIGURATION_SET: &str = "roundtable-mail";

/// How a stack is set up.
pub struct Setup {
    /// Where the data lies; none: in memory.
    pub dir: Option<PathBuf>,
    /// The secrets of this deployment.
    pub keyring: Keyring,
    /// The token of its operator.
    pub admin_token: String,
    /// Its time.
    pub clock: Clock,
    /// Regions a key may ask for; the default ones when none.
    pub regions: Option<String>,
    /// Where mails lie; none: in `outbox` of `dir`, or in memory without it.
    pub outbox: Option<PathBuf>,
    /// Where its gateway is reached, for links in mails; none: no mail is sent.
    pub public_url: Option<String>,
    /// Base URL of the HTTP provider of mails, if there is one.
    pub email_provider_url: Option<String>,
    /// `smtp://[user:password@]host[:port]` of a server that gets them as well.
    pub smtp: Option<String>,
    /// Whether webhooks may go to addresses of private networks and of this machine.
    pub allow_private_webhooks: bool,
}

/// A whole deployment in this process.
#[derive(Clone)]
pub struct Stack {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) emulator: Emulator,
    pub(crate) config: Config,
    pub(crate) clock: Clock,
    pub(crate) environment: Environment,
    pub(crate) routes: BTreeMap<&'static str, service::Route>,
    pub(crate) workers: Vec<WorkerSpec>,
    pub(crate) pages: Vec<PageSpec>,
    pub(crate) admin_token: String,
    pub(crate) console: Arc<console::Console>,
}

impl Stack {
    /// Opens the data, creates tables and queues that are missing, and serves them on a loopback
    /// port for as long as the runtime lives.
    ///
    /// # Errors
    /// A sentence that says what could not be opened.
    pub async fn open(setup: Setup) -> Result<Self, String> {
        let clock = setup.clock.clone();
        let emulator = Emulator::open(Options {
            dir: setup.dir,
            clock: Arc::new(move || clock.now()),
            outbox: setup.outbox,
            smtp: setup.smtp,
            mail_events_queue: Some(queue_name(Queue::MailEvents)),
        })
        .map_err(|e| format!("the data cannot be opened: {e}"))?;
        resources::create(&emulator).map_err(|e| format!("tables cannot be created: {e}"))?;

        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(|e| e.to_string())?;
        let endpoint = format!("http://{}", listener.local_addr().map_err(|e| e.to_string())?);
        let served = emulator.clone();
        tokio::spawn(async move { served.serve(listener).await });

        let admin_token = setup.admin_token;
        let mut config =
            config(&endpoint, setup.keyring, admin_token.clone(), setup.regions.as_deref());
        config.egress = match setup.allow_private_webhooks {
            true => Egress::Local,
            false => Egress::Public,
        };
        config.mail = MailSettings {
            sender: Email::try_from(MAIL_FROM.to_owned()).ok(),
            public_url: setup.public_url,
            configuration_set: Some(MAIL_CONFIGURATION_SET.to_owned()),
            provider_url: setup.email_provider_url,
        };
        let clock = setup.clock;
        let environment = Environment::new(&config, clock.clone());
        let families: Vec<Family> = registry::families();
        let routes = families.iter().flat_map(|family| &family.operations);
        let routes =
            routes.flat_map(|route| route.spec.paths.iter().map(|path| (*path, route.clone())));
        let routes = routes.collect();
        let workers = families.iter().flat_map(|family| family.workers.clone()).collect();
        let pages = families.iter().flat_map(|family| family.pages.clone()).collect();
        let console = Arc::default();
        let inner = Inner {
            emulator,
            config,
            clock,
            environment,
            routes,
            workers,
            pages,
            admin_token,
            console,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The embedded DynamoDB, SQS and SES.
    pub fn emulator(&self) -> &Emulator {
        &self.inner.emulator
    }

    /// What every call and every job works with.
    pub fn environment(&self) -> &Environment {
        &self.inner.environment
    }

    /// Where they are served: `AWS_ENDPOINT_URL` of a function in a process of its own.
    pub fn aws_endpoint(&self) -> &str {
        self.inner.config.aws.dynamodb_endpoint.as_deref().unwrap_or_default()
    }

    /// Runs the named worker on one event, as its source would.
    pub async fn run_worker(&self, name: &str, event: Value) -> Option<Value> {
        let worker = self.inner.workers.iter().find(|worker| worker.name == name)?;
        Some(worker.run(&self.inner.environment, event).await)
    }
}

fn config(endpoint: &str, keyring: Keyring, admin_token: String, regions: Option<&str>) -> Config {
    Config {
        limits: service::Limits::default(),
        aws: AwsSettings {
            region: emulator::REGION.to_owned(),
            access_key_id: "local".to_owned(),
            secret_access_key: "local".to_owned(),
            session_token: None,
            dynamodb_endpoint: Some(endpoint.to_owned()),
            sqs_endpoint: Some(endpoint.to_owned()),
            ses_endpoint: Some(endpoint.to_owned()),
        },
        table_prefix: PREFIX.to_owned(),
        queue_url_prefix: format!("{endpoint}{}", Emulator::queue_path(PREFIX)),
        keyring,
        admin_token: Some(admin_token),
        regions: Config::parse_regions(regions),
        egress: Egress::Public,
        mail: MailSettings::default(),
    }
}
