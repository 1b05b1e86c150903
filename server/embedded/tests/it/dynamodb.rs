//! Tables and items.

use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::{
    AttributeValue, KeysAndAttributes, Put, PutRequest, ReturnConsumedCapacity, ReturnValue,
    Select, TransactWriteItem, WriteRequest,
};

use crate::stack::{START, Stack, items_table, n, s};

pub(crate) fn transact_put(sk: &str) -> TransactWriteItem {
    let put = Put::builder().table_name("items").item("pk", s("t")).item("sk", s(sk));
    let put = put.condition_expression("attribute_not_exists(pk)").build().unwrap();
    TransactWriteItem::builder().put(put).build()
}

pub(crate) fn write(sk: &str) -> WriteRequest {
    let put = PutRequest::builder().item("pk", s("b")).item("sk", s(sk)).build().unwrap();
    WriteRequest::builder().put_request(put).build()
}

#[tokio::test]
async fn creating_a_table_again_does_nothing() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.put("a", "1", 1).await;
    stack.embedded.create_table(items_table()).unwrap();
    assert_eq!(stack.embedded.dump("items").unwrap().len(), 1);
    assert!(stack.embedded.create_table(serde_json::json!({})).is_err());
}

#[tokio::test]
async fn a_failed_condition_is_a_typed_error_with_the_item() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.put("a", "1", 1).await;
    let put = stack.dynamodb.put_item().table_name("items").item("pk", s("a")).item("sk", s("1"));
    let put = put.condition_expression("attribute_not_exists(pk)");
    let all = aws_sdk_dynamodb::types::ReturnValuesOnConditionCheckFailure::AllOld;
    let put = put.return_values_on_condition_check_failure(all);
    let error = put.send().await.unwrap_err().into_service_error();
    let PutItemError::ConditionalCheckFailedException(error) = error else {
        panic!("{error:?}");
    };
    assert_eq!(error.item().unwrap()["rank"], n(1));
}

#[tokio::test]
async fn an_update_evaluates_its_expression() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.put("a", "1", 1).await;
    let update = stack.dynamodb.update_item().table_name("items").key("pk", s("a"));
    let update = update.key("sk", s("1")).return_values(ReturnValue::AllNew);
    let update = update
        .update_expression(
            "SET #rank = #rank + :one, \
                 tags = list_append(if_not_exists(tags, :none), :tags) ADD seen :one",
        )
        .condition_expression("#rank = :one")
        .expression_attribute_names("#rank", "rank")
        .expression_attribute_values(":one", n(1))
        .expression_attribute_values(":none", AttributeValue::L(Vec::new()))
        .expression_attribute_values(":tags", AttributeValue::L(vec![s("x")]));
    let new = update.send().await.unwrap().attributes.unwrap();
    assert_eq!((&new["rank"], &new["seen"]), (&n(2), &n(1)));
}

#[tokio::test]
async fn a_query_comes_in_pages_in_the_order_of_the_sort_key() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    for index in 0..25 {
        stack.put("a", &format!("{index:03}"), index).await;
    }
    let query = stack.dynamodb.query().table_name("items").limit(10);
    let query = query.key_condition_expression("pk = :a AND begins_with(sk, :zero)");
    let query = query.expression_attribute_values(":a", s("a"));
    let query = query.expression_attribute_values(":zero", s("0"));
    let mut pages = query.into_paginator().send();
    let (mut sizes, mut keys) = (Vec::new(), Vec::new());
    while let Some(page) = pages.next().await {
        let page = page.unwrap();
        sizes.push(page.count());
        keys.extend(page.items().iter().map(|item| item["sk"].as_s().unwrap().clone()));
    }
    assert_eq!((&sizes[..3], keys.len(), keys.is_sorted()), (&[10, 10, 5][..], 25, true));
}

#[tokio::test]
async fn an_index_is_queried_in_numeric_order_and_filtered() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    for rank in 0..20 {
        stack.put("a", &rank.to_string(), rank).await;
    }
    let query = stack.dynamodb.query().table_name("items").index_name("by_rank");
    let query = query.key_condition_expression("#list = :all AND #rank BETWEEN :low AND :high");
    let query = query.expression_attribute_names("#list", "list");
    let query = query.expression_attribute_names("#rank", "rank");
    let query = query.expression_attribute_values(":all", s("all"));
    let query = query.expression_attribute_values(":low", n(5));
    let query = query.expression_attribute_values(":high", n(11)).scan_index_forward(false);
    let found = query.clone().send().await.unwrap();
    assert_eq!((found.count(), &found.items()[0]["rank"]), (7, &n(11)));
    let counted = query.filter_expression("contains(sk, :one)");
    let counted = counted.expression_attribute_values(":one", s("1")).select(Select::Count);
    let counted = counted.send().await.unwrap();
    assert_eq!((counted.scanned_count(), counted.count()), (7, 2));
}

#[tokio::test]
async fn a_transaction_is_done_whole_or_not_at_all_and_its_token_once() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let write = stack.dynamodb.transact_write_items().transact_items(transact_put("1"));
    let write = write.transact_items(transact_put("2")).client_request_token("token");
    write.clone().send().await.unwrap();
    write.send().await.unwrap();
    let write = stack.dynamodb.transact_write_items().transact_items(transact_put("3"));
    let error = write.transact_items(transact_put("1")).send().await.unwrap_err();
    let TransactWriteItemsError::TransactionCanceledException(error) = error.into_service_error()
    else {
        panic!("not canceled");
    };
    let codes: Vec<_> = error.cancellation_reasons().iter().filter_map(|r| r.code()).collect();
    assert_eq!(codes, ["None", "ConditionalCheckFailed"]);
    assert_eq!(stack.embedded.dump("items").unwrap().len(), 2);
}

#[tokio::test]
async fn batches_have_at_most_25_writes() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let mut writes: Vec<_> = (0..25).map(|index| write(&index.to_string())).collect();
    let batch = stack.dynamodb.batch_write_item();
    let done = batch.clone().request_items("items", writes.clone()).send().await.unwrap();
    assert!(done.unprocessed_items().is_none_or(|left| left.is_empty()));
    writes.push(write("one more"));
    assert!(batch.request_items("items", writes).send().await.is_err());
    let mut keys = KeysAndAttributes::builder();
    for index in 0..10 {
        let key = [("pk".to_owned(), s("b")), ("sk".to_owned(), s(&index.to_string()))];
        keys = keys.keys(key.into());
    }
    let get = stack.dynamodb.batch_get_item().request_items("items", keys.build().unwrap());
    assert_eq!(get.send().await.unwrap().responses().unwrap()["items"].len(), 10);
}

#[tokio::test]
async fn too_large_an_item_and_an_unknown_table_are_refused() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let put = stack.dynamodb.put_item().item("pk", s("a")).item("sk", s("1"));
    let large = put.clone().table_name("items").item("x", s(&"x".repeat(410 * 1024)));
    let error = large.send().await.unwrap_err().into_service_error();
    assert_eq!(error.meta().code(), Some("ValidationException"));
    let error = put.table_name("none").send().await.unwrap_err().into_service_error();
    assert!(error.is_resource_not_found_exception());
}

#[tokio::test]
async fn a_request_of_the_wrong_shape_is_a_validation_error() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let put = stack.dynamodb.put_item().table_name("items").item("pk", s("a")).item("sk", s("1"));
    let bad = put.item("n", AttributeValue::N("one".into()));
    let error = bad.send().await.unwrap_err().into_service_error();
    assert_eq!(error.meta().code(), Some("ValidationException"));
    let update = stack.dynamodb.update_item().table_name("items").key("pk", s("a"));
    let update = update.key("sk", s("1")).update_expression("SET a.b = :x");
    let error = update.expression_attribute_values(":x", s("x")).send().await.unwrap_err();
    assert_eq!(error.into_service_error().meta().code(), Some("ValidationException"));
}

#[tokio::test]
async fn concurrent_updates_are_all_counted_and_one_conditional_put_wins() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..50 {
        let update = stack.dynamodb.update_item().table_name("items").key("pk", s("c"));
        let update = update.key("sk", s("c")).update_expression("ADD hits :one");
        let update = update.expression_attribute_values(":one", n(1));
        let put = stack.dynamodb.put_item().table_name("items").item("pk", s("race"));
        let put = put.item("sk", s("x")).condition_expression("attribute_not_exists(pk)");
        tasks.spawn(async move {
            update.send().await.unwrap();
            put.send().await.is_ok()
        });
    }
    let winners = tasks.join_all().await.into_iter().filter(|won| *won).count();
    assert_eq!(winners, 1);
    let get = stack.dynamodb.get_item().table_name("items").key("pk", s("c")).key("sk", s("c"));
    assert_eq!(get.consistent_read(true).send().await.unwrap().item.unwrap()["hits"], n(50));
}

#[tokio::test]
async fn expired_items_go_with_a_sweep_by_the_injected_clock() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.embedded.enable_time_to_live("items", "expires").unwrap();
    stack.embedded.enable_time_to_live("items", "expires").unwrap();
    let now = i64::try_from(START / 1000).unwrap();
    for (sk, expires) in [("soon", now + 10), ("late", now + 1000)] {
        let put = stack.dynamodb.put_item().table_name("items").item("pk", s("a"));
        put.item("sk", s(sk)).item("expires", n(expires)).send().await.unwrap();
    }
    assert_eq!(stack.embedded.sweep_expired().unwrap(), 0);
    stack.pass(11);
    assert_eq!(stack.embedded.sweep_expired().unwrap(), 1);
    let left = stack.embedded.dump("items").unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!(left[0]["sk"]["S"], "late");
}

#[tokio::test]
async fn a_dump_is_sorted_by_key_and_consumed_capacity_is_told_only_if_asked_for() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    for (pk, sk) in [("b", "1"), ("a", "2"), ("a", "1")] {
        stack.put(pk, sk, 1).await;
    }
    let items = stack.embedded.dump("items").unwrap();
    let keys: Vec<_> = items.iter().map(|item| (&item["pk"]["S"], &item["sk"]["S"])).collect();
    assert_eq!(serde_json::json!(keys), serde_json::json!([["a", "1"], ["a", "2"], ["b", "1"]]));
    let get = stack.dynamodb.get_item().table_name("items").key("pk", s("a")).key("sk", s("1"));
    assert!(get.clone().send().await.unwrap().consumed_capacity().is_none());
    let asked = get.return_consumed_capacity(ReturnConsumedCapacity::Total).send().await.unwrap();
    assert_eq!(asked.consumed_capacity().unwrap().capacity_units(), Some(0.5));
}
