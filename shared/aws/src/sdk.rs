use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws_sdk_dynamodb::config::{
    Credentials, Region, SharedHttpClient,
    retry::{RetryConfig, RetryPartition},
    timeout::TimeoutConfig,
};
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_http_client::{
    Connector, ConnectorBuilder,
    tls::{Provider, rustls_provider::CryptoMode},
};
use aws_smithy_runtime_api::client::http::{
    HttpConnectorSettings, SharedHttpConnector, http_client_fn,
};

use crate::transport::{InProcess, Transport};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Endpoint and credentials of AWS. Built by hand: the loader of the SDK costs binary size for
/// credential sources that a Lambda function does not have.
#[derive(Clone)]
pub struct Settings {
    /// Region of the tables and queues.
    pub region: String,
    /// Access key id.
    pub access_key_id: String,
    /// Secret access key.
    pub secret_access_key: String,
    /// Session token, which the role of a Lambda function always has.
    pub session_token: Option<String>,
    /// Another endpoint of DynamoDB.
    pub dynamodb_endpoint: Option<String>,
    /// Another endpoint of SQS.
    pub sqs_endpoint: Option<String>,
    /// Another endpoint of SES.
    pub ses_endpoint: Option<String>,
    /// State shared by the clients of these settings and their clones.
    pub connections: Connections,
    /// Another endpoint of Secrets Manager.
    pub secrets_endpoint: Option<String>,
    /// The WebSocket API with its stage, `https://ID.execute-api.REGION.amazonaws.com/live`;
    /// without it there are no connections.
    pub live_endpoint: Option<String>,
}

/// Connections to AWS, opened by the first call. Clones share them, so the system certificates are
/// read once, which is most of the cost of another client at a cold start.
#[derive(Clone, Default)]
pub struct Connections(Arc<Connectors>);

#[derive(Default)]
struct Connectors {
    kept: OnceLock<SharedHttpConnector>,
    single: OnceLock<SharedHttpConnector>,
    /// Budget of the retries; none: the budget that all clients of the process share.
    retries: Option<RetryPartition>,
    /// AWS in this process, if it is.
    transport: Option<Arc<dyn Transport>>,
}

impl Settings {
    pub(crate) fn region(&self) -> Region {
        Region::new(self.region.clone())
    }

    pub(crate) fn credentials(&self) -> Credentials {
        Credentials::new(
            &self.access_key_id,
            &self.secret_access_key,
            self.session_token.clone(),
            None,
            "environment",
        )
    }
}

impl Connections {
    /// No connections: all requests go to an AWS in this process.
    pub fn in_process(transport: Arc<dyn Transport>) -> Self {
        let connector = SharedHttpConnector::new(InProcess(Arc::clone(&transport)));
        let [kept, single] = [connector.clone(), connector].map(OnceLock::from);
        // A failing AWS leaves the others of this process their retries.
        let retries = Some(RetryPartition::custom("in-process").build());
        Self(Arc::new(Connectors { kept, single, retries, transport: Some(transport) }))
    }

    /// AWS in this process, if it is.
    pub(crate) fn transport(&self) -> Option<&Arc<dyn Transport>> {
        self.0.transport.as_ref()
    }

    /// The account of retries of these connections, if it is one of their own.
    pub(crate) fn retry_partition(&self) -> Option<RetryPartition> {
        self.0.retries.clone()
    }

    /// Connections that are kept for further requests.
    pub(crate) fn connector(&self) -> &SharedHttpConnector {
        self.0.kept.get_or_init(|| built(Connector::builder()))
    }

    /// A connection for each request. A kept one may die while the process is frozen, and then the
    /// outcome of a write to it is unknown.
    pub(crate) fn single_connector(&self) -> &SharedHttpConnector {
        self.0.single.get_or_init(|| built(Connector::builder().pool_max_idle_per_host(0)))
    }

    /// The kept connections for an SDK client, whose attempts have their own deadlines.
    pub(crate) fn client(&self) -> SharedHttpClient {
        let connector = self.connector().clone();
        http_client_fn(move |_, _| connector.clone())
    }
}

/// rustls over ring: the default provider spends 20 ms of CPU on its first handshake.
fn built(connector: ConnectorBuilder) -> SharedHttpConnector {
    let settings = HttpConnectorSettings::builder().connect_timeout(CONNECT_TIMEOUT).build();
    let connector = connector
        .sleep_impl(TokioSleep::new())
        .connector_settings(settings)
        .tls_provider(Provider::Rustls(CryptoMode::Ring));
    SharedHttpConnector::new(connector.build())
}

/// Time limits of a call to the store.
pub(crate) fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .operation_attempt_timeout(Duration::from_secs(1))
        .operation_timeout(Duration::from_secs(3))
        .build()
}

/// Three attempts with jitter.
pub(crate) fn retries() -> RetryConfig {
    RetryConfig::standard().with_max_attempts(3).with_initial_backoff(Duration::from_millis(50))
}
