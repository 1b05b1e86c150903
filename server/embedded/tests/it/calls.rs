//! The record of calls.

use embedded::{Call, Service};

use crate::dynamodb::{transact_put, write};
use crate::stack::{Stack, s};

#[tokio::test]
async fn calls_are_counted_with_their_target_capacity_and_items() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let url = stack.queue("work", &[]).await;
    stack.embedded.take_calls();
    stack.put("a", "1", 1).await;
    let batch = stack.dynamodb.batch_write_item();
    batch.request_items("items", vec![write("1"), write("2")]).send().await.unwrap();
    let transaction = stack.dynamodb.transact_write_items().transact_items(transact_put("1"));
    transaction.send().await.unwrap();
    let query = stack.dynamodb.query().table_name("items").key_condition_expression("pk = :b");
    query.expression_attribute_values(":b", s("b")).send().await.unwrap();
    stack.send(&url, "x").await;
    stack.receive(&url).await;
    let calls = stack.embedded.calls();
    let seen: Vec<_> = calls
        .iter()
        .map(|call| (call.operation.as_str(), call.target.as_str(), call.units, call.items))
        .collect();
    assert_eq!(
        seen,
        [
            // The item and its entry in the index.
            ("PutItem", "items", 2.0, 1),
            ("BatchWriteItem", "items", 2.0, 2),
            ("TransactWriteItems", "items", 2.0, 1),
            ("Query", "items", 0.5, 2),
            ("SendMessage", "work", 0.0, 1),
            ("ReceiveMessage", "work", 0.0, 1),
        ]
    );
    stack.embedded.take_calls();
    assert!(stack.embedded.calls().is_empty());
}

#[tokio::test]
async fn a_refused_call_is_counted_with_its_error() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let get = stack.dynamodb.get_item().table_name("none").key("pk", s("a")).key("sk", s("1"));
    get.send().await.unwrap_err();
    let expected = Call {
        service: Service::DynamoDb,
        operation: "GetItem".into(),
        target: "none".into(),
        units: 0.0,
        items: 1,
        error: Some("ResourceNotFoundException".into()),
    };
    assert_eq!(stack.embedded.calls(), [expected]);
}
