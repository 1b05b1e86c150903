//! A notification about a thread reaches only users with access to it (contract
//! `notifications.get`).

use serde_json::{Value, json};

use super::{add, find, get, ids, start};
use crate::app::App;

/// A deployment with the thread `t` in `d`, and notifications about it for ada and bob.
async fn with_thread(visibility: Value) -> App {
    let app = start().await;
    thread(&app, visibility).await;
    let both = json!([{ "userId": "ada" }, { "userId": "bob" }]);
    let about = |id: &str, all: bool, data: Value| {
        json!({
            "notificationId": id, "notifyUsers": both, "notifyAll": all,
            "notificationSource": "comment", "notificationSourceData": data,
        })
    };
    add(&app, about("both", false, json!({ "annotationId": "t" }))).await;
    add(&app, about("all", true, json!({ "commentAnnotationId": "t" }))).await;
    let target = json!({ "notificationId": "bob", "notifyUsers": [{ "userId": "bob" }],
        "targetAnnotationId": "t" });
    add(&app, target).await;
    add(&app, json!({ "notificationId": "other", "notifyUsers": both })).await;
    app
}

async fn thread(app: &App, visibility: Value) {
    let sent = json!({
        "organizationId": "acme", "documentId": "d", "commentAnnotations": [{
            "annotationId": "t", "visibility": visibility,
            "commentData": [{ "from": { "userId": "eve" }, "commentText": "x" }],
        }],
    });
    let data = app.call("comments.annotations_add", sent).await.data();
    assert_eq!(data["t"]["success"], true, "{data}");
}

async fn sorted(app: &App, filter: Value) -> Vec<String> {
    let mut ids = ids(app, filter).await;
    ids.sort();
    ids
}

const ALL: [&str; 4] = ["all", "bob", "both", "other"];

#[tokio::test]
async fn a_public_thread_hides_nothing() {
    let app = with_thread(json!(null)).await;
    assert_eq!(sorted(&app, json!({})).await, ALL);
    assert_eq!(sorted(&app, json!({ "userId": "bob" })).await, ALL);
    assert_eq!(sorted(&app, json!({ "userId": "ada" })).await, ["all", "both", "other"]);
}

/// Contract `notifications.get`.
#[tokio::test]
async fn notifications_of_a_restricted_thread_are_listed_for_users_who_see_it() {
    let app = with_thread(json!({ "type": "restricted", "userIds": ["ada"] })).await;
    for filter in [json!({}), json!({ "documentId": "d" }), json!({ "notificationIds": ALL })] {
        let of = |user: &str| {
            let mut filter = filter.clone();
            filter["userId"] = json!(user);
            sorted(&app, filter)
        };
        assert_eq!(of("ada").await, ["all", "both", "other"], "{filter}");
        assert_eq!(of("bob").await, ["other"], "{filter}");
        assert_eq!(of("eve").await, ["all"], "{filter}: the author sees it, and is not named");
        assert_eq!(sorted(&app, filter.clone()).await, ["all", "both", "other"], "{filter}");
    }
    for member in ["notifyUsers", "notifyUsersByUserId"] {
        assert_eq!(find(&app, "both").await[member], json!({ "ada": true }));
        assert_eq!(find(&app, "all").await[member], json!({ "ada": true }));
        assert_eq!(find(&app, "other").await[member], json!({ "ada": true, "bob": true }));
    }
    let sent = json!({ "organizationId": "acme", "userId": "bob" });
    let v1 = app.call_at("/v1/notifications/get", sent).await.data();
    assert_eq!(v1.as_array().unwrap().len(), 1);
}

/// Contract `notifications.get`.
#[tokio::test]
async fn notifications_of_a_thread_of_another_organization_are_not_listed() {
    let other = json!({ "type": "organizationPrivate", "organizationId": "other" });
    let app = with_thread(other).await;
    super::scene::add_users(&app, &["ada"]).await;
    assert_eq!(sorted(&app, json!({ "userId": "ada" })).await, ["other"]);
    let own = json!({ "type": "organizationPrivate", "organizationId": "acme" });
    let app = with_thread(own).await;
    super::scene::add_users(&app, &["bob"]).await;
    assert_eq!(sorted(&app, json!({ "userId": "bob" })).await, ALL);
    assert_eq!(sorted(&app, json!({ "userId": "ada" })).await, ["other"], "no member");
    assert_eq!(find(&app, "both").await["notifyUsers"], json!({ "bob": true }));
}

#[tokio::test]
async fn notifications_of_a_deleted_thread_are_not_listed() {
    let app = with_thread(json!(null)).await;
    let sent = json!({ "organizationId": "acme", "documentId": "d", "annotationIds": ["t"] });
    app.call("comments.annotations_delete", sent).await.ok();
    assert_eq!(sorted(&app, json!({})).await, ["other"]);
    assert_eq!(sorted(&app, json!({ "userId": "bob" })).await, ["other"]);
    let elsewhere = json!({
        "documentId": "e", "notificationId": "e", "notificationSource": "comment",
        "notificationSourceData": { "annotationId": "t" },
    });
    thread(&app, json!(null)).await;
    add(&app, elsewhere).await;
    assert_eq!(get(&app, json!({ "documentId": "e" })).await, [json!(null); 0]);
}

#[tokio::test]
async fn verify_user_permissions_refuses_users_who_may_not_see_the_thread() {
    let app = with_thread(json!({ "type": "restricted", "userIds": ["ada"] })).await;
    for (user, passes) in [("ada", true), ("bob", false)] {
        let sent = json!({
            "organizationId": "acme", "userId": user, "verifyUserPermissions": true,
            "notifications": [{ "id": "both", "readByUserIds": [user] }],
        });
        let data = app.call("notifications.update", sent).await.data();
        assert_eq!(data["both"]["success"], passes, "{user}");
    }
}
