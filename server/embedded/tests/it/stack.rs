//! Embedded services on a port of their own, with clients and a clock that stands still.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::types::AttributeValue;
use aws_sdk_sqs::types::{Message, MessageSystemAttributeName, QueueAttributeName};
use embedded::{Effect, EmbeddedServices, Fault, Options};
use serde_json::{Value, json};

pub(crate) struct Stack {
    pub(crate) embedded: EmbeddedServices,
    pub(crate) time: Arc<AtomicU64>,
    /// Without retries, to see what was answered.
    pub(crate) dynamodb: aws_sdk_dynamodb::Client,
    pub(crate) patient_dynamodb: aws_sdk_dynamodb::Client,
    pub(crate) sqs: aws_sdk_sqs::Client,
    pub(crate) patient_sqs: aws_sdk_sqs::Client,
}

pub(crate) const START: u64 = 1_700_000_000_000;

impl Stack {
    pub(crate) async fn in_memory() -> Self {
        Self::open(None, START).await
    }

    pub(crate) async fn open(dir: Option<PathBuf>, start: u64) -> Self {
        let time = Arc::new(AtomicU64::new(start));
        let clock = time.clone();
        let clock = Arc::new(move || clock.load(Ordering::SeqCst));
        let embedded = EmbeddedServices::open(Options {
            is_synced: dir.is_some(),
            remembers: true,
            observer: Arc::new(()),
            dir,
            clock,
            outbox: None,
            smtp: None,
            mail_events_queue: None,
            roles: embedded::Roles::new(),
        })
        .unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let server = embedded.clone();
        tokio::spawn(async move { server.door().serve(listener, None).await });
        let http = aws_smithy_http_client::Builder::new().build_http();
        let never = RetryConfig::disabled();
        let soon = RetryConfig::standard().with_initial_backoff(Duration::from_millis(1));
        let dynamodb = |retry: &RetryConfig| {
            use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
            let config = aws_sdk_dynamodb::Config::builder()
                .behavior_version(BehaviorVersion::latest())
                .region(Region::new(embedded::REGION))
                .credentials_provider(Credentials::new("key", "secret", None, None, "test"))
                .endpoint_url(&endpoint)
                .http_client(http.clone())
                .retry_config(retry.clone());
            aws_sdk_dynamodb::Client::from_conf(config.build())
        };
        let sqs = |retry: &RetryConfig| {
            use aws_sdk_sqs::config::{BehaviorVersion, Credentials, Region};
            let config = aws_sdk_sqs::Config::builder()
                .behavior_version(BehaviorVersion::latest())
                .region(Region::new(embedded::REGION))
                .credentials_provider(Credentials::new("key", "secret", None, None, "test"))
                .endpoint_url(&endpoint)
                .http_client(http.clone())
                .retry_config(retry.clone());
            aws_sdk_sqs::Client::from_conf(config.build())
        };
        Self {
            dynamodb: dynamodb(&never),
            patient_dynamodb: dynamodb(&soon),
            sqs: sqs(&never),
            patient_sqs: sqs(&soon),
            embedded,
            time,
        }
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.time.fetch_add(seconds * 1000, Ordering::SeqCst);
    }

    pub(crate) fn fail(&self, operation: &str, effect: Effect) {
        self.embedded.inject(Fault { operation: operation.into(), skip: 0, times: 1, effect });
    }

    pub(crate) async fn queue(
        &self,
        name: &str,
        attributes: &[(QueueAttributeName, &str)],
    ) -> String {
        let mut create = self.sqs.create_queue().queue_name(name);
        for (attribute, value) in attributes {
            create = create.attributes(attribute.clone(), *value);
        }
        create.send().await.unwrap().queue_url.unwrap()
    }

    pub(crate) async fn send(&self, url: &str, body: &str) {
        self.sqs.send_message().queue_url(url).message_body(body).send().await.unwrap();
    }

    pub(crate) async fn receive(&self, url: &str) -> Vec<Message> {
        let receive = self.sqs.receive_message().queue_url(url).max_number_of_messages(10);
        let receive = receive.message_system_attribute_names(MessageSystemAttributeName::All);
        receive.send().await.unwrap().messages.unwrap_or_default()
    }

    pub(crate) async fn delete(&self, url: &str, message: &Message) {
        let handle = message.receipt_handle().unwrap();
        self.sqs.delete_message().queue_url(url).receipt_handle(handle).send().await.unwrap();
    }

    /// A table with a sort key, an index and a stream.
    pub(crate) fn items_table(&self) {
        self.embedded.create_table(items_table()).unwrap();
    }

    pub(crate) async fn put(&self, pk: &str, sk: &str, rank: i64) {
        let put = self.dynamodb.put_item().table_name("items").item("pk", s(pk)).item("sk", s(sk));
        put.item("rank", n(rank)).item("list", s("all")).send().await.unwrap();
    }
}

pub(crate) fn items_table() -> Value {
    let key = |name: &str, kind: &str| json!({ "AttributeName": name, "KeyType": kind });
    let attribute =
        |name: &str, kind: &str| json!({ "AttributeName": name, "AttributeType": kind });
    json!({
        "TableName": "items",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [key("pk", "HASH"), key("sk", "RANGE")],
        "AttributeDefinitions": [
            attribute("pk", "S"), attribute("sk", "S"), attribute("list", "S"),
            attribute("rank", "N"),
        ],
        "GlobalSecondaryIndexes": [{
            "IndexName": "by_rank",
            "KeySchema": [key("list", "HASH"), key("rank", "RANGE")],
            "Projection": { "ProjectionType": "ALL" },
        }],
        "StreamSpecification": { "StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES" },
    })
}

pub(crate) fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.into())
}

pub(crate) fn n(number: i64) -> AttributeValue {
    AttributeValue::N(number.to_string())
}

pub(crate) fn bodies(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(|message| message.body().unwrap()).collect()
}

pub(crate) fn system<'a>(
    message: &'a Message,
    name: &MessageSystemAttributeName,
) -> Option<&'a str> {
    message.attributes()?.get(name).map(String::as_str)
}
