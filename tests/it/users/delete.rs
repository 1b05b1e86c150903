use serde_json::{Value, json};

use super::{add, group, ids, with};
use crate::app::App;

async fn delete(app: &App, more: Value) -> Value {
    app.call("users.delete", with(json!({ "organizationId": "o" }), more)).await.data()
}

#[tokio::test]
async fn a_user_who_leaves_the_organization_leaves_its_documents_folders_groups_and_rights() {
    let app = App::start().await;
    let levels = [json!({}), json!({ "documentId": "x" }), json!({ "folderId": "x" })];
    for at in &levels {
        add(&app, at.clone(), &["u", "v"]).await;
    }
    group(&app, "g", &["u", "v"]).await;
    let grants = |user: &str| {
        json!({ "user": { "userId": user }, "permissions": { "resources": [
            { "type": "organization", "id": "o" },
            { "type": "document", "id": "x", "organizationId": "o" },
        ] } })
    };
    app.call("permissions.add", grants("u")).await.ok();
    app.call("permissions.add", grants("v")).await.ok();

    let data = delete(&app, json!({ "userIds": ["u"] })).await;
    assert_eq!(data, json!({ "u": { "success": true, "message": "User removed." } }));
    assert_eq!(ids(&app, json!({})).await, ["v"]);
    app.settle().await;
    for at in levels {
        assert_eq!(ids(&app, at.clone()).await, ["v"], "{at}");
    }
    let groups = app.call("user-groups.get", json!({ "organizationId": "o" })).await.data();
    assert_eq!(groups[0]["userIds"], json!(["v"]));
    let mut left = app.items_of(service::Table::Resources, &app.key);
    // Older tokens of the user have no right any more as long as this says so.
    left.retain(|item| item["ended"]["N"].is_null());
    assert!(!left.iter().any(|item| item["userId"]["S"] == "u"), "{left:?}");
    assert_eq!(left.iter().filter(|item| item["userId"]["S"] == "v").count(), 6);
}

#[tokio::test]
async fn a_user_who_leaves_a_document_or_folder_stays_elsewhere() {
    let app = App::start().await;
    let levels = [json!({}), json!({ "documentId": "x" }), json!({ "folderId": "x" })];
    for at in &levels {
        add(&app, at.clone(), &["u"]).await;
    }
    let grant = json!({ "user": { "userId": "u" }, "permissions": { "resources": [
        { "type": "document", "id": "x", "organizationId": "o", "accessRole": "viewer" },
    ] } });
    app.call("permissions.add", grant).await.ok();
    delete(&app, json!({ "userIds": ["u"], "documentId": "x" })).await;
    app.settle().await;
    assert_eq!(ids(&app, json!({})).await, ["u"]);
    assert_eq!(ids(&app, json!({ "folderId": "x" })).await, ["u"]);
    assert!(ids(&app, json!({ "documentId": "x" })).await.is_empty());
    // The right given for the document went with the membership.
    let rights = json!({ "organizationId": "o", "userIds": ["u"], "documentIds": ["x"] });
    let rights = app.call("permissions.get", rights).await.data();
    assert_eq!(rights["u"]["documents"]["x"]["accessRole"], "editor");
    delete(&app, json!({ "userIds": ["u"], "folderId": "x" })).await;
    assert!(ids(&app, json!({ "folderId": "x" })).await.is_empty());
}

#[tokio::test]
async fn an_unknown_user_fails_without_failing_the_others() {
    let app = App::start().await;
    add(&app, json!({}), &["u"]).await;
    let data = delete(&app, json!({ "userIds": ["u", "v"] })).await;
    assert_eq!((&data["u"]["success"], &data["v"]["success"]), (&json!(true), &json!(false)));
    assert_eq!(data["v"].get("id"), None);
    assert_eq!(delete(&app, json!({ "userIds": ["u"] })).await["u"]["success"], false);
    let elsewhere = json!({ "organizationId": "p", "userIds": ["u"] });
    assert_eq!(delete(&app, elsewhere).await["u"]["success"], false);
}

#[tokio::test]
async fn a_user_id_sent_twice_is_reported_once_as_removed() {
    let app = App::start().await;
    add(&app, json!({}), &["u"]).await;
    let data = delete(&app, json!({ "userIds": ["u", "u"] })).await;
    assert_eq!(data.as_object().unwrap().len(), 1);
    assert_eq!(data["u"]["success"], true);
}

#[tokio::test]
async fn no_user_more_than_500_users_or_two_places_are_refused() {
    let app = App::start().await;
    for sent in [
        json!({ "organizationId": "o", "userIds": [] }),
        json!({ "organizationId": "o", "userIds": vec!["u"; 501] }),
        json!({ "organizationId": "o", "userIds": ["u"], "documentId": "d", "folderId": "f" }),
    ] {
        app.call("users.delete", sent).await.error("INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn a_full_batch_is_removed_in_few_calls() {
    let app = App::start().await;
    let users: Vec<String> = (0..500).map(|n| format!("u{n}")).collect();
    let sent: Vec<Value> = users.iter().map(|id| json!({ "userId": id })).collect();
    app.call("users.add", json!({ "organizationId": "o", "users": sent })).await.ok();
    app.forget_calls();
    let data = delete(&app, json!({ "userIds": users })).await;
    assert!(data.as_object().unwrap().values().all(|entry| entry["success"] == true));
    assert!(app.calls().len() <= 500 / 25 + 2, "{}", app.calls().len());
    assert!(ids(&app, json!({})).await.is_empty());
}
