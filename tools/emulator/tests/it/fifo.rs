//! FIFO queues.

use aws_sdk_sqs::types::{
    Message, MessageSystemAttributeName as System, QueueAttributeName as Name,
};

use crate::stack::{Stack, bodies, system};

async fn queue(stack: &Stack) -> String {
    let attributes = [(Name::FifoQueue, "true"), (Name::ContentBasedDeduplication, "true")];
    stack.queue("work.fifo", &attributes).await
}

async fn send(stack: &Stack, url: &str, group: &str, body: &str) -> String {
    let send = stack.sqs.send_message().queue_url(url).message_body(body).message_group_id(group);
    send.send().await.unwrap().sequence_number.unwrap()
}

async fn one(stack: &Stack, url: &str) -> Option<Message> {
    let receive = stack.sqs.receive_message().queue_url(url);
    let receive = receive.message_system_attribute_names(System::All);
    receive.send().await.unwrap().messages.unwrap_or_default().pop()
}

#[tokio::test]
async fn a_group_with_a_message_in_flight_is_blocked_and_others_are_not() {
    let stack = Stack::in_memory().await;
    let url = queue(&stack).await;
    for index in 0..3 {
        for group in ["A", "B"] {
            send(&stack, &url, group, &format!("{group}{index}")).await;
        }
    }
    let first = one(&stack, &url).await.unwrap();
    assert_eq!(first.body(), Some("A0"));
    let others = stack.receive(&url).await;
    assert_eq!(bodies(&others), ["B0", "B1", "B2"]);
    assert!(one(&stack, &url).await.is_none());
    stack.delete(&url, &first).await;
    assert_eq!(bodies(&stack.receive(&url).await), ["A1", "A2"]);
}

#[tokio::test]
async fn a_message_visible_again_comes_before_those_sent_after_it() {
    let stack = Stack::in_memory().await;
    let url = queue(&stack).await;
    for body in ["1", "2", "3"] {
        send(&stack, &url, "A", body).await;
    }
    one(&stack, &url).await.unwrap();
    stack.pass(30);
    assert_eq!(bodies(&stack.receive(&url).await), ["1", "2", "3"]);
}

#[tokio::test]
async fn sequence_numbers_rise_and_are_told_to_the_receiver() {
    let stack = Stack::in_memory().await;
    let url = queue(&stack).await;
    let first = send(&stack, &url, "A", "1").await;
    let second = send(&stack, &url, "A", "2").await;
    assert!(first < second);
    let message = one(&stack, &url).await.unwrap();
    assert_eq!(system(&message, &System::SequenceNumber), Some(&*first));
    assert_eq!(system(&message, &System::MessageGroupId), Some("A"));
    assert!(system(&message, &System::MessageDeduplicationId).is_some());
}

#[tokio::test]
async fn a_duplicate_within_five_minutes_is_accepted_and_not_delivered() {
    let stack = Stack::in_memory().await;
    let url = queue(&stack).await;
    let first = send(&stack, &url, "A", "same").await;
    let message = one(&stack, &url).await.unwrap();
    stack.delete(&url, &message).await;
    stack.pass(299);
    assert_eq!(send(&stack, &url, "A", "same").await, first);
    assert!(one(&stack, &url).await.is_none());
    stack.pass(1);
    assert_ne!(send(&stack, &url, "A", "same").await, first);
    assert!(one(&stack, &url).await.is_some());
}

#[tokio::test]
async fn a_deduplication_id_outweighs_the_content() {
    let stack = Stack::in_memory().await;
    let url = queue(&stack).await;
    for id in ["x", "y", "x"] {
        let send = stack.sqs.send_message().queue_url(&url).message_body("same");
        send.message_group_id("A").message_deduplication_id(id).send().await.unwrap();
    }
    assert_eq!(stack.receive(&url).await.len(), 2);
}

#[tokio::test]
async fn a_message_needs_a_group_and_something_to_tell_duplicates_by() {
    let stack = Stack::in_memory().await;
    let url = queue(&stack).await;
    let send = stack.sqs.send_message().message_body("x");
    assert!(send.clone().queue_url(&url).send().await.is_err());
    let plain = stack.queue("plain.fifo", &[(Name::FifoQueue, "true")]).await;
    assert!(send.clone().queue_url(&plain).message_group_id("A").send().await.is_err());
    let delayed = send.queue_url(&url).message_group_id("A").delay_seconds(1);
    assert!(delayed.send().await.is_err());
}

#[tokio::test]
async fn an_expired_receipt_handle_deletes_nothing() {
    let stack = Stack::in_memory().await;
    let url = queue(&stack).await;
    send(&stack, &url, "A", "x").await;
    let message = one(&stack, &url).await.unwrap();
    stack.pass(30);
    let handle = message.receipt_handle().unwrap();
    let delete = stack.sqs.delete_message().queue_url(&url).receipt_handle(handle);
    assert!(delete.send().await.is_err());
}
