//! `notifications.get`.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{add, find, get, ids, restrict, start, stored, wrong};
use crate::{app::App, end_users::member};

/// Adds notifications named `a`, `b` and so on, one each second.
async fn add_some(app: &App, some: &[(&str, Value)]) {
    for (id, members) in some {
        let mut members = members.clone();
        members["notificationId"] = json!(id);
        add(app, members).await;
        app.advance(Duration::from_secs(1));
    }
}

#[tokio::test]
async fn notifications_come_newest_first_unless_the_order_is_ascending() {
    let app = start().await;
    add_some(&app, &[("b", json!({})), ("a", json!({})), ("c", json!({ "documentId": "e" }))])
        .await;
    for filter in
        [json!({}), json!({ "userId": "ada" }), json!({ "notificationIds": ["a", "b", "c"] })]
    {
        let ordered = |order: Value| {
            let mut sent = filter.clone();
            sent["order"] = order;
            ids(&app, sent)
        };
        assert_eq!(ordered(json!(null)).await, ["c", "a", "b"], "{filter}");
        assert_eq!(ordered(json!("desc")).await, ["c", "a", "b"], "{filter}");
        assert_eq!(ordered(json!("asc")).await, ["b", "a", "c"], "{filter}");
    }
    let sent = json!({ "organizationId": "acme", "order": "newest" });
    assert_eq!(wrong(&app, "notifications.get", sent).await, json!(["data", "order"]));
}

#[tokio::test]
async fn several_filters_select_the_notifications_that_match_all_of_them() {
    let app = start().await;
    let bob = json!([{ "userId": "bob" }]);
    add_some(
        &app,
        &[
            ("d-ada", json!({})),
            ("d-bob", json!({ "notifyUsers": bob, "location": { "id": 7 } })),
            ("e-ada", json!({ "documentId": "e", "locationId": "7" })),
            ("e-all", json!({ "documentId": "e", "notifyUsers": bob, "notifyAll": true })),
        ],
    )
    .await;
    for (filter, expected) in [
        (json!({ "documentId": "d" }), vec!["d-bob", "d-ada"]),
        (json!({ "documentId": "x" }), vec![]),
        (json!({ "userId": "ada" }), vec!["e-all", "e-ada", "d-ada"]),
        (json!({ "userId": "bob" }), vec!["e-all", "d-bob"]),
        (json!({ "userId": "zoe" }), vec!["e-all"]),
        (json!({ "userId": "ada", "documentId": "d" }), vec!["d-ada"]),
        (json!({ "userId": "ada", "documentId": "e" }), vec!["e-all", "e-ada"]),
        (json!({ "locationId": "7" }), vec!["e-ada", "d-bob"]),
        (json!({ "locationId": "7", "userId": "bob" }), vec!["d-bob"]),
        (json!({ "locationId": "7", "documentId": "e" }), vec!["e-ada"]),
        (json!({ "notificationIds": ["d-bob", "e-all", "x", "d-bob"] }), vec!["e-all", "d-bob"]),
        (json!({ "notificationIds": ["d-bob", "e-all"], "documentId": "d" }), vec!["d-bob"]),
        (json!({ "notificationIds": ["d-bob", "e-all"], "userId": "ada" }), vec!["e-all"]),
        (json!({ "notificationIds": [] }), vec![]),
    ] {
        assert_eq!(ids(&app, filter.clone()).await, expected, "{filter}");
        let mut sent = filter.clone();
        sent["organizationId"] = json!("acme");
        let v1 = app.call_at("/v1/notifications/get", sent).await.data();
        let v1: Vec<&Value> = v1.as_array().unwrap().iter().map(|it| &it["id"]).collect();
        assert_eq!(v1, expected, "{filter}");
    }
}

#[tokio::test]
async fn an_unknown_organization_is_empty_and_thirty_ids_are_the_most() {
    let app = start().await;
    let unknown = app.call("notifications.get", json!({ "organizationId": "x" })).await.ok();
    assert_eq!((&unknown["data"], &unknown["pageToken"]), (&json!([]), &json!(null)));
    let picked = |n: usize| {
        let ids: Vec<String> = (0..n).map(|n| format!("n{n}")).collect();
        json!({ "organizationId": "acme", "notificationIds": ids })
    };
    assert_eq!(app.call("notifications.get", picked(30)).await.data(), json!([]));
    let path = wrong(&app, "notifications.get", picked(31)).await;
    assert_eq!(path, json!(["data", "notificationIds"]));
}

#[tokio::test]
async fn the_v1_path_returns_the_newest_1000_and_has_no_pages() {
    let app = start().await;
    let documents: Vec<Value> = (0..16).map(|n| json!({ "documentId": format!("p{n}") })).collect();
    let sent = json!({ "organizationId": "acme", "documents": documents });
    app.call("documents.add", sent).await.ok();
    join_all((0..16).map(|document| {
        let app = &app;
        async move {
            for n in (document..1_001).step_by(16) {
                let id = json!({ "documentId": format!("p{document}"), "notificationId": n.to_string() });
                add(app, id).await;
            }
        }
    }))
    .await;
    let sent = json!({ "organizationId": "acme", "pageSize": 1, "order": "asc", "pageToken": "x" });
    let v1 = app.call_at("/v1/notifications/get", sent).await.ok();
    let times: Vec<u64> =
        v1["data"].as_array().unwrap().iter().map(|it| it["timestamp"].as_u64().unwrap()).collect();
    assert_eq!(times.len(), 1_000);
    assert!(times.is_sorted_by(|one, next| one >= next));
    assert_eq!(v1["pageToken"], json!(null));
    let v2 =
        app.call("notifications.get", json!({ "organizationId": "acme", "userId": "ada" })).await;
    let v2 = v2.ok();
    assert_eq!(v2["data"].as_array().unwrap().len(), 1_000);
    let rest = json!({ "organizationId": "acme", "userId": "ada", "pageToken": v2["pageToken"] });
    let rest = app.call("notifications.get", rest).await.ok();
    assert_eq!(rest["data"].as_array().unwrap().len(), 1);
    assert_eq!(rest["pageToken"], json!(null));
}

#[tokio::test]
async fn notifications_about_documents_that_the_user_may_not_reach_are_not_returned() {
    let app = start().await;
    let both = json!([{ "userId": "ada" }, { "userId": "bob" }]);
    add_some(
        &app,
        &[
            ("d-named", json!({ "notifyUsers": both })),
            ("e-named", json!({ "notifyUsers": both, "documentId": "e" })),
            ("d-all", json!({ "notifyAll": true })),
        ],
    )
    .await;
    restrict(&app, "d", &["ada"]).await;
    let ada = ["d-all", "e-named", "d-named"];
    assert_eq!(ids(&app, json!({ "userId": "ada" })).await, ada);
    assert_eq!(ids(&app, json!({ "userId": "bob" })).await, ["e-named"]);
    assert_eq!(ids(&app, json!({ "userId": "bob", "documentId": "d" })).await, [""; 0]);
    let picked = json!({ "userId": "bob", "notificationIds": ["d-named"] });
    assert_eq!(ids(&app, picked).await, [""; 0]);
    assert_eq!(ids(&app, json!({})).await, ada, "without a user nothing is held back");

    let sent = json!({ "organizationId": "acme", "documentIds": ["d"] });
    app.call("documents.delete", sent).await.ok();
    assert_eq!(ids(&app, json!({ "userId": "ada" })).await, ["e-named"], "at once");
}

#[tokio::test]
async fn pages_are_filled_up_when_most_notifications_are_hidden_from_the_user() {
    let app = start().await;
    restrict(&app, "d", &[]).await;
    for n in 0..30 {
        let document = if n % 10 == 0 { "e" } else { "d" };
        add(&app, json!({ "notificationId": format!("n{n}"), "documentId": document })).await;
    }
    let page = |token: Value| {
        let sent = json!({ "organizationId": "acme", "userId": "ada", "order": "asc", "pageSize": 2,
            "pageToken": token });
        app.call("notifications.get", sent)
    };
    let ids = |page: &Value| -> Vec<Value> {
        page["data"].as_array().unwrap().iter().map(|it| it["id"].clone()).collect()
    };
    let first = page(json!(null)).await.ok();
    assert_eq!(ids(&first).len(), 2);
    let second = page(first["pageToken"].clone()).await.ok();
    assert_eq!(second["pageToken"], json!(null));
    let mut all = [ids(&first), ids(&second)].concat();
    all.sort_by_key(|id| id.to_string());
    assert_eq!(all, ["n0", "n10", "n20"]);
}

#[tokio::test]
async fn each_page_costs_the_same() {
    let app = start().await;
    for n in 0..300 {
        let sent = json!({
            "notificationId": format!("n{n}"), "notifyAll": n % 2 == 0,
            "notifyUsers": [{ "userId": if n % 2 == 0 { "bob" } else { "ada" } }],
        });
        add(&app, sent).await;
        app.advance(Duration::from_millis(1));
    }
    let (mut token, mut costs, mut walked) = (json!(null), Vec::new(), Vec::new());
    loop {
        app.forget_calls();
        let sent = json!({
            "organizationId": "acme", "userId": "ada", "pageSize": 25, "pageToken": token,
        });
        let result = app.call("notifications.get", sent).await.ok();
        let is_admission = |call: &&embedded::Call| call.operation == "GetItem";
        costs.push(app.calls().iter().filter(|call| !is_admission(call)).count());
        let page = result["data"].as_array().unwrap();
        walked.extend(page.iter().map(|it| it["id"].as_str().unwrap().to_owned()));
        token = result["pageToken"].clone();
        if token.is_null() {
            break;
        }
    }
    let expected: Vec<String> = (0..300).rev().map(|n| format!("n{n}")).collect();
    assert_eq!(walked, expected);
    // Two lists, what the index and the links lead to, the containers of both, and what ada may
    // reach.
    assert_eq!(costs, [6; 12]);
}

#[tokio::test]
async fn a_link_row_to_a_notification_that_does_not_name_the_user_is_not_followed() {
    let app = start().await;
    add(&app, json!({ "notificationId": "n" })).await;
    let items = app.items_of(service::Table::Resources, &app.key);
    let is_link = |item: &&Value| item["SK"]["S"].as_str().unwrap().starts_with("link#ada#notif");
    let mut left = items.iter().find(is_link).unwrap().clone();
    let sort = left["SK"]["S"].as_str().unwrap().replace("link#ada#", "link#bob#");
    left["SK"]["S"] = json!(sort);
    crate::schedule::put(&app, service::Table::Resources, &left).await;
    assert_eq!(stored(&app, &["link"]).len(), 3);
    assert_eq!(get(&app, json!({ "userId": "bob" })).await, [json!(null); 0]);
}

#[tokio::test]
async fn an_end_user_gets_neither_the_key_nor_addresses_of_users() {
    let app = start().await;
    let eve = json!({ "userId": "eve", "name": "Eve", "email": "eve@example.com" });
    let sent = json!({
        "notificationId": "n", "actionUser": eve, "metadata": { "email": "kept@example.com" },
        "notificationSourceData": { "batch": [{ "actionUser": eve }] },
        "displayHeadlineMessageTemplateData": { "actionUser": eve, "text": "x" },
        "displayBodyMessageTemplateData": { "by": eve },
    });
    add(&app, sent).await;
    let server = find(&app, "n").await;
    assert_eq!(server["actionUser"], eve);
    assert_eq!(server["metadata"]["apiKey"], app.key.api_key);
    assert_eq!(server.to_string().matches("eve@example.com").count(), 4);
    let ada = member(&app, "ada", "viewer").await;
    let own = json!({ "organizationId": "acme", "userId": "ada" });
    let listed = app.caller().end_user(&ada).call("notifications.get", own).await.data();
    let mut expected = server.to_string().replace(r#""email":"eve@example.com","#, "");
    expected = expected.replace(&format!(r#""apiKey":"{}","#, app.key.api_key), "");
    let expected: Value = serde_json::from_str(&expected).unwrap();
    assert_eq!(listed[0], expected);
}
