//! Long polling.

use std::time::Duration;

use aws_sdk_sqs::types::Message;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::stack::{Stack, bodies};

fn poll(stack: &Stack, url: &str, seconds: i32) -> JoinHandle<Vec<Message>> {
    let receive = stack.sqs.receive_message().queue_url(url).wait_time_seconds(seconds);
    tokio::spawn(async move { receive.send().await.unwrap().messages.unwrap_or_default() })
}

/// Moves the clock until the poll has ended; gives the seconds that took.
async fn seconds_of(stack: &Stack, mut poll: JoinHandle<Vec<Message>>) -> (u64, Vec<Message>) {
    for seconds in 0..1000 {
        if let Ok(messages) = timeout(Duration::from_millis(60), &mut poll).await {
            return (seconds, messages.unwrap());
        }
        stack.pass(1);
    }
    panic!("the poll does not end");
}

#[tokio::test]
async fn a_long_poll_ends_with_a_message_sent_meanwhile() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let poll = poll(&stack, &url, 20);
    stack.send(&url, "x").await;
    let messages = timeout(Duration::from_secs(5), poll).await.unwrap().unwrap();
    assert_eq!(bodies(&messages), ["x"]);
}

#[tokio::test]
async fn a_long_poll_ends_when_a_delay_does() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let send = stack.sqs.send_message().queue_url(&url).message_body("x").delay_seconds(10);
    send.send().await.unwrap();
    let poll = poll(&stack, &url, 20);
    let (seconds, messages) = seconds_of(&stack, poll).await;
    assert!(seconds >= 10 && messages.len() == 1, "{seconds}");
}

#[tokio::test]
async fn a_long_poll_waits_for_all_of_its_time_by_the_injected_clock() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let poll = poll(&stack, &url, 15);
    let (seconds, messages) = seconds_of(&stack, poll).await;
    assert!(seconds >= 15 && messages.is_empty(), "{seconds}");
}

#[tokio::test]
async fn a_long_poll_ends_in_real_time_when_the_clock_stands_still() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let poll = poll(&stack, &url, 1);
    let messages = timeout(Duration::from_secs(10), poll).await.unwrap().unwrap();
    assert!(messages.is_empty());
}
