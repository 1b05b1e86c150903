//! The bounded share of clients that work in the background.

use std::time::Duration;

use aws_sdk_dynamodb::Client;

use crate::stack::{Stack, s};

/// A client at an address of its own, whose calls have `at_once` places.
async fn in_background(stack: &Stack, at_once: usize) -> Client {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let door = stack.embedded.shared_door(at_once);
    tokio::spawn(async move { door.serve(listener, None).await });
    Client::from_conf(stack.dynamodb.config().to_builder().endpoint_url(endpoint).build())
}

async fn put(client: &Client, key: &str) {
    let put = client.put_item().table_name("items").item("pk", s(key)).item("sk", s(key));
    put.send().await.unwrap();
}

#[tokio::test]
async fn calls_in_the_background_wait_for_their_share_and_others_do_not() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let none = in_background(&stack, 0).await;
    let waiting = tokio::time::timeout(Duration::from_millis(100), put(&none, "waits")).await;
    assert!(waiting.is_err());
    put(&stack.dynamodb, "is made").await;
    assert_eq!(stack.embedded.dump("items").unwrap().len(), 1);
}

#[tokio::test]
async fn each_call_in_the_background_has_its_turn() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let one = in_background(&stack, 1).await;
    let calls: Vec<_> = (0..50)
        .map(|n| {
            let one = one.clone();
            tokio::spawn(async move { put(&one, &n.to_string()).await })
        })
        .collect();
    for call in calls {
        call.await.unwrap();
    }
    assert_eq!(stack.embedded.dump("items").unwrap().len(), 50);
}
