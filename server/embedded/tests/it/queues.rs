//! Queues and their attributes.

use std::collections::BTreeMap;

use aws_sdk_sqs::types::QueueAttributeName as Name;
use embedded::EmbeddedServices;

use crate::stack::{START, Stack};

#[tokio::test]
async fn creating_a_queue_again_with_the_same_attributes_gives_the_same_url() {
    let stack = Stack::in_memory().await;
    let first = stack.queue("work", &[(Name::VisibilityTimeout, "5")]).await;
    let second = stack.queue("work", &[(Name::VisibilityTimeout, "5")]).await;
    assert_eq!(first, second);
    assert!(first.ends_with(&EmbeddedServices::queue_path("work")));
    stack.queue("work", &[]).await;
}

#[tokio::test]
async fn creating_a_queue_again_with_other_attributes_is_refused() {
    let stack = Stack::in_memory().await;
    stack.queue("work", &[(Name::VisibilityTimeout, "5")]).await;
    let create = stack.sqs.create_queue().queue_name("work");
    let error = create.attributes(Name::VisibilityTimeout, "9").send().await.unwrap_err();
    assert!(error.into_service_error().is_queue_name_exists());
}

#[tokio::test]
async fn a_queue_that_does_not_exist_is_a_typed_error() {
    let stack = Stack::in_memory().await;
    let error = stack.sqs.get_queue_url().queue_name("none").send().await.unwrap_err();
    assert!(error.into_service_error().is_queue_does_not_exist());
    let send = stack.sqs.send_message().queue_url("http://localhost/000000000000/none");
    let error = send.message_body("x").send().await.unwrap_err();
    assert!(error.into_service_error().is_queue_does_not_exist());
}

#[tokio::test]
async fn a_deleted_queue_takes_no_messages() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    stack.send(&url, "x").await;
    stack.sqs.delete_queue().queue_url(&url).send().await.unwrap();
    let error =
        stack.sqs.send_message().queue_url(&url).message_body("x").send().await.unwrap_err();
    assert!(error.into_service_error().is_queue_does_not_exist());
    let url = stack.queue("work", &[]).await;
    assert!(stack.receive(&url).await.is_empty());
}

#[tokio::test]
async fn a_purged_queue_is_empty() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    stack.send(&url, "x").await;
    stack.sqs.purge_queue().queue_url(&url).send().await.unwrap();
    assert!(stack.receive(&url).await.is_empty());
}

#[tokio::test]
async fn attributes_are_told_with_their_defaults_and_can_be_set() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    let set = stack.sqs.set_queue_attributes().queue_url(&url);
    set.attributes(Name::VisibilityTimeout, "7").send().await.unwrap();
    let get = stack.sqs.get_queue_attributes().queue_url(&url).attribute_names(Name::All);
    let attributes = get.send().await.unwrap().attributes.unwrap();
    assert_eq!(attributes[&Name::VisibilityTimeout], "7");
    assert_eq!(attributes[&Name::MaximumMessageSize], "1048576");
    assert_eq!(attributes[&Name::QueueArn], EmbeddedServices::queue_arn("work"));
    assert_eq!(attributes[&Name::CreatedTimestamp], (START / 1000).to_string());
    assert_eq!(attributes[&Name::ApproximateNumberOfMessages], "0");
}

#[tokio::test]
async fn attributes_out_of_range_and_unknown_ones_are_refused() {
    let stack = Stack::in_memory().await;
    let create = stack.sqs.create_queue().queue_name("work");
    let error = create.attributes(Name::DelaySeconds, "901").send().await.unwrap_err();
    assert!(error.into_service_error().is_invalid_attribute_value());
    let create = stack.sqs.create_queue().queue_name("work");
    let error = create.attributes(Name::from("Color"), "red").send().await.unwrap_err();
    assert!(error.into_service_error().is_invalid_attribute_name());
    assert!(stack.sqs.create_queue().queue_name("no spaces").send().await.is_err());
    assert!(stack.sqs.create_queue().queue_name("plain.fifo").send().await.is_err());
}

#[tokio::test]
async fn queues_are_listed_by_prefix_and_in_pages() {
    let stack = Stack::in_memory().await;
    for name in ["a-1", "a-2", "a-3", "b-1"] {
        stack.queue(name, &[]).await;
    }
    let list = stack.sqs.list_queues().queue_name_prefix("a-").max_results(2);
    let page = list.clone().send().await.unwrap();
    assert_eq!(page.queue_urls().len(), 2);
    let page = list.set_next_token(page.next_token).send().await.unwrap();
    assert_eq!(page.queue_urls().len(), 1);
    assert!(page.next_token().is_none());
}

#[tokio::test]
async fn the_direct_call_creates_a_queue_or_sets_its_attributes() {
    let stack = Stack::in_memory().await;
    let delay = |seconds: &str| BTreeMap::from([("DelaySeconds".to_owned(), seconds.to_owned())]);
    stack.embedded.create_queue("work", &delay("1")).unwrap();
    stack.embedded.create_queue("work", &delay("0")).unwrap();
    let url = stack.queue("work", &[(Name::DelaySeconds, "0")]).await;
    stack.send(&url, "x").await;
    assert_eq!(stack.embedded.queue_depth("work").unwrap().visible, 1);
    assert!(stack.embedded.create_queue("work", &delay("-1")).is_err());
    assert!(stack.embedded.queue_depth("none").is_err());
}

#[tokio::test]
async fn messages_are_counted_up_to_a_limit_in_memory_and_in_files() {
    let dir = std::env::temp_dir().join(format!("embedded-counts-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    for dir in [None, Some(dir.clone())] {
        let stack = Stack::open(dir, START).await;
        let url = stack.queue("work", &[]).await;
        for n in 0..12 {
            let send = stack.sqs.send_message().queue_url(&url).message_body(n.to_string());
            send.delay_seconds(if n < 3 { 60 } else { 0 }).send().await.unwrap();
        }
        assert_eq!(stack.receive(&url).await.len(), 9);
        stack.send(&url, "new").await;
        let count = |most| stack.embedded.count_messages(&["work".to_owned()], most).unwrap()[0];
        let depth = stack.embedded.queue_depth("work").unwrap();
        assert_eq!((depth.visible, depth.in_flight, depth.delayed), (1, 9, 3));
        assert_eq!(count(100), depth);
        assert_eq!((count(5).visible, count(5).in_flight), (1, 5));
        assert!(stack.embedded.count_messages(&["none".to_owned()], 5).is_err());
        let files = stack.embedded.files().unwrap();
        assert!(files.iter().all(|files| files.bytes > 0 && files.log_bytes > 0));
    }
    std::fs::remove_dir_all(&dir).unwrap();
}
