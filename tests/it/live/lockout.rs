//! Users who lose a right lose their subscriptions at once, without a message of anybody.

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Dialect, Message};
use serde_json::{Value, json};
use service::Table;

use super::{
    hocuspocus::{hear, say, say_token},
    peer::{Peer, ROOM},
};
use crate::{
    app::{App, Options},
    end_users::{add_document, member, token, with_document},
};

/// The rows of connections that are left.
fn rows(app: &App) -> Vec<Value> {
    let rows = app.embedded().dump(&roundtable::table_name(Table::Realtime)).unwrap();
    // The row of a connection that has ended stays for a moment.
    let of_connection =
        |row: &Value| row.to_string().contains("connection") && row.get("ended").is_none();
    rows.into_iter().filter(of_connection).collect()
}

async fn lock_out(app: &App, operation: &str, data: Value) -> (u64, String) {
    let bob = member(app, "bob", "editor").await;
    let mut peer = Peer::join(app, 2, &bob).await;
    app.settle().await;
    peer.pings().await;
    app.call(operation, data).await.ok();
    app.settle().await;
    let closed = peer.is_closed().await;
    assert_eq!(rows(app), Vec::<Value>::new(), "{operation}");
    closed
}

#[tokio::test]
async fn each_way_to_lose_a_right_closes_an_idle_connection() {
    let documents = |data: Value| {
        let mut all = json!({ "organizationId": "acme", "documentIds": ["d"] });
        all.as_object_mut().unwrap().extend(data.as_object().unwrap().clone());
        all
    };
    let users = json!({ "organizationId": "acme", "userIds": ["bob"] });
    let organizations = |data: Value| {
        let mut all = json!({ "organizationIds": ["acme"] });
        all.as_object_mut().unwrap().extend(data.as_object().unwrap().clone());
        all
    };
    let cases = [
        ("users.delete", users, 4404),
        ("documents.disable", documents(json!({ "disabled": true })), 4404),
        ("documents.access_update", documents(json!({ "accessType": "restricted" })), 4404),
        ("documents.delete", documents(json!({})), 4404),
        ("organizations.disable", organizations(json!({ "disabled": true })), 4403),
        ("organizations.delete", organizations(json!({})), 4404),
    ];
    for (operation, data, code) in cases {
        let app = with_document().await;
        assert_eq!(lock_out(&app, operation, data).await.0, code, "{operation}");
    }
}

/// A user who has a right only in the token.
async fn with_right_in_token(app: &App) -> Peer {
    let access = json!({
        "organizationId": "acme", "documentIds": ["d"], "accessType": "restricted",
    });
    app.call("documents.access_update", access).await.ok();
    let right = json!({ "type": "document", "id": "d", "organizationId": "acme" });
    let bob = token(app, "bob", json!([right])).await;
    let mut peer = Peer::join(app, 2, &bob).await;
    app.settle().await;
    peer.pings().await;
    peer
}

#[tokio::test]
async fn a_right_in_a_token_that_is_taken_away_closes_an_idle_connection() {
    let app = with_document().await;
    let mut peer = with_right_in_token(&app).await;
    let right = json!({ "type": "document", "id": "d", "organizationId": "acme" });
    let removed = json!({ "userId": "bob", "permissions": { "resources": [right] } });
    app.call("permissions.remove", removed).await.ok();
    app.settle().await;
    assert_eq!(peer.is_closed().await.0, 4404);
}

#[tokio::test]
async fn a_reset_of_the_auth_tokens_closes_idle_connections() {
    let app = with_document().await;
    let mut peer = with_right_in_token(&app).await;
    let reset = json!({ "apiKey": app.key.api_key });
    app.call("workspace.auth_token_reset", reset).await.ok();
    app.settle().await;
    assert_eq!(peer.is_closed().await.0, 4401);
}

#[tokio::test]
async fn a_folder_that_is_restricted_closes_the_connections_to_its_documents() {
    let app = with_document().await;
    let folder = json!({ "organizationId": "acme", "folders": [{ "folderId": "f" }] });
    app.call("folders.add", folder).await.ok();
    let documents = json!({
        "organizationId": "acme", "folderId": "f", "documents": [{ "documentId": "e" }],
    });
    app.call("documents.add", documents).await.ok();
    let access =
        |kind: &str| json!({ "organizationId": "acme", "folderIds": ["f"], "accessType": kind });
    app.call("folders.access_update", access("organizationPrivate")).await.ok();
    let bob = member(&app, "bob", "editor").await;
    let mut socket = app.connect(&format!("protocol=events&token={bob}")).await;
    let subscribe = json!({ "type": "subscribe", "organizationId": "acme", "documentId": "e" });
    socket.send_json(&subscribe).await;
    assert_eq!(socket.json().await["type"], "subscribed");
    app.call("folders.access_update", access("restricted")).await.ok();
    app.settle().await;
    let ended = socket.json().await;
    assert_eq!((&ended["type"], &ended["code"]), (&json!("unsubscribed"), &json!("NOT_FOUND")));
}

#[tokio::test]
async fn a_revoked_grant_closes_the_connection() {
    let app = with_document().await;
    let right = json!({
        "type": "document", "id": "d", "organizationId": "acme", "accessRole": "editor",
    });
    let grant = json!({ "user": { "userId": "eve" }, "permissions": { "resources": [right] } });
    app.call("permissions.add", grant).await.ok();
    let eve = token(&app, "eve", json!([])).await;
    let mut peer = Peer::join(&app, 1, &eve).await;
    let right = json!({ "type": "document", "id": "d", "organizationId": "acme" });
    let revoke = json!({ "userId": "eve", "permissions": { "resources": [right] } });
    app.call("permissions.remove", revoke).await.ok();
    app.settle().await;
    assert_eq!(peer.is_closed().await.0, 4404);
}

/// The functions of this deployment have separate caches, as in the cloud.
#[tokio::test]
async fn a_disabled_key_closes_all_connections() {
    let app = App::start_with(Options { is_separate: true, ..Options::default() }).await;
    add_document(&app).await;
    let data = json!({ "apiKey": app.key.api_key, "disabled": true });
    assert_eq!(lock_out(&app, "workspace.api_key_update", data).await.0, 4401);
}

#[tokio::test]
async fn a_change_that_keeps_the_right_closes_no_connection() {
    let app = with_document().await;
    let (ada, bob) = (member(&app, "ada", "editor").await, member(&app, "bob", "editor").await);
    let mut first = Peer::join(&app, 1, &ada).await;
    let mut second = Peer::join(&app, 2, &bob).await;
    let out = json!({ "organizationId": "acme", "userIds": ["bob"] });
    app.call("users.delete", out).await.ok();
    app.settle().await;
    assert_eq!(second.is_closed().await.0, 4404);
    let viewer = json!({
        "organizationId": "acme", "users": [{ "userId": "ada", "accessRole": "viewer" }],
    });
    app.call("users.update", viewer).await.ok();
    let public = json!({ "organizationId": "acme", "documentIds": ["d"], "accessType": "public" });
    app.call("documents.access_update", public).await.ok();
    app.settle().await;
    first.pings().await;
}

/// A change that concerns many connections keeps the stream busy for the first hundred.
#[tokio::test]
async fn a_review_of_many_connections_continues_in_the_queue() {
    let app = with_document().await;
    let mut sockets = vec![];
    for n in 0..11 {
        let user = member(&app, &format!("user-{n}"), "editor").await;
        for _ in 0..20 {
            let mut socket = app.connect(&format!("protocol=events&token={user}")).await;
            let subscribe =
                json!({ "type": "subscribe", "organizationId": "acme", "documentId": "d" });
            socket.send_json(&subscribe).await;
            assert_eq!(socket.json().await["type"], "subscribed");
            sockets.push(socket);
        }
    }
    app.settle().await;
    app.forget_calls();
    let disabled = json!({ "organizationId": "acme", "documentIds": ["d"], "disabled": true });
    app.call("documents.disable", disabled).await.ok();
    app.settle().await;
    let is_review =
        |it: &embedded::Call| it.operation == "SendMessageBatch" && it.target.ends_with("live");
    let reviews = app.calls().iter().filter(|it| is_review(it)).count();
    assert!((1..=2).contains(&reviews), "{reviews}");
    for mut socket in sockets {
        assert_eq!(socket.json().await["type"], "unsubscribed");
    }
}

#[tokio::test]
async fn losing_a_document_keeps_the_other_subscriptions() {
    let app = with_document().await;
    let documents = json!({ "organizationId": "acme", "documents": [{ "documentId": "e" }] });
    app.call("documents.add", documents).await.ok();
    let public = json!({ "organizationId": "acme", "documentIds": ["e"], "accessType": "public" });
    app.call("documents.access_update", public).await.ok();
    let ada = member(&app, "ada", "editor").await;

    let mut events = app.connect(&format!("protocol=events&token={ada}")).await;
    for document in ["d", "e"] {
        let subscribe =
            json!({ "type": "subscribe", "organizationId": "acme", "documentId": document });
        events.send_json(&subscribe).await;
        assert_eq!(events.json().await["type"], "subscribed");
    }
    let mut editors = app.connect("protocol=hocuspocus").await;
    for room in [ROOM, "acme/e/e"] {
        say_token(&mut editors, room, &ada).await;
        hear(&mut editors, room).await;
        say(&mut editors, room, &Message::Step1(vec![0])).await;
        assert_eq!(hear(&mut editors, room).await[..2], [0, 1]);
        assert_eq!(hear(&mut editors, room).await[..2], [0, 0]);
    }
    app.settle().await;
    let disabled = json!({ "organizationId": "acme", "documentIds": ["d"], "disabled": true });
    app.call("documents.disable", disabled).await.ok();
    app.settle().await;
    let told = json!({
        "type": "unsubscribed", "organizationId": "acme", "documentId": "d", "code": "NOT_FOUND",
        "message": "There is no document d.",
    });
    assert_eq!(events.json().await, told);
    let denied = hear(&mut editors, ROOM).await;
    assert_eq!(denied[..2], [2, 1]);
    // A stock provider may still send to it.
    let update = Peer::connect(&app, 7, &ada).await.insert(0, "x");
    say(&mut editors, ROOM, &Message::Update(update.clone())).await;
    assert_eq!(hear(&mut editors, ROOM).await[..2], [2, 1]);
    let said = Dialect::Hocuspocus.write("acme/e/e", &Message::Update(update)).unwrap();
    editors.send(STANDARD.encode(said)).await;
    assert_eq!(hear(&mut editors, "acme/e/e").await, [8, 1]);
    events.send_json(&json!({ "type": "ping" })).await;
    assert_eq!(events.json().await, json!({ "type": "pong" }));
}

#[tokio::test]
async fn losing_a_right_of_a_group_closes_an_idle_connection() {
    let team = |more: Value| {
        let mut all = json!({ "organizationUserGroupId": "team" });
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    let right = json!({ "resources": [
        { "type": "document", "id": "d", "organizationId": "acme" },
    ] });
    let bob_in_team = team(json!({ "organizationId": "acme", "userIds": ["bob"] }));
    let cases = [
        ("user-groups.users_delete", bob_in_team.clone()),
        (
            "user-groups.delete",
            json!({ "organizationId": "acme", "organizationUserGroupIds": ["team"] }),
        ),
        ("permissions.remove", team(json!({ "permissions": right }))),
    ];
    for (operation, data) in cases {
        let app = with_document().await;
        let access = json!({
            "organizationId": "acme", "documentIds": ["d"], "accessType": "restricted",
        });
        app.call("documents.access_update", access).await.ok();
        let bob = member(&app, "bob", "editor").await;
        let groups =
            json!({ "organizationId": "acme", "organizationUserGroups": [{ "groupId": "team" }] });
        app.call("user-groups.add", groups).await.ok();
        app.call("user-groups.users_add", bob_in_team.clone()).await.ok();
        app.call("permissions.add", team(json!({ "permissions": right }))).await.ok();
        let mut peer = Peer::join(&app, 2, &bob).await;
        app.settle().await;
        peer.pings().await;
        app.call(operation, data).await.ok();
        app.settle().await;
        assert_eq!(peer.is_closed().await.0, 4404, "{operation}");
    }
}
