//! Injected faults.

use std::time::Duration;

use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::types::KeysAndAttributes;
use embedded::{Effect, Fault, Hold};

use crate::dynamodb::{transact_put, write};
use crate::limits::entry;
use crate::stack::{Stack, s};

#[tokio::test]
async fn a_throttled_call_does_nothing_and_is_tried_again() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.fail("PutItem", Effect::Throttle);
    let put = |client: &aws_sdk_dynamodb::Client| {
        client.put_item().table_name("items").item("pk", s("a")).item("sk", s("1")).send()
    };
    let error = put(&stack.dynamodb).await.unwrap_err().into_service_error();
    assert!(error.is_provisioned_throughput_exceeded_exception());
    assert!(stack.embedded.dump("items").unwrap().is_empty());
    stack.fail("PutItem", Effect::Throttle);
    stack.embedded.take_calls();
    put(&stack.patient_dynamodb).await.unwrap();
    assert_eq!(stack.embedded.calls().len(), 2);
}

#[tokio::test]
async fn an_internal_error_does_nothing() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.fail("*", Effect::InternalError);
    let put = stack.dynamodb.put_item().table_name("items").item("pk", s("a")).item("sk", s("1"));
    let error = put.send().await.unwrap_err().into_service_error();
    assert!(error.is_internal_server_error());
    assert!(stack.embedded.dump("items").unwrap().is_empty());
}

#[tokio::test]
async fn half_a_batch_of_writes_comes_back_unprocessed() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.fail("BatchWriteItem", Effect::Unprocessed);
    let batch = stack.dynamodb.batch_write_item();
    let batch = batch.request_items("items", vec![write("1"), write("2"), write("3")]);
    let left = batch.send().await.unwrap().unprocessed_items.unwrap();
    assert_eq!(left["items"], [write("2"), write("3")]);
    assert_eq!(stack.embedded.dump("items").unwrap().len(), 1);
    stack.fail("BatchWriteItem", Effect::Unprocessed);
    let batch = stack.dynamodb.batch_write_item().request_items("items", vec![write("9")]);
    assert_eq!(batch.send().await.unwrap().unprocessed_items.unwrap()["items"].len(), 1);
    assert_eq!(stack.embedded.dump("items").unwrap().len(), 1);
}

#[tokio::test]
async fn half_a_batch_of_keys_comes_back_unprocessed() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let mut keys = KeysAndAttributes::builder().projection_expression("sk");
    for sk in ["1", "2"] {
        stack.put("a", sk, 1).await;
        keys = keys.keys([("pk".to_owned(), s("a")), ("sk".to_owned(), s(sk))].into());
    }
    stack.fail("BatchGetItem", Effect::Unprocessed);
    let get = stack.dynamodb.batch_get_item().request_items("items", keys.build().unwrap());
    let reply = get.send().await.unwrap();
    assert_eq!(reply.responses().unwrap()["items"].len(), 1);
    let left = &reply.unprocessed_keys().unwrap()["items"];
    assert_eq!((left.keys().len(), left.projection_expression()), (1, Some("sk")));
    let again = stack.dynamodb.batch_get_item().set_request_items(reply.unprocessed_keys);
    assert_eq!(again.send().await.unwrap().responses().unwrap()["items"].len(), 1);
}

#[tokio::test]
async fn half_a_batch_of_messages_fails() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    stack.fail("SendMessageBatch", Effect::Unprocessed);
    let send = stack.sqs.send_message_batch().queue_url(&url);
    let sent = send.entries(entry("a", "1")).entries(entry("b", "2")).send().await.unwrap();
    assert_eq!((sent.successful()[0].id(), sent.failed()[0].id()), ("a", "b"));
    assert!(!sent.failed()[0].sender_fault());
    assert_eq!(stack.embedded.queue_depth("work").unwrap().visible, 1);
}

#[tokio::test]
async fn a_conflict_cancels_a_transaction_or_a_single_write() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.fail("*", Effect::TransactionConflict);
    let transaction = stack.dynamodb.transact_write_items().transact_items(transact_put("1"));
    let transaction = transaction.transact_items(transact_put("2"));
    let error = transaction.send().await.unwrap_err().into_service_error();
    let TransactWriteItemsError::TransactionCanceledException(error) = error else {
        panic!("{error:?}");
    };
    let codes: Vec<_> = error.cancellation_reasons().iter().filter_map(|r| r.code()).collect();
    assert_eq!(codes, ["TransactionConflict", "None"]);
    stack.fail("PutItem", Effect::TransactionConflict);
    let put = stack.dynamodb.put_item().table_name("items").item("pk", s("a")).item("sk", s("1"));
    let error = put.send().await.unwrap_err().into_service_error();
    assert!(error.is_transaction_conflict_exception());
    assert!(stack.embedded.dump("items").unwrap().is_empty());
}

#[tokio::test]
async fn a_stalled_call_is_done_after_its_pause() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack.fail("PutItem", Effect::Stall(Duration::from_millis(50)));
    let started = std::time::Instant::now();
    stack.put("a", "1", 1).await;
    assert!(started.elapsed() >= Duration::from_millis(50));
    assert_eq!(stack.embedded.dump("items").unwrap().len(), 1);
}

#[tokio::test]
async fn a_held_call_waits_until_it_is_released_and_is_not_done_if_it_is_dropped() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let held = || stack.embedded.dump("items").unwrap().len();
    for (key, is_dropped) in [("a", false), ("b", true)] {
        let before = held();
        let hold = Hold::default();
        stack.fail("PutItem", Effect::Hold(hold.clone()));
        let mut put = Box::pin(stack.put(key, "1", 1));
        tokio::select! {
            () = &mut put => panic!("it did not wait"),
            () = hold.reached() => {}
        }
        assert!(hold.is_waiting());
        assert_eq!(held(), before);
        if is_dropped {
            drop(put);
            hold.release();
            assert_eq!(held(), before);
        } else {
            hold.release();
            put.await;
            assert_eq!(held(), before + 1);
        }
    }
}

#[tokio::test]
async fn a_lost_reply_lets_the_client_do_it_twice() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let url = stack.queue("work", &[]).await;
    stack.fail("UpdateItem", Effect::LoseReply);
    let update = stack.patient_dynamodb.update_item().table_name("items").key("pk", s("a"));
    let update = update.key("sk", s("1")).update_expression("ADD hits :one");
    update.expression_attribute_values(":one", crate::stack::n(1)).send().await.unwrap();
    assert_eq!(stack.embedded.dump("items").unwrap()[0]["hits"]["N"], "2");
    stack.fail("SendMessage", Effect::LoseReply);
    let send = stack.patient_sqs.send_message().queue_url(&url).message_body("x");
    send.send().await.unwrap();
    assert_eq!(stack.embedded.queue_depth("work").unwrap().visible, 2);
}

#[tokio::test]
async fn a_throttled_queue_is_tried_again() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    stack.fail("SendMessage", Effect::Throttle);
    let error =
        stack.sqs.send_message().queue_url(&url).message_body("x").send().await.unwrap_err();
    assert!(error.into_service_error().is_request_throttled());
    stack.fail("SendMessage", Effect::Throttle);
    let send = stack.patient_sqs.send_message().queue_url(&url).message_body("x");
    send.send().await.unwrap();
}

#[tokio::test]
async fn a_fault_passes_over_calls_first_and_ends_by_itself() {
    let stack = Stack::in_memory().await;
    stack.items_table();
    let fault =
        |skip, times| Fault { operation: "PutItem".into(), skip, times, effect: Effect::Throttle };
    stack.embedded.inject(fault(1, 2));
    let mut results = Vec::new();
    for sk in ["1", "2", "3", "4"] {
        let put = stack.dynamodb.put_item().table_name("items").item("pk", s("a"));
        results.push(put.item("sk", s(sk)).send().await.is_ok());
    }
    assert_eq!(results, [true, false, false, true]);
    stack.embedded.inject(fault(0, 1));
    stack.embedded.clear_faults();
    stack.put("a", "5", 1).await;
}

#[tokio::test]
async fn a_message_that_contains_a_text_is_refused_for_good_and_its_neighbor_taken() {
    let stack = Stack::in_memory().await;
    let url = stack.queue("work", &[]).await;
    stack.fail("SendMessageBatch", Effect::Refuse("bad".to_owned()));
    let send = stack.sqs.send_message_batch().queue_url(&url);
    let sent = send.entries(entry("a", "a bad one")).entries(entry("b", "good"));
    let sent = sent.send().await.unwrap();
    assert_eq!((sent.successful()[0].id(), sent.failed()[0].id()), ("b", "a"));
    assert!(sent.failed()[0].sender_fault());
    assert_eq!(sent.failed()[0].code(), "InvalidMessageContents");
}
