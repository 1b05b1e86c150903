use std::time::Duration;

use serde_json::{Value, json};

use super::{grant, of, resource, world};
use crate::app::App;

async fn folder_access(app: &App, folder: &str, access: &str) {
    let sent = json!({ "organizationId": "o", "folderIds": [folder], "accessType": access });
    app.call("folders.access_update", sent).await.ok();
}

async fn document_access(app: &App, document: &str, access: &str) {
    let sent = json!({ "organizationId": "o", "documentIds": [document], "accessType": access });
    app.call("documents.access_update", sent).await.ok();
}

async fn join(app: &App, at: Value, role: &str) {
    let mut sent =
        json!({ "organizationId": "o", "users": [{ "userId": "u", "accessRole": role }] });
    for (name, id) in at.as_object().unwrap() {
        sent[name] = id.clone();
    }
    app.call("users.add", sent).await.ok();
}

fn denied(entry: &Value, access: &str) {
    assert_eq!(entry["errorCode"], "permission_denied", "{entry}");
    assert_eq!(entry["accessType"], access, "{entry}");
    assert_eq!(entry.get("accessRole"), None, "{entry}");
    assert!(entry["error"].is_string(), "{entry}");
}

fn held(entry: &Value, role: &str, access: &str) {
    assert_eq!(*entry, json!({ "accessRole": role, "accessType": access }));
}

#[tokio::test]
async fn public_documents_and_folders_may_be_edited_by_everybody() {
    let app = world().await;
    let of_stranger = of(&app, "stranger").await;
    held(&of_stranger["documents"]["deep"], "editor", "public");
    held(&of_stranger["documents"]["loose"], "editor", "public");
    held(&of_stranger["folders"]["top"], "editor", "public");
    assert_eq!(of_stranger["organization"]["o"]["errorCode"], "permission_denied");
    assert_eq!(of_stranger["organization"]["o"].get("accessType"), None);
}

#[tokio::test]
async fn the_nearest_right_says_the_role() {
    let app = world().await;
    join(&app, json!({}), "viewer").await;
    let of_user = of(&app, "u").await;
    assert_eq!(of_user["organization"]["o"], json!({ "accessRole": "viewer" }));
    held(&of_user["documents"]["deep"], "viewer", "public");
    join(&app, json!({ "folderId": "top" }), "editor").await;
    held(&of(&app, "u").await["documents"]["deep"], "editor", "public");
    held(&of(&app, "u").await["folders"]["sub"], "editor", "public");
    held(&of(&app, "u").await["documents"]["loose"], "viewer", "public");
    grant(&app, "u", json!([resource("folder", "sub", "viewer")])).await;
    held(&of(&app, "u").await["documents"]["deep"], "viewer", "public");
    held(&of(&app, "u").await["folders"]["top"], "editor", "public");
    join(&app, json!({ "documentId": "deep" }), "editor").await;
    held(&of(&app, "u").await["documents"]["deep"], "editor", "public");
}

#[tokio::test]
async fn organization_private_resources_are_open_to_members_and_holders_of_a_right() {
    let app = world().await;
    document_access(&app, "deep", "organizationPrivate").await;
    folder_access(&app, "top", "organizationPrivate").await;
    denied(&of(&app, "u").await["documents"]["deep"], "organizationPrivate");
    denied(&of(&app, "u").await["folders"]["sub"], "organizationPrivate");
    grant(&app, "u", json!([resource("document", "deep", "viewer")])).await;
    held(&of(&app, "u").await["documents"]["deep"], "viewer", "organizationPrivate");
    denied(&of(&app, "u").await["folders"]["top"], "organizationPrivate");
    join(&app, json!({}), "editor").await;
    held(&of(&app, "u").await["folders"]["top"], "editor", "organizationPrivate");
    held(&of(&app, "u").await["documents"]["deep"], "viewer", "organizationPrivate");
}

#[tokio::test]
async fn a_right_in_the_organization_does_not_open_restricted_resources() {
    let app = world().await;
    folder_access(&app, "top", "restricted").await;
    document_access(&app, "loose", "restricted").await;
    join(&app, json!({}), "editor").await;
    grant(&app, "u", json!([{ "type": "organization", "id": "o" }])).await;
    for (kind, id) in
        [("documents", "deep"), ("documents", "loose"), ("folders", "top"), ("folders", "sub")]
    {
        denied(&of(&app, "u").await[kind][id], "restricted");
    }
    join(&app, json!({ "folderId": "sub" }), "viewer").await;
    let of_user = of(&app, "u").await;
    held(&of_user["documents"]["deep"], "viewer", "restricted");
    held(&of_user["folders"]["sub"], "viewer", "restricted");
    denied(&of_user["folders"]["top"], "restricted");
    denied(&of_user["documents"]["loose"], "restricted");
}

#[tokio::test]
async fn a_setting_of_the_document_comes_before_that_of_its_folder() {
    let app = world().await;
    folder_access(&app, "top", "restricted").await;
    document_access(&app, "deep", "public").await;
    held(&of(&app, "u").await["documents"]["deep"], "editor", "public");
    folder_access(&app, "sub", "organizationPrivate").await;
    denied(&of(&app, "u").await["folders"]["sub"], "organizationPrivate");
}

#[tokio::test]
async fn documents_without_an_access_type_have_the_default_of_the_key() {
    let app = world().await;
    let sent = json!({ "defaultDocumentAccessType": "restricted" });
    app.call("workspace.api_key_config_update", sent).await.ok();
    denied(&of(&app, "u").await["documents"]["loose"], "restricted");
    denied(&of(&app, "u").await["documents"]["deep"], "restricted");
    // A folder hands the default down, so that it is its own.
    denied(&of(&app, "u").await["folders"]["top"], "restricted");
    let folders = app.call("folders.get", json!({ "organizationId": "o" })).await.data();
    assert_eq!(folders[0]["accessType"], "restricted");
    folder_access(&app, "top", "organizationPrivate").await;
    denied(&of(&app, "u").await["documents"]["deep"], "organizationPrivate");
}

#[tokio::test]
async fn an_expired_right_no_longer_counts() {
    let app = world().await;
    document_access(&app, "loose", "restricted").await;
    let end = app.now() / 1000 + 100;
    let mut organization = json!({ "type": "organization", "id": "o", "accessRole": "viewer" });
    let mut document = resource("document", "loose", "viewer");
    organization["expiresAt"] = json!(end);
    document["expiresAt"] = json!(end);
    grant(&app, "u", json!([organization, document])).await;
    let of_user = of(&app, "u").await;
    assert_eq!(of_user["documents"]["loose"]["expiresAt"], end);
    assert_eq!(of_user["organization"]["o"], json!({ "accessRole": "viewer", "expiresAt": end }));
    app.advance(Duration::from_secs(101));
    let of_user = of(&app, "u").await;
    denied(&of_user["documents"]["loose"], "restricted");
    assert_eq!(of_user["organization"]["o"]["errorCode"], "permission_denied");
    join(&app, json!({ "documentId": "loose" }), "editor").await;
    held(&of(&app, "u").await["documents"]["loose"], "editor", "restricted");
}

#[tokio::test]
async fn nobody_has_access_to_disabled_documents_and_organizations() {
    let app = world().await;
    join(&app, json!({}), "editor").await;
    let document = json!({ "organizationId": "o", "documentIds": ["deep"], "disabled": true });
    app.call("documents.disable", document).await.ok();
    let of_user = of(&app, "u").await;
    denied(&of_user["documents"]["deep"], "public");
    held(&of_user["documents"]["loose"], "editor", "public");
    let organization = json!({ "organizationIds": ["o"], "disabled": true });
    app.call("organizations.disable", organization).await.ok();
    let of_user = of(&app, "u").await;
    denied(&of_user["documents"]["loose"], "public");
    denied(&of_user["folders"]["top"], "public");
    assert_eq!(of_user["organization"]["o"]["errorCode"], "permission_denied");
}

#[tokio::test]
async fn missing_resources_are_not_found_unless_their_check_is_skipped() {
    let app = world().await;
    let sent = json!({
        "organizationId": "o", "userIds": ["u", "v"], "folderIds": ["nowhere", "root"],
        "documentIds": ["loose", "nothing"]
    });
    let mut skipping = sent.clone();
    skipping["skipResourceExistenceValidation"] = json!(true);
    let details = app.call("permissions.get", sent).await.error("NOT_FOUND")["details"].take();
    let data = app.call("permissions.get", skipping).await.data();
    assert_eq!(details, data);
    for user in ["u", "v"] {
        for entry in [
            &data[user]["folders"]["nowhere"],
            &data[user]["folders"]["root"],
            &data[user]["documents"]["nothing"],
        ] {
            assert_eq!(entry["errorCode"], "does_not_exist");
            assert!(entry["error"].is_string());
        }
        held(&data[user]["documents"]["loose"], "editor", "public");
    }
}

#[tokio::test]
async fn an_unknown_organization_is_reported_as_permission_denied() {
    let app = App::start().await;
    let sent = json!({ "organizationId": "o", "userIds": ["u"] });
    let data = app.call("permissions.get", sent).await.data();
    assert_eq!(data["u"]["organization"]["o"]["errorCode"], "permission_denied");
    assert_eq!((&data["u"]["folders"], &data["u"]["documents"]), (&json!({}), &json!({})));
}

#[tokio::test]
async fn lists_are_bounded_and_users_must_be_named() {
    let app = world().await;
    for (name, list) in [
        ("userIds", json!([])),
        ("userIds", json!(null)),
        ("userIds", json!(vec!["u"; 31])),
        ("folderIds", json!(vec!["f"; 31])),
        ("documentIds", json!(vec!["d"; 31])),
    ] {
        let mut sent = json!({ "organizationId": "o", "userIds": ["u"] });
        sent[name] = list;
        let error = app.call("permissions.get", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", name]));
    }
    let sent = json!({
        "organizationId": "o", "userIds": vec!["u"; 30], "folderIds": vec!["top"; 30],
        "documentIds": vec!["loose"; 30]
    });
    assert_eq!(app.call("permissions.get", sent).await.data().as_object().unwrap().len(), 1);
}

#[tokio::test]
async fn resources_are_read_in_one_batch_and_each_level_of_ancestors_in_another() {
    let app = world().await;
    for (folders, documents, batches) in [
        (json!([]), json!([]), 1),
        (json!([]), json!(["loose"]), 1),
        (json!(["top"]), json!(["loose"]), 1),
        (json!(["sub"]), json!(["loose"]), 2),
        (json!([]), json!(["deep"]), 3),
        (json!(["top", "sub"]), json!(["deep", "loose"]), 1),
    ] {
        let sent = json!({
            "organizationId": "o", "userIds": ["u", "v"], "folderIds": folders,
            "documentIds": documents
        });
        app.call("permissions.get", sent.clone()).await.ok();
        app.forget_calls();
        app.call("permissions.get", sent.clone()).await.ok();
        let calls = app.calls();
        let count = |operation: &str| calls.iter().filter(|c| c.operation == operation).count();
        // One more for the key.
        assert_eq!((count("BatchGetItem"), count("GetItem")), (batches, 1), "{sent}");
        assert_eq!(count("Query"), 0, "{sent}");
    }
}

#[tokio::test]
async fn the_rights_of_many_users_are_read_as_lists() {
    let app = world().await;
    join(&app, json!({ "folderId": "top" }), "editor").await;
    let users: Vec<String> = (0..9).map(|n| format!("stranger{n}")).chain(["u".into()]).collect();
    let sent = json!({
        "organizationId": "o", "userIds": users, "folderIds": ["sub"], "documentIds": ["deep"]
    });
    app.forget_calls();
    let data = app.call("permissions.get", sent).await.data();
    assert!(app.calls().iter().any(|call| call.operation == "Query"));
    held(&data["u"]["documents"]["deep"], "editor", "public");
    held(&data["u"]["folders"]["sub"], "editor", "public");
    assert_eq!(data["stranger8"]["organization"]["o"]["errorCode"], "permission_denied");
}
