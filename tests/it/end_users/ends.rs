//! Rights that ended stay ended, and nothing opens because something is missing: before the workers
//! of a deletion or departure have run as well as afterwards.

use std::time::Duration;

use serde_json::{Value, json};

use super::{member, token, with_document};
use crate::app::{App, Reply};

fn document(id: &str) -> Value {
    json!({ "type": "document", "id": id, "organizationId": "acme", "accessRole": "editor" })
}

async fn read(app: &App, token: &str, document: &str) -> Reply {
    let at = json!({ "organizationId": "acme", "documentId": document });
    app.caller().end_user(token).call("live-state.get", at).await
}

async fn write(app: &App, token: &str, document: &str) -> Reply {
    let sent = json!({
        "organizationId": "acme", "documentId": document, "liveStateDataId": "x", "data": {},
    });
    app.caller().end_user(token).call("live-state.broadcast", sent).await
}

async fn call(app: &App, operation: &str, mut data: Value) -> Value {
    data["organizationId"] = json!("acme");
    app.call(operation, data).await.ok()
}

async fn restrict(app: &App, document: &str) {
    let access = json!({ "documentIds": [document], "accessType": "restricted" });
    call(app, "documents.access_update", access).await;
}

/// A later millisecond.
fn later(app: &App) {
    app.advance(Duration::from_millis(1));
}

/// `acme` with the restricted folder `f`, in it the folder `g`, and a document in each.
async fn with_folders() -> App {
    let app = with_document().await;
    let folders = json!({ "folders": [
        { "folderId": "f", "accessType": "restricted" },
        { "folderId": "g", "parentFolderId": "f" },
    ] });
    call(&app, "folders.add", folders).await;
    for (folder, id) in [("f", "in-f"), ("g", "in-g")] {
        let documents = json!({ "folderId": folder, "documents": [{ "documentId": id }] });
        call(&app, "documents.add", documents).await;
    }
    app
}

#[tokio::test]
async fn documents_of_a_deleted_folder_are_not_found_at_once() {
    let app = with_folders().await;
    let public = json!({ "documents": [{ "documentId": "open" }], "folderId": "g" });
    call(&app, "documents.add", public).await;
    let access = json!({ "documentIds": ["open"], "accessType": "public" });
    call(&app, "documents.access_update", access).await;
    let eve = token(&app, "eve", json!([])).await;
    read(&app, &eve, "open").await.ok();
    let fay = member(&app, "fay", "editor").await;
    later(&app);
    call(&app, "folders.delete", json!({ "folderId": "f" })).await;
    for moment in ["before", "after"] {
        for id in ["in-f", "in-g", "open"] {
            for user in [&eve, &fay] {
                let refused = read(&app, user, id).await.error("NOT_FOUND");
                assert!(refused["message"].is_string(), "{moment}: {id}");
                write(&app, user, id).await.error("NOT_FOUND");
            }
        }
        app.settle().await;
    }
}

#[tokio::test]
async fn a_disabled_organization_stays_closed_to_its_users_when_it_is_deleted() {
    let app = with_document().await;
    let access = json!({ "documentIds": ["d"], "accessType": "public" });
    call(&app, "documents.access_update", access).await;
    let eve = member(&app, "eve", "editor").await;
    read(&app, &eve, "d").await.ok();
    let disabled = json!({ "organizationIds": ["acme"], "disabled": true });
    app.call("organizations.disable", disabled).await.ok();
    read(&app, &eve, "d").await.error("PERMISSION_DENIED");
    later(&app);
    app.call("organizations.delete", json!({ "organizationIds": ["acme"] })).await.ok();
    for _ in ["before the workers", "and after"] {
        read(&app, &eve, "d").await.error("NOT_FOUND");
        write(&app, &eve, "d").await.error("NOT_FOUND");
        app.settle().await;
    }
}

#[tokio::test]
async fn a_token_from_before_a_departure_stays_refused_after_a_later_grant_or_removal() {
    for again in ["permissions.remove", "permissions.add"] {
        let app = with_document().await;
        restrict(&app, "d").await;
        member(&app, "eve", "editor").await;
        let before = token(&app, "eve", json!([document("d")])).await;
        read(&app, &before, "d").await.ok();
        later(&app);
        call(&app, "users.delete", json!({ "userIds": ["eve"] })).await;
        read(&app, &before, "d").await.error("NOT_FOUND");
        later(&app);
        let own = json!([{ "type": "organization", "id": "acme", "accessRole": "viewer" }]);
        let sent = match again {
            "permissions.add" => {
                json!({ "user": { "userId": "eve" }, "permissions": { "resources": own } })
            }
            _ => json!({ "userId": "eve", "permissions": { "resources": own } }),
        };
        app.call(again, sent).await.ok();
        read(&app, &before, "d").await.error("NOT_FOUND");
        app.settle().await;
        read(&app, &before, "d").await.error("NOT_FOUND");
        // A token issued after the departure counts, on the same clock.
        let after = token(&app, "eve", json!([document("d")])).await;
        read(&app, &after, "d").await.ok();
    }
}

#[tokio::test]
async fn a_user_who_leaves_loses_memberships_and_grants_inside_before_the_workers_run() {
    let app = with_folders().await;
    restrict(&app, "d").await;
    member(&app, "eve", "editor").await;
    let users = json!({ "documentId": "d", "users": [{ "userId": "eve" }] });
    call(&app, "users.add", users).await;
    let granted = json!([{ "type": "folder", "id": "f", "organizationId": "acme" }]);
    let grant = json!({ "user": { "userId": "eve" }, "permissions": { "resources": granted } });
    app.call("permissions.add", grant.clone()).await.ok();
    let eve = token(&app, "eve", json!([])).await;
    for id in ["d", "in-f", "in-g"] {
        read(&app, &eve, id).await.ok();
    }
    later(&app);
    call(&app, "users.delete", json!({ "userIds": ["eve"] })).await;
    // A change of a membership that has ended brings nothing back.
    let change = json!({ "documentId": "d", "users": [{ "userId": "eve", "name": "Eve" }] });
    later(&app);
    call(&app, "users.update", change).await;
    let fresh = token(&app, "eve", json!([])).await;
    for _ in ["before the workers", "and after"] {
        for id in ["d", "in-f", "in-g"] {
            for token in [&eve, &fresh] {
                read(&app, token, id).await.error("NOT_FOUND");
            }
        }
        let of = json!({ "userIds": ["eve"], "documentIds": ["d", "in-g"], "folderIds": ["f"] });
        let rights = call(&app, "permissions.get", of).await["data"]["eve"].take();
        for entry in
            [&rights["documents"]["d"], &rights["documents"]["in-g"], &rights["folders"]["f"]]
        {
            assert_eq!(entry["errorCode"], "permission_denied", "{rights}");
        }
        app.settle().await;
    }
    // A right given afterwards counts at once.
    app.call("permissions.add", grant).await.ok();
    read(&app, &eve, "in-g").await.ok();
}

#[tokio::test]
async fn removing_a_user_who_is_no_member_of_the_organization_ends_their_rights_inside() {
    let app = with_document().await;
    restrict(&app, "d").await;
    let users = json!({ "documentId": "d", "users": [{ "userId": "eve" }] });
    call(&app, "users.add", users).await;
    let eve = token(&app, "eve", json!([document("d")])).await;
    read(&app, &eve, "d").await.ok();
    later(&app);
    let left = call(&app, "users.delete", json!({ "userIds": ["eve", "nobody"] })).await;
    for user in ["eve", "nobody"] {
        assert_eq!(left["data"][user]["success"], false, "{left}");
    }
    read(&app, &eve, "d").await.error("NOT_FOUND");
    app.settle().await;
    let of = json!({ "documentId": "d" });
    let remaining = call(&app, "users.get", of).await;
    assert_eq!(remaining["data"], json!([]));
    read(&app, &eve, "d").await.error("NOT_FOUND");
}

#[tokio::test]
async fn a_removed_right_stays_removed_when_the_document_is_added_again() {
    for removed in ["permissions.remove", "documents.delete"] {
        let app = with_document().await;
        restrict(&app, "d").await;
        let before = token(&app, "eve", json!([document("d")])).await;
        read(&app, &before, "d").await.ok();
        later(&app);
        if removed == "permissions.remove" {
            let data = json!({
                "userId": "eve", "permissions": { "resources": [document("d")] },
            });
            app.call(removed, data).await.ok();
            later(&app);
        }
        call(&app, "documents.delete", json!({ "documentIds": ["d"] })).await;
        read(&app, &before, "d").await.error("NOT_FOUND");
        write(&app, &before, "d").await.error("NOT_FOUND");
        app.settle().await;
        read(&app, &before, "d").await.error("NOT_FOUND");
        later(&app);
        call(&app, "documents.add", json!({ "documents": [{ "documentId": "d" }] })).await;
        restrict(&app, "d").await;
        read(&app, &before, "d").await.error("NOT_FOUND");
        app.settle().await;
        read(&app, &before, "d").await.error("NOT_FOUND");
        let after = token(&app, "eve", json!([document("d")])).await;
        read(&app, &after, "d").await.ok();
    }
}
