use serde_json::{Value, json};

use super::{add_document, at, member, token, with_document};
use crate::app::{App, Options};

fn thread(id: &str, visibility: Value) -> Value {
    at(json!({ "commentAnnotations": [{
        "annotationId": id, "visibility": visibility,
        "commentData": [{ "from": { "userId": "ada" }, "commentText": "x" }],
    }] }))
}

async fn ids(app: &App, token: &str) -> Vec<String> {
    let found = app.caller().end_user(token).call("comments.annotations_get", at(json!({}))).await;
    let found = found.data();
    let threads = found.as_array().unwrap().iter();
    threads.map(|it| it["annotationId"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_hidden_document_and_an_absent_one_get_the_same_not_found() {
    let app = with_document().await;
    app.call("comments.annotations_add", thread("t", json!({ "type": "public" }))).await.ok();
    let member = member(&app, "bob", "editor").await;
    let stranger = token(&app, "eve", json!([])).await;
    assert_eq!(ids(&app, &member).await, ["t"]);
    let eve = app.caller().end_user(&stranger);
    let hidden = eve.call("comments.annotations_get", at(json!({}))).await;
    let absent = json!({ "organizationId": "acme", "documentId": "nowhere" });
    let absent = eve.call("comments.annotations_get", absent).await;
    hidden.error("NOT_FOUND");
    assert_eq!(hidden.text(), absent.text().replace("nowhere", "d"));
}

#[tokio::test]
async fn a_private_thread_is_hidden_from_end_users_who_may_not_see_it() {
    let app = with_document().await;
    let bob = member(&app, "bob", "editor").await;
    let eve = member(&app, "eve", "editor").await;
    let private = json!({ "type": "restricted", "userIds": ["bob"] });
    app.call("comments.annotations_add", thread("p", private)).await.ok();
    assert_eq!(ids(&app, &bob).await, ["p"]);
    assert_eq!(ids(&app, &eve).await, Vec::<String>::new());
    let eve = app.caller().end_user(&eve);
    let named = eve.call("comments.annotations_get", at(json!({ "annotationIds": ["p"] }))).await;
    assert_eq!(named.data(), json!([null]));
    let place = at(json!({ "annotationId": "p" }));
    assert_eq!(eve.call("comments.get", place.clone()).await.data(), json!([]));
    let comment = at(json!({ "annotationId": "p", "commentData": [{ "commentText": "y" }] }));
    eve.call("comments.add", comment.clone()).await.error("NOT_FOUND");
    let user = json!({ "annotationId": "p", "user": { "userId": "eve" } });
    eve.call("comments.annotations_subscribe", at(user)).await.error("NOT_FOUND");
    let reaction = json!({ "annotationId": "p", "commentId": 1, "icon": "HEART_FACE" });
    eve.call("comments.reactions_add", at(reaction)).await.error("NOT_FOUND");
    let resolved = at(json!({
        "annotationIds": ["p"], "updatedData": { "status": { "id": "RESOLVED" } },
    }));
    let entry = eve.call("comments.annotations_update", resolved).await.data();
    assert_eq!(entry["p"]["success"], false, "{entry}");
    let count = json!({ "organizationId": "acme", "documentIds": ["d"] });
    assert_eq!(eve.call("comments.annotations_count", count).await.data()["d"]["total"], 0);
    app.caller().end_user(&bob).call("comments.add", comment).await.ok();
}

#[tokio::test]
async fn a_viewer_reads_and_does_not_write() {
    let app = with_document().await;
    app.call("comments.annotations_add", thread("t", json!({ "type": "public" }))).await.ok();
    let viewer = member(&app, "vera", "viewer").await;
    assert_eq!(ids(&app, &viewer).await, ["t"]);
    let vera = app.caller().end_user(&viewer);
    let comment = at(json!({ "annotationId": "t", "commentData": [{ "commentText": "y" }] }));
    vera.call("comments.add", comment).await.error("PERMISSION_DENIED");
    let state = at(json!({ "liveStateDataId": "s", "data": { "x": 1 } }));
    vera.call("live-state.broadcast", state).await.error("PERMISSION_DENIED");
    let presence = at(json!({ "users": [{ "status": "online" }] }));
    vera.call("presence.add", presence).await.ok();
}

#[tokio::test]
async fn a_changed_role_or_membership_counts_at_once_for_an_existing_token() {
    let app = with_document().await;
    let editor = member(&app, "bob", "editor").await;
    let bob = app.caller().end_user(&editor);
    let state = at(json!({ "liveStateDataId": "s", "data": { "x": 1 } }));
    bob.call("live-state.broadcast", state.clone()).await.ok();
    let role = json!({
        "organizationId": "acme", "users": [{ "userId": "bob", "accessRole": "viewer" }],
    });
    app.call("users.add", role).await.ok();
    bob.call("live-state.broadcast", state.clone()).await.error("PERMISSION_DENIED");
    let removed = json!({ "organizationId": "acme", "userIds": ["bob"] });
    app.call("users.delete", removed).await.ok();
    bob.call("live-state.broadcast", state).await.error("NOT_FOUND");
}

#[tokio::test]
async fn a_disabled_document_or_organization_locks_its_users_out() {
    let app = with_document().await;
    let editor = member(&app, "bob", "editor").await;
    let bob = app.caller().end_user(&editor);
    let read = at(json!({}));
    let document = |disabled| {
        json!({
            "organizationId": "acme", "documentIds": ["d"], "disabled": disabled,
        })
    };
    app.call("documents.disable", document(true)).await.ok();
    bob.call("live-state.get", read.clone()).await.error("NOT_FOUND");
    app.call("documents.disable", document(false)).await.ok();
    bob.call("live-state.get", read.clone()).await.ok();
    let organization = json!({ "organizationIds": ["acme"], "disabled": true });
    app.call("organizations.disable", organization).await.ok();
    bob.call("live-state.get", read).await.error("PERMISSION_DENIED");
    let inbox = json!({ "organizationId": "acme" });
    bob.call("notifications.get", inbox).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn rights_in_a_token_hold_unless_a_stored_right_overrides_them() {
    let app = with_document().await;
    let document = |role: &str| json!([{ "type": "document", "id": "d", "organizationId": "acme", "accessRole": role }]);
    let guest = token(&app, "guest", document("editor")).await;
    let guest = app.caller().end_user(&guest);
    let state = at(json!({ "liveStateDataId": "s", "data": { "x": 1 } }));
    guest.call("live-state.broadcast", state.clone()).await.ok();
    let stored = json!({
        "user": { "userId": "guest" }, "permissions": { "resources": document("viewer") },
    });
    app.call("permissions.add", stored).await.ok();
    guest.call("live-state.broadcast", state).await.error("PERMISSION_DENIED");
    // A document that no call added is accessible by a token that names it.
    let new = json!([{ "type": "document", "id": "new", "organizationId": "acme" }]);
    let new = token(&app, "guest", new).await;
    let state = json!({
        "organizationId": "acme", "documentId": "new", "liveStateDataId": "s", "data": { "x": 1 },
    });
    app.caller().end_user(&new).call("live-state.broadcast", state).await.ok();
}

#[tokio::test]
async fn a_clock_that_was_advanced_holds_for_end_users_at_once() {
    let app = App::start_with(Options { is_separate: true, ..Options::default() }).await;
    add_document(&app).await;
    let bob = member(&app, "bob", "editor").await;
    let before = thread("before", json!({ "type": "public" }));
    app.caller().end_user(&bob).call("comments.annotations_add", before).await.ok();
    app.call("schedule.test_clock_advance", json!({ "seconds": 3600 })).await.ok();
    let now = app.now() + 3_600_000;
    let added = thread("t", json!({ "type": "public" }));
    app.caller().end_user(&bob).call("comments.annotations_add", added).await.ok();
    let rows = app.items_of(service::Table::Resources, &app.key);
    let written = rows.iter().find(|row| row["annotationId"]["S"] == "t").expect("the thread");
    let written: u64 = written["_written"]["N"].as_str().unwrap().parse().unwrap();
    assert!(written >= now, "{written} is before {now}");
}

#[tokio::test]
async fn a_user_marks_only_threads_as_seen_that_exist_and_are_visible() {
    let app = with_document().await;
    app.call("comments.annotations_add", thread("t", json!({ "type": "public" }))).await.ok();
    let private = json!({ "type": "restricted", "userIds": ["ada"] });
    app.call("comments.annotations_add", thread("p", private)).await.ok();
    let bob = member(&app, "bob", "viewer").await;
    let see = |thread: &str| {
        let (app, bob) = (&app, bob.clone());
        let sent = at(json!({ "annotationId": thread, "userId": "bob" }));
        async move { app.caller().end_user(&bob).call("notifications.seen", sent).await }
    };
    see("t").await.ok();
    for thread in ["none", "p"] {
        let error = see(thread).await.error("NOT_FOUND");
        assert_eq!(error["message"], format!("There is no comment annotation {thread}."));
    }
    let marks = || {
        let items = app.items_of(service::Table::Resources, &app.key).into_iter();
        items.filter(|item| item["SK"]["S"].as_str().unwrap().starts_with("seen#")).count()
    };
    assert_eq!(marks(), 1);
    let gone = at(json!({ "annotationIds": ["t"] }));
    app.call("comments.annotations_delete", gone).await.ok();
    app.settle().await;
    assert_eq!(marks(), 0, "they go with their thread");
}

#[tokio::test]
async fn preferences_for_an_organization_need_a_right_there() {
    let app = with_document().await;
    let (bob, eve) = (member(&app, "bob", "viewer").await, token(&app, "eve", json!([])).await);
    let resources = json!([{ "type": "document", "id": "d", "organizationId": "acme" }]);
    let tom = token(&app, "tom", resources).await;
    let sent = json!({
        "organizationId": "acme", "userIds": ["x"], "config": { "inbox": "NONE" },
    });
    for user in [&bob, &tom] {
        app.caller().end_user(user).call("notifications.config_set", sent.clone()).await.ok();
    }
    let reply = app.caller().end_user(&eve).call("notifications.config_set", sent).await;
    let error = reply.error("PERMISSION_DENIED");
    assert_eq!(error["message"], "The user has no right in the organization acme.");
}
