//! Pending work beyond the delay of a queue.

pub(crate) mod test_clock_advance;

use std::time::Duration;

use embedded::{Call, Effect, Fault};
use serde_json::{Value, json};
use service::{Queue, Table};

use crate::app::App;

/// Writes a raw item.
pub(crate) async fn put(app: &App, table: Table, item: &Value) {
    let request = json!({ "TableName": roundtable::table_name(table), "Item": item }).to_string();
    let sent = reqwest::Client::new()
        .post(app.stack().aws_endpoint().expect("a port"))
        .header("x-amz-target", "DynamoDB_20120810.PutItem")
        .body(request)
        .send();
    assert_eq!(sent.await.unwrap().status(), 200);
}

pub(crate) fn rows(app: &App) -> Vec<Value> {
    // Timers only: the ledger of webhooks is in the same table.
    let items = { app.embedded().dump(&roundtable::table_name(Table::Schedule)).unwrap() };
    items.into_iter().filter(|row| row.get("dueShard").is_some()).collect()
}

fn depth(app: &App) -> embedded::QueueDepth {
    app.embedded().queue_depth(&roundtable::queue_name(Queue::Cleanup)).unwrap()
}

fn waiting(app: &App) -> u64 {
    depth(app).visible
}

/// A deployment with one message due in 20 minutes.
async fn with_one_message() -> App {
    let app = App::start().await;
    let documents = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "welcome" }],
    });
    app.call("documents.add", documents).await.ok();
    let deleted = json!({ "organizationId": "acme", "documentIds": ["welcome"] });
    app.call("documents.delete", deleted).await.ok();
    app.settle().await;
    assert_eq!(rows(&app).len(), 1);
    app
}

/// A copy of the message, as another row.
fn copy(row: &Value, n: usize) -> Value {
    let mut row = row.clone();
    let id = format!("message#copy{n:04}");
    row["PK"]["S"] = json!(id);
    row["SK"]["S"] = json!(id);
    row["dueShard"]["S"] = json!((n % 4).to_string());
    let first = json!(format!("{:013}#copy{n:04}", 1));
    row["dueAt"]["S"] = first.clone();
    row["hintAt"]["S"] = first;
    row
}

fn no_queue(times: usize) -> Fault {
    Fault {
        operation: "SendMessageBatch".to_owned(),
        skip: 0,
        times,
        effect: Effect::InternalError,
    }
}

#[tokio::test]
async fn a_message_is_visible_when_its_time_has_come_and_not_before() {
    let app = with_one_message().await;
    app.tick().await;
    app.advance(Duration::from_secs(17 * 60));
    app.tick().await;
    assert_eq!((rows(&app).len(), depth(&app).delayed), (1, 0), "there is time left");
    app.advance(Duration::from_secs(100));
    app.tick().await;
    assert_eq!((rows(&app).len(), depth(&app).delayed), (0, 1), "the queue keeps the rest");
    app.advance(Duration::from_secs(75));
    assert_eq!(waiting(&app), 0);
    app.advance(Duration::from_secs(10));
    assert_eq!(waiting(&app), 1);
    app.tick().await;
    assert_eq!(waiting(&app), 1, "sent once");
    // The look at what is left, and the record of its confirmation.
    assert_eq!(app.settle().await, 2);
}

#[tokio::test]
async fn all_450_due_messages_are_sent_in_one_tick() {
    let app = with_one_message().await;
    let row = rows(&app).remove(0);
    for n in 0..450 {
        put(&app, Table::Schedule, &copy(&row, n)).await;
    }
    app.tick().await;
    assert_eq!(rows(&app), [row]);
    assert_eq!(waiting(&app), 450);
}

#[tokio::test]
async fn a_message_for_an_unknown_queue_is_dropped_and_others_are_sent() {
    let app = with_one_message().await;
    let row = rows(&app).remove(0);
    let mut lost = copy(&row, 0);
    lost["queue"]["S"] = json!("none");
    put(&app, Table::Schedule, &lost).await;
    put(&app, Table::Schedule, &copy(&row, 1)).await;
    app.tick().await;
    assert_eq!(rows(&app), [row]);
    assert_eq!(waiting(&app), 1);
}

/// Number of rows read in a tick of the timer.
async fn read_in_a_tick(app: &App) -> usize {
    app.forget_calls();
    app.tick().await;
    let queries = app.calls().into_iter().filter(|call| call.operation == "Query");
    queries.map(|call| call.items).sum()
}

/// More of them than a page of the index, and older than due rows of another tenant.
#[tokio::test]
async fn messages_that_the_queue_refuses_do_not_block_others_and_are_tried_less_often() {
    let app = with_one_message().await;
    let row = rows(&app).remove(0);
    for n in 0..440 {
        let mut row = copy(&row, n);
        if n < 400 {
            row["wake"]["S"] = json!("poison");
        }
        put(&app, Table::Schedule, &row).await;
    }
    let effect = Effect::Refuse("poison".to_owned());
    app.fault(Fault { effect, ..no_queue(10_000) });
    app.tick().await;
    assert_eq!((waiting(&app), rows(&app).len()), (40, 401), "the others are sent");
    let mut read = Vec::new();
    for _ in 0..8 {
        app.advance(Duration::from_secs(60));
        read.push(read_in_a_tick(&app).await);
    }
    // Tried after one, two and four minutes, and looked at two minutes ahead: at first that is in
    // the same tick.
    assert_eq!(read, [800, 400, 400, 0, 400, 400, 400, 0]);
    app.embedded().clear_faults();
    app.advance(Duration::from_secs(8 * 60));
    app.tick().await;
    assert_eq!((waiting(&app), rows(&app).len()), (440, 1), "none is forgotten");
}

#[tokio::test]
async fn a_message_that_could_not_be_sent_stays_due() {
    let app = with_one_message().await;
    app.advance(Duration::from_secs(21 * 60));
    app.fault(no_queue(100));
    app.tick().await;
    assert_eq!((rows(&app).len(), waiting(&app)), (1, 0));
    app.embedded().clear_faults();
    app.tick().await;
    assert_eq!((rows(&app).len(), waiting(&app)), (0, 1));
}

#[tokio::test]
async fn a_tick_with_nothing_to_do_costs_one_read_for_each_part_of_the_schedule() {
    let app = with_one_message().await;
    app.forget_calls();
    app.tick().await;
    let calls = app.calls();
    assert!(calls.iter().all(|call| call.operation == "Query"), "{calls:?}");
    let of_schedule = |call: &&Call| call.target == roundtable::table_name(Table::Schedule);
    assert_eq!(calls.iter().filter(of_schedule).count(), 4);
    // And one for each minute in which a connection sent no token; a minute may begin meanwhile.
    assert!((9..=10).contains(&calls.len()), "{calls:?}");
}
