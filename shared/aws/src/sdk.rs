use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use aws_sdk_dynamodb::config::{
    Credentials, Region, SharedHttpClient, retry::RetryConfig, timeout::TimeoutConfig,
};
use aws_smithy_http_client::{
    Builder,
    tls::{Provider, rustls_provider::CryptoMode},
};

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
}

/// Connections to DynamoDB and SQS, made with the first call. A clone shares them.
#[derive(Clone, Default)]
pub struct Connections(Arc<OnceLock<SharedHttpClient>>);

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
    pub(crate) fn client(&self) -> SharedHttpClient {
        let make = || Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).build_https();
        self.0.get_or_init(make).clone()
    }
}

/// A call of the store ends within these bounds, whatever the store does.
pub(crate) fn timeouts() -> TimeoutConfig {
    TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1))
        .operation_attempt_timeout(Duration::from_secs(1))
        .operation_timeout(Duration::from_secs(3))
        .build()
}

/// Three attempts with jitter.
pub(crate) fn retries() -> RetryConfig {
    RetryConfig::standard().with_max_attempts(3).with_initial_backoff(Duration::from_millis(50))
}
