//! Change streams.

use serde_json::json;

use crate::stack::{Stack, items_table, n, s};

#[tokio::test]
async fn changes_come_in_order_and_in_the_shape_of_a_lambda_event() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.put("a", "1", 1).await;
    stack.put("a", "1", 2).await;
    let delete = stack.dynamodb.delete_item().table_name("items").key("pk", s("a"));
    delete.key("sk", s("1")).send().await.unwrap();
    let records = stack.embedded.stream("items", None, 10).unwrap();
    let names: Vec<_> = records.iter().map(|record| &record.record["eventName"]).collect();
    assert_eq!(names, ["INSERT", "MODIFY", "REMOVE"]);
    assert!(records.is_sorted_by(|a, b| a.sequence < b.sequence));
    let modified = &records[1].record;
    assert_eq!(modified["eventSource"], "aws:dynamodb");
    assert_eq!(modified["awsRegion"], embedded::REGION);
    assert_eq!(modified["dynamodb"]["Keys"], json!({ "pk": { "S": "a" }, "sk": { "S": "1" } }));
    assert_eq!(modified["dynamodb"]["OldImage"]["rank"], json!({ "N": "1" }));
    assert_eq!(modified["dynamodb"]["NewImage"]["rank"], json!({ "N": "2" }));
    assert_eq!(modified["dynamodb"]["SequenceNumber"], json!(records[1].sequence));
    let source = modified["eventSourceARN"].as_str().unwrap();
    assert!(source.starts_with("arn:aws:dynamodb:us-east-1:000000000000:table/items/stream/"));
    assert!(modified["eventID"].is_string());
}

#[tokio::test]
async fn reading_continues_after_a_sequence_number() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    for index in 0..5 {
        stack.put("a", &index.to_string(), index).await;
    }
    let all = stack.embedded.stream("items", None, 10).unwrap();
    let first = stack.embedded.stream("items", None, 2).unwrap();
    assert_eq!(first, all[..2]);
    let rest = stack.embedded.stream("items", Some(&first[1].sequence), 10).unwrap();
    assert_eq!(rest, all[2..]);
    assert!(stack.embedded.stream("items", Some(&all[4].sequence), 10).unwrap().is_empty());
}

#[tokio::test]
async fn an_expired_item_is_removed_in_the_name_of_the_service() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.embedded.enable_time_to_live("items", "expires").unwrap();
    let put = stack.dynamodb.put_item().table_name("items").item("pk", s("a"));
    put.item("sk", s("1")).item("expires", n(1)).send().await.unwrap();
    stack.embedded.sweep_expired().unwrap();
    let removed = stack.embedded.stream("items", None, 10).unwrap().remove(1).record;
    assert_eq!(removed["eventName"], "REMOVE");
    let service = json!({ "type": "Service", "principalId": "dynamodb.amazonaws.com" });
    assert_eq!(removed["userIdentity"], service);
}

#[tokio::test]
async fn a_table_without_a_stream_is_an_error() {
    let stack = Stack::in_memory().await;
    let mut table = items_table();
    table.as_object_mut().unwrap().remove("StreamSpecification");
    stack.embedded.create_table(table).unwrap();
    assert!(stack.embedded.stream("items", None, 10).is_err());
    assert!(stack.embedded.stream("none", None, 10).is_err());
}

#[tokio::test]
async fn a_table_of_an_earlier_version_gets_its_stream() {
    let stack = Stack::in_memory().await;
    let mut earlier = items_table();
    earlier.as_object_mut().unwrap().remove("StreamSpecification");
    stack.embedded.create_table(earlier.clone()).unwrap();
    stack.put("a", "1", 1).await;
    assert!(stack.embedded.stream("items", None, 10).is_err());
    stack.items_table();
    stack.put("a", "2", 2).await;
    let records = stack.embedded.stream("items", None, 10).unwrap();
    assert_eq!(records.len(), 1);
    // Once it has one, it keeps it.
    stack.embedded.create_table(earlier).unwrap();
    stack.items_table();
    assert_eq!(stack.embedded.stream("items", None, 10).unwrap(), records);
}
