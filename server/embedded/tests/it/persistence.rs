//! Data in a directory.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::stack::{START, Stack, bodies, n, s};

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("embedded").join(name)
}

fn directory(name: &str) -> PathBuf {
    let _ = std::fs::remove_dir_all(path(name));
    path(name)
}

/// The first services stay open, as after a process that could not close anything. The receiver of
/// a message is gone with it, so that the message is visible again.
#[tokio::test]
async fn what_was_acknowledged_is_there_when_the_directory_is_opened_again() {
    let dir = directory("reopened");
    let first = Stack::open(Some(dir.clone()), START).await;
    first.items_table();
    first.put("a", "1", 1).await;
    let url = first.queue("work", &[]).await;
    for body in ["received", "deleted", "waiting"] {
        first.send(&url, body).await;
    }
    let delay = first.sqs.send_message().queue_url(&url).message_body("delayed").delay_seconds(60);
    delay.send().await.unwrap();
    let receive = first.sqs.receive_message().queue_url(&url).max_number_of_messages(2);
    let received = receive.send().await.unwrap().messages.unwrap();
    first.delete(&url, &received[1]).await;

    let second = Stack::open(Some(dir), START + 1000).await;
    second.items_table();
    assert_eq!(second.embedded.dump("items").unwrap().len(), 1);
    let records = second.embedded.stream("items", None, 10).unwrap();
    assert_eq!(records, first.embedded.stream("items", None, 10).unwrap());
    let url = second.queue("work", &[]).await;
    let again = second.receive(&url).await;
    assert_eq!(bodies(&again), ["received", "waiting"]);
    second.delete(&url, &again[0]).await;
    second.pass(60);
    assert_eq!(bodies(&second.receive(&url).await), ["waiting", "delayed"]);
}

#[tokio::test]
async fn a_sweep_of_a_directory_goes_by_the_injected_clock() {
    let stack = Stack::open(Some(directory("swept")), START).await;
    stack.items_table();
    stack.embedded.enable_time_to_live("items", "expires").unwrap();
    let expires = i64::try_from(START / 1000).unwrap() + 10;
    let put = stack.dynamodb.put_item().table_name("items").item("pk", s("a")).item("sk", s("1"));
    put.item("expires", n(expires)).item("list", s("all")).item("rank", n(1)).send().await.unwrap();
    assert_eq!(stack.embedded.sweep_expired().unwrap(), 0);
    stack.pass(11);
    assert_eq!(stack.embedded.sweep_expired().unwrap(), 1);
    assert!(stack.embedded.dump("items").unwrap().is_empty());
    let query = stack.dynamodb.query().table_name("items").index_name("by_rank");
    let query =
        query.key_condition_expression("#list = :all").expression_attribute_names("#list", "list");
    let query = query.expression_attribute_values(":all", s("all")).send().await.unwrap();
    assert_eq!(query.count(), 0);
    let removed = stack.embedded.stream("items", None, 10).unwrap().remove(1).record;
    assert_eq!(removed["userIdentity"]["type"], "Service");
    stack.put("a", "2", 2).await;
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_killed_process() {
    directory("killed");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "persistence::writes_until_killed", "--nocapture"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = Vec::new();
    for line in lines.map_while(Result::ok) {
        acknowledged.extend(line.strip_prefix("acknowledged ").map(str::to_owned));
        if acknowledged.len() == 100 {
            child.kill().unwrap();
        }
    }
    child.wait().unwrap();
    assert!(acknowledged.len() >= 100);

    let stack = Stack::open(Some(path("killed")), START).await;
    let url = stack.queue("work", &[]).await;
    let mut received = HashSet::new();
    loop {
        let messages = stack.receive(&url).await;
        if messages.is_empty() {
            break;
        }
        received.extend(bodies(&messages).into_iter().map(str::to_owned));
    }
    let items = stack.embedded.dump("items").unwrap();
    let items: HashSet<_> = items.iter().filter_map(|item| item["sk"]["S"].as_str()).collect();
    for body in &acknowledged {
        assert!(received.contains(body) && items.contains(&**body), "{body} is lost");
    }
}

/// The process to be killed by the test above.
#[tokio::test]
#[ignore = "run by another test"]
async fn writes_until_killed() {
    let stack = Stack::open(Some(path("killed")), START).await;
    stack.items_table();
    let url = stack.queue("work", &[]).await;
    for index in 0..10_000 {
        let body = index.to_string();
        stack.put("a", &body, index).await;
        stack.send(&url, &body).await;
        println!("acknowledged {body}");
    }
}
