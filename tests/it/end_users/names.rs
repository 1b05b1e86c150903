use serde_json::{Value, json};

use super::{at, member, with_document};
use crate::app::App;

/// A thread of Ada's, with a comment of Bob's; returns the comments' numbers.
async fn discussed(app: &App, ada: &str, bob: &str) -> (u64, u64) {
    let thread = at(json!({ "commentAnnotations": [{
        "annotationId": "t", "commentData": [{ "from": { "userId": "mallory" }, "commentText": "x" }],
    }] }));
    let added = app.caller().end_user(ada).call("comments.annotations_add", thread).await.data();
    let comment = at(json!({ "annotationId": "t", "commentData": [{ "commentText": "y" }] }));
    let replied = app.caller().end_user(bob).call("comments.add", comment).await.data();
    (added["t"]["commentIds"][0].as_u64().unwrap(), replied[0].as_u64().unwrap())
}

async fn comments(app: &App) -> Value {
    app.call("comments.get", at(json!({ "annotationId": "t" }))).await.data()
}

#[tokio::test]
async fn the_author_of_a_write_is_the_user_of_the_token_whatever_the_body_says() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let (first, _) = discussed(&app, &ada, &bob).await;
    let found = comments(&app).await;
    assert_eq!(
        found[0]["from"],
        json!({
            "userId": "ada", "name": "ADA", "email": "ada@example.com",
        })
    );
    assert_eq!(found[1]["from"]["userId"], "bob");
    let bob = app.caller().end_user(&bob);
    let reaction = json!({
        "annotationId": "t", "commentId": first, "icon": "HEART_FACE", "from": { "userId": "ada" },
    });
    bob.call("comments.reactions_add", at(reaction)).await.ok();
    let users = json!([{ "userId": "ada", "name": "Somebody else", "status": "away" }]);
    bob.call("presence.add", at(json!({ "users": users }))).await.ok();
    let present = app.call("presence.get", at(json!({}))).await.data();
    assert_eq!((&present[0]["userId"], &present[0]["name"]), (&json!("bob"), &json!("BOB")));
    assert_eq!(present.as_array().unwrap().len(), 1);
    let resolved = json!({ "annotationIds": ["t"], "updatedData": {
        "status": { "id": "RESOLVED", "name": "Resolved", "type": "terminal" },
        "statusUpdatedByUserId": "ada",
    } });
    bob.call("comments.annotations_update", at(resolved)).await.ok();
    let threads = app.call("comments.annotations_get", at(json!({}))).await.data();
    assert_eq!(threads[0]["resolvedByUserId"], "bob", "{threads}");
    let by_ada = json!({ "organizationId": "acme", "documentIds": ["d"], "userIds": ["ada"],
        "config": { "inbox": "NONE" } });
    bob.call("notifications.config_set", by_ada).await.ok();
    let preferences =
        |user: &str| json!({ "organizationId": "acme", "documentIds": ["d"], "userId": user });
    let preference = app.call("notifications.config_get", preferences("bob")).await.data();
    assert_eq!(preference[0]["config"]["inbox"], "NONE");
    let preference = app.call("notifications.config_get", preferences("ada")).await.data();
    assert_ne!(preference[0]["config"]["inbox"], "NONE");
}

#[tokio::test]
async fn resolving_a_resolved_thread_does_not_change_its_resolver() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    discussed(&app, &ada, &bob).await;
    for token in [&ada, &bob] {
        let resolved = at(json!({
            "annotationIds": ["t"], "updatedData": { "status": { "id": "RESOLVED" } },
        }));
        let caller = app.caller().end_user(token);
        caller.call("comments.annotations_update", resolved).await.ok();
    }
    let found = app.call("comments.annotations_get", at(json!({}))).await.data();
    assert_eq!(found[0]["resolvedByUserId"], "ada");
    assert_eq!(found[0]["statusUpdatedByUserId"], "ada");
}

#[tokio::test]
async fn comments_of_others_can_be_read_and_not_changed() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let (first, second) = discussed(&app, &ada, &bob).await;
    let before = comments(&app).await;
    let bob = app.caller().end_user(&bob);
    let change = |ids: Value| {
        at(json!({ "annotationId": "t", "commentIds": ids, "updatedData": { "commentText": "z" } }))
    };
    let refused = bob.call("comments.update", change(json!([first]))).await.data();
    assert_eq!(
        refused[first.to_string()]["message"],
        "The comment belongs to another user.",
        "{refused}"
    );
    let removed = at(json!({ "annotationId": "t", "commentIds": [first] }));
    let refused = bob.call("comments.delete", removed).await.data();
    assert_eq!(
        refused[first.to_string()]["message"],
        "The comment belongs to another user.",
        "{refused}"
    );
    assert_eq!(comments(&app).await, before);
    bob.call("comments.update", change(json!([second]))).await.ok();
    assert_eq!(comments(&app).await[1]["commentText"], "z");
    let all = at(json!({ "annotationId": "t" }));
    bob.call("comments.delete", all).await.error("INVALID_ARGUMENT");
    let own = at(json!({ "annotationId": "t", "commentIds": [second] }));
    bob.call("comments.delete", own).await.ok();
    assert_eq!(comments(&app).await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn members_that_only_the_tenant_may_send_are_refused() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let ada = app.caller().end_user(&ada);
    let agent = at(json!({ "annotationId": "t", "commentData": [{
        "commentText": "x", "agent": { "agentId": "a" },
    }] }));
    ada.call("comments.add", agent).await.error("PERMISSION_DENIED");
    let created = at(json!({
        "annotationId": "t", "createDocument": true, "commentData": [{ "commentText": "x" }],
    }));
    ada.call("comments.add", created).await.error("PERMISSION_DENIED");
    let reassigned = at(json!({ "annotationIds": ["t"], "updateUsers": [] }));
    ada.call("comments.annotations_update", reassigned).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn two_end_users_may_use_the_same_idempotency_key() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let presence = at(json!({ "users": [{ "status": "online" }] }));
    for user in [&ada, &bob] {
        let caller = app.caller().end_user(user).header("idempotency-key", "first");
        let reply = caller.call("presence.add", presence.clone()).await;
        reply.ok();
        assert_eq!(reply.header("idempotent-replayed"), None);
    }
    let present = app.call("presence.get", at(json!({}))).await.data();
    assert_eq!(present.as_array().unwrap().len(), 2);
}
