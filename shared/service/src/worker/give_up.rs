//! Messages that failed for the last time.

use error::Error;
use queue::{DeadLetter, Queue};
use serde_json::Value;

use crate::config::Environment;

/// The group of messages whose tenant is unknown.
pub(crate) const UNREADABLE: &str = "unreadable";

/// Sends a message that failed for the last time to the dead-letter queue with the reason. If this
/// fails, SQS moves it without the reason.
pub(crate) async fn give_up(
    environment: &Environment,
    queue: Queue,
    worker: &'static str,
    record: &Value,
    error: &Error,
) -> bool {
    let attributes = &record["attributes"];
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let received = attributes["ApproximateReceiveCount"].as_str().and_then(|n| n.parse().ok());
    if received.is_none_or(|received: u32| received < queue::MAX_RECEIVES) {
        return false;
    }
    let letter = DeadLetter {
        body: text(&record["body"]).unwrap_or_default(),
        group: text(&attributes["MessageGroupId"]).unwrap_or_else(|| UNREADABLE.to_owned()),
        message_id: text(&record["messageId"]).unwrap_or_default(),
        worker,
        reason: format!("{error:?}"),
    };
    let sent = environment.queues.give_up(queue, letter).await;
    if let Err(error) = &sent {
        tracing::error!(worker, error = ?error, "A dead letter goes without its reason.");
    }
    sent.is_ok()
}
