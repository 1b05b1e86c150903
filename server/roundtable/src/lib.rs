//! Every operation and worker in one process, over an embedded DynamoDB, SQS and SES.
//!
//! Handlers get the same Lambda events as deployed functions and use the same SDK; only the
//! endpoints differ. `cargo run` serves this, and the tests run against it.

mod account_limits;
mod addresses;
mod assets;
mod background;
mod backup;
mod bounds;
mod console;
#[cfg(unix)]
mod control;
mod data_dir;
mod demo;
mod docs;
mod environments;
mod event;
mod files;
mod gateway;
mod health;
mod lifted;
mod listener;
mod live;
mod metrics;
mod origin;
mod outbox;
mod payers;
mod public_url;
mod queues;
mod rates;
mod readiness;
mod ready_client;
mod resources;
mod roles;
mod sampled;
mod setup;
mod shares;
mod sources;
mod streams;
mod transfer;
mod transport;
mod upgrade;

use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use embedded::{Effect, Emulator, Fault, Options};
use queue::Queue;
use serde_json::Value;
use service::{
    AccessType, AwsSettings, Clock, Config, Connections, Egress, Email, Environment, Limits,
    MailSettings, PageSpec, Secrets, WorkerSpec,
};

use crate::{
    environments::Environments,
    resources::{MAIL_CONFIGURATION_SET, MAIL_FROM},
};

pub use backup::{BackupSchedule, back_up, restore};
pub use bounds::GatewayOptions;
#[cfg(unix)]
pub use control::{Order, listen, order};
pub use data_dir::DataDir;
pub use embedded::{Lifetime, Smtp};
pub use event::{Arrival, of_request};
pub use files::{beside, create_for_owner_only, read_secret};
pub use gateway::serve;
pub use listener::ConnectionLimits;
pub use live::LiveOptions;
pub use markdown::{Page, address};
pub use metrics::serve_metrics;
pub use origin::{Proxies, ProxyHeader};
pub use public_url::PublicUrl;
pub use ready_client::ask_ready;
pub use resources::{PREFIX, dead_letters_name, queue_name, table_name};
pub use roles::arn;
pub use setup::{AwsPort, Delays, Setup};
pub use sources::{Sources, queue_record};
pub use transfer::{Archive, AwsStack, export_folder, export_stack};

/// The address of AWS in names of queues, where it has no port.
const IN_PROCESS: &str = "http://localhost";

/// A whole deployment in this process.
#[derive(Clone)]
pub struct Stack {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) emulator: Emulator,
    pub(crate) endpoint: Option<String>,
    pub(crate) clock: Clock,
    pub(crate) environments: Environments,
    pub(crate) routes: BTreeMap<&'static str, service::Route>,
    pub(crate) workers: Vec<WorkerSpec>,
    pub(crate) pages: Vec<PageSpec>,
    pub(crate) admin_token: String,
    pub(crate) console: Arc<console::Console>,
    pub(crate) live: Arc<live::Live>,
    pub(crate) payers: Arc<payers::Payers>,
    pub(crate) account_limits: Arc<account_limits::AccountLimits>,
    pub(crate) bounds: Arc<bounds::Bounds>,
    pub(crate) delays: Delays,
    pub(crate) documentation: Arc<[Page]>,
    pub(crate) host: Option<PublicUrl>,
    pub(crate) is_laptop: bool,
    pub(crate) readiness: Arc<readiness::Readiness>,
    pub(crate) metrics: Arc<metrics::Metrics>,
    /// The data folder.
    pub(crate) dir: Option<PathBuf>,
}

impl Stack {
    /// Opens the data, and creates missing tables and queues.
    ///
    /// # Errors
    /// A sentence that names what cannot be opened.
    pub async fn open(setup: Setup<'_>) -> Result<Self, String> {
        let clock = setup.clock.clone();
        let families = setup.families;
        let metrics: Arc<metrics::Metrics> = Arc::default();
        let dir = setup.dir.clone();
        let emulator = Emulator::open(Options {
            dir: setup.dir,
            is_synced: setup.is_synced,
            remembers: setup.is_laptop,
            observer: metrics.clone(),
            clock: Arc::new(move || clock.now()),
            outbox: setup.outbox,
            smtp: setup.smtp,
            mail_events_queue: Some(queue_name(Queue::MailEvents)),
            roles: roles::of_all(&families),
        })
        .map_err(|e| format!("the data cannot be opened: {e}"))?;
        if !setup.delays.call.is_zero() {
            let (operation, effect) = ("*".to_owned(), Effect::Stall(setup.delays.call));
            emulator.inject(Fault { operation, skip: 0, times: usize::MAX, effect });
        }
        let filled = match setup.snapshot {
            Some(snapshot) => emulator.restore(snapshot),
            None => resources::create(&emulator),
        };
        filled.map_err(|e| format!("tables cannot be created: {e}"))?;

        let session_token = setup.aws.as_ref().and_then(|port| port.session_token.clone());
        let endpoint = match setup.aws {
            Some(port) => Some(port.open(&emulator).await?),
            None if setup.is_separate => return Err("separate functions need a port".to_owned()),
            None => None,
        };
        // Where nobody listens, a request that goes past the transport fails in every test.
        let own = endpoint.as_deref().filter(|_| setup.is_separate).unwrap_or(IN_PROCESS);
        let mut config = config(own, setup.regions.as_deref());
        config.aws.session_token = session_token;
        if !setup.is_separate {
            config.aws.connections = transport::through(emulator.door());
        }
        config.egress = setup.egress;
        config.limits = setup.limits;
        config.default_document_access_type = setup.default_document_access_type;
        config.mail = MailSettings {
            sender: setup.sender.or_else(|| Email::try_from(MAIL_FROM.to_owned()).ok()),
            public_url: setup.public_url,
            configuration_set: Some(MAIL_CONFIGURATION_SET.to_owned()),
            provider_url: setup.email_provider_url,
        };
        let clock = setup.clock;
        let operator = setup.admin_token;
        let payers = payers::Payers::new(setup.keyring.clone(), clock.clone(), &operator);
        let (keyring, admin_token) = (setup.keyring, Some(operator.clone()));
        let secrets = Secrets { keyring, admin_token };
        let operators = roles::with_admin_token(&families);
        let (is_separate, deliveries) = (setup.is_separate, metrics.clone());
        let environments =
            Environments::new(config, secrets, clock.clone(), is_separate, operators, deliveries);
        let routes = families.iter().flat_map(|family| &family.operations);
        let routes =
            routes.flat_map(|route| route.spec.paths.iter().map(|path| (*path, route.clone())));
        let routes = routes.collect();
        let workers = families.iter().flat_map(|family| family.workers.clone()).collect();
        let pages = families.iter().flat_map(|family| family.pages.clone()).collect();
        let sockets = families.iter().flat_map(|family| family.sockets.clone()).collect();
        let live = Arc::new(live::Live::new(sockets, setup.live));
        let console = Arc::default();
        let inner = Inner {
            emulator,
            endpoint,
            clock,
            environments,
            routes,
            workers,
            pages,
            admin_token: operator,
            console,
            live,
            payers: Arc::new(payers),
            account_limits: Arc::default(),
            bounds: Arc::new(bounds::Bounds::new(setup.gateway)),
            delays: setup.delays,
            documentation: setup.documentation.into(),
            host: setup.host,
            is_laptop: setup.is_laptop,
            readiness: Arc::default(),
            metrics,
            dir,
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// The embedded DynamoDB, SQS and SES.
    pub fn emulator(&self) -> &Emulator {
        &self.inner.emulator
    }

    /// The environment of the owner of the deployment, who has all rights.
    pub fn environment(&self) -> &Environment {
        self.inner.environments.of_owner()
    }

    /// Address of DynamoDB, SQS and SES, if they have a port: `AWS_ENDPOINT_URL` of a function in
    /// another process.
    pub fn aws_endpoint(&self) -> Option<&str> {
        self.inner.endpoint.as_deref()
    }

    /// The environment variables of a function in a local container, in the format of `sam local
    /// invoke`: its tables and queues, mails and webhooks. None without a port of AWS.
    pub fn variables(&self) -> Option<BTreeMap<&'static str, String>> {
        let config = self.inner.environments.config();
        let port = self.aws_endpoint()?.rsplit(':').next().unwrap_or_default();
        let endpoint = format!("http://host.docker.internal:{port}");
        let queues = format!("{endpoint}{}", Emulator::queue_path(PREFIX));
        let live = format!("{endpoint}/live");
        let (mail, private) = (&config.mail, config.egress == Egress::Local);
        Some(BTreeMap::from([
            ("AWS_ENDPOINT_URL", endpoint),
            ("TABLE_PREFIX", config.table_prefix.clone()),
            ("QUEUE_URL_PREFIX", queues),
            ("ALLOW_PRIVATE_WEBHOOKS", private.to_string()),
            ("DEFAULT_DOCUMENT_ACCESS_TYPE", config.default_document_access_type.to_string()),
            ("MAIL_FROM", mail.sender.as_ref().map_or_else(String::new, ToString::to_string)),
            ("MAIL_CONFIGURATION_SET", MAIL_CONFIGURATION_SET.to_owned()),
            ("PUBLIC_URL", mail.public_url.clone().unwrap_or_default()),
            ("EMAIL_PROVIDER_URL", mail.provider_url.clone().unwrap_or_default()),
            ("LIVE_ENDPOINT", live),
        ]))
    }

    /// Runs the named worker for one event, like its source.
    pub async fn run_worker(&self, name: &str, event: Value) -> Option<Value> {
        let worker = self.inner.workers.iter().find(|worker| worker.name == name)?;
        Some(self.run(worker, event).await)
    }

    pub(crate) async fn run(&self, worker: &WorkerSpec, event: Value) -> Value {
        worker.run(&self.inner.environments.of_function(worker.binary()), event).await
    }
}

/// The settings of a function of a stack served at `endpoint`, as its owner.
pub fn config(endpoint: &str, regions: Option<&str>) -> Config {
    Config {
        limits: Limits::default(),
        default_document_access_type: AccessType::OF_NEW_KEYS,
        aws: AwsSettings {
            region: embedded::REGION.to_owned(),
            access_key_id: embedded::OWNER.to_owned(),
            secret_access_key: "local".to_owned(),
            session_token: None,
            dynamodb_endpoint: Some(endpoint.to_owned()),
            sqs_endpoint: Some(endpoint.to_owned()),
            ses_endpoint: Some(endpoint.to_owned()),
            secrets_endpoint: None,
            live_endpoint: Some(format!("{endpoint}/live")),
            connections: Connections::default(),
        },
        table_prefix: PREFIX.to_owned(),
        queue_url_prefix: format!("{endpoint}{}", Emulator::queue_path(PREFIX)),
        regions: Config::parse_regions(regions),
        egress: Egress::Public,
        mail: MailSettings::default(),
    }
}
