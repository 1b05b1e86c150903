use serde_json::json;

use super::{DAY, online, present, present_in, refuses_what_is_no_user, send, send_to, stored};
use crate::app::App;

#[tokio::test]
async fn neither_organization_nor_document_nor_user_need_exist() {
    let app = App::start().await;
    let ada = json!({
        "userId": "ada", "name": "Ada", "email": "ada@example.com", "status": "busy",
    });
    let before = app.now();
    send(&app, "presence.add", json!([ada])).await;
    assert_eq!(present(&app).await, json!([ada]));
    let sent = json!({ "organizationId": "o", "documentId": "d" });
    let at = app.call("presence.get", sent).await.data()[0]["lastUpdated"].as_u64().unwrap();
    assert!((before..=app.now()).contains(&at));
    for operation in ["documents.get", "users.get"] {
        let found = app.call(operation, json!({ "organizationId": "o" })).await.data();
        assert_eq!(found, json!([]), "{operation}: nothing else is created");
    }
}

#[tokio::test]
async fn a_status_is_online_unless_it_is_sent() {
    let app = App::start().await;
    let users = json!([{ "userId": "a" }, { "userId": "b", "status": null, "email": null }]);
    send(&app, "presence.add", users).await;
    assert_eq!(present(&app).await, online(&["a", "b"]));
}

#[tokio::test]
async fn adding_a_present_user_replaces_the_whole_record() {
    let app = App::start().await;
    let first = json!({
        "userId": "ada", "name": "Ada", "email": "ada@example.com", "status": "away",
    });
    send(&app, "presence.add", json!([first, { "userId": "bob", "name": "Bob" }])).await;
    send(&app, "presence.add", json!([{ "userId": "ada", "name": "A" }])).await;
    let expected = json!([
        { "userId": "ada", "name": "A", "status": "online" },
        { "userId": "bob", "name": "Bob", "status": "online" },
    ]);
    assert_eq!(present(&app).await, expected);
    assert_eq!(stored(&app).len(), 4, "a record and a row for each");
}

#[tokio::test]
async fn a_user_sent_twice_in_a_request_has_the_later_record() {
    let app = App::start().await;
    let users = json!([
        { "userId": "ada", "name": "Ada", "status": "away" },
        { "userId": "bob" },
        { "userId": "ada", "email": "ada@example.com" },
    ]);
    send(&app, "presence.add", users).await;
    let expected = json!([
        { "userId": "ada", "email": "ada@example.com", "status": "online" },
        { "userId": "bob", "status": "online" },
    ]);
    assert_eq!(present(&app).await, expected);
}

#[tokio::test]
async fn documents_and_organizations_are_apart() {
    let app = App::start().await;
    send_to(&app, "presence.add", "d", online(&["ada"])).await;
    send_to(&app, "presence.add", "e", online(&["bob"])).await;
    assert_eq!(present_in(&app, "d").await, online(&["ada"]));
    assert_eq!(present_in(&app, "e").await, online(&["bob"]));
    let elsewhere = json!({ "organizationId": "p", "documentId": "d" });
    assert_eq!(app.call("presence.get", elsewhere).await.data(), json!([]));
}

#[tokio::test]
async fn a_user_whose_presence_has_ended_can_be_added_again() {
    let app = App::start().await;
    send(&app, "presence.add", online(&["ada"])).await;
    app.advance(DAY);
    send(&app, "presence.add", online(&["ada"])).await;
    assert_eq!(present(&app).await, online(&["ada"]));
}

#[tokio::test]
async fn malformed_users_are_refused() {
    refuses_what_is_no_user("presence.add").await;
}

#[tokio::test]
async fn online_away_and_offline_are_kept_as_they_were_sent() {
    let app = App::start().await;
    let users = json!([
        { "userId": "a", "status": "online" }, { "userId": "b", "status": "away" },
        { "userId": "c", "status": "offline" },
    ]);
    send(&app, "presence.add", users.clone()).await;
    assert_eq!(present(&app).await, users);
}
