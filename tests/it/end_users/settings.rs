//! Settings of a key for its end users (contract `access.auto-org-user`,
//! `access.private-comments`, `access.thread-editing`).

use std::time::Duration;

use serde_json::{Value, json};

use super::{at, member, token, with_document};
use crate::app::{App, Reply};

async fn set(app: &App, name: &str, value: bool) {
    let mut sent = json!({});
    sent[name] = json!(value);
    app.call("workspace.api_key_config_update", sent).await.ok();
}

fn private(id: &str) -> Value {
    at(json!({ "commentAnnotations": [{
        "annotationId": id, "visibility": { "type": "restricted", "userIds": ["bob"] },
        "commentData": [{ "from": { "userId": "ada" }, "commentText": "x" }],
    }] }))
}

async fn threads(app: &App, user: &str) -> usize {
    let found = app.caller().end_user(user).call("comments.annotations_get", at(json!({}))).await;
    found.data().as_array().unwrap().len()
}

#[tokio::test]
async fn end_users_begin_private_threads_only_when_the_key_allows_it() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let (bob, eve) = (member(&app, "bob", "editor").await, member(&app, "eve", "editor").await);
    let caller = app.caller().end_user(&ada);
    caller.call("comments.annotations_add", private("p")).await.error("PERMISSION_DENIED");
    let mut organization = private("p");
    organization["commentAnnotations"][0]["visibility"] =
        json!({ "type": "organizationPrivate", "organizationId": "acme" });
    caller.call("comments.annotations_add", organization).await.error("PERMISSION_DENIED");
    let mut public = private("public");
    public["commentAnnotations"][0]["visibility"] = json!({ "type": "public" });
    caller.call("comments.annotations_add", public).await.ok();
    app.call("comments.annotations_add", private("server")).await.ok();
    assert_eq!((threads(&app, &bob).await, threads(&app, &eve).await), (2, 1));

    set(&app, "enablePrivateComments", true).await;
    let done = app.caller().end_user(&ada).call("comments.annotations_add", private("p")).await;
    assert_eq!(done.data()["p"]["success"], true);
    assert_eq!((threads(&app, &bob).await, threads(&app, &eve).await), (3, 1));

    set(&app, "enablePrivateComments", false).await;
    assert_eq!((threads(&app, &bob).await, threads(&app, &eve).await), (3, 1), "they stay");
    let caller = app.caller().end_user(&ada);
    caller.call("comments.annotations_add", private("q")).await.error("PERMISSION_DENIED");
    let comment = at(json!({ "annotationId": "p", "commentData": [{ "commentText": "y" }] }));
    app.caller().end_user(&bob).call("comments.add", comment).await.ok();
}

/// Updates the thread `t` by a user.
async fn edit(app: &App, user: &str, updated: Value) -> Reply {
    let sent = at(json!({ "annotationIds": ["t"], "updatedData": updated }));
    app.caller().end_user(user).call("comments.annotations_update", sent).await
}

#[tokio::test]
async fn end_users_edit_threads_only_when_the_key_allows_it() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "commenter").await);
    let thread = at(json!({ "commentAnnotations": [{
        "annotationId": "t", "commentData": [{ "commentText": "x" }],
    }] }));
    app.caller().end_user(&ada).call("comments.annotations_add", thread).await.ok();
    let edits = [
        ("location", json!({ "id": 7 })),
        ("context", json!({ "quote": "x" })),
        ("priority", json!({ "id": "P1" })),
        ("assignedTo", json!({ "userId": "bob" })),
        ("assignedTo", json!(null)),
    ];
    for (member, value) in &edits {
        edit(&app, &ada, json!({ (*member): value })).await.error("PERMISSION_DENIED");
    }
    set(&app, "enableThreadEditing", true).await;
    for (member, value) in &edits {
        let done = edit(&app, &ada, json!({ (*member): value })).await.data();
        assert_eq!(done["t"]["success"], true, "{member}");
        let shown = app.call("comments.annotations_get", at(json!({}))).await.data();
        match *member {
            "priority" => assert_eq!(shown[0]["priority"]["id"], "P1"),
            member => assert_eq!(shown[0][member], *value),
        }
    }
    let visible = json!({ "visibility": { "type": "restricted", "userIds": ["ada"] } });
    edit(&app, &ada, visible).await.error("PERMISSION_DENIED");
    edit(&app, &ada, json!({ "from": { "userId": "bob" } })).await.error("PERMISSION_DENIED");

    // A commenter edits the threads that they began.
    let done = edit(&app, &bob, json!({ "priority": { "id": "P0" } })).await.data();
    assert_eq!(done["t"]["success"], false);
    let eve = member(&app, "eve", "viewer").await;
    edit(&app, &eve, json!({ "priority": null })).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn end_users_assign_threads_only_to_who_may_see_the_document() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    member(&app, "bob", "viewer").await;
    let thread = at(json!({ "commentAnnotations": [{
        "annotationId": "t", "commentData": [{ "commentText": "x" }],
    }] }));
    app.caller().end_user(&ada).call("comments.annotations_add", thread).await.ok();
    set(&app, "enableThreadEditing", true).await;
    let named = json!({ "assignedTo": {
        "userId": "bob", "name": "The Boss", "email": "victim@example.com",
    } });
    edit(&app, &ada, named).await.ok();
    let assignee = async || {
        app.call("comments.annotations_get", at(json!({}))).await.data()[0]["assignedTo"].clone()
    };
    assert_eq!(assignee().await, json!({ "userId": "bob" }), "who it is, and nothing else");
    let to = |user: &str| json!({ "assignedTo": { "userId": user } });
    edit(&app, &ada, to("nobody")).await.error("PERMISSION_DENIED");
    // Public access to a document is no right of a person.
    let public = at(json!({ "documentIds": ["d"], "accessType": "public" }));
    app.call("documents.access_update", public).await.ok();
    edit(&app, &ada, to("nobody")).await.error("PERMISSION_DENIED");
    let leaves = json!({ "organizationId": "acme", "userIds": ["bob"] });
    app.call("users.delete", leaves).await.ok();
    edit(&app, &ada, to("bob")).await.error("PERMISSION_DENIED");
    let guest = json!({ "user": { "userId": "guest" }, "permissions": { "resources": [
        { "type": "document", "id": "d", "organizationId": "acme", "accessRole": "viewer" },
    ] } });
    app.call("permissions.add", guest).await.ok();
    edit(&app, &ada, to("guest")).await.ok();
    assert_eq!(assignee().await["userId"], "guest");
    edit(&app, &ada, to("ada")).await.ok();
}

async fn users(app: &App) -> Vec<Value> {
    let found = app.call("users.get", json!({ "organizationId": "acme" })).await.data();
    found.as_array().unwrap().clone()
}

async fn is_in(app: &App, user: &str) -> bool {
    users(app).await.iter().any(|it| it["userId"] == user)
}

fn organization(role: &str) -> Value {
    json!([{ "type": "organization", "id": "acme", "accessRole": role }])
}

#[tokio::test]
async fn a_user_joins_with_the_first_access_only_when_the_key_requires_it() {
    let app = with_document().await;
    let eve = token(&app, "eve", organization("viewer")).await;
    let read = async |token: &str| {
        app.caller().end_user(token).call("live-state.get", at(json!({}))).await
    };
    read(&eve).await.ok();
    assert!(!is_in(&app, "eve").await);
    set(&app, "requireAutoOrgUser", true).await;
    read(&eve).await.ok();
    let found = users(&app).await;
    let joined = found.iter().find(|it| it["userId"] == "eve").expect("a user");
    assert_eq!((&joined["name"], &joined["email"]), (&json!("EVE"), &json!("eve@example.com")));
    assert_eq!(joined["accessRole"], "viewer", "{joined}");
    // A stored user stays as it is.
    let stored = json!({ "organizationId": "acme", "users": [{ "userId": "eve", "name": "Eve" }] });
    app.call("users.update", stored).await.ok();
    read(&eve).await.ok();
    let found = users(&app).await;
    assert_eq!(found.iter().find(|it| it["userId"] == "eve").unwrap()["name"], "Eve");
}

#[tokio::test]
async fn a_user_who_left_joins_again_only_with_a_newer_token() {
    let app = with_document().await;
    set(&app, "requireAutoOrgUser", true).await;
    let eve = token(&app, "eve", organization("viewer")).await;
    let read = async |token: &str| {
        app.caller().end_user(token).call("live-state.get", at(json!({}))).await
    };
    read(&eve).await.ok();
    app.advance(Duration::from_millis(1));
    let left = json!({ "organizationId": "acme", "userIds": ["eve"] });
    app.call("users.delete", left).await.ok();
    read(&eve).await.error("NOT_FOUND");
    assert!(!is_in(&app, "eve").await);
    app.advance(Duration::from_millis(1));
    let eve = token(&app, "eve", organization("viewer")).await;
    read(&eve).await.ok();
    assert!(is_in(&app, "eve").await);
}

#[tokio::test]
async fn a_user_joins_only_by_an_accepted_call_with_a_lasting_right_to_the_organization() {
    let app = with_document().await;
    set(&app, "requireAutoOrgUser", true).await;
    let document = json!([{ "type": "document", "id": "d", "organizationId": "acme" }]);
    let end = app.now() / 1000 + 60;
    let passing = json!([{ "type": "organization", "id": "acme", "expiresAt": end }]);
    let other = json!([{ "type": "organization", "id": "other" }]);
    for (user, resources) in [
        ("of-document", document),
        ("in-passing", passing),
        ("elsewhere", other),
        ("none", json!([])),
    ] {
        let token = token(&app, user, resources).await;
        app.caller().end_user(&token).call("live-state.get", at(json!({}))).await;
        let inbox = json!({ "organizationId": "acme" });
        app.caller().end_user(&token).call("notifications.get", inbox).await.ok();
        assert!(!is_in(&app, user).await, "{user}");
    }
    // The server names people without adding them.
    let by_server = at(json!({ "commentAnnotations": [{
        "annotationId": "t", "commentData": [{ "from": { "userId": "zoe" }, "commentText": "x" }],
    }] }));
    app.call("comments.annotations_add", by_server).await.ok();
    assert!(!is_in(&app, "zoe").await);
    // A refused call is no access.
    let denied = token(&app, "late", organization("viewer")).await;
    let disabled = json!({ "organizationIds": ["acme"], "disabled": true });
    app.call("organizations.disable", disabled).await.ok();
    let reply = app.caller().end_user(&denied).call("live-state.get", at(json!({}))).await;
    reply.error("PERMISSION_DENIED");
    assert!(!is_in(&app, "late").await);
}

#[tokio::test]
async fn consumed_units_are_returned_to_the_server_and_not_to_end_users() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let reply = app.caller().end_user(&ada).call("live-state.get", at(json!({}))).await;
    assert_eq!(reply.header("x-consumed-units"), None);
    let reply = app.call("live-state.get", at(json!({}))).await;
    assert!(reply.header("x-consumed-units").is_some());
}

/// A token of the older path, for one organization.
async fn of_one(app: &App, user: &str, organization: &str) -> String {
    let sent = json!({
        "apiKey": app.key.api_key, "authToken": app.key.auth_token, "userId": user,
        "userProperties": { "organizationId": organization },
    });
    let body = json!({ "data": sent }).to_string();
    let issued = app.send("/v1/auth/token/get", body, &[]).await.data();
    issued["token"].as_str().expect("a token").to_owned()
}

#[tokio::test]
async fn a_token_of_the_older_path_acts_in_its_organization_only() {
    let app = with_document().await;
    let other = json!({ "organizationId": "other", "createOrganization": true,
        "documents": [{ "documentId": "d" }] });
    app.call("documents.add", other).await.ok();
    member(&app, "ada", "editor").await;
    let own = of_one(&app, "ada", "acme").await;
    let foreign = of_one(&app, "ada", "other").await;
    let calls = [
        ("live-state.get", at(json!({}))),
        ("comments.annotations_get", at(json!({}))),
        ("notifications.get", json!({ "organizationId": "acme" })),
        (
            "notifications.config_set",
            json!({ "organizationId": "acme", "config": { "inbox": "NONE" } }),
        ),
    ];
    for (operation, data) in calls {
        app.caller().end_user(&own).call(operation, data.clone()).await.ok();
        let reply = app.caller().end_user(&foreign).call(operation, data).await;
        reply.error("PERMISSION_DENIED");
    }
    // A token of the newer path acts wherever its user has rights.
    let everywhere = token(&app, "ada", json!([])).await;
    for organization in ["acme", "other"] {
        let place = json!({ "organizationId": organization, "documentId": "d" });
        app.caller().end_user(&everywhere).call("live-state.get", place).await.ok();
    }
}

#[tokio::test]
async fn a_live_room_of_another_organization_is_closed_to_a_token_of_the_older_path() {
    let app = with_document().await;
    member(&app, "ada", "editor").await;
    let own = of_one(&app, "ada", "acme").await;
    let foreign = of_one(&app, "ada", "other").await;
    let document = at(json!({ "type": "subscribe" }));
    let me = json!({ "type": "subscribe", "me": true, "organizationId": "acme" });
    for place in [&document, &me] {
        for (token, expected) in [(&own, "subscribed"), (&foreign, "error")] {
            let mut socket = app.connect(&format!("protocol=events&token={token}")).await;
            socket.send_json(place).await;
            let told = socket.json().await;
            assert_eq!(told["type"], expected, "{told}");
        }
    }
}

#[tokio::test]
async fn a_document_of_a_new_key_opens_to_members_of_its_organization_alone() {
    let app = App::start().await;
    let sent = json!({ "ownerEmail": "o@example.com", "type": "testing", "createAuthToken": true });
    let created = app.call("workspace.api_key_create", sent).await.data();
    let key = app.credentials_of(created["apiKey"].as_str().unwrap()).await;
    let call = async |operation: &str, data: Value| app.call_as(&key, operation, data).await;
    let made = json!({ "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "d" }] });
    call("documents.add", made).await.ok();
    let users = json!({ "organizationId": "acme", "users": [{ "userId": "ada" }] });
    call("users.add", users).await.ok();
    let token = async |user: &str| {
        let data = json!({ "userId": user, "permissions": { "resources": [] },
            "userProperties": { "name": user, "email": format!("{user}@example.com") } });
        call("users.generate_token", data).await.data()["token"].as_str().unwrap().to_owned()
    };
    let (ada, eve) = (token("ada").await, token("eve").await);
    let read = async |user: &str| {
        app.caller().key(&key).end_user(user).call("presence.get", at(json!({}))).await
    };
    read(&ada).await.ok();
    read(&eve).await.error("NOT_FOUND");
    let opened = json!({ "defaultDocumentAccessType": "public" });
    call("workspace.api_key_config_update", opened).await.ok();
    app.advance(Duration::from_secs(11));
    read(&eve).await.ok();
}
