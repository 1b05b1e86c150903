//! Where data come from or go to: the embedded AWS of a data folder, or a stack in an account. Both
//! answer the same requests.

use std::env;

use embedded::EmbeddedServices;
use serde_json::{Value, json};
use service::{Api, ApiService, AwsSettings, Connections, Table};

use crate::host::{IN_PROCESS, PREFIX, config, through};

/// A place with the tables and queues of a deployment.
pub(crate) struct Stack {
    api: Api,
    prefix: String,
    /// Segments of a scan that are read side by side.
    pub(crate) segments: u32,
}

impl Stack {
    /// The embedded AWS.
    pub(crate) fn embedded(embedded: &EmbeddedServices) -> Self {
        let mut settings = config(IN_PROCESS, None).aws;
        settings.connections = through(embedded.door());
        Self { api: Api::new(&settings), prefix: PREFIX.to_owned(), segments: 1 }
    }

    /// A stack in the account of the environment.
    ///
    /// # Errors
    /// A sentence: a variable is missing, or the name is that of no stack.
    pub(crate) fn aws(stack: &str) -> Result<Self, String> {
        let is_named = stack.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        if stack.is_empty() || !is_named {
            return Err(format!("{stack} is no name of a stack"));
        }
        // The credentials of the user who runs the command, and no settings of a function.
        #[expect(clippy::disallowed_methods)]
        let given = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        let needed = |name: &str| given(name).ok_or_else(|| format!("{name} is not set"));
        let endpoint = given("AWS_ENDPOINT_URL");
        let settings = AwsSettings {
            region: given("AWS_REGION").map_or_else(|| needed("AWS_DEFAULT_REGION"), Ok)?,
            access_key_id: needed("AWS_ACCESS_KEY_ID")?,
            secret_access_key: needed("AWS_SECRET_ACCESS_KEY")?,
            session_token: given("AWS_SESSION_TOKEN"),
            dynamodb_endpoint: endpoint.clone(),
            sqs_endpoint: endpoint.clone(),
            ses_endpoint: None,
            secrets_endpoint: endpoint,
            live_endpoint: None,
            connections: Connections::default(),
        };
        Ok(Self { api: Api::new(&settings), prefix: format!("{stack}-"), segments: 8 })
    }

    /// The full name of a table.
    pub(crate) fn table(&self, table: Table) -> String {
        format!("{}{}", self.prefix, table.name())
    }

    pub(crate) async fn dynamodb(&self, operation: &str, request: Value) -> Result<Value, String> {
        self.call(ApiService::DynamoDb, operation, request).await
    }

    pub(crate) async fn sqs(&self, operation: &str, request: Value) -> Result<Value, String> {
        self.call(ApiService::Sqs, operation, request).await
    }

    async fn call(&self, service: ApiService, name: &str, request: Value) -> Result<Value, String> {
        self.api.call(service, name, &request).await.map_err(|failure| failure.reason)
    }

    /// The URL of a queue, from its name without prefix.
    pub(crate) async fn queue(&self, name: &str) -> Result<Value, String> {
        let request = json!({ "QueueName": format!("{}{name}", self.prefix) });
        Ok(self.sqs("GetQueueUrl", request).await?["QueueUrl"].take())
    }

    /// The keyring of a stack.
    pub(crate) async fn keyring(&self) -> Result<String, String> {
        let request = json!({ "SecretId": self.keyring_name() });
        let found = self.call(ApiService::Secrets, "GetSecretValue", request).await?;
        let text = found["SecretString"].as_str();
        text.map(str::to_owned).ok_or_else(|| format!("{} is no text", self.keyring_name()))
    }

    /// Replaces the keyring of a stack.
    pub(crate) async fn set_keyring(&self, keyring: &str) -> Result<(), String> {
        let request = json!({ "SecretId": self.keyring_name(), "SecretString": keyring });
        self.call(ApiService::Secrets, "PutSecretValue", request).await.map(drop)
    }

    /// The name of the secret with it.
    pub(crate) fn keyring_name(&self) -> String {
        format!("{}keyring", self.prefix)
    }
}
