//! Requests that DynamoDB refuses, each limit tested from both sides.

use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{
    AttributeValue, BatchStatementRequest, DeleteRequest, KeysAndAttributes, Put, PutRequest,
    TransactWriteItem, WriteRequest,
};

use crate::stack::{Stack, n, s};

async fn stack() -> Stack {
    let stack = Stack::in_memory().await;
    stack.items_table();
    stack
}

/// Puts an item with one attribute beside its key; returns the message of the refusal.
async fn put(stack: &Stack, (pk, sk): (&str, &str), value: AttributeValue) -> Result<(), String> {
    let put = stack.dynamodb.put_item().table_name("items");
    let put = put.item("pk", s(pk)).item("sk", s(sk)).item("value", value);
    match put.send().await {
        Ok(_) => Ok(()),
        Err(error) => {
            let error = error.into_service_error();
            assert_eq!(error.code(), Some("ValidationException"), "{error:?}");
            Err(error.message().unwrap_or_default().to_owned())
        }
    }
}

fn blob(len: usize) -> AttributeValue {
    AttributeValue::B(Blob::new(vec![7; len]))
}

#[tokio::test]
async fn an_item_has_at_most_400_kib() {
    let stack = stack().await;
    // Names and values of the key and the name of the attribute take 11 bytes.
    let room = 400 * 1024 - "pkaskavalue".len();
    put(&stack, ("a", "a"), blob(room)).await.unwrap();
    let refusal = put(&stack, ("a", "a"), blob(room + 1)).await.unwrap_err();
    assert!(refusal.contains("Item size has exceeded"), "{refusal}");
}

#[tokio::test]
async fn keys_are_neither_empty_nor_too_long() {
    let stack = stack().await;
    put(&stack, (&"p".repeat(2048), &"s".repeat(1024)), n(1)).await.unwrap();
    for (pk, sk) in [("", "a"), ("a", ""), (&*"p".repeat(2049), "a"), ("a", &*"s".repeat(1025))] {
        put(&stack, (pk, sk), n(1)).await.unwrap_err();
    }
}

#[tokio::test]
async fn numbers_have_38_digits_and_attributes_32_levels() {
    let stack = stack().await;
    let number = |text: &str| AttributeValue::N(text.to_owned());
    for fine in ["9".repeat(38), "9.9e125".to_owned(), "1e-130".to_owned()] {
        put(&stack, ("a", "a"), number(&fine)).await.unwrap();
    }
    for wrong in ["9".repeat(39), "1e126".to_owned(), "1e-131".to_owned(), "x".to_owned()] {
        put(&stack, ("a", "a"), number(&wrong)).await.unwrap_err();
    }
    let nested = |levels: usize| {
        (1..levels).fold(AttributeValue::L(vec![]), |inner, _| AttributeValue::L(vec![inner]))
    };
    put(&stack, ("a", "a"), nested(32)).await.unwrap();
    put(&stack, ("a", "a"), nested(33)).await.unwrap_err();
}

fn transact(count: usize, value: &AttributeValue) -> Vec<TransactWriteItem> {
    let put = |index: usize| {
        let put = Put::builder().table_name("items").item("pk", s(&index.to_string()));
        let put = put.item("sk", s("a")).item("value", value.clone()).build().unwrap();
        TransactWriteItem::builder().put(put).build()
    };
    (0..count).map(put).collect()
}

#[tokio::test]
async fn a_transaction_has_100_steps_of_4_mib_about_distinct_items() {
    let stack = stack().await;
    let send = |steps| stack.dynamodb.transact_write_items().set_transact_items(Some(steps)).send();
    send(transact(100, &n(1))).await.unwrap();
    send(transact(101, &n(1))).await.unwrap_err();
    send(transact(10, &blob(400_000))).await.unwrap();
    send(transact(11, &blob(400_000))).await.unwrap_err();
    let mut twice = transact(1, &n(1));
    twice.extend(transact(1, &n(2)));
    let error = send(twice).await.unwrap_err().into_service_error();
    assert!(error.message().unwrap().contains("multiple operations on one item"), "{error:?}");
}

#[tokio::test]
async fn a_batch_names_each_item_once() {
    let stack = stack().await;
    let put = PutRequest::builder().item("pk", s("a")).item("sk", s("a")).build().unwrap();
    let delete = DeleteRequest::builder().key("pk", s("a")).key("sk", s("a")).build().unwrap();
    let writes = vec![
        WriteRequest::builder().put_request(put).build(),
        WriteRequest::builder().delete_request(delete).build(),
    ];
    stack.dynamodb.batch_write_item().request_items("items", writes).send().await.unwrap_err();
    let key = || [("pk".to_owned(), s("a")), ("sk".to_owned(), s("a"))].into();
    let keys = KeysAndAttributes::builder().keys(key()).keys(key()).build().unwrap();
    stack.dynamodb.batch_get_item().request_items("items", keys).send().await.unwrap_err();
    let statement = "UPDATE \"items\" SET x = 1 WHERE pk = 'a' AND sk = 'a'";
    let statement = || BatchStatementRequest::builder().statement(statement).build().unwrap();
    let batch = stack.dynamodb.batch_execute_statement();
    let sent = batch.statements(statement()).statements(statement()).send().await;
    let refused = match sent {
        Err(_) => true,
        Ok(reply) => reply.responses().iter().any(|answer| {
            let code = answer.error().and_then(|error| error.code());
            code.is_some_and(|code| code.as_str() == "ValidationError")
        }),
    };
    assert!(refused);
}

#[tokio::test]
async fn a_batch_reads_100_items_and_executes_25_statements() {
    let stack = stack().await;
    let get = |count: usize| {
        let key =
            |index: usize| [("pk".to_owned(), s(&index.to_string())), ("sk".to_owned(), s("a"))];
        let keys = (0..count).map(|index| key(index).into()).collect();
        let keys = KeysAndAttributes::builder().set_keys(Some(keys)).build().unwrap();
        stack.dynamodb.batch_get_item().request_items("items", keys).send()
    };
    get(100).await.unwrap();
    get(101).await.unwrap_err();
    let execute = |count: usize| {
        let statement = |index: usize| {
            let text = format!("INSERT INTO \"items\" VALUE {{'pk': '{index}', 'sk': 'a'}}");
            BatchStatementRequest::builder().statement(text).build().unwrap()
        };
        let statements = (0..count).map(statement).collect();
        stack.dynamodb.batch_execute_statement().set_statements(Some(statements)).send()
    };
    execute(25).await.unwrap();
    execute(26).await.unwrap_err();
}

#[tokio::test]
async fn a_page_has_one_mib_and_a_batch_of_reads_sixteen() {
    let stack = stack().await;
    for index in 0..45 {
        let sk = format!("{index:02}");
        put(&stack, ("a", &sk), blob(400_000)).await.unwrap();
    }
    let query = stack.dynamodb.query().table_name("items").key_condition_expression("pk = :a");
    let page = query.expression_attribute_values(":a", s("a")).send().await.unwrap();
    assert!((2..=3).contains(&page.count()), "{}", page.count());
    assert!(page.last_evaluated_key().is_some());
    let key = |index| [("pk".to_owned(), s("a")), ("sk".to_owned(), s(&format!("{index:02}")))];
    let keys = (0..45).map(|index| key(index).into()).collect();
    let keys = KeysAndAttributes::builder().set_keys(Some(keys)).build().unwrap();
    let read = stack.dynamodb.batch_get_item().request_items("items", keys).send().await.unwrap();
    let (read, left) = (read.responses().unwrap(), read.unprocessed_keys().unwrap());
    let read = read["items"].len();
    assert!((40..=42).contains(&read), "{read}");
    assert_eq!(left["items"].keys().len(), 45 - read);
}

#[tokio::test]
async fn expressions_and_statements_have_their_length() {
    let stack = stack().await;
    let update = |expression: String| {
        let update = stack.dynamodb.update_item().table_name("items").update_expression(expression);
        update.key("pk", s("a")).key("sk", s("a")).expression_attribute_values(":x", n(1)).send()
    };
    let long = |len: usize| format!("SET {} = :x", "x".repeat(len - "SET  = :x".len()));
    update(long(200)).await.unwrap();
    let error = update(long(4097)).await.unwrap_err().into_service_error();
    assert!(error.message().unwrap().contains("Expression size has exceeded"), "{error:?}");
    let execute = |len: usize| {
        let start = "INSERT INTO \"items\" VALUE {'pk': 'b', 'sk': 'b', 'x': '";
        let text = format!("{start}{}'}}", "x".repeat(len - start.len() - 2));
        stack.dynamodb.execute_statement().statement(text).send()
    };
    execute(8192).await.unwrap();
    execute(8193).await.unwrap_err();
}
