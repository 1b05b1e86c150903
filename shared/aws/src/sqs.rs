use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

use aws_sdk_sqs::{
    Client, Config,
    config::{BehaviorVersion, StalledStreamProtectionConfig},
    types::{MessageAttributeValue, SendMessageBatchRequestEntry},
};

use crate::{Boxed, Failure, Settings, failure::classify, sdk};

/// A message.
#[derive(Clone, Debug)]
pub struct Outgoing {
    /// The body.
    pub body: String,
    /// Delay in seconds, at most 900.
    pub delay_seconds: i32,
    /// Tenant of the message, as the message group: a burst of one tenant does not starve others.
    pub group: String,
    /// Further attributes of the message, by name.
    pub attributes: Vec<(&'static str, String)>,
}

/// A refused message of a batch.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Position of the message in the batch.
    pub position: usize,
    /// Whether the message itself is the cause: it will be refused again.
    pub is_for_good: bool,
    /// The reason in the words of SQS.
    pub reason: String,
}

/// The part of SQS that functions use.
#[derive(Clone)]
pub struct Sqs {
    settings: Settings,
    client: Arc<OnceLock<Client>>,
}

impl Sqs {
    /// A client, created with the first message: most functions never send one.
    pub fn new(settings: &Settings) -> Self {
        Self { settings: settings.clone(), client: Arc::default() }
    }

    fn client(&self) -> &Client {
        self.client.get_or_init(|| {
            let mut config = Config::builder()
                .behavior_version(BehaviorVersion::latest())
                .region(self.settings.region())
                .credentials_provider(self.settings.credentials())
                .http_client(self.settings.connections.client())
                .timeout_config(sdk::timeouts())
                .retry_config(sdk::retries())
                // Replies are small, and every attempt has its timeout.
                .stalled_stream_protection(StalledStreamProtectionConfig::disabled());
            config.set_retry_partition(self.settings.connections.retry_partition());
            let config = match &self.settings.sqs_endpoint {
                Some(url) => config.endpoint_url(url),
                None => config,
            };
            Client::from_conf(config.build())
        })
    }

    /// Sends up to ten messages; returns the refused ones.
    pub fn send<'a>(
        &'a self,
        queue_url: &'a str,
        messages: &'a [Outgoing],
    ) -> Boxed<'a, Result<Vec<Refused>, Failure>> {
        Box::pin(async move {
            let mut call = self.client().send_message_batch().queue_url(queue_url);
            for (position, message) in messages.iter().enumerate() {
                let entry = SendMessageBatchRequestEntry::builder()
                    .id(position.to_string())
                    .message_body(&message.body)
                    .delay_seconds(message.delay_seconds)
                    .message_group_id(&message.group)
                    .set_message_attributes(Some(attributes(message)));
                call = call.entries(entry.build().expect("id and body are set"));
            }
            let sent = call.send().await.map_err(|error| classify(&error))?;
            let refused = sent.failed().iter().filter_map(|failed| {
                let (code, message) = (failed.code(), failed.message().unwrap_or("no message"));
                Some(Refused {
                    position: failed.id().parse().ok()?,
                    is_for_good: failed.sender_fault(),
                    reason: format!("{code}: {message}"),
                })
            });
            Ok(refused.collect())
        })
    }
}

fn attributes(message: &Outgoing) -> HashMap<String, MessageAttributeValue> {
    let attribute = |(name, value): &(&str, String)| {
        let value = MessageAttributeValue::builder().data_type("String").string_value(value);
        (String::from(*name), value.build().expect("the type is set"))
    };
    message.attributes.iter().map(attribute).collect()
}
