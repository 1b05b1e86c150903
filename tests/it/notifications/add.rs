//! `notifications.add`.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{add, find, get, ids, restrict, sent, start, stored, wrong};
use crate::app::{App, cost};

/// The events of the outbox, oldest first.
fn domain_events(app: &App) -> Vec<Value> {
    app.events()
}

/// Contract `notifications.get`.
#[tokio::test]
async fn a_notification_has_the_members_of_the_specification() {
    let app = start().await;
    let before = app.now();
    let id = add(
        &app,
        json!({
            "notificationId": "n-1_A",
            "actionUser": { "userId": "eve", "name": "Eve", "email": "eve@example.com" },
            "notifyUsers": [{ "userId": "ada" }, { "userId": "bob" }, { "userId": "ada" }],
            "notificationSourceData": { "thread": { "id": 7, "tiny": 5e-324 } },
            "displayHeadlineMessageTemplateData": { "actionUser": { "userId": "eve" }, "x": "y" },
            "displayBodyMessageTemplate": "{x}", "displayBodyMessageTemplateData": { "x": "y" },
            "metadata": { "mine": [1], "documentId": "no" },
            "location": { "id": "page-1", "name": "Page" },
            "context": { "access": { "team": "red", "level": 3 } },
        }),
    )
    .await;
    assert_eq!(id, "n-1_A");
    let it = find(&app, &id).await;
    let timestamp = it["timestamp"].as_u64().unwrap();
    assert!(before <= timestamp && timestamp <= app.now());
    let expected = json!({
        "id": "n-1_A",
        "notificationSource": "custom",
        "notificationSourceData": { "thread": { "id": 7, "tiny": 5e-324 } },
        "actionUser": { "userId": "eve", "name": "Eve", "email": "eve@example.com" },
        "displayBodyMessage": "it",
        "displayBodyMessageTemplate": "{x}",
        "displayBodyMessageTemplateData": { "x": "y" },
        "displayHeadlineMessageTemplate": "{actionUser} did",
        "displayHeadlineMessageTemplateData": { "actionUser": { "userId": "eve" }, "x": "y" },
        "metadata": {
            "mine": [1], "documentId": "d", "organizationId": "acme", "apiKey": app.key.api_key,
        },
        "notifyUsers": { "ada": true, "bob": true },
        "notifyUsersByUserId": { "ada": true, "bob": true },
        "notifyAll": false,
        "location": { "id": "page-1", "name": "Page" },
        "locationId": "page-1",
        "context": { "access": { "team": "red", "level": 3 } },
        "timestamp": timestamp,
        "readByUserIds": [],
        "persistReadForUsers": false,
        "isNotificationResolverUsed": false,
    });
    assert_eq!(it, expected);
}

#[tokio::test]
async fn adding_an_existing_id_changes_nothing_and_emits_no_event() {
    let app = start().await;
    add(&app, json!({ "notificationId": "n", "displayBodyMessage": "first" })).await;
    app.advance(Duration::from_secs(1));
    let again = json!({
        "notificationId": "n", "displayBodyMessage": "second", "notifyUsers": [{ "userId": "bob" }],
    });
    assert_eq!(add(&app, again).await, "n");
    assert_eq!(find(&app, "n").await["displayBodyMessage"], "first");
    assert_eq!(ids(&app, json!({ "userId": "bob" })).await, [""; 0]);
    assert_eq!(domain_events(&app).len(), 1, "and emits nothing");
}

#[tokio::test]
async fn of_simultaneous_additions_with_one_id_one_is_added() {
    let app = start().await;
    let same = (0..8).map(|_| add(&app, json!({ "notificationId": "n" })));
    assert_eq!(join_all(same).await, ["n"; 8]);
    assert_eq!(ids(&app, json!({ "userId": "ada" })).await, ["n"]);
    assert_eq!(domain_events(&app).len(), 1);
}

#[tokio::test]
async fn a_notification_without_an_id_gets_one() {
    let app = start().await;
    let (one, other) = (add(&app, json!({})).await, add(&app, json!({})).await);
    assert_ne!(one, other);
    for id in [one, other] {
        assert_eq!(id.len(), 20);
        assert!(id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_'), "{id}");
        assert_eq!(find(&app, &id).await["id"], id);
    }
}

#[tokio::test]
async fn an_id_has_letters_digits_underscores_and_hyphens() {
    let app = start().await;
    for id in ["-", "_", "A0", &"x".repeat(256)] {
        assert_eq!(add(&app, json!({ "notificationId": id })).await, *id);
    }
    for id in ["", "a b", "a#b", "a.b", "ä", &"x".repeat(257)] {
        let path = wrong(&app, "notifications.add", sent(json!({ "notificationId": id }))).await;
        assert_eq!(path, json!(["data", "notificationId"]), "{id}");
    }
}

#[tokio::test]
async fn a_missing_member_is_refused_with_its_name() {
    let app = start().await;
    for member in [
        "organizationId",
        "documentId",
        "actionUser",
        "notifyUsers",
        "displayHeadlineMessageTemplate",
        "displayBodyMessage",
    ] {
        let path = wrong(&app, "notifications.add", sent(json!({ member: null }))).await;
        assert_eq!(path, json!(["data", member]));
    }
    let resolved = json!({
        "isNotificationResolverUsed": true, "displayHeadlineMessageTemplate": null,
        "displayBodyMessage": null,
    });
    let it = find(&app, &add(&app, resolved).await).await;
    assert_eq!(it["isNotificationResolverUsed"], true);
    assert_eq!(it.get("displayBodyMessage"), None);
}

#[tokio::test]
async fn a_notification_names_1_to_500_users() {
    let app = start().await;
    let users = |n: usize| -> Value {
        (0..n).map(|n| json!({ "userId": format!("u{n}") })).collect::<Vec<_>>().into()
    };
    for n in [0, 501] {
        let path = wrong(&app, "notifications.add", sent(json!({ "notifyUsers": users(n) }))).await;
        assert_eq!(path, json!(["data", "notifyUsers"]));
    }
    app.forget_calls();
    let id = add(&app, json!({ "notifyUsers": users(500) })).await;
    assert!(app.calls().len() <= cost::allowed(500), "{}", app.calls().len());
    for user in ["u0", "u47", "u48", "u250", "u499"] {
        assert_eq!(ids(&app, json!({ "userId": user })).await, [id.as_str()], "{user}");
        let there = json!({ "userId": user, "documentId": "d" });
        assert_eq!(ids(&app, there).await, [id.as_str()], "{user}");
    }
    // One for each, and one of the actor.
    assert_eq!(stored(&app, &["link"]).len(), 501);
    let gone = json!({ "organizationId": "acme", "notificationIds": [id] });
    assert_eq!(app.call("notifications.delete", gone).await.data()[&id]["success"], true);
    assert_eq!(stored(&app, &["link", "notification"]), [""; 0]);
}

#[tokio::test]
async fn an_unknown_organization_or_document_is_not_found_or_created() {
    let app = start().await;
    let call = |members: Value| {
        let app = &app;
        async move { app.call("notifications.add", sent(members)).await }
    };
    call(json!({ "documentId": "x" })).await.error("NOT_FOUND");
    call(json!({ "documentId": "x", "createOrganization": true })).await.error("NOT_FOUND");
    call(json!({ "organizationId": "x" })).await.error("NOT_FOUND");
    call(json!({ "organizationId": "x", "createDocument": true })).await.error("NOT_FOUND");
    call(json!({ "organizationId": "x", "createOrganization": true })).await.error("NOT_FOUND");
    let documents =
        |organization: &str| app.call("documents.get", json!({ "organizationId": organization }));
    assert_eq!(documents("x").await.data(), json!([]));
    assert_eq!(app.call("organizations.get", json!({})).await.data().as_array().unwrap().len(), 1);

    call(json!({ "documentId": "x", "createDocument": true })).await.ok();
    assert_eq!(documents("acme").await.data().as_array().unwrap().len(), 3);
    let both = json!({
        "organizationId": "x", "createOrganization": true, "createDocument": true,
    });
    call(both).await.ok();
    assert_eq!(documents("x").await.data()[0]["documentId"], "d");
    assert_eq!(app.call("organizations.get", json!({})).await.data().as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_notification_is_for_everybody_unless_notify_all_is_false() {
    let app = start().await;
    let all = add(&app, json!({ "notifyAll": null })).await;
    let also = add(&app, json!({ "notifyAll": true })).await;
    let named = add(&app, json!({ "notifyAll": false })).await;
    assert_eq!(ids(&app, json!({ "userId": "zoe", "order": "asc" })).await.len(), 2);
    let of_ada = ids(&app, json!({ "userId": "ada" })).await;
    assert_eq!(of_ada.len(), 3, "each once: {of_ada:?}");
    assert!([all, also, named].iter().all(|id| of_ada.contains(id)));
}

#[tokio::test]
async fn users_who_may_not_reach_the_document_are_left_out_when_asked() {
    let app = start().await;
    restrict(&app, "d", &["ada"]).await;
    let both = json!([{ "userId": "ada" }, { "userId": "bob" }]);
    let id = add(&app, json!({ "notifyUsers": both })).await;
    assert_eq!(find(&app, &id).await["notifyUsers"], json!({ "ada": true, "bob": true }));
    let id = add(&app, json!({ "notifyUsers": both, "verifyUserPermissions": true })).await;
    assert_eq!(find(&app, &id).await["notifyUsers"], json!({ "ada": true }));

    let nobody = json!({
        "notificationId": "nobody", "notifyUsers": [{ "userId": "bob" }],
        "verifyUserPermissions": true,
    });
    let before = domain_events(&app).len();
    let data = app.call("notifications.add", sent(nobody.clone())).await.data();
    assert_eq!(data["success"], false);
    assert_eq!(find(&app, "nobody").await, json!(null));
    assert_eq!(domain_events(&app).len(), before);
    let mut all = nobody;
    all["notifyAll"] = json!(true);
    assert_eq!(add(&app, all).await, "nobody");
    assert_eq!(find(&app, "nobody").await["notifyUsers"], json!({}));
    let new = json!({
        "documentId": "new", "createDocument": true, "verifyUserPermissions": true,
    });
    assert_eq!(find(&app, &add(&app, new).await).await["notifyUsers"], json!({ "ada": true }));
}

#[tokio::test]
async fn users_who_may_not_reach_the_document_that_is_created_are_left_out_when_asked() {
    let app = start().await;
    let users = json!({ "organizationId": "acme", "users": [{ "userId": "ada" }] });
    app.call("users.add", users).await.ok();
    let news = |create: bool| {
        json!({
            "documentId": "new", "createDocument": create, "verifyUserPermissions": true,
            "notifyUsers": [{ "userId": "ada" }, { "userId": "stranger" }],
        })
    };
    app.call("notifications.add", sent(news(false))).await.error("NOT_FOUND");
    for (closed, told) in [
        ("organizationPrivate", json!({ "ada": true })),
        ("public", json!({ "ada": true, "stranger": true })),
    ] {
        let config = json!({ "defaultDocumentAccessType": closed });
        app.call("workspace.api_key_config_update", config).await.ok();
        app.advance(Duration::from_secs(11));
        let id = add(&app, news(true)).await;
        assert_eq!(find(&app, &id).await["notifyUsers"], told, "{closed}");
        let delete = json!({ "organizationId": "acme", "documentIds": ["new"] });
        app.call("documents.delete", delete).await.ok();
    }
}

#[tokio::test]
async fn the_event_of_an_addition_has_the_members_that_mails_need() {
    let app = start().await;
    let users = json!([{ "userId": "ada", "email": "ada@example.com" }]);
    let id = add(
        &app,
        json!({
            "notifyUsers": users, "notificationSource": "comment",
            "notificationSourceData": { "annotationId": "thread" },
            "displayHeadlineMessageTemplateData": { "x": "y" },
        }),
    )
    .await;
    let [stored] = domain_events(&app).try_into().map(|it: [Value; 1]| it).unwrap();
    let event = &stored["event"];
    assert_eq!(event["event"], "notification.add");
    assert_eq!(event["organizationId"], "acme");
    assert_eq!(event["documentId"], "d");
    assert_eq!(event["actor"]["userId"], "eve");
    assert_eq!(event["annotationId"], "thread");
    assert_eq!(event["notify"], true);
    let expected = json!({
        "id": id, "notificationSource": "comment", "notifyUsers": users, "notifyAll": false,
        "displayHeadlineMessageTemplate": "{actionUser} did",
        "displayHeadlineMessageTemplateData": { "x": "y" }, "displayBodyMessage": "it",
    });
    assert_eq!(event["data"], expected);
    app.settle().await;
}

#[tokio::test]
async fn sources_and_access_contexts_have_their_bounds() {
    let app = start().await;
    for source in ["custom", "huddle", "crdt", "recorder"] {
        let id = add(&app, json!({ "notificationSource": source })).await;
        assert_eq!(find(&app, &id).await["notificationSource"], source);
    }
    let other = sent(json!({ "notificationSource": "other" }));
    assert_eq!(
        wrong(&app, "notifications.add", other).await,
        json!(["data", "notificationSource"])
    );
    let access = |n: usize| -> Value {
        let fields = (0..n).map(|n| (format!("f{n}"), json!(n)));
        json!({ "context": { "access": fields.collect::<serde_json::Map<_, _>>() } })
    };
    add(&app, access(200)).await;
    assert_eq!(
        wrong(&app, "notifications.add", sent(access(201))).await,
        json!(["data", "context", "access"])
    );
}

#[tokio::test]
async fn a_notification_above_400_kib_is_refused() {
    let app = start().await;
    let huge = sent(json!({ "displayBodyMessage": "x".repeat(420_000) }));
    app.call("notifications.add", huge).await.error("INVALID_ARGUMENT");
    assert_eq!(get(&app, json!({})).await, [json!(null); 0]);
}
