//! `presence.get`.

use serde_json::{Value, json};

use super::{online, send};
use crate::app::App;

async fn get(app: &App, members: Value) -> Value {
    let mut sent = members;
    sent["organizationId"] = json!("o");
    sent["documentId"] = json!("d");
    app.call("presence.get", sent).await.ok()
}

fn ids(result: &Value) -> Vec<&str> {
    let users = result["data"].as_array().unwrap().iter();
    users.map(|user| user["userId"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn users_come_in_the_order_of_their_ids() {
    let app = App::start().await;
    send(&app, "presence.add", online(&["c", "a", "é", "B", "b"])).await;
    assert_eq!(ids(&get(&app, json!({})).await), ["B", "a", "b", "c", "é"]);
}

#[tokio::test]
async fn user_ids_select_the_users_who_are_present_and_an_empty_list_selects_none() {
    let app = App::start().await;
    send(&app, "presence.add", online(&["a", "b", "c"])).await;
    for (named, found) in [
        (json!(["c", "x", "a", "c"]), vec!["a", "c"]),
        (json!(["b"]), vec!["b"]),
        (json!(["x"]), vec![]),
        (json!([]), vec![]),
        (json!(null), vec!["a", "b", "c"]),
    ] {
        assert_eq!(ids(&get(&app, json!({ "userIds": named })).await), found, "{named}");
    }
}

#[tokio::test]
async fn at_most_30_users_can_be_named() {
    let app = App::start().await;
    let named = |n: usize| -> Vec<String> { (0..n).map(|n| format!("u{n}")).collect() };
    assert_eq!(ids(&get(&app, json!({ "userIds": named(30) })).await), Vec::<&str>::new());
    let sent = json!({ "organizationId": "o", "documentId": "d", "userIds": named(31) });
    app.call("presence.get", sent).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn a_document_nobody_is_in_has_an_empty_list() {
    let app = App::start().await;
    let result = get(&app, json!({})).await;
    assert_eq!((&result["data"], result.get("pageToken")), (&json!([]), Some(&json!(null))));
}

#[tokio::test]
async fn users_whose_presence_has_ended_take_no_place_on_a_page() {
    let app = App::start().await;
    let many: Vec<Value> = (0..20).map(|n| json!({ "userId": format!("a{n:02}") })).collect();
    send(&app, "presence.add", json!(many)).await;
    app.advance(super::DAY);
    send(&app, "presence.add", online(&["a05", "b", "c"])).await;
    let first = get(&app, json!({ "pageSize": 2 })).await;
    assert_eq!(ids(&first), ["a05", "b"]);
    let second = get(&app, json!({ "pageSize": 2, "pageToken": first["pageToken"] })).await;
    assert_eq!((ids(&second), &second["pageToken"]), (vec!["c"], &json!(null)));
}
