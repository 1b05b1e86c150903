//! The effect of an operation, and its consequence for the body.

use serde_json::{Value, json};
use service::{Effect, Spec, Table};

use crate::app::{App, cost, cost::Cost, specs};

/// The schemas of an operation's body and `data` in openapi.json.
pub(super) fn schemas(spec: &Spec) -> [Value; 2] {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi.json");
    let text = std::fs::read_to_string(file).expect("openapi.json");
    let document: Value = serde_json::from_str(&text).expect("JSON");
    let resolved = |part: &Value| match part["$ref"].as_str() {
        Some(target) => document.pointer(target.trim_start_matches('#')).expect("a part").clone(),
        None => part.clone(),
    };
    let body = resolved(&document["paths"][spec.paths[0]]["post"]["requestBody"]);
    let body = &body["content"]["application/json"]["schema"];
    [body.clone(), resolved(&body["properties"]["data"])]
}

/// A body with an unknown member, in `data` and beside it.
fn with_unknown(body: &str) -> Value {
    let mut body: Value = serde_json::from_str(body).unwrap_or_else(|_| json!({ "data": {} }));
    body["data"]["unknown"] = json!({ "deep": 1 });
    body["unknown"] = json!("hunter2");
    body
}

#[tokio::test]
async fn reading_operations_write_nothing_and_only_delete_paths_delete() {
    for spec in specs().values() {
        let words = |path: &&str| path.ends_with("/delete") || path.ends_with("/remove");
        assert_eq!(spec.paths.iter().any(words), spec.effect == Effect::Deletes, "{}", spec.name);
        if spec.effect == Effect::Reads {
            let cost = cost::of_sample(spec).await;
            assert_eq!((cost.writes, cost.sends), (0, 0), "{}", spec.name);
        }
    }
}

#[tokio::test]
async fn an_unknown_member_is_refused_by_deletions_and_named_in_a_header_by_others() {
    for spec in specs().values() {
        let (app, second) = App::sample_world().await;
        let body = with_unknown(&app.sample_body(&spec.binary(), &second));
        app.forget_calls();
        let reply = app.caller().body_at(spec.paths[0], body.to_string()).await;
        let named = reply.header("x-ignored-members");
        let [of_body, of_data] = schemas(spec);
        if spec.effect == Effect::Deletes {
            let error = reply.error("INVALID_ARGUMENT");
            let issues = error["details"]["issues"].as_array().expect("issues").iter();
            let paths: Vec<&Value> = issues.clone().map(|issue| &issue["path"]).collect();
            assert_eq!(paths, [&json!(["data", "unknown"]), &json!(["unknown"])], "{}", spec.name);
            assert!(issues.clone().all(|issue| issue["code"] == "unknown_member"), "{error}");
            assert!(!reply.text().contains("hunter2"), "what was sent is not repeated");
            assert_eq!(named, None, "{}", spec.name);
            assert_eq!(Cost::of(&app.calls()).writes, 0, "{}", spec.name);
            for schema in [of_body, of_data] {
                assert_eq!(schema["additionalProperties"], false, "{}: openapi.json", spec.name);
            }
        } else {
            reply.ok();
            // Some operations keep members of the caller's own.
            let keeps = of_data["additionalProperties"] == true;
            let wanted = if keeps { "unknown" } else { "data.unknown,unknown" };
            assert_eq!(named.as_deref(), Some(wanted), "{}", spec.name);
        }
    }
}

#[tokio::test]
async fn a_misspelt_filter_deletes_nothing() {
    let (app, _) = App::sample_world().await;
    app.settle().await;
    let stored = || {
        let items = Table::ALL.map(|table| app.items_of(table, &app.key));
        items.map(|items| items.len())
    };
    let before = stored();
    for (operation, misspelt, nearest, mut body) in [
        ("notifications.delete", "notificationIDs", "notificationIds", json!({})),
        ("comments.annotations_delete", "annotationId", "annotationIds", json!({})),
        ("activities.delete", "ids", "activityIds", json!({})),
        ("comments.delete", "commentId", "commentIds", json!({ "annotationId": "intro" })),
        ("editors.delete", "editorId", "editorIds", json!({})),
        ("users.delete", "documentid", "documentId", json!({ "userIds": ["ada"] })),
        ("user-data.delete", "organizationId", "organizationIds", json!({ "userIds": ["ada"] })),
    ] {
        if operation != "user-data.delete" {
            body["organizationId"] = json!("acme");
        }
        if !["user-data.delete", "users.delete"].contains(&operation) {
            body["documentId"] = json!("welcome");
        }
        body[misspelt] = json!(["intro"]);
        let error = app.call(operation, body).await.error("INVALID_ARGUMENT");
        let issue = &error["details"]["issues"][0];
        assert_eq!(issue["path"], json!(["data", misspelt]), "{operation}");
        assert!(issue["message"].as_str().expect("a text").ends_with(nearest), "{issue}");
        app.settle().await;
        assert_eq!(stored(), before, "{operation}");
    }
}

#[tokio::test]
async fn unknown_members_of_items_are_named_and_of_items_to_delete_refused() {
    let (app, _) = App::sample_world().await;
    let users = json!({ "organizationId": "acme", "users": [
        { "userId": "ada" }, { "userId": "bob", "nick name": "B", "role": "editor" },
    ] });
    let reply = app.call("users.add", users).await;
    reply.ok();
    let named = reply.header("x-ignored-members");
    assert_eq!(named.as_deref(), Some("data.users[1].nick%20name,data.users[1].role"));
    // Any field is allowed within the caller's own data.
    let documents = json!({ "organizationId": "acme", "documents": [
        { "documentId": "welcome", "anything": { "goes": 1 } },
    ] });
    let reply = app.call("documents.update", documents).await;
    reply.ok();
    assert_eq!(reply.header("x-ignored-members"), None);

    let right = json!({ "type": "document", "id": "welcome", "organizationId": "acme", "x": 1 });
    let rights = json!({ "userId": "bob", "permissions": { "resources": [right] } });
    let error = app.call("permissions.remove", rights).await.error("INVALID_ARGUMENT");
    let path = &error["details"]["issues"][0]["path"];
    assert_eq!(*path, json!(["data", "permissions", "resources", 0, "x"]));
}
