//! Presence (contract `presence`), and its expiry.

mod add;
mod delete;
mod get;
mod update;

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use crate::app::App;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Calls an operation with users of the document `d`.
async fn send(app: &App, operation: &str, users: Value) {
    send_to(app, operation, "d", users).await;
}

async fn send_to(app: &App, operation: &str, document: &str, users: Value) {
    let sent = json!({ "organizationId": "o", "documentId": document, "users": users });
    assert_eq!(app.call(operation, sent).await.data(), json!({ "success": true }));
}

/// The users in a document, without times.
async fn present_in(app: &App, document: &str) -> Value {
    let sent = json!({ "organizationId": "o", "documentId": document });
    let mut users = app.call("presence.get", sent).await.data();
    for user in users.as_array_mut().unwrap() {
        user.as_object_mut().unwrap().remove("lastUpdated").expect("a time");
    }
    users
}

async fn present(app: &App) -> Value {
    present_in(app, "d").await
}

fn online(ids: &[&str]) -> Value {
    ids.iter().map(|id| json!({ "userId": id, "status": "online" })).collect()
}

/// The sort keys of all presence and live state.
fn stored(app: &App) -> Vec<String> {
    let items = app.items_of(Table::Realtime, &app.key);
    let mut keys: Vec<String> =
        items.iter().map(|item| item["SK"]["S"].as_str().unwrap().to_owned()).collect();
    keys.sort();
    keys
}

/// The errors of all operations with users, by path.
async fn refuses_what_is_no_user(operation: &str) {
    let app = App::start().await;
    let user = |user: Value| json!({ "organizationId": "o", "documentId": "d", "users": [user] });
    let long = |n: usize| "é".repeat(n);
    for (sent, path) in [
        (json!({ "documentId": "d", "users": [{ "userId": "a" }] }), json!(["organizationId"])),
        (json!({ "organizationId": "o", "users": [{ "userId": "a" }] }), json!(["documentId"])),
        (json!({ "organizationId": "o", "documentId": "d" }), json!(["users"])),
        (json!({ "organizationId": "o", "documentId": "d", "users": [] }), json!(["users"])),
        (user(json!({ "name": "a" })), json!(["users", 0, "userId"])),
        (user(json!({ "userId": "" })), json!(["users", 0, "userId"])),
        (user(json!({ "userId": null })), json!(["users", 0, "userId"])),
        (user(json!({ "userId": "a", "name": 1 })), json!(["users", 0, "name"])),
        (user(json!({ "userId": "a", "name": long(1001) })), json!(["users", 0, "name"])),
        (user(json!({ "userId": "a", "email": 1 })), json!(["users", 0, "email"])),
        (user(json!({ "userId": "a", "status": "" })), json!(["users", 0, "status"])),
        (user(json!({ "userId": "a", "status": long(65) })), json!(["users", 0, "status"])),
        (user(json!({ "userId": "a", "status": true })), json!(["users", 0, "status"])),
        (user(json!("a")), json!(["users", 0])),
    ] {
        let error = app.call(operation, sent.clone()).await.error("INVALID_ARGUMENT");
        let mut expected = vec![json!("data")];
        expected.extend(path.as_array().unwrap().iter().cloned());
        assert_eq!(error["details"]["issues"][0]["path"], json!(expected), "{sent}");
    }
    let many = |n: usize| -> Vec<Value> {
        (0..n).map(|n| json!({ "userId": format!("u{n:03}") })).collect()
    };
    let sent = json!({ "organizationId": "o", "documentId": "d", "users": many(501) });
    app.call(operation, sent).await.error("INVALID_ARGUMENT");
    // A user who cannot be read refuses all, before anything is written.
    let sent = json!({
        "organizationId": "o", "documentId": "d", "users": [{ "userId": "a" }, { "userId": 1 }],
    });
    app.call(operation, sent).await.error("INVALID_ARGUMENT");
    assert_eq!(present(&app).await, json!([]));
    send(&app, operation, json!(many(500))).await;
    assert_eq!(present(&app).await.as_array().unwrap().len(), 500);
    send_to(&app, operation, "e", json!([{ "userId": "a", "name": "", "status": long(64) }])).await;
    let edge = json!([{ "userId": "a", "name": "", "status": long(64) }]);
    assert_eq!(present_in(&app, "e").await, edge);
}

#[tokio::test]
async fn a_record_that_nobody_touches_for_a_day_is_gone() {
    let app = App::start().await;
    send(&app, "presence.add", online(&["ada", "bob"])).await;
    app.advance(DAY - Duration::from_secs(60));
    send(&app, "presence.update", json!([{ "userId": "ada" }])).await;
    assert_eq!(present(&app).await, online(&["ada", "bob"]));
    app.advance(Duration::from_secs(61));
    assert_eq!(present(&app).await, online(&["ada"]), "long before it is deleted");
    let picked = json!({ "organizationId": "o", "documentId": "d", "userIds": ["ada", "bob"] });
    assert_eq!(app.call("presence.get", picked).await.data().as_array().unwrap().len(), 1);
    app.advance(DAY);
    assert_eq!(present(&app).await, json!([]));
}

#[tokio::test]
async fn the_row_that_leads_to_a_record_expires_with_it() {
    let app = App::start().await;
    let expiries = || -> Vec<u64> {
        let items = app.items_of(Table::Realtime, &app.key);
        let at = |item: &Value| item["expires"]["N"].as_str().expect("it expires").parse().unwrap();
        items.iter().map(at).collect()
    };
    send(&app, "presence.add", online(&["ada"])).await;
    let first = expiries();
    assert_eq!((first.len(), first[0]), (2, first[1]));
    let end = (app.now() + 24 * 60 * 60 * 1000) / 1000;
    assert!((end - 60..=end + 1).contains(&first[0]), "{first:?} of {end}");
    for operation in ["presence.update", "presence.add"] {
        let before = expiries();
        app.advance(Duration::from_secs(3600));
        send(&app, operation, online(&["ada"])).await;
        let after = expiries();
        assert_eq!((after.len(), after[0]), (2, after[1]));
        assert!(after[0] >= before[0] + 3600, "{operation}");
    }
}

#[tokio::test]
async fn a_user_who_leaves_the_organization_leaves_every_document() {
    let app = App::start().await;
    let users =
        json!({ "organizationId": "o", "users": [{ "userId": "ada" }, { "userId": "ad" }] });
    app.call("users.add", users).await.ok();
    for document in ["d", "e", "f#g"] {
        send_to(&app, "presence.add", document, online(&["ad", "ada", "bob"])).await;
    }
    let other = json!({
        "organizationId": "p", "documentId": "d", "users": [{ "userId": "ada" }],
    });
    app.call("presence.add", other.clone()).await.ok();
    let gone = json!({ "organizationId": "o", "userIds": ["ada"] });
    assert_eq!(app.call("users.delete", gone).await.data()["ada"]["success"], true);
    app.advance(Duration::from_secs(1));
    app.settle().await;
    for document in ["d", "e", "f#g"] {
        assert_eq!(present_in(&app, document).await, online(&["ad", "bob"]), "{document}");
    }
    let of_ada = |key: &String| key.contains("#ada");
    assert_eq!(stored(&app).iter().filter(|key| of_ada(key)).count(), 2, "those of organization p");
    let elsewhere = app.call("presence.get", other).await.data();
    assert_eq!(elsewhere.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_user_who_comes_back_has_only_the_new_presence() {
    let app = App::start().await;
    let users = json!({ "organizationId": "o", "users": [{ "userId": "ada" }] });
    app.call("users.add", users.clone()).await.ok();
    for document in ["d", "e"] {
        send_to(&app, "presence.add", document, online(&["ada"])).await;
    }
    app.call("users.delete", json!({ "organizationId": "o", "userIds": ["ada"] })).await.ok();
    app.advance(Duration::from_secs(1));
    app.call("users.add", users).await.ok();
    send_to(&app, "presence.update", "e", json!([{ "userId": "ada" }])).await;
    app.settle().await;
    assert_eq!(present_in(&app, "d").await, json!([]));
    assert_eq!(present_in(&app, "e").await, online(&["ada"]));
}

#[tokio::test]
async fn the_presence_of_a_deleted_document_is_removed_and_other_documents_keep_theirs() {
    let app = App::start().await;
    let documents = json!({
        "organizationId": "o", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", documents).await.ok();
    for document in ["d", "da", "d#user#ada"] {
        send_to(&app, "presence.add", document, online(&["ada", "bob"])).await;
    }
    let gone = json!({ "organizationId": "o", "documentIds": ["d"] });
    assert_eq!(app.call("documents.delete", gone).await.data()["d"]["success"], true);
    app.settle().await;
    assert_eq!(present(&app).await, json!([]));
    for document in ["da", "d#user#ada"] {
        assert_eq!(present_in(&app, document).await, online(&["ada", "bob"]), "{document}");
    }
    let expected = [
        "link#ada#presence#d%23user%23ada#user#ada",
        "link#ada#presence#da#user#ada",
        "link#bob#presence#d%23user%23ada#user#bob",
        "link#bob#presence#da#user#bob",
        "presence#d%23user%23ada#user#ada",
        "presence#d%23user%23ada#user#bob",
        "presence#da#user#ada",
        "presence#da#user#bob",
    ];
    assert_eq!(stored(&app), expected);
}

#[tokio::test]
async fn the_presence_of_a_deleted_organization_is_removed() {
    let app = App::start().await;
    let organizations = json!({ "organizations": [{ "organizationId": "o" }] });
    app.call("organizations.add", organizations).await.ok();
    send(&app, "presence.add", online(&["ada", "bob"])).await;
    app.call("organizations.delete", json!({ "organizationIds": ["o"] })).await.ok();
    app.settle().await;
    assert_eq!(stored(&app), Vec::<String>::new());
}
