//! Bounds of what a decision on rights reads of groups.

use std::time::Duration;

use serde_json::{Value, json};

use super::of_group;
use crate::app::{App, Reply};

fn group(n: usize) -> String {
    format!("g{n:03}")
}

/// The document `d`, the user `a`, and this many groups.
async fn world(groups: usize) -> App {
    let app = App::start().await;
    let documents = json!({
        "organizationId": "o", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", documents).await.ok();
    let users = json!({ "organizationId": "o", "users": [{ "userId": "a" }] });
    app.call("users.add", users).await.ok();
    let groups: Vec<Value> = (0..groups).map(|n| json!({ "groupId": group(n) })).collect();
    let groups = json!({ "organizationId": "o", "organizationUserGroups": groups });
    app.call("user-groups.add", groups).await.ok();
    app
}

async fn grant(app: &App, n: usize, more: Value) -> Reply {
    let mut resource = json!({ "type": "document", "id": "d", "organizationId": "o" });
    resource.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let sent = json!({
        "organizationUserGroupId": group(n), "permissions": { "resources": [resource] },
    });
    app.call("permissions.add", sent).await
}

async fn join(app: &App, n: usize) -> Value {
    let mut sent = of_group(json!(["a"]));
    sent["organizationUserGroupId"] = json!(group(n));
    app.call("user-groups.users_add", sent).await.data()["a"].take()
}

#[tokio::test]
async fn fifty_groups_have_a_right_at_a_level_and_dead_ones_make_room() {
    let app = world(53).await;
    for n in 0..50 {
        grant(&app, n, json!({})).await.ok();
    }
    let full = grant(&app, 50, json!({})).await;
    let message = full.error("RESOURCE_EXHAUSTED")["message"].to_string();
    assert!(message.contains("document d") && message.contains("50"), "{message}");
    // A group with a right can be given another.
    grant(&app, 0, json!({ "accessRole": "viewer" })).await.ok();
    let ends = app.now() / 1000 + 60;
    grant(&app, 1, json!({ "accessRole": "viewer", "expiresAt": ends })).await.ok();
    app.advance(Duration::from_secs(61));
    grant(&app, 50, json!({})).await.ok();
    grant(&app, 51, json!({})).await.error("RESOURCE_EXHAUSTED");
    let gone = json!({ "organizationId": "o", "organizationUserGroupIds": [group(2)] });
    app.call("user-groups.delete", gone).await.ok();
    grant(&app, 51, json!({})).await.ok();
    grant(&app, 52, json!({})).await.error("RESOURCE_EXHAUSTED");
    let removed = json!({
        "organizationUserGroupId": group(3), "permissions": { "resources": [
            { "type": "document", "id": "d", "organizationId": "o" },
        ] },
    });
    app.call("permissions.remove", removed).await.ok();
    grant(&app, 52, json!({})).await.ok();
}

#[tokio::test]
async fn a_user_is_in_a_hundred_groups() {
    let app = world(101).await;
    for n in 0..100 {
        assert_eq!(join(&app, n).await["success"], true);
    }
    let refused = join(&app, 100).await;
    assert_eq!(refused["success"], false);
    assert!(refused["message"].as_str().unwrap().contains("100"), "{refused}");
    assert_eq!(join(&app, 7).await["success"], true, "one of them");
    let gone = json!({ "organizationId": "o", "organizationUserGroupIds": [group(7)] });
    app.call("user-groups.delete", gone).await.ok();
    app.settle().await;
    assert_eq!(join(&app, 100).await["success"], true, "the clean-up made room");
}
