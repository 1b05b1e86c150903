//! A receiver of webhooks: nobody needs a tunnel to see a delivery, or to see one fail.
//!
//! The inbox takes requests without a token, so what it keeps is bounded in bytes, not only in
//! number, and is read as JSON only when the console asks for it.

use std::collections::VecDeque;

use axum::{
    body::Bytes,
    http::{HeaderMap, StatusCode},
};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Most deliveries kept.
const MAX_DELIVERIES: usize = 500;
/// Most bytes of all that are kept.
const MAX_BYTES: usize = 16 * 1024 * 1024;
/// Bytes of deliveries in one reply, except that it has at least one.
const REPLY_BYTES: usize = 1024 * 1024;

/// How a delivery is answered.
#[derive(Deserialize)]
pub(super) struct Manner {
    /// The status; 200 when absent.
    status: Option<u16>,
    /// How many attempts of each message are answered with it, the rest with 200; all when absent.
    times: Option<usize>,
}

/// A delivery as it arrived.
struct Delivery {
    number: u64,
    /// Epoch milliseconds.
    at: u64,
    name: String,
    attempt: usize,
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Delivery {
    /// The bytes that it takes, without small change.
    fn size(&self) -> usize {
        let headers = self.headers.iter().map(|(name, value)| name.as_str().len() + value.len());
        self.name.len() + headers.sum::<usize>() + self.body.len()
    }

    fn id(&self) -> &[u8] {
        id(&self.headers)
    }

    fn shown(&self) -> Value {
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        let headers = self.headers.iter();
        let headers: Map<String, Value> = headers
            .map(|(name, value)| (name.to_string(), text(value.as_bytes()).into()))
            .collect();
        json!({
            "at": self.at,
            "name": self.name,
            "id": text(self.id()),
            "attempt": self.attempt,
            "status": self.status.as_u16(),
            "headers": headers,
            "body": serde_json::from_slice::<Value>(&self.body).unwrap_or_default(),
        })
    }
}

fn id(headers: &HeaderMap) -> &[u8] {
    headers.get("webhook-id").map(|id| id.as_bytes()).unwrap_or_default()
}

/// The latest deliveries, numbered from 1.
#[derive(Default)]
pub(super) struct Inbox(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    last: u64,
    bytes: usize,
    deliveries: VecDeque<Delivery>,
}

impl Kept {
    fn keep(&mut self, delivery: Delivery) {
        self.bytes += delivery.size();
        self.deliveries.push_back(delivery);
        while self.bytes > MAX_BYTES || self.deliveries.len() > MAX_DELIVERIES {
            let Some(oldest) = self.deliveries.pop_front() else { return };
            self.bytes -= oldest.size();
        }
    }
}

impl Inbox {
    fn with<T>(&self, work: impl FnOnce(&mut Kept) -> T) -> T {
        work(&mut self.0.lock())
    }

    /// The deliveries behind a number, the oldest first, and the number to go on behind.
    pub(super) fn after(&self, after: u64) -> Value {
        self.with(|kept| {
            let (mut next, mut bytes, mut items) = (kept.last.max(after), 0, vec![]);
            for delivery in kept.deliveries.iter().filter(|delivery| delivery.number > after) {
                bytes += delivery.size();
                if bytes > REPLY_BYTES && !items.is_empty() {
                    next = delivery.number - 1;
                    break;
                }
                items.push(delivery.shown());
            }
            json!({ "next": next, "items": items })
        })
    }

    /// Keeps a delivery and returns the status that answers it.
    pub(super) fn receive(
        &self,
        at: u64,
        name: String,
        manner: &Manner,
        headers: HeaderMap,
        body: Bytes,
    ) -> StatusCode {
        self.with(|kept| {
            let is_same =
                |delivery: &&Delivery| delivery.id() == id(&headers) && delivery.name == name;
            let earlier = kept.deliveries.iter().filter(is_same).count();
            let is_failing = manner.times.is_none_or(|times| earlier < times);
            let status = manner.status.filter(|_| is_failing).unwrap_or(200);
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_REQUEST);
            kept.last += 1;
            let (number, attempt) = (kept.last, earlier + 1);
            kept.keep(Delivery { number, at, name, attempt, status, headers, body });
            status
        })
    }
}

#[cfg(test)]
mod tests {
    use axum::{
        body::Bytes,
        http::{HeaderMap, StatusCode},
    };

    use super::{Delivery, Inbox, MAX_BYTES, MAX_DELIVERIES, REPLY_BYTES};

    fn fill(inbox: &Inbox, count: u64, bytes: usize) {
        for _ in 0..count {
            inbox.with(|kept| {
                kept.last += 1;
                kept.keep(Delivery {
                    number: kept.last,
                    at: 0,
                    name: "n".to_owned(),
                    attempt: 1,
                    status: StatusCode::OK,
                    headers: HeaderMap::new(),
                    body: Bytes::from(vec![b' '; bytes]),
                });
            });
        }
    }

    #[test]
    fn it_keeps_few_bytes_whatever_arrives() {
        let inbox = Inbox::default();
        fill(&inbox, 1000, 600_000);
        let (count, bytes) = inbox.with(|kept| (kept.deliveries.len(), kept.bytes));
        assert!(bytes <= MAX_BYTES && count == MAX_BYTES / 600_001, "{count} of {bytes}");
        fill(&inbox, 2000, 10);
        let (count, bytes) = inbox.with(|kept| (kept.deliveries.len(), kept.bytes));
        assert_eq!((count, bytes), (MAX_DELIVERIES, MAX_DELIVERIES * 11));
    }

    #[test]
    fn a_reader_gets_them_in_parts_and_each_once() {
        let inbox = Inbox::default();
        fill(&inbox, 20, REPLY_BYTES / 3);
        let (mut after, mut seen, mut replies) = (0, 0, 0);
        loop {
            let reply = inbox.after(after);
            let items = reply["items"].as_array().unwrap().len();
            if items == 0 {
                break;
            }
            assert!(items <= 3);
            (after, seen, replies) = (reply["next"].as_u64().unwrap(), seen + items, replies + 1);
        }
        assert_eq!((after, seen), (20, 20));
        assert!(replies >= 7, "{replies}");
    }
}
