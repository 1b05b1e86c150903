//! Rights of the roles, and the role of everybody.

use serde_json::{Value, json};

use super::{at, member, token, with_document};
use crate::app::{App, Reply};

async fn by(app: &App, token: &str, operation: &str, data: Value) -> Reply {
    app.caller().end_user(token).call(operation, at(data)).await
}

async fn write(app: &App, token: &str) -> Reply {
    by(app, token, "live-state.broadcast", json!({ "liveStateDataId": "x", "data": {} })).await
}

async fn begin(app: &App, token: &str, id: &str) -> Reply {
    let thread = json!({ "annotationId": id, "commentData": [{ "commentText": "hm" }] });
    by(app, token, "comments.annotations_add", json!({ "commentAnnotations": [thread] })).await
}

/// The outcome of a new status of a thread.
async fn resolve(app: &App, token: &str, thread: &str) -> bool {
    let status = json!({ "id": "RESOLVED" });
    let data = json!({ "annotationIds": [thread], "updatedData": { "status": status } });
    let updated = by(app, token, "comments.annotations_update", data).await.data();
    updated[thread]["success"].as_bool().expect("an outcome")
}

#[tokio::test]
async fn a_commenter_comments_and_changes_no_more() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let carl = member(&app, "carl", "commenter").await;
    let vera = member(&app, "vera", "viewer").await;
    assert_eq!(begin(&app, &ada, "of-ada").await.data()["of-ada"]["success"], true);
    assert_eq!(begin(&app, &carl, "of-carl").await.data()["of-carl"]["success"], true);
    begin(&app, &vera, "of-vera").await.error("PERMISSION_DENIED");
    let reply = json!({ "annotationId": "of-ada", "commentData": [{ "commentText": "yes" }] });
    by(&app, &carl, "comments.add", reply.clone()).await.ok();
    by(&app, &vera, "comments.add", reply).await.error("PERMISSION_DENIED");
    let present = json!({ "users": [{ "userId": "x" }] });
    by(&app, &carl, "presence.update", present).await.ok();
    write(&app, &ada).await.ok();
    let refused = write(&app, &carl).await.error("PERMISSION_DENIED");
    assert_eq!(refused["message"], "The user may only read and comment in the document d.");
    let refused = write(&app, &vera).await.error("PERMISSION_DENIED");
    assert_eq!(refused["message"], "The user may only read the document d.");
    // Own threads are resolved, and those of others by editors.
    assert!(!resolve(&app, &carl, "of-ada").await);
    assert!(resolve(&app, &carl, "of-carl").await);
    assert!(resolve(&app, &ada, "of-ada").await);
}

#[tokio::test]
async fn a_commenter_by_grant_or_token_may_comment_and_not_write() {
    let app = with_document().await;
    let document = json!({ "type": "document", "id": "d", "organizationId": "acme", "accessRole": "commenter" });
    let tom = token(&app, "tom", json!([document])).await;
    assert_eq!(begin(&app, &tom, "of-tom").await.data()["of-tom"]["success"], true);
    write(&app, &tom).await.error("PERMISSION_DENIED");
    let grant = json!({ "user": { "userId": "gus" }, "permissions": { "resources": [document] } });
    app.call("permissions.add", grant).await.ok();
    let of = json!({ "organizationId": "acme", "userIds": ["gus"], "documentIds": ["d"] });
    let rights = app.call("permissions.get", of).await.data();
    assert_eq!(rights["gus"]["documents"]["d"]["accessRole"], "commenter");
    let gus = token(&app, "gus", json!([])).await;
    begin(&app, &gus, "of-gus").await.ok();
    write(&app, &gus).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn public_documents_give_strangers_the_public_access_role_of_the_key() {
    let app = with_document().await;
    let access = json!({ "organizationId": "acme", "documentIds": ["d"], "accessType": "public" });
    app.call("documents.access_update", access).await.ok();
    let vera = member(&app, "vera", "viewer").await;
    let ada = member(&app, "ada", "editor").await;
    let eve = token(&app, "eve", json!([])).await;
    write(&app, &eve).await.ok();
    write(&app, &vera).await.error("PERMISSION_DENIED");
    let setting = json!({ "publicAccessRole": "commenter" });
    let changed = app.call("workspace.api_key_config_update", setting).await.data();
    assert_eq!(changed["publicAccessRole"], "commenter");
    let config = app.call("workspace.api_key_config_get", json!({})).await.data();
    assert_eq!(config["publicAccessRole"], "commenter");
    app.advance(std::time::Duration::from_secs(11));
    write(&app, &eve).await.error("PERMISSION_DENIED");
    begin(&app, &eve, "of-eve").await.ok();
    write(&app, &ada).await.ok();
    let setting = json!({ "publicAccessRole": "viewer" });
    app.call("workspace.api_key_config_update", setting).await.ok();
    app.advance(std::time::Duration::from_secs(11));
    // A viewer who is removed becomes no more than that.
    let gone = json!({ "organizationId": "acme", "userIds": ["vera"] });
    app.call("users.delete", gone).await.ok();
    for user in [&vera, &eve] {
        by(&app, user, "live-state.get", json!({})).await.ok();
        write(&app, user).await.error("PERMISSION_DENIED");
        begin(&app, user, "refused").await.error("PERMISSION_DENIED");
    }
    let of = json!({ "organizationId": "acme", "userIds": ["eve"], "documentIds": ["d"] });
    let rights = app.call("permissions.get", of).await.data();
    assert_eq!(rights["eve"]["documents"]["d"]["accessRole"], "viewer");
    let setting = json!({ "publicAccessRole": "owner" });
    app.call("workspace.api_key_config_update", setting).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn a_right_to_a_blank_id_and_a_membership_of_the_folder_root_are_refused() {
    let app = with_document().await;
    let blank = json!([{ "type": "document", "id": " ", "organizationId": "acme" }]);
    let grant = json!({ "user": { "userId": "u" }, "permissions": { "resources": blank } });
    app.call("permissions.add", grant).await.error("INVALID_ARGUMENT");
    let sent = json!({
        "userId": "u", "userProperties": { "name": "U", "email": "u@example.com" },
        "permissions": { "resources": blank },
    });
    app.call("users.generate_token", sent).await.error("INVALID_ARGUMENT");
    for create in [false, true] {
        let users = json!({
            "organizationId": "acme", "folderId": "root", "createFolder": create,
            "users": [{ "userId": "u" }],
        });
        let error = app.call("users.add", users).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "folderId"]));
    }
}
