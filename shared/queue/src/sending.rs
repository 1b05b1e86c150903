//! Sending to SQS: in batches, in ASCII, with a result for each message.

use std::{fmt, fmt::Write, time::Duration};

use aws::{Failure, Outgoing, Refused, Sqs};
use error::Error;
use futures_util::{StreamExt, stream};

use crate::{DeadLetter, Message};

/// The reason why a message was not sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSent {
    /// The queue is unreachable or overloaded: temporary.
    Unavailable(String),
    /// The queue or the right to send is missing: a fault of the deployment.
    Barred(String),
    /// The queue refuses this message permanently.
    Refused(String),
}

impl fmt::Display for NotSent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Unavailable(cause) | Self::Barred(cause) | Self::Refused(cause)) = self;
        f.write_str(cause)
    }
}

impl From<NotSent> for Error {
    fn from(failed: NotSent) -> Self {
        match failed {
            NotSent::Unavailable(cause) => Self::unavailable(cause),
            NotSent::Barred(cause) | NotSent::Refused(cause) => Self::internal(cause),
        }
    }
}

type Sent = Result<(), NotSent>;

/// Limits of one SQS call.
const BATCH: usize = 10;
const BATCH_BYTES: usize = 900_000;
/// Concurrent batches.
const PARALLEL: usize = 4;
/// Attempts for messages that were not accepted.
const ATTEMPTS: u64 = 4;
/// Maximum length of the reason of a dead letter.
const REASON_CHARS: usize = 1000;
/// Error codes of SQS for a call with one bad message.
const CONTENTS: [&str; 4] =
    ["InvalidMessageContents", "InvalidParameterValue", "BatchRequestTooLong", "MessageTooLong"];

/// The only place that formats bodies: JSON in ASCII. SQS refuses some characters and counts bytes.
fn ascii(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            c if c.is_ascii() => text.push(c),
            c => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                let _ = write!(text, "\\u{unit:04x}");
            }),
        }
    }
    text
}

pub(crate) fn outgoing(message: Message) -> Outgoing {
    let delay_seconds = i32::try_from(message.delay.as_secs().min(900)).unwrap_or(900);
    let body = ascii(&message.body);
    Outgoing { body, delay_seconds, group: message.group, attributes: vec![] }
}

pub(crate) fn dead(letter: DeadLetter) -> Outgoing {
    let attributes = vec![
        ("reason", shown(&letter.reason)),
        ("worker", letter.worker.to_owned()),
        ("messageId", letter.message_id),
    ];
    let body = ascii(&letter.body);
    Outgoing { body, delay_seconds: 0, group: letter.group, attributes }
}

/// SQS refuses empty texts and most control characters.
fn shown(reason: &str) -> String {
    let plain = |c: char| if c == '\n' || c == ' ' || c.is_ascii_graphic() { c } else { '?' };
    let text: String = reason.chars().map(plain).take(REASON_CHARS).collect();
    if text.is_empty() { "unknown".to_owned() } else { text }
}

/// Sends messages in as few calls as possible; returns a result for each, in order.
pub(crate) async fn send_each(
    sqs: &Sqs,
    url: &str,
    messages: impl Iterator<Item = Outgoing>,
) -> Vec<Sent> {
    let (mut batches, mut bytes): (Vec<Vec<Outgoing>>, usize) = (vec![vec![]], 0);
    for message in messages {
        let full = |batch: &Vec<Outgoing>| {
            batch.len() == BATCH || !batch.is_empty() && bytes + message.body.len() > BATCH_BYTES
        };
        if batches.last().is_some_and(full) {
            batches.push(vec![]);
            bytes = 0;
        }
        bytes += message.body.len();
        batches.last_mut().into_iter().for_each(|batch| batch.push(message.clone()));
    }
    let sent = stream::iter(batches).map(|batch| send_batch(sqs, url, batch)).buffered(PARALLEL);
    sent.collect::<Vec<_>>().await.concat()
}

async fn send_batch(sqs: &Sqs, url: &str, batch: Vec<Outgoing>) -> Vec<Sent> {
    let mut sent: Vec<Sent> = batch.iter().map(|_| Ok(())).collect();
    let mut open: Vec<usize> = (0..batch.len()).collect();
    for attempt in 1..=ATTEMPTS {
        if open.is_empty() {
            break;
        }
        let offered: Vec<Outgoing> = open.iter().map(|at| batch[*at].clone()).collect();
        let refused = match sqs.send(url, &offered).await {
            Ok(refused) => refused,
            Err(failure) => {
                let failed = send_alone(sqs, url, &offered, failure).await;
                open.into_iter().zip(failed).for_each(|(at, failed)| sent[at] = failed);
                return sent;
            }
        };
        open.iter().for_each(|at| sent[*at] = Ok(()));
        let mut again = Vec::new();
        for Refused { position, is_for_good, reason } in refused {
            let Some(at) = open.get(position).copied() else { continue };
            sent[at] = Err(match is_for_good {
                true => NotSent::Refused(reason),
                false => NotSent::Unavailable(reason),
            });
            if !is_for_good {
                again.push(at);
            }
        }
        open = again;
        if !open.is_empty() {
            tokio::time::sleep(Duration::from_millis(50 * attempt)).await;
        }
    }
    sent
}

/// After a call failed as a whole, one message may be the cause, so each is sent separately.
async fn send_alone(sqs: &Sqs, url: &str, batch: &[Outgoing], failure: Failure) -> Vec<Sent> {
    let is_transient = matches!(failure, Failure::Unavailable(_) | Failure::Conflict);
    let cause = failure.to_string();
    if is_transient {
        return vec![Err(NotSent::Unavailable(cause)); batch.len()];
    }
    if let [_] = batch {
        let by_contents = CONTENTS.iter().any(|code| cause.contains(code));
        let kind = if by_contents { NotSent::Refused } else { NotSent::Barred };
        return vec![Err(kind(cause))];
    }
    let mut sent = Vec::new();
    for message in batch {
        let alone = vec![message.clone()];
        sent.extend(Box::pin(send_batch(sqs, url, alone)).await);
        // A queue that bars one message bars all.
        if let [Err(NotSent::Barred(_))] = sent.as_slice() {
            return vec![sent.remove(0); batch.len()];
        }
    }
    sent
}

#[cfg(test)]
mod tests {
    use super::{ascii, shown};

    #[test]
    fn a_body_is_ascii_and_says_the_same() {
        let json = "{\"id\":\"é\u{ffff}🦀\",\"n\":1}";
        let text = ascii(json);
        assert!(text.is_ascii(), "{text}");
        assert_eq!(text, r#"{"id":"\u00e9\uffff\ud83e\udd80","n":1}"#);
    }

    #[test]
    fn a_reason_is_never_empty_and_has_no_character_that_a_queue_refuses() {
        assert_eq!(shown(""), "unknown");
        assert_eq!(shown("a\u{7}\u{ffff}b"), "a??b");
        assert_eq!(shown(&"x".repeat(2000)).len(), 1000);
    }
}
