pub(crate) mod mailing;
pub(crate) mod names;
pub(crate) mod secrets;

use std::sync::{Arc, OnceLock};

use aws::{Connections, Dynamo, LiveConnections, Ses, Settings, Sqs};
use futures_util::future::join;
use model::{Email, limits::Limits, permissions::AccessType};
use queue::Queues;
use rooms::{Live, Rates};
use store::{Clock, Store};
use webhook::{Egress, Sender, steps::AttemptOutcome};

use crate::{
    config::{
        mailing::{MailSettings, Mailing},
        names::Names,
        secrets::{Place, Places, Secrets},
    },
    limit::Limiter,
    semaphores::Semaphores,
};

/// Takes note of attempts to deliver webhooks, for figures of a process with many functions.
pub trait DeliveryObserver: Send + Sync {
    /// An attempt has ended. The worker waits.
    fn attempted(&self, outcome: AttemptOutcome);
}

/// The settings of a function, read once at its start.
#[derive(Clone)]
pub struct Config {
    /// Endpoint and credentials of AWS.
    pub aws: Settings,
    /// Common prefix of all table names.
    pub table_prefix: String,
    /// Common prefix of all queue URLs.
    pub queue_url_prefix: String,
    /// Accepted regions of keys (contract `workspace.regions`).
    pub regions: Vec<String>,
    /// Allowed addresses of webhooks.
    pub egress: Egress,
    /// Mail settings.
    pub mail: MailSettings,
    /// Default rate limits of API keys.
    pub limits: Limits,
    /// The default access type for documents of new API keys (decision 111).
    pub default_document_access_type: AccessType,
    /// Names of a compatible vendor (decision 138).
    pub names: Option<Arc<Names>>,
}

/// The public AWS regions, and two aliases of other services.
const REGIONS: &str = "us-east-1,us-east-2,us-west-1,us-west-2,af-south-1,ap-east-1,ap-east-2,\
    ap-northeast-1,ap-northeast-2,ap-northeast-3,ap-south-1,ap-south-2,ap-southeast-1,\
    ap-southeast-2,ap-southeast-3,ap-southeast-4,ap-southeast-5,ap-southeast-6,ap-southeast-7,\
    ca-central-1,ca-west-1,eu-central-1,eu-central-2,eu-north-1,eu-south-1,eu-south-2,eu-west-1,\
    eu-west-2,eu-west-3,il-central-1,me-central-1,me-south-1,mx-central-1,sa-east-1,nam5,eur3";

impl Config {
    /// Reads the settings from the environment.
    ///
    /// # Errors
    /// A sentence that names the missing or invalid variable.
    fn from_env() -> Result<Self, String> {
        let optional = variable;
        let required = |name: &str| optional(name).ok_or_else(|| format!("{name} is not set"));
        let endpoint = |service: &str| {
            optional(&format!("AWS_ENDPOINT_URL_{service}"))
                .or_else(|| optional("AWS_ENDPOINT_URL"))
        };
        let aws = Settings {
            region: required("AWS_REGION")?,
            access_key_id: required("AWS_ACCESS_KEY_ID")?,
            secret_access_key: required("AWS_SECRET_ACCESS_KEY")?,
            session_token: optional("AWS_SESSION_TOKEN"),
            dynamodb_endpoint: endpoint("DYNAMODB"),
            sqs_endpoint: endpoint("SQS"),
            ses_endpoint: endpoint("SESV2"),
            secrets_endpoint: endpoint("SECRETS_MANAGER"),
            live_endpoint: optional("LIVE_ENDPOINT"),
            connections: Connections::default(),
        };
        let number = |name: &str| {
            let text = optional(name);
            let number = text.map(|text| text.parse::<u64>()).transpose();
            number.map_err(|_| format!("{name} is no number"))
        };
        let limits = Limits {
            reads_per_second: number("READS_PER_SECOND")?,
            writes_per_second: number("WRITES_PER_SECOND")?,
            deliveries_per_second: number("DELIVERIES_PER_SECOND")?,
            mails_per_day: number("MAILS_PER_DAY")?,
            editors_per_document: None,
        };
        let regions = Self::parse_regions(optional("SUPPORTED_REGIONS").as_deref());
        let names = optional("NAMES").map(|names| Names::parse(&names, &regions)).transpose();
        Ok(Self {
            aws,
            limits,
            names: names.map_err(|e| format!("NAMES: {e}"))?.map(Arc::new),
            table_prefix: required("TABLE_PREFIX")?,
            queue_url_prefix: required("QUEUE_URL_PREFIX")?,
            regions,
            egress: egress(
                optional("ALLOW_PRIVATE_WEBHOOKS").as_deref().unwrap_or("false"),
                optional("AWS_LAMBDA_RUNTIME_API").is_some(),
            )?,
            default_document_access_type: access_type(
                optional("DEFAULT_DOCUMENT_ACCESS_TYPE").as_deref(),
            )?,
            mail: MailSettings {
                sender: optional("MAIL_FROM")
                    .map(Email::try_from)
                    .transpose()
                    .map_err(|e| format!("MAIL_FROM {e}"))?,
                public_url: optional("PUBLIC_URL"),
                configuration_set: optional("MAIL_CONFIGURATION_SET"),
                provider_url: optional("EMAIL_PROVIDER_URL"),
            },
        })
    }

    /// A comma-separated list of regions, or the default list.
    pub fn parse_regions(list: Option<&str>) -> Vec<String> {
        list.unwrap_or(REGIONS).split(',').map(|region| region.trim().to_owned()).collect()
    }
}

/// A variable of the environment, unless it is empty.
#[expect(clippy::disallowed_methods, reason = "this is the place where settings are read")]
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Allowed addresses of webhooks. In Lambda, loopback is never allowed: the runtime listens there,
/// and a request to it could end the function.
fn egress(private: &str, is_lambda: bool) -> Result<Egress, String> {
    let all = if is_lambda { Egress::Private } else { Egress::Local };
    Egress::parse(private, all).map_err(|error| format!("ALLOW_PRIVATE_WEBHOOKS {error}"))
}

/// The default access type for documents of new keys.
fn access_type(name: Option<&str>) -> Result<AccessType, String> {
    let Some(name) = name else { return Ok(AccessType::OF_NEW_KEYS) };
    name.parse().map_err(|rule| format!("DEFAULT_DOCUMENT_ACCESS_TYPE {rule}"))
}

/// The environment of a function: clients and caches, shared by its calls and jobs.
#[derive(Clone)]
pub struct Environment {
    pub(crate) store: Store,
    pub(crate) queues: Queues,
    pub(crate) regions: Arc<[String]>,
    pub(crate) default_document_access_type: AccessType,
    pub(crate) names: Option<Arc<Names>>,
    pub(crate) egress: Egress,
    pub(crate) mailing: Mailing,
    pub(crate) limiter: Arc<Limiter>,
    pub(crate) in_flight: Arc<Semaphores<String>>,
    pub(crate) sender: Arc<OnceLock<Sender>>,
    pub(crate) connections: LiveConnections,
    pub(crate) rates: Arc<Rates>,
    pub(crate) deliveries: Option<Arc<dyn DeliveryObserver>>,
}

impl Environment {
    /// The store. It requires credentials.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// An environment for the tables and queues of `config`.
    pub fn new(config: &Config, secrets: Secrets, clock: Clock) -> Self {
        let dynamo = Dynamo::new(&config.aws, &config.table_prefix);
        Self::over(dynamo, config, secrets, clock)
    }

    /// The environment of a function: reads its secrets while the connection to the tables opens;
    /// workers open it at their first message.
    ///
    /// # Errors
    /// A sentence that names the missing or invalid setting or secret.
    pub(crate) async fn start(needs_keyring: bool, warms_up: bool) -> Result<Self, String> {
        let config = Config::from_env()?;
        let keyring = Place::of("KEYRING", variable);
        if needs_keyring && keyring == Place::Nowhere {
            return Err("neither KEYRING nor KEYRING_SECRET is set".to_owned());
        }
        let places = Places { keyring, admin_token: Place::of("ADMIN_TOKEN", variable) };
        let dynamo = Dynamo::new(&config.aws, &config.table_prefix);
        let warm = async {
            if warms_up {
                Store::warm_up(&dynamo).await;
            }
        };
        let (secrets, ()) = join(places.read(&config.aws), warm).await;
        Ok(Self::over(dynamo, &config, secrets?, Clock::default()))
    }

    fn over(dynamo: Dynamo, config: &Config, secrets: Secrets, clock: Clock) -> Self {
        let Secrets { keyring, admin_token } = secrets;
        let further = config.names.iter().flat_map(|names| names.regions());
        let accepted = config.regions.iter().chain(further);
        Self {
            store: Store::new(dynamo, keyring.clone(), clock, admin_token.as_deref()),
            queues: Queues::new(Sqs::new(&config.aws), &config.queue_url_prefix),
            regions: accepted.cloned().collect(),
            names: config.names.clone(),
            default_document_access_type: config.default_document_access_type,
            egress: config.egress,
            limiter: Arc::new(Limiter::new(config.limits)),
            in_flight: Arc::default(),
            sender: Arc::default(),
            connections: LiveConnections::new(&config.aws),
            rates: Arc::default(),
            deliveries: None,
            mailing: Mailing::new(Ses::new(&config.aws), keyring, config.mail.clone()),
        }
    }

    /// The environment with other secrets.
    #[must_use]
    pub fn with_secrets(&self, secrets: Secrets) -> Self {
        let Secrets { keyring, admin_token } = secrets;
        Self {
            store: self.store.with_secrets(keyring.clone(), admin_token.as_deref()),
            mailing: self.mailing.with_keyring(keyring),
            ..self.clone()
        }
    }

    /// The environment with its own clients, for the tables and queues of `config`, and shared
    /// caches.
    #[must_use]
    pub fn with_clients_of(&self, config: &Config) -> Self {
        let dynamo = Dynamo::new(&config.aws, &config.table_prefix);
        let queues = Queues::new(Sqs::new(&config.aws), &config.queue_url_prefix);
        let mailing = self.mailing.through(Ses::new(&config.aws));
        let connections = LiveConnections::new(&config.aws);
        Self { store: self.store.through(dynamo), queues, mailing, connections, ..self.clone() }
    }

    /// The environment with an observer of deliveries.
    #[must_use]
    pub fn observed_by(&self, deliveries: Arc<dyn DeliveryObserver>) -> Self {
        Self { deliveries: Some(deliveries), ..self.clone() }
    }

    /// The live channel, through a store.
    pub(crate) fn live(&self, store: Store) -> Live {
        let (connections, queues) = (self.connections.clone(), self.queues.clone());
        Live::new(connections, store, queues, Arc::clone(&self.rates))
    }

    /// The time of the process, in epoch milliseconds.
    pub fn now(&self) -> model::Millis {
        self.store.clock().now()
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use model::permissions::AccessType;
    use webhook::Egress;

    use super::{access_type, egress};

    #[test]
    fn documents_of_new_keys_are_closed_unless_the_deployment_says_otherwise() {
        assert_eq!(access_type(None), Ok(AccessType::OrganizationPrivate));
        assert_eq!(access_type(Some("public")), Ok(AccessType::Public));
        assert_eq!(access_type(Some("restricted")), Ok(AccessType::Restricted));
        let rule = "must be public, organizationPrivate or restricted";
        let error = format!("DEFAULT_DOCUMENT_ACCESS_TYPE {rule}");
        assert_eq!(access_type(Some("Public")), Err(error));
    }

    #[test]
    fn in_lambda_webhooks_never_reach_this_machine() {
        let both = |setting| [false, true].map(|is_lambda| egress(setting, is_lambda).unwrap());
        assert_eq!(both("false"), [Egress::Public; 2]);
        assert_eq!(both("true"), [Egress::Local, Egress::Private]);
        for egress in both("10.0.0.0/8,127.0.0.0/8,::1/128") {
            assert!(egress.vet([10, 1, 2, 3].into()).is_ok());
            let this_machine = [IpAddr::from([127, 0, 0, 1]), "::1".parse().unwrap()];
            assert!(this_machine.iter().all(|address| egress.vet(*address).is_err()));
        }
        let error = egress("yes", true).unwrap_err();
        assert_eq!(error, "ALLOW_PRIVATE_WEBHOOKS names \"yes\", which is no network");
    }
}
