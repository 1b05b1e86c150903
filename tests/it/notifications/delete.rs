//! `notifications.delete`.

use serde_json::{Value, json};

use super::{add, ids, merge, start, stored, wrong};
use crate::app::{App, cost};

async fn delete(app: &App, members: Value) -> Value {
    let mut sent = json!({ "organizationId": "acme" });
    merge(&mut sent, members);
    app.call("notifications.delete", sent).await.data()
}

async fn some() -> App {
    let app = start().await;
    let bob = json!([{ "userId": "bob" }]);
    for (id, members) in [
        ("d-ada", json!({})),
        ("d-bob", json!({ "notifyUsers": bob, "locationId": "l" })),
        ("e-ada", json!({ "documentId": "e", "locationId": "l" })),
        ("e-all", json!({ "documentId": "e", "notifyUsers": bob, "notifyAll": true })),
    ] {
        let mut members = members;
        members["notificationId"] = json!(id);
        add(&app, members).await;
    }
    app
}

async fn left(app: &App) -> Vec<String> {
    let mut left = ids(app, json!({})).await;
    left.sort();
    left
}

#[tokio::test]
async fn deleting_by_ids_reports_each_id_once() {
    let app = some().await;
    let data = delete(&app, json!({ "notificationIds": ["d-ada", "x", "e-all", "d-ada"] })).await;
    assert_eq!(data.as_object().unwrap().len(), 3);
    assert_eq!(data["d-ada"]["success"], true);
    assert_eq!(data["d-ada"]["message"], "Notification deleted.");
    assert_eq!(data["e-all"]["id"], "e-all");
    assert_eq!(data["x"]["success"], false);
    assert_eq!(left(&app).await, ["d-bob", "e-ada"]);
    let again = delete(&app, json!({ "notificationIds": ["d-ada"] })).await;
    assert_eq!(again["d-ada"]["success"], false);
    let unknown = json!({ "organizationId": "x", "notificationIds": ["d-bob"] });
    assert_eq!(delete(&app, unknown).await["d-bob"]["success"], false);
}

#[tokio::test]
async fn deleting_notifications_deletes_their_link_rows() {
    let app = some().await;
    // The row of the actor is among them, for each of the four.
    assert_eq!(stored(&app, &["link"]).len(), 8);
    delete(&app, json!({ "notificationIds": ["d-ada", "d-bob", "e-ada", "e-all"] })).await;
    assert_eq!(stored(&app, &["link", "notification"]), [""; 0]);
}

#[tokio::test]
async fn an_id_that_does_not_match_the_filters_is_not_deleted() {
    let app = some().await;
    for filter in
        [json!({ "documentId": "e" }), json!({ "userId": "bob" }), json!({ "locationId": "l" })]
    {
        let mut sent = filter.clone();
        sent["notificationIds"] = json!(["d-ada"]);
        assert_eq!(delete(&app, sent).await["d-ada"]["success"], false, "{filter}");
    }
    let sent = json!({ "notificationIds": ["d-ada"], "documentId": "d", "userId": "ada" });
    assert_eq!(delete(&app, sent).await["d-ada"]["success"], true);
    let sent = json!({ "notificationIds": ["e-all"], "userId": "zoe" });
    assert_eq!(delete(&app, sent).await["e-all"]["success"], true, "it is for everybody");
}

#[tokio::test]
async fn a_deletion_without_ids_deletes_the_notifications_that_match_the_filters() {
    for (filter, rest) in [
        (json!({ "documentId": "d" }), vec!["e-ada", "e-all"]),
        (json!({ "userId": "ada" }), vec!["d-bob", "e-all"]),
        (json!({ "userId": "bob" }), vec!["d-ada", "e-ada"]),
        (json!({ "userId": "bob", "documentId": "d" }), vec!["d-ada", "e-ada", "e-all"]),
        (json!({ "locationId": "l" }), vec!["d-ada", "e-all"]),
        (json!({ "userId": "zoe" }), vec!["d-ada", "d-bob", "e-ada", "e-all"]),
        (json!({ "documentId": "x" }), vec!["d-ada", "d-bob", "e-ada", "e-all"]),
    ] {
        let app = some().await;
        let data = delete(&app, filter.clone()).await;
        assert_eq!(data.as_object().unwrap().len(), 4 - rest.len(), "{filter}");
        assert!(data.as_object().unwrap().values().all(|entry| entry["success"] == true));
        assert_eq!(left(&app).await, rest, "{filter}");
    }
}

#[tokio::test]
async fn a_deletion_without_ids_and_filters_is_refused() {
    let app = some().await;
    let path = wrong(&app, "notifications.delete", json!({ "organizationId": "acme" })).await;
    assert_eq!(path, json!(["data", "notificationIds"]));
    for n in [0, 501] {
        let ids: Vec<String> = (0..n).map(|n| format!("n{n}")).collect();
        let sent = json!({ "organizationId": "acme", "documentId": "d", "notificationIds": ids });
        let path = wrong(&app, "notifications.delete", sent).await;
        assert_eq!(path, json!(["data", "notificationIds"]));
    }
    assert_eq!(left(&app).await.len(), 4);
}

#[tokio::test]
async fn a_batch_costs_few_calls() {
    let app = start().await;
    let ids: Vec<String> = (0..30).map(|n| format!("n{n}")).collect();
    for id in &ids {
        add(&app, json!({ "notificationId": id })).await;
    }
    app.forget_calls();
    let sent = json!({ "organizationId": "acme", "notificationIds": ids });
    let data = app.call("notifications.delete", sent).await.data();
    assert!(app.calls().len() <= cost::allowed(30));
    assert_eq!(data.as_object().unwrap().len(), 30);
    assert_eq!(left(&app).await, [""; 0]);
}
