//! Batches and limits.

use aws_sdk_sqs::types::{
    ChangeMessageVisibilityBatchRequestEntry as ChangeEntry,
    DeleteMessageBatchRequestEntry as DeleteEntry, MessageAttributeValue,
    QueueAttributeName as Name, SendMessageBatchRequestEntry as SendEntry,
};

use crate::stack::Stack;

pub(crate) fn entry(id: &str, body: &str) -> SendEntry {
    SendEntry::builder().id(id).message_body(body).build().unwrap()
}

#[tokio::test]
async fn ten_messages_are_sent_received_changed_and_deleted_in_batches() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let ids = (0..10).map(|index| index.to_string()).collect::<Vec<_>>();
    let entries = ids.iter().map(|id| entry(id, id)).collect();
    let send = stack.sqs.send_message_batch().queue_url(&url).set_entries(Some(entries));
    let sent = send.send().await.unwrap();
    assert_eq!((sent.successful().len(), sent.failed().len()), (10, 0));
    let messages = stack.receive(&url).await;
    let mut change = stack.sqs.change_message_visibility_batch().queue_url(&url);
    let mut delete = stack.sqs.delete_message_batch().queue_url(&url);
    for (id, message) in ids.iter().zip(&messages) {
        let handle = message.receipt_handle().unwrap();
        let entry = ChangeEntry::builder().id(id).receipt_handle(handle).visibility_timeout(100);
        change = change.entries(entry.build().unwrap());
        delete =
            delete.entries(DeleteEntry::builder().id(id).receipt_handle(handle).build().unwrap());
    }
    assert_eq!(change.send().await.unwrap().successful().len(), 10);
    stack.pass(99);
    assert_eq!(stack.embedded.queue_depth("work").unwrap().in_flight, 10);
    assert_eq!(delete.send().await.unwrap().successful().len(), 10);
    assert_eq!(stack.embedded.queue_depth("work").unwrap().in_flight, 0);
}

#[tokio::test]
async fn one_bad_entry_fails_by_itself() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[(Name::MaximumMessageSize, "1024")]).await;
    let send = stack.sqs.send_message_batch().queue_url(&url).entries(entry("good", "x"));
    let sent = send.entries(entry("bad", &"x".repeat(1025))).send().await.unwrap();
    assert_eq!(sent.successful()[0].id(), "good");
    assert_eq!(sent.failed()[0].id(), "bad");
    assert!(sent.failed()[0].sender_fault());
}

#[tokio::test]
async fn a_batch_has_one_to_ten_entries_with_distinct_and_plain_ids() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = |entries| {
        let send = stack.sqs.send_message_batch().queue_url(&url).set_entries(Some(entries)).send();
        async { send.await.unwrap_err().into_service_error() }
    };
    let eleven = (0..11).map(|index| entry(&index.to_string(), "x")).collect();
    assert!(send(eleven).await.is_too_many_entries_in_batch_request());
    let twice = vec![entry("a", "x"), entry("a", "y")];
    assert!(send(twice).await.is_batch_entry_ids_not_distinct());
    assert!(send(vec![entry("a b", "x")]).await.is_invalid_batch_entry_id());
    assert!(send(Vec::new()).await.is_empty_batch_request());
    let long = "x".repeat(600 * 1024);
    let long = vec![entry("a", &long), entry("b", &long)];
    assert!(send(long).await.is_batch_request_too_long());
}

#[tokio::test]
async fn a_message_has_at_most_one_mebibyte() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = stack.sqs.send_message().queue_url(&url);
    let longest = "x".repeat(1024 * 1024);
    send.clone().message_body(&longest).send().await.unwrap();
    assert!(send.message_body(longest + "x").send().await.is_err());
}

#[tokio::test]
async fn an_empty_body_and_forbidden_characters_are_refused() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = stack.sqs.send_message().queue_url(&url);
    assert!(send.clone().message_body("").send().await.is_err());
    let error = send.message_body("\u{1}").send().await.unwrap_err().into_service_error();
    assert!(error.is_invalid_message_contents());
}

#[tokio::test]
async fn attributes_have_plain_names_and_values_of_allowed_characters() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = |name: &str, value: &str| {
        let value = MessageAttributeValue::builder().data_type("String").string_value(value);
        let send = stack.sqs.send_message().queue_url(&url).message_body("x");
        send.message_attributes(name, value.build().unwrap()).send()
    };
    send("reason.of_it-1", "tab\tand \u{1f980}").await.unwrap();
    for (name, value) in [
        ("a b", "x"),
        (".a", "x"),
        ("a..b", "x"),
        ("AWS.a", "x"),
        ("a", "\u{1}"),
        ("a", "\u{ffff}"),
        ("a", ""),
    ] {
        assert!(send(name, value).await.is_err(), "{name} {value:?}");
    }
}

#[tokio::test]
async fn numbers_out_of_range_are_refused() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = stack.sqs.send_message().queue_url(&url).message_body("x");
    assert!(send.delay_seconds(901).send().await.is_err());
    let receive = stack.sqs.receive_message().queue_url(&url);
    assert!(receive.clone().max_number_of_messages(11).send().await.is_err());
    assert!(receive.clone().wait_time_seconds(21).send().await.is_err());
    assert!(receive.visibility_timeout(43_201).send().await.is_err());
}
