//! Opening the embedded services of a deployment, and the functions that use them.

use std::{collections::BTreeMap, path::Path, sync::Arc, time::Duration};

use embedded::{Effect, EmbeddedServices, Fault, Observer, Options};
use queue::Queue;
use serde_json::Value;
use service::{
    AttemptOutcome, Clock, DeliveryObserver, Egress, Email, Environment, Keyring, MailSettings,
    Secrets, WorkerSpec,
};

use super::{
    environments::Environments,
    functions::Functions,
    resources::{self, MAIL_CONFIGURATION_SET, MAIL_FROM, PREFIX, queue_name},
    roles,
    setup::{HostSetup, IN_PROCESS, config},
    transport,
    work::Work,
};

/// The functions of a deployment in this process, and the services that they call. A clone is
/// another handle to the same deployment.
#[derive(Clone)]
pub(crate) struct Host {
    pub(super) embedded: EmbeddedServices,
    pub(super) environments: Arc<Environments>,
    pub(super) functions: Arc<Functions>,
    pub(super) clock: Clock,
    pub(super) work: Arc<Work>,
    /// Time between two reads of a stream.
    pub(super) stream_delay: Duration,
    /// The address of the services, if they have a port.
    pub(super) endpoint: Option<String>,
}

impl Host {
    /// Opens the data, and creates missing tables and queues. Calls and mails are kept in memory if
    /// it `remembers`.
    ///
    /// # Errors
    /// A sentence that names what cannot be opened.
    pub(crate) async fn open(
        setup: HostSetup<'_>,
        observer: Arc<impl Observer + DeliveryObserver + 'static>,
        remembers: bool,
    ) -> Result<Self, String> {
        let (clock, families) = (setup.clock, setup.families);
        let time = clock.clone();
        let embedded = EmbeddedServices::open(Options {
            dir: setup.dir,
            is_synced: setup.is_synced,
            remembers,
            observer: observer.clone(),
            clock: Arc::new(move || time.now()),
            outbox: setup.outbox,
            smtp: setup.smtp,
            mail_events_queue: Some(queue_name(Queue::MailEvents)),
            roles: roles::of_all(&families),
        })
        .map_err(|e| format!("the data cannot be opened: {e}"))?;
        if !setup.delays.call.is_zero() {
            let (operation, effect) = ("*".to_owned(), Effect::Stall(setup.delays.call));
            embedded.inject(Fault { operation, skip: 0, times: usize::MAX, effect });
        }
        let filled = match setup.snapshot {
            Some(snapshot) => embedded.restore(snapshot),
            None => resources::create(&embedded),
        };
        filled.map_err(|e| format!("tables cannot be created: {e}"))?;

        let session_token = setup.aws.as_ref().and_then(|port| port.session_token.clone());
        let endpoint = match setup.aws {
            Some(port) => Some(port.open(&embedded).await?),
            None if setup.is_separate => return Err("separate functions need a port".to_owned()),
            None => None,
        };
        // Where nobody listens, a request that goes past the transport fails in every test.
        let own = endpoint.as_deref().filter(|_| setup.is_separate).unwrap_or(IN_PROCESS);
        let mut config = config(own, setup.regions.as_deref());
        config.aws.session_token = session_token;
        if !setup.is_separate {
            config.aws.connections = transport::through(embedded.door());
        }
        config.egress = setup.egress;
        config.limits = setup.limits;
        config.default_document_access_type = setup.default_document_access_type;
        config.names = setup.names;
        config.mail = MailSettings {
            sender: setup.sender.or_else(|| Email::try_from(MAIL_FROM.to_owned()).ok()),
            public_url: setup.public_url,
            configuration_set: Some(MAIL_CONFIGURATION_SET.to_owned()),
            provider_url: setup.email_provider_url,
        };
        let secrets = Secrets { keyring: setup.keyring, admin_token: Some(setup.admin_token) };
        let operators = roles::with_admin_token(&families);
        let environments = Environments::new(
            config,
            secrets,
            clock.clone(),
            setup.is_separate,
            operators,
            observer,
        );
        Ok(Self {
            embedded,
            environments: Arc::new(environments),
            functions: Arc::new(Functions::new(&families)),
            clock,
            work: Arc::default(),
            stream_delay: setup.delays.stream,
            endpoint,
        })
    }

    /// The embedded DynamoDB, SQS and SES.
    pub(crate) fn embedded(&self) -> &EmbeddedServices {
        &self.embedded
    }

    /// The environments of the functions.
    pub(crate) fn environments(&self) -> &Arc<Environments> {
        &self.environments
    }

    /// The functions, by what calls them.
    pub(crate) fn functions(&self) -> &Arc<Functions> {
        &self.functions
    }

    /// The work of the workers.
    pub(crate) fn work(&self) -> &Arc<Work> {
        &self.work
    }

    /// The address of DynamoDB, SQS and SES, if they have a port.
    pub(crate) fn endpoint(&self) -> Option<&str> {
        self.endpoint.as_deref()
    }

    /// The environment variables of a function in a local container, in the format of `sam local
    /// invoke`: its tables and queues, mails and webhooks. None without a port of AWS.
    pub(crate) fn variables(&self) -> Option<BTreeMap<&'static str, String>> {
        let config = self.environments.config();
        let port = self.endpoint()?.rsplit(':').next().unwrap_or_default();
        let endpoint = format!("http://host.docker.internal:{port}");
        let queues = format!("{endpoint}{}", EmbeddedServices::queue_path(PREFIX));
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
    pub(crate) async fn run_worker(&self, name: &str, event: Value) -> Option<Value> {
        let worker = self.functions.workers().iter().find(|worker| worker.name == name)?;
        Some(self.run(worker, event).await)
    }

    pub(super) async fn run(&self, worker: &WorkerSpec, event: Value) -> Value {
        worker.run(&self.environments.of_function(worker.binary()), event).await
    }
}

/// Takes note of nothing.
struct Unobserved;

impl Observer for Unobserved {
    fn called(&self, _: embedded::Database, _: &'static str, _: Duration, _: Duration) {}

    fn synced(&self, _: embedded::Database, _: Duration) {}
}

impl DeliveryObserver for Unobserved {
    fn attempted(&self, _: AttemptOutcome) {}
}

/// The environment of the owner of the data in a folder that nobody serves, for changes of all of
/// them.
///
/// # Errors
/// A sentence that names what cannot be opened.
pub(crate) async fn environment_of(
    folder: &Path,
    keyring: Keyring,
    admin_token: String,
) -> Result<Environment, String> {
    let setup = HostSetup::unserved(folder.to_owned(), keyring, vec![]);
    let setup = HostSetup { admin_token, ..setup };
    let host = Host::open(setup, Arc::new(Unobserved), false).await?;
    Ok(host.environments.of_owner().clone())
}
