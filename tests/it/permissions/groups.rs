//! Rights of groups in the requests and replies of this family; what they open is in
//! `user_groups/rights.rs`.

use serde_json::{Value, json};

use super::{resource, world};
use crate::app::App;

/// The documents of these tests, with the group `g` in the organization.
async fn with_group() -> App {
    let app = world().await;
    let group = json!({ "organizationId": "o", "organizationUserGroups": [{ "groupId": "g" }] });
    app.call("user-groups.add", group).await.ok();
    app
}

fn of_group(group: &str, resources: Value) -> Value {
    json!({ "organizationUserGroupId": group, "permissions": { "resources": resources } })
}

async fn shown(app: &App) -> Value {
    let sent = json!({
        "organizationId": "o", "organizationUserGroupIds": ["g"], "folderIds": ["top", "sub"],
        "documentIds": ["deep", "loose"],
    });
    app.call("permissions.get", sent).await.data()["g"].take()
}

#[tokio::test]
async fn a_request_names_a_user_or_a_group() {
    let app = with_group().await;
    let right = json!({ "resources": [resource("document", "deep", "viewer")] });
    for (operation, user, path) in [
        ("permissions.add", json!({ "user": { "userId": "u" } }), "user"),
        ("permissions.remove", json!({ "userId": "u" }), "userId"),
    ] {
        let neither = json!({ "permissions": right });
        let mut both = user.clone();
        both["permissions"] = right.clone();
        both["organizationUserGroupId"] = json!("g");
        for sent in [neither, both] {
            let error = app.call(operation, sent).await.error("INVALID_ARGUMENT");
            assert_eq!(error["details"]["issues"][0]["path"], json!(["data", path]));
        }
    }
    for (users, groups) in [(json!(null), json!(null)), (json!(["u"]), json!(["g"]))] {
        let sent = json!({
            "organizationId": "o", "userIds": users, "organizationUserGroupIds": groups,
        });
        let error = app.call("permissions.get", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "userIds"]));
    }
    assert_eq!(shown(&app).await["documents"]["deep"].get("organizationUserGroupId"), None);
}

#[tokio::test]
async fn the_group_and_every_resource_have_to_exist_or_no_right_is_given() {
    let app = with_group().await;
    let good = resource("document", "deep", "viewer");
    let elsewhere = json!({ "type": "organization", "id": "p" });
    for (group, wrong, named) in [
        ("h", resource("document", "loose", "viewer"), "user group h"),
        ("g", resource("document", "nothing", "viewer"), "document nothing"),
        ("g", resource("folder", "nothing", "viewer"), "folder nothing"),
        ("g", elsewhere, "organization p"),
    ] {
        let sent = of_group(group, json!([good, wrong]));
        let error = app.call("permissions.add", sent).await.error("NOT_FOUND");
        assert!(error["message"].as_str().unwrap().contains(named), "{error}");
    }
    assert_eq!(shown(&app).await["documents"]["deep"].get("organizationUserGroupId"), None);
    let organizations = app.call("organizations.get", json!({ "organizationIds": ["p"] })).await;
    assert_eq!(organizations.data(), json!([]), "a right of a group adds none");
    // To take away what nobody has, and nobody knows, is no error.
    let resources = json!([resource("document", "nothing", "viewer"), good]);
    app.call("permissions.remove", of_group("h", resources)).await.ok();
}

#[tokio::test]
async fn a_group_has_rights_to_many_resources_and_the_later_of_two_to_one_resource_counts() {
    let app = with_group().await;
    let resources = json!([
        resource("document", "deep", "viewer"),
        resource("document", "deep", "commenter"),
        resource("folder", "top", "viewer"),
        { "type": "organization", "id": "o", "accessRole": "editor" },
    ]);
    app.call("permissions.add", of_group("g", resources)).await.ok();
    let found = shown(&app).await;
    assert_eq!(found["documents"]["deep"]["accessRole"], "commenter");
    assert_eq!(found["folders"]["sub"]["accessRole"], "viewer", "that of the folder above");
    assert_eq!(found["documents"]["loose"]["accessRole"], "editor", "that of the organization");
    assert_eq!(found["organization"]["o"]["organizationUserGroupId"], "g");
    let removed = of_group("g", json!([resource("document", "deep", "editor")]));
    app.call("permissions.remove", removed).await.ok();
    assert_eq!(shown(&app).await["documents"]["deep"]["accessRole"], "viewer");
}

#[tokio::test]
async fn a_full_batch_is_written_in_few_calls() {
    let app = with_group().await;
    let ids: Vec<String> = (0..500).map(|n| format!("d{n}")).collect();
    let documents: Vec<Value> = ids.iter().map(|id| json!({ "documentId": id })).collect();
    let documents = json!({ "organizationId": "o", "documents": documents });
    app.call("documents.add", documents).await.ok();
    let resources: Vec<Value> = ids.iter().map(|id| resource("document", id, "viewer")).collect();
    app.forget_calls();
    app.call("permissions.add", of_group("g", json!(resources))).await.ok();
    // Documents and containers are read twice: to refuse what does not exist, and with the change.
    assert!(app.calls().len() <= 2 * 500 / 100 + 500 / 25 + 4, "{}", app.calls().len());
}
