use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws_sdk_dynamodb::config::{
    Credentials, Region, SharedHttpClient, retry::RetryConfig, timeout::TimeoutConfig,
};
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_http_client::{
    Connector,
    tls::{Provider, rustls_provider::CryptoMode},
};
use aws_smithy_runtime_api::client::http::{
    HttpConnectorSettings, SharedHttpConnector, http_client_fn,
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Where AWS is and who calls it. Built by hand: the loader of the SDK costs binary size for
/// sources of credentials that a Lambda function does not have.
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
    /// DynamoDB somewhere else than in AWS.
    pub dynamodb_endpoint: Option<String>,
    /// SQS somewhere else than in AWS.
    pub sqs_endpoint: Option<String>,
    /// SES somewhere else than in AWS.
    pub ses_endpoint: Option<String>,
    /// What clients of these settings, and of clones of them, share.
    pub connections: Connections,
    /// Secrets Manager somewhere else than in AWS.
    pub secrets_endpoint: Option<String>,
    /// The WebSocket API with its stage, `https://ID.execute-api.REGION.amazonaws.com/live`; none:
    /// nobody is connected.
    pub live_endpoint: Option<String>,
}

/// Connections to AWS, made with the first call. A clone shares them: the certificates of the system
/// are read once, which is most of what a further client would cost at a cold start.
#[derive(Clone, Default)]
pub struct Connections(Arc<OnceLock<SharedHttpConnector>>);

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
    /// rustls over ring: the default provider spends 20 ms of CPU on its first handshake.
    pub(crate) fn connector(&self) -> &SharedHttpConnector {
        self.0.get_or_init(|| {
            let settings =
                HttpConnectorSettings::builder().connect_timeout(CONNECT_TIMEOUT).build();
            let connector = Connector::builder()
                .sleep_impl(TokioSleep::new())
                .connector_settings(settings)
                .tls_provider(Provider::Rustls(CryptoMode::Ring));
            SharedHttpConnector::new(connector.build())
        })
    }

    /// The same for a client of an SDK, whose attempts have deadlines of their own.
    pub(crate) fn client(&self) -> SharedHttpClient {
        let connector = self.connector().clone();
        http_client_fn(move |_, _| connector.clone())
    }
}

/// A call of the store ends within these bounds, whatever the store does.
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
