//! Messages of standard queues.

use aws_sdk_sqs::primitives::Blob;
use aws_sdk_sqs::types::{
    MessageAttributeValue, MessageSystemAttributeName as System, QueueAttributeName as Name,
};
use embedded::QueueDepth;
use serde_json::{Value, json};

use crate::stack::{START, Stack, bodies, system};

fn text(value: &str) -> MessageAttributeValue {
    MessageAttributeValue::builder().data_type("String").string_value(value).build().unwrap()
}

#[tokio::test]
async fn a_message_arrives_with_its_attributes_and_digests() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let bytes = MessageAttributeValue::builder().data_type("Binary.raw");
    let bytes = bytes.binary_value(Blob::new([1, 2])).build().unwrap();
    let send = stack.sqs.send_message().queue_url(&url).message_body("hello é");
    let sent = send.message_attributes("k", text("v")).message_attributes("b", bytes);
    let sent = sent.send().await.unwrap();
    let receive = stack.sqs.receive_message().queue_url(&url).message_attribute_names("All");
    let message = receive.send().await.unwrap().messages.unwrap().remove(0);
    assert_eq!(message.body(), Some("hello é"));
    assert_eq!(message.md5_of_body(), Some(&*format!("{:x}", md5::compute("hello é"))));
    assert_eq!(message.md5_of_body(), sent.md5_of_message_body());
    assert_eq!(message.md5_of_message_attributes(), sent.md5_of_message_attributes());
    assert_eq!(message.message_id(), sent.message_id());
    let attributes = message.message_attributes().unwrap();
    assert_eq!(attributes["k"].string_value(), Some("v"));
    assert_eq!(attributes["b"].binary_value(), Some(&Blob::new([1, 2])));
}

#[tokio::test]
async fn the_digest_of_attributes_is_the_documented_one() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = stack.sqs.send_message().queue_url(&url).message_body("x");
    let sent = send.message_attributes("k", text("v")).send().await.unwrap();
    let bytes = b"\0\0\0\x01k\0\0\0\x06String\x01\0\0\0\x01v";
    assert_eq!(sent.md5_of_message_attributes(), Some(&*format!("{:x}", md5::compute(bytes))));
}

#[tokio::test]
async fn only_the_attributes_asked_for_are_told() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[(Name::VisibilityTimeout, "0")]).await;
    let send = stack.sqs.send_message().queue_url(&url).message_body("x");
    let send = send.message_attributes("trace.a", text("1")).message_attributes("b", text("2"));
    send.send().await.unwrap();
    let plain = stack.sqs.receive_message().queue_url(&url).send().await.unwrap();
    assert!(plain.messages()[0].message_attributes().is_none());
    assert!(plain.messages()[0].attributes().is_none());
    let receive = stack.sqs.receive_message().queue_url(&url).message_attribute_names("trace.*");
    let some = receive.send().await.unwrap();
    let attributes = some.messages()[0].message_attributes().unwrap();
    assert_eq!(attributes.keys().collect::<Vec<_>>(), ["trace.a"]);
}

#[tokio::test]
async fn a_received_message_is_invisible_until_its_visibility_timeout_has_passed() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[(Name::VisibilityTimeout, "10")]).await;
    stack.send(&url, "x").await;
    let first = stack.receive(&url).await;
    assert_eq!(system(&first[0], &System::ApproximateReceiveCount), Some("1"));
    stack.pass(9);
    assert!(stack.receive(&url).await.is_empty());
    stack.pass(1);
    let again = stack.receive(&url).await;
    assert_eq!(system(&again[0], &System::ApproximateReceiveCount), Some("2"));
    assert_eq!(system(&again[0], &System::SentTimestamp), Some(&*START.to_string()));
    let first_received = system(&again[0], &System::ApproximateFirstReceiveTimestamp);
    assert_eq!(first_received, Some(&*START.to_string()));
}

#[tokio::test]
async fn a_visibility_timeout_of_zero_makes_a_message_visible_at_once() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    stack.send(&url, "x").await;
    let message = stack.receive(&url).await.remove(0);
    let change = stack.sqs.change_message_visibility().queue_url(&url).visibility_timeout(0);
    let change = change.receipt_handle(message.receipt_handle().unwrap());
    change.clone().send().await.unwrap();
    assert_eq!(stack.receive(&url).await.len(), 1);
    let error = change.send().await.unwrap_err().into_service_error();
    assert!(error.is_message_not_inflight(), "{error:?}");
}

#[tokio::test]
async fn a_longer_visibility_timeout_keeps_a_message_from_others() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[(Name::VisibilityTimeout, "10")]).await;
    stack.send(&url, "x").await;
    let message = stack.receive(&url).await.remove(0);
    stack.pass(9);
    let change = stack.sqs.change_message_visibility().queue_url(&url).visibility_timeout(60);
    change.receipt_handle(message.receipt_handle().unwrap()).send().await.unwrap();
    stack.pass(59);
    assert!(stack.receive(&url).await.is_empty());
}

#[tokio::test]
async fn only_the_most_recent_receipt_handle_deletes_a_message() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    stack.send(&url, "x").await;
    let old = stack.receive(&url).await.remove(0);
    stack.pass(30);
    let new = stack.receive(&url).await.remove(0);
    stack.delete(&url, &old).await;
    stack.pass(30);
    // Also after the visibility timeout, until the message is received again.
    assert_eq!(stack.embedded.queue_depth("work").unwrap().visible, 1);
    stack.delete(&url, &new).await;
    assert!(stack.receive(&url).await.is_empty());
}

#[tokio::test]
async fn what_is_no_receipt_handle_is_refused() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let delete = stack.sqs.delete_message().queue_url(&url).receipt_handle("nonsense");
    let error = delete.send().await.unwrap_err().into_service_error();
    assert!(error.is_receipt_handle_is_invalid(), "{error:?}");
}

#[tokio::test]
async fn a_delayed_message_is_invisible_until_the_delay_has_passed() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[(Name::DelaySeconds, "100")]).await;
    let send = stack.sqs.send_message().queue_url(&url).message_body("own").delay_seconds(5);
    send.send().await.unwrap();
    stack.send(&url, "queue's").await;
    let depth = QueueDepth { visible: 0, in_flight: 0, delayed: 2 };
    assert_eq!(stack.embedded.queue_depth("work").unwrap(), depth);
    stack.pass(5);
    assert_eq!(bodies(&stack.receive(&url).await), ["own"]);
    let depth = QueueDepth { visible: 0, in_flight: 1, delayed: 1 };
    assert_eq!(stack.embedded.queue_depth("work").unwrap(), depth);
    stack.pass(95);
    assert_eq!(stack.receive(&url).await.len(), 2);
}

#[tokio::test]
async fn a_message_is_gone_after_the_retention_period() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[(Name::MessageRetentionPeriod, "60")]).await;
    stack.send(&url, "x").await;
    stack.pass(60);
    assert_eq!(stack.embedded.queue_depth("work").unwrap().visible, 0);
    assert!(stack.receive(&url).await.is_empty());
}

#[tokio::test]
async fn a_standard_queue_accepts_a_message_group_for_fairness_and_does_not_block_it() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    for body in ["1", "2"] {
        let send = stack.sqs.send_message().queue_url(&url).message_body(body);
        send.message_group_id("tenant").send().await.unwrap();
    }
    let receive =
        stack.sqs.receive_message().queue_url(&url).message_system_attribute_names(System::All);
    let first = receive.clone().send().await.unwrap();
    assert_eq!(system(&first.messages()[0], &System::MessageGroupId), Some("tenant"));
    assert_eq!(receive.send().await.unwrap().messages().len(), 1);
}

#[tokio::test]
async fn competing_consumers_receive_every_message_once() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    for batch in 0..20 {
        let mut send = stack.sqs.send_message_batch().queue_url(&url);
        for index in 0..10 {
            send =
                send.entries(crate::limits::entry(&index.to_string(), &format!("{batch}/{index}")));
        }
        send.send().await.unwrap();
    }
    let mut consumers = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let (sqs, url) = (stack.sqs.clone(), url.clone());
        consumers.spawn(async move {
            let mut received = Vec::new();
            loop {
                let receive = sqs.receive_message().queue_url(&url).max_number_of_messages(10);
                let messages = receive.send().await.unwrap().messages.unwrap_or_default();
                if messages.is_empty() {
                    return received;
                }
                for message in messages {
                    let handle = message.receipt_handle().unwrap();
                    sqs.delete_message()
                        .queue_url(&url)
                        .receipt_handle(handle)
                        .send()
                        .await
                        .unwrap();
                    received.push(message.body.unwrap());
                }
            }
        });
    }
    let mut received = consumers.join_all().await.concat();
    received.sort();
    let total = received.len();
    received.dedup();
    assert_eq!((total, received.len()), (200, 200));
    let empty = QueueDepth { visible: 0, in_flight: 0, delayed: 0 };
    assert_eq!(stack.embedded.queue_depth("work").unwrap(), empty);
}

#[tokio::test]
async fn groups_take_turns_whatever_the_backlog_of_one() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = |group: &'static str, body: String| {
        let send = stack.sqs.send_message().queue_url(&url).message_body(body);
        send.message_group_id(group).send()
    };
    for n in 0..30 {
        send("busy", format!("busy {n}")).await.unwrap();
    }
    for n in 0..3 {
        send("calm", format!("calm {n}")).await.unwrap();
    }
    let receive = stack.sqs.receive_message().queue_url(&url).max_number_of_messages(6);
    let received = receive.send().await.unwrap();
    let received = bodies(received.messages());
    let calm = received.iter().filter(|body| body.starts_with("calm")).count();
    assert_eq!((calm, received.len()), (3, 6), "{received:?}");
}

#[tokio::test]
async fn the_group_with_the_fewest_messages_in_flight_comes_first() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = |group: &'static str| {
        let send = stack.sqs.send_message().queue_url(&url).message_body(group);
        send.message_group_id(group).send()
    };
    for _ in 0..8 {
        send("busy").await.unwrap();
    }
    let receive = stack.sqs.receive_message().queue_url(&url);
    receive.clone().max_number_of_messages(4).send().await.unwrap();
    for _ in 0..3 {
        send("calm").await.unwrap();
    }
    let received = receive.max_number_of_messages(4).send().await.unwrap();
    assert_eq!(bodies(received.messages()), ["calm", "calm", "calm", "busy"]);
}

#[tokio::test]
async fn a_receive_without_a_group_leaves_its_messages_to_a_later_one() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = |group: &'static str| {
        let send = stack.sqs.send_message().queue_url(&url).message_body(group);
        send.message_group_id(group).send()
    };
    send("busy").await.unwrap();
    let receive = |without: &'static [&'static str]| {
        let request =
            json!({ "QueueUrl": url, "MaxNumberOfMessages": 10, "WithoutGroups": without });
        let received = stack.embedded.sqs("ReceiveMessage", request);
        async { received.await.unwrap()["Messages"].clone() }
    };
    assert_eq!(receive(&["busy"]).await, Value::Null);
    send("calm").await.unwrap();
    assert_eq!(receive(&["busy"]).await[0]["Body"], "calm");
    assert_eq!(receive(&[]).await[0]["Body"], "busy");
}
