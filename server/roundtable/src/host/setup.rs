//! Configuration of functions and of the services that they call.

use std::{
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use embedded::{EmbeddedServices, Smtp, Snapshot};
use service::{
    AccessType, AwsSettings, Clock, Config, Connections, Egress, Email, Family, Keyring, Limits,
    MailSettings, Names,
};
use tokio::net::TcpListener;

use super::resources::PREFIX;

/// Configuration of the functions of a deployment, and of its data.
pub struct HostSetup<'a> {
    /// Data folder; in memory when none.
    pub dir: Option<PathBuf>,
    /// Whether a write is answered when it is on the disk, so that a power failure takes nothing
    /// back that was answered.
    pub is_synced: bool,
    /// The data it begins with, tables and queues included; none: what the folder holds.
    pub snapshot: Option<&'a Snapshot>,
    /// The secrets of this deployment.
    pub keyring: Keyring,
    /// The token of the operator.
    pub admin_token: String,
    /// Clock of the deployment.
    pub clock: Clock,
    /// Accepted regions of keys; the default ones when none.
    pub regions: Option<String>,
    /// The folder of mails; none: `outbox` of `dir`, or in memory without it.
    pub outbox: Option<PathBuf>,
    /// Base URL of the gateway, for links in mails; none: no mail is sent.
    pub public_url: Option<String>,
    /// Base URL of the HTTP provider of mails, if there is one.
    pub email_provider_url: Option<String>,
    /// A server that also gets them.
    pub smtp: Option<Smtp>,
    /// Sender of the mails; none: one that suits a laptop.
    pub sender: Option<Email>,
    /// Allowed addresses of webhooks.
    pub egress: Egress,
    /// Whether functions share no caches, as in Lambda.
    pub is_separate: bool,
    /// Default rate limits of keys and workspaces.
    pub limits: Limits,
    /// The default access type for documents of new keys.
    pub default_document_access_type: AccessType,
    /// Names of a compatible vendor.
    pub names: Option<Arc<Names>>,
    /// The port of DynamoDB, SQS and SES for other processes. Functions of this process need none,
    /// unless they are separate.
    pub aws: Option<AwsPort>,
    /// Delays of the cloud.
    pub delays: Delays,
    /// Families of the functions.
    pub families: Vec<Family>,
}

impl HostSetup<'_> {
    /// Functions over the data in `dir` that serve nobody and send nothing.
    pub fn unserved(dir: PathBuf, keyring: Keyring, families: Vec<Family>) -> Self {
        Self {
            dir: Some(dir),
            is_synced: true,
            snapshot: None,
            keyring,
            admin_token: String::new(),
            clock: Clock::default(),
            regions: None,
            outbox: None,
            public_url: None,
            email_provider_url: None,
            smtp: None,
            sender: None,
            egress: Egress::Public,
            is_separate: false,
            limits: Limits::default(),
            default_document_access_type: AccessType::OF_NEW_KEYS,
            names: None,
            aws: None,
            delays: Delays::default(),
            families,
        }
    }
}

/// The address of AWS in names of queues, where it has no port.
pub(crate) const IN_PROCESS: &str = "http://localhost";

/// Time that things take in the cloud and not in one process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// Of each call of DynamoDB, SQS, SES and `@connections`.
    pub call: Duration,
    /// Between two reads of a stream.
    pub stream: Duration,
}

impl Delays {
    /// The delays of AWS: DynamoDB promises "single-digit milliseconds", and Lambda reads a stream
    /// "at a base rate of four times per second".
    pub const AWS: Self =
        Self { call: Duration::from_millis(5), stream: Duration::from_millis(250) };
}

/// Where DynamoDB, SQS and SES listen.
#[derive(Clone, Debug)]
pub struct AwsPort {
    /// The address to listen on.
    pub host: IpAddr,
    /// The port; 0 is any free one.
    pub port: u16,
    /// The session token that requests have to carry; none: whoever reaches the port is the owner.
    pub session_token: Option<String>,
}

impl AwsPort {
    /// Any free port of this machine, open to all of its users.
    pub const FREE: Self =
        Self { host: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0, session_token: None };

    pub(crate) async fn open(self, embedded: &EmbeddedServices) -> Result<String, String> {
        let Self { host, port, session_token } = self;
        let busy = |e| format!("port {port} of {host} cannot be used for AWS: {e}");
        let listener = TcpListener::bind((host, port)).await.map_err(busy)?;
        let mut address = listener.local_addr().map_err(busy)?;
        if host.is_unspecified() {
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        let door = embedded.door();
        tokio::spawn(async move { door.serve(listener, session_token).await });
        Ok(format!("http://{address}"))
    }
}

/// The settings of a function of a stack served at `endpoint`, as its owner.
pub fn config(endpoint: &str, regions: Option<&str>) -> Config {
    Config {
        limits: Limits::default(),
        default_document_access_type: AccessType::OF_NEW_KEYS,
        names: None,
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
        queue_url_prefix: format!("{endpoint}{}", EmbeddedServices::queue_path(PREFIX)),
        regions: Config::parse_regions(regions),
        egress: Egress::Public,
        mail: MailSettings::default(),
    }
}
