//! Rights in a token that are taken away before it expires.

use std::{pin::pin, time::Duration};

use embedded::{Effect, Fault, Hold};
use futures_util::future::{Either, select};
use serde_json::{Value, json};

use super::{at, member, token, with_document};
use crate::app::{App, Reply};

fn organization(id: &str) -> Value {
    json!({ "type": "organization", "id": id, "organizationId": id })
}

fn document(id: &str) -> Value {
    json!({ "type": "document", "id": id, "organizationId": "acme", "accessRole": "editor" })
}

async fn read(app: &App, token: &str, document: &str) -> Reply {
    let at = json!({ "organizationId": "acme", "documentId": document });
    app.caller().end_user(token).call("live-state.get", at).await
}

async fn revoke(app: &App, user: &str, resources: Value) {
    let data = json!({ "userId": user, "permissions": { "resources": resources } });
    app.call("permissions.remove", data).await.ok();
}

async fn leave(app: &App, user: &str) {
    let data = json!({ "organizationId": "acme", "userIds": [user] });
    assert_eq!(app.call("users.delete", data).await.data()[user]["success"], true);
}

/// The organization `acme` with the documents `d` and `e`, restricted to those with a right.
async fn with_documents() -> App {
    let app = with_document().await;
    let documents = json!({ "organizationId": "acme", "documents": [{ "documentId": "e" }] });
    app.call("documents.add", documents).await.ok();
    let access = json!({
        "organizationId": "acme", "documentIds": ["d", "e"], "accessType": "restricted",
    });
    app.call("documents.access_update", access).await.ok();
    app
}

#[tokio::test]
async fn a_removed_right_ends_in_older_tokens_of_its_user_and_other_rights_stay() {
    let app = with_documents().await;
    let both = json!([document("d"), document("e")]);
    let before = token(&app, "ada", both.clone()).await;
    let of_bob = token(&app, "bob", both.clone()).await;
    read(&app, &before, "d").await.ok();
    app.advance(Duration::from_millis(1));
    revoke(&app, "ada", json!([document("d")])).await;
    read(&app, &before, "d").await.error("NOT_FOUND");
    read(&app, &before, "e").await.ok();
    read(&app, &of_bob, "d").await.ok();
    app.advance(Duration::from_millis(1));
    let after = token(&app, "ada", both).await;
    read(&app, &after, "d").await.ok();
    read(&app, &before, "d").await.error("NOT_FOUND");
}

#[tokio::test]
async fn an_older_token_is_refused_again_when_a_right_granted_anew_expires() {
    let app = with_documents().await;
    let before = token(&app, "ada", json!([document("d")])).await;
    app.advance(Duration::from_millis(1));
    revoke(&app, "ada", json!([document("d")])).await;
    let mut granted = document("d");
    granted["expiresAt"] = json!(app.now() / 1000 + 60);
    let data = json!({ "user": { "userId": "ada" }, "permissions": { "resources": [granted] } });
    app.call("permissions.add", data).await.ok();
    read(&app, &before, "d").await.ok();
    app.advance(Duration::from_secs(70));
    read(&app, &before, "d").await.error("NOT_FOUND");
}

#[tokio::test]
async fn a_user_who_leaves_an_organization_loses_all_rights_there_in_older_tokens() {
    let app = with_documents().await;
    member(&app, "ada", "editor").await;
    let elsewhere = json!({
        "organizationId": "other", "createOrganization": true,
        "documents": [{ "documentId": "x" }],
    });
    app.call("documents.add", elsewhere).await.ok();
    let access =
        json!({ "organizationId": "other", "documentIds": ["x"], "accessType": "restricted" });
    app.call("documents.access_update", access).await.ok();
    let other = json!({ "type": "document", "id": "x", "organizationId": "other" });
    let rights = json!([organization("acme"), document("d"), other]);
    let before = token(&app, "ada", rights.clone()).await;
    read(&app, &before, "d").await.ok();
    app.advance(Duration::from_millis(1));
    leave(&app, "ada").await;
    read(&app, &before, "d").await.error("NOT_FOUND");
    let at = json!({ "organizationId": "other", "documentId": "x" });
    app.caller().end_user(&before).call("live-state.get", at).await.ok();
    // The clean-up that follows does not take the record of it.
    app.settle().await;
    app.advance(Duration::from_secs(200));
    app.settle().await;
    read(&app, &before, "d").await.error("NOT_FOUND");
    member(&app, "ada", "editor").await;
    read(&app, &before, "d").await.error("NOT_FOUND");
    let after = token(&app, "ada", rights).await;
    read(&app, &after, "d").await.ok();
}

#[tokio::test]
async fn a_user_who_leaves_a_document_loses_that_right_in_older_tokens_and_keeps_others() {
    let app = with_documents().await;
    let users = json!({
        "organizationId": "acme", "documentId": "d",
        "users": [{ "userId": "ada", "accessRole": "editor" }],
    });
    app.call("users.add", users).await.ok();
    let before = token(&app, "ada", json!([document("d"), document("e")])).await;
    app.advance(Duration::from_millis(1));
    let data = json!({ "organizationId": "acme", "documentId": "d", "userIds": ["ada"] });
    app.call("users.delete", data).await.ok();
    read(&app, &before, "d").await.error("NOT_FOUND");
    read(&app, &before, "e").await.ok();
}

#[tokio::test]
async fn a_record_of_a_removed_right_outlives_the_tokens() {
    let app = with_documents().await;
    let before = token(&app, "ada", json!([document("d")])).await;
    app.advance(Duration::from_millis(1));
    revoke(&app, "ada", json!([document("d")])).await;
    let rows = || {
        let rows = app.embedded().dump(&roundtable::table_name(service::Table::Resources)).unwrap();
        rows.into_iter().filter(|row| row["ended"]["N"].is_string()).count()
    };
    assert_eq!(rows(), 1);
    app.advance(Duration::from_secs(48 * 3600 - 60));
    app.embedded().sweep_expired().unwrap();
    read(&app, &before, "d").await.error("NOT_FOUND");
    app.advance(Duration::from_secs(2 * 3600));
    app.embedded().sweep_expired().unwrap();
    assert_eq!(rows(), 1);
    read(&app, &before, "d").await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn a_reset_without_grace_ends_tokens_of_end_users_and_a_reset_with_grace_does_not() {
    let app = with_documents().await;
    let before = token(&app, "ada", json!([document("d")])).await;
    let reset = async |grace: u64| {
        let sent = json!({ "apiKey": app.key.api_key, "gracePeriodSeconds": grace });
        let reset = app.call("workspace.auth_token_reset", sent).await.data();
        reset["newAuthToken"]["token"].as_str().unwrap().to_owned()
    };
    app.advance(Duration::from_millis(1));
    reset(60).await;
    app.advance(Duration::from_secs(11));
    read(&app, &before, "d").await.ok();
    let mut key = app.key.clone();
    key.auth_token = reset(0).await;
    app.advance(Duration::from_secs(11));
    read(&app, &before, "d").await.error("PERMISSION_DENIED");
    let sent = json!({
        "userId": "ada", "userProperties": { "name": "Ada", "email": "ada@example.com" },
        "permissions": { "resources": [document("d")] },
    });
    let issued = app.call_as(&key, "users.generate_token", sent).await.data();
    read(&app, issued["token"].as_str().unwrap(), "d").await.ok();
    app.call_as(&key, "live-state.get", at(json!({}))).await.ok();
}

/// A token issued after the answer is not of the millisecond of the end.
#[tokio::test]
async fn departures_and_revocations_answer_in_a_later_millisecond() {
    let app = with_documents().await;
    member(&app, "eve", "editor").await;
    for (operation, sent) in [
        ("users.delete", json!({ "organizationId": "acme", "userIds": ["eve"] })),
        ("users.delete", json!({ "organizationId": "acme", "userIds": ["stranger"] })),
        (
            "permissions.remove",
            json!({ "userId": "eve", "permissions": { "resources": [document("d")] } }),
        ),
    ] {
        let before = app.now();
        app.call(operation, sent.clone()).await.ok();
        // One millisecond passes after each call.
        assert!(app.now() > before + 1, "{operation} {sent}");
    }
}

/// A first access of a user who is removed before its n-th request to the store; whether there is
/// such a request.
async fn removed_during_first_access(app: &App, request: usize) -> bool {
    let first = token(app, "eve", json!([organization("acme")])).await;
    let hold = Hold::default();
    let effect = Effect::Hold(hold.clone());
    app.fault(Fault { operation: "*".to_owned(), skip: request, times: 1, effect });
    let mut call = pin!(read(app, &first, "d"));
    if let Either::Left(_) = select(&mut call, pin!(hold.reached())).await {
        app.embedded().clear_faults();
        return false;
    }
    app.advance(Duration::from_millis(1));
    let leaves = json!({ "organizationId": "acme", "userIds": ["eve"] });
    app.call("users.delete", leaves).await.ok();
    app.advance(Duration::from_millis(1));
    hold.release();
    call.await;
    true
}

#[tokio::test]
async fn a_first_access_that_joins_the_organization_does_not_undo_a_removal_meanwhile() {
    let mut request = 0;
    loop {
        let app = with_document().await;
        let joins = json!({ "requireAutoOrgUser": true });
        app.call("workspace.api_key_config_update", joins).await.ok();
        app.advance(Duration::from_secs(11));
        if !removed_during_first_access(&app, request).await {
            break;
        }
        app.advance(Duration::from_millis(1));
        let after = token(&app, "eve", json!([])).await;
        for _ in ["before the clean-up", "after it"] {
            read(&app, &after, "d").await.error("NOT_FOUND");
            app.clean_up().await;
        }
        let users = app.call("users.get", json!({ "organizationId": "acme" })).await.data();
        assert_eq!(users, json!([]), "request {request}");
        request += 1;
    }
    assert!(request > 2, "{request}");
}
