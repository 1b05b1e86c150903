//! Many rows of one kind, without calls.

use std::ops::Range;

use serde_json::{Value, json};
use service::Table;

use crate::app::App;

/// Writes the row with this sort key again for each number: with it, in five digits, in the place of
/// those that `id` ends with.
pub(crate) async fn multiply(app: &App, sort: &str, id: &str, numbers: Range<usize>) {
    multiply_in(app, Table::Resources, sort, id, numbers).await;
}

/// Writes a row of another table again for each number.
pub(crate) async fn multiply_in(
    app: &App,
    table: Table,
    sort: &str,
    id: &str,
    numbers: Range<usize>,
) {
    let rows = app.items_of(table, &app.key);
    let row = rows.iter().find(|row| row["SK"]["S"] == sort).expect("a row");
    let (row, table) = (row.to_string(), roundtable::table_name(table));
    let stem = &id[..id.len() - 5];
    let copies: Vec<Value> = numbers
        .map(|n| {
            let row = row.replace(id, &format!("{stem}{n:05}"));
            json!({ "PutRequest": { "Item": serde_json::from_str::<Value>(&row).unwrap() } })
        })
        .collect();
    let client = reqwest::Client::new();
    for chunk in copies.chunks(25) {
        let sent = client
            .post(app.stack().aws_endpoint().expect("a port"))
            .header("x-amz-target", "DynamoDB_20120810.BatchWriteItem")
            .body(json!({ "RequestItems": { &table: chunk } }).to_string())
            .send();
        assert_eq!(sent.await.unwrap().status(), 200);
    }
}
