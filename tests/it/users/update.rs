use serde_json::{Value, json};

use super::{add, users, with};
use crate::app::{App, cost};

async fn update(app: &App, user: Value) -> Value {
    let sent = json!({ "organizationId": "o", "users": [user] });
    app.call("users.update", sent).await.data()
}

#[tokio::test]
async fn omitted_members_keep_their_values() {
    let app = App::start().await;
    let user = json!({ "userId": "u", "name": "ada", "plan": "gold", "accessRole": "viewer" });
    app.call("users.add", json!({ "organizationId": "o", "users": [user] })).await.ok();
    let data = update(&app, json!({ "userId": "u", "email": "a@example.com", "plan": null })).await;
    assert_eq!(data, json!({ "u": { "id": "u", "success": true, "message": "User updated." } }));
    let expected = json!({
        "email": "a@example.com", "initial": "A", "organizationId": "o"
    });
    assert_eq!(users(&app, json!({})).await, [with(user, expected)]);
    update(&app, json!({ "userId": "u", "accessRole": "editor" })).await;
    let user = users(&app, json!({})).await.remove(0);
    assert_eq!((&user["accessRole"], &user["name"]), (&json!("editor"), &json!("ada")));
}

#[tokio::test]
async fn the_initial_follows_the_name_unless_the_initial_was_set() {
    let app = App::start().await;
    add(&app, json!({}), &["ada"]).await;
    update(&app, json!({ "userId": "ada", "name": "bob" })).await;
    assert_eq!(users(&app, json!({})).await[0]["initial"], "B");
    update(&app, json!({ "userId": "ada", "initial": "x" })).await;
    update(&app, json!({ "userId": "ada", "name": "cleo" })).await;
    assert_eq!(users(&app, json!({})).await[0]["initial"], "x");
}

#[tokio::test]
async fn an_unknown_user_fails_and_is_not_added() {
    let app = App::start().await;
    add(&app, json!({ "documentId": "d" }), &["u"]).await;
    let sent = json!({ "organizationId": "o", "users": [{ "userId": "u" }, { "userId": "v" }] });
    let data = app.call("users.update", sent.clone()).await.data();
    assert_eq!((&data["u"]["success"], &data["u"]["id"]), (&json!(false), &json!("u")));
    assert_eq!(data["v"]["success"], false);
    let data = app.call("users.update", with(sent, json!({ "documentId": "d" }))).await.data();
    assert_eq!((&data["u"]["success"], &data["v"]["success"]), (&json!(true), &json!(false)));
    assert!(users(&app, json!({})).await.is_empty());
    let unknown = json!({ "organizationId": "nowhere", "users": [{ "userId": "u" }] });
    assert_eq!(app.call("users.update", unknown).await.data()["u"]["success"], false);
}

#[tokio::test]
async fn organization_folder_and_document_have_separate_profiles_of_a_user() {
    let app = App::start().await;
    let levels = [json!({}), json!({ "documentId": "x" }), json!({ "folderId": "x" })];
    for at in &levels {
        add(&app, at.clone(), &["u"]).await;
    }
    for at in &levels {
        let sent =
            json!({ "organizationId": "o", "users": [{ "userId": "u", "plan": at.to_string() }] });
        app.call("users.update", with(sent, at.clone())).await.ok();
    }
    for at in &levels {
        assert_eq!(users(&app, at.clone()).await[0]["plan"], at.to_string());
    }
}

#[tokio::test]
async fn two_changes_of_a_user_in_a_request_merge_and_the_later_member_wins() {
    let app = App::start().await;
    add(&app, json!({}), &["u"]).await;
    let sent = json!({ "organizationId": "o", "users": [
        { "userId": "u", "plan": "a", "color": "red" }, { "userId": "u", "plan": "b" },
    ] });
    let data = app.call("users.update", sent).await.data();
    assert_eq!(data.as_object().unwrap().len(), 1);
    let user = users(&app, json!({})).await.remove(0);
    assert_eq!((&user["plan"], &user["color"]), (&json!("b"), &json!("red")));
}

#[tokio::test]
async fn roles_are_changed_by_v2_only() {
    let app = App::start().await;
    add(&app, json!({}), &["u"]).await;
    let sent = json!({ "organizationId": "o", "users": [
        { "userId": "u", "accessRole": "viewer", "plan": "gold" },
    ] });
    app.call_at("/v1/users/update", sent.clone()).await.ok();
    let user = users(&app, json!({})).await.remove(0);
    assert_eq!((&user["accessRole"], &user["plan"]), (&json!("editor"), &json!("gold")));
    app.call("users.update", sent).await.ok();
    assert_eq!(users(&app, json!({})).await[0]["accessRole"], "viewer");
}

#[tokio::test]
async fn a_malformed_member_is_refused_with_its_path() {
    let app = App::start().await;
    for (more, path) in [
        (json!({ "documentId": "d", "folderId": "f" }), json!(["data", "folderId"])),
        (json!({ "users": [] }), json!(["data", "users"])),
        (json!({ "users": [{}] }), json!(["data", "users", 0, "userId"])),
        (
            json!({ "users": [{ "userId": "u", "accessRole": "owner" }] }),
            json!(["data", "users", 0, "accessRole"]),
        ),
    ] {
        let sent = json!({ "organizationId": "o", "users": [{ "userId": "u" }] });
        let error = app.call("users.update", with(sent, more)).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], path);
    }
}

#[tokio::test]
async fn a_full_batch_is_changed_in_few_calls() {
    let app = App::start().await;
    let batch = |plan: &str| {
        let users: Vec<Value> =
            (0..500).map(|n| json!({ "userId": format!("u{n}"), "plan": plan })).collect();
        json!({ "organizationId": "o", "users": users })
    };
    app.call("users.add", batch("a")).await.ok();
    app.forget_calls();
    let data = app.call("users.update", batch("b")).await.data();
    assert!(data.as_object().unwrap().values().all(|entry| entry["success"] == true));
    assert!(app.calls().len() <= cost::allowed(500), "{}", app.calls().len());
    assert!(users(&app, json!({})).await.iter().all(|user| user["plan"] == "b"));
}

#[tokio::test]
async fn an_empty_address_takes_the_address_away() {
    let app = App::start().await;
    let user = json!({ "userId": "u", "email": "a@example.com" });
    app.call("users.add", json!({ "organizationId": "o", "users": [user] })).await.ok();
    update(&app, json!({ "userId": "u", "email": "a@b" })).await;
    assert_eq!(users(&app, json!({})).await[0]["email"], "a@b");
    update(&app, json!({ "userId": "u", "email": "" })).await;
    assert_eq!(users(&app, json!({})).await[0].get("email"), None);
}
