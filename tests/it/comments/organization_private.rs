//! Threads for the members of organizations (contract `types.comment-visibility`).

use std::time::Duration;

use serde_json::{Value, json};

use crate::{app::App, end_users::token};

fn at(members: Value) -> Value {
    let mut all = json!({ "organizationId": "o1", "documentId": "d" });
    all.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    all
}

/// The organizations `o1` with `ada`, `o2` with `bob` and `o3` with `cy`, and the public document
/// `d` of `o1`, of which `guest` is a member.
async fn with_members() -> App {
    let app = App::start().await;
    let document = json!({
        "organizationId": "o1", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", document).await.ok();
    for (organization, user) in [("o1", "ada"), ("o2", "bob"), ("o3", "cy")] {
        let sent = json!({
            "organizationId": organization, "createOrganization": true,
            "users": [{ "userId": user }],
        });
        app.call("users.add", sent).await.ok();
    }
    app.call("users.add", at(json!({ "users": [{ "userId": "guest" }] }))).await.ok();
    app
}

fn private(organizations: &[&str], users: &[&str]) -> Value {
    json!({
        "type": "organizationPrivate", "organizationId": organizations[0],
        "organizationIds": organizations[1..], "userIds": users,
    })
}

async fn thread(app: &App, id: &str, visibility: Value) {
    let sent = at(json!({ "commentAnnotations": [{
        "annotationId": id, "visibility": visibility, "commentData": [{
            "from": { "userId": "author" }, "commentText": "x", "triggerNotification": true,
        }],
    }] }));
    let data = app.call("comments.annotations_add", sent).await.data();
    assert_eq!(data[id]["success"], true, "{data}");
}

/// The threads `all`, `o1`, `o2`, `both` (of `o2` and `o3`) and `dan` (of `o3`, and for dan).
async fn with_threads() -> App {
    let app = with_members().await;
    thread(&app, "all", json!({ "type": "public" })).await;
    thread(&app, "o1", private(&["o1"], &[])).await;
    thread(&app, "o2", private(&["o2"], &[])).await;
    thread(&app, "both", private(&["o2", "o3"], &[])).await;
    thread(&app, "dan", private(&["o3"], &["dan"])).await;
    app.settle().await;
    app
}

async fn ids(app: &App, token: &str, filter: Value) -> Vec<String> {
    let found = app.caller().end_user(token).call("comments.annotations_get", at(filter)).await;
    let found = found.data();
    let threads = found.as_array().unwrap().iter();
    let ids = threads.filter_map(|it| it["annotationId"].as_str().map(str::to_owned));
    let mut ids: Vec<String> = ids.collect();
    ids.sort();
    ids
}

async fn count(app: &App, token: &str) -> Value {
    let sent = json!({ "organizationId": "o1", "documentIds": ["d"] });
    let counted = app.caller().end_user(token).call("comments.annotations_count", sent).await;
    counted.data()["d"]["total"].clone()
}

#[tokio::test]
async fn an_organization_private_thread_is_seen_by_members_of_the_organizations_named() {
    let app = with_threads().await;
    let in_o2 = json!([{ "type": "organization", "id": "o2", "organizationId": "o2" }]);
    let in_d = json!([{ "type": "document", "id": "d", "organizationId": "o1" }]);
    let nothing = || json!([]);
    for (user, rights, expected) in [
        ("ada", nothing(), vec!["all", "o1"]),
        ("bob", nothing(), vec!["all", "both", "o2"]),
        ("cy", nothing(), vec!["all", "both", "dan"]),
        ("dan", nothing(), vec!["all", "dan"]),
        ("author", nothing(), vec!["all", "both", "dan", "o1", "o2"]),
        ("guest", nothing(), vec!["all"]),
        ("stranger", nothing(), vec!["all"]),
        ("stranger", in_d, vec!["all"]),
        ("stranger", in_o2, vec!["all", "both", "o2"]),
    ] {
        let token = token(&app, user, rights.clone()).await;
        let all = json!({ "annotationIds": ["all", "o1", "o2", "both", "dan"] });
        assert_eq!(ids(&app, &token, json!({})).await, expected, "{user} {rights}");
        assert_eq!(ids(&app, &token, all).await, expected, "{user} {rights}");
        assert_eq!(count(&app, &token).await, expected.len(), "{user} {rights}");
        let stated = app.call("comments.annotations_get", at(json!({}))).await.data();
        assert_eq!(stated.as_array().unwrap().len(), 5, "the server sees all");
    }
    // Writing needs seeing.
    for (user, succeeds) in [("ada", false), ("guest", false), ("bob", true)] {
        let token = token(&app, user, json!([])).await;
        let comment = json!({ "annotationId": "o2", "commentData": [{ "commentText": "y" }] });
        let reply = app.caller().end_user(&token).call("comments.add", at(comment)).await;
        match succeeds {
            true => drop(reply.data()),
            false => drop(reply.error("NOT_FOUND")),
        }
    }
}

#[tokio::test]
async fn a_user_who_leaves_the_named_organization_or_is_locked_out_loses_the_thread() {
    let app = with_threads().await;
    let bob = token(&app, "bob", json!([])).await;
    let cy = token(&app, "cy", json!([])).await;
    assert_eq!(ids(&app, &bob, json!({})).await, ["all", "both", "o2"]);
    app.advance(Duration::from_millis(1));
    let gone = json!({ "organizationId": "o2", "userIds": ["bob"] });
    app.call("users.delete", gone).await.ok();
    assert_eq!(ids(&app, &bob, json!({})).await, ["all"]);
    assert_eq!(ids(&app, &cy, json!({})).await, ["all", "both", "dan"]);
    let disabled = json!({ "organizationIds": ["o3"], "disabled": true });
    app.call("organizations.disable", disabled).await.ok();
    assert_eq!(ids(&app, &cy, json!({})).await, ["all"]);
}

#[tokio::test]
async fn n1_a_thread_for_an_organization_notifies_only_members_and_users_named() {
    let app = with_members().await;
    let on = json!({ "useNotificationService": true });
    app.call("configuration.notifications_update", on).await.ok();
    for (id, organization) in [("o1", "o1"), ("o2", "o2")] {
        thread(&app, id, private(&[organization], &["dan"])).await;
        let mention = json!({ "annotationId": id, "commentData": [{
            "from": { "userId": "author" }, "commentText": "y", "triggerNotification": true,
            "taggedUserContacts": [
                { "userId": "ada" }, { "userId": "bob" }, { "userId": "dan" }, { "userId": "guest" },
            ],
        }] });
        app.call("comments.add", at(mention)).await.ok();
    }
    app.settle().await;
    let inbox = async |user: &str| {
        let sent = json!({ "organizationId": "o1", "userId": user });
        let found = app.call("notifications.get", sent).await.data();
        let found = found.as_array().unwrap().iter();
        let threads = found.map(|it| it["targetAnnotationId"].as_str().unwrap().to_owned());
        let mut threads: Vec<String> = threads.collect();
        threads.sort();
        threads
    };
    assert_eq!(inbox("ada").await, ["o1", "o1"]);
    assert_eq!(inbox("bob").await, ["o2"], "mentioned once; of o1 he knows nothing else");
    assert_eq!(inbox("dan").await, ["o1", "o2"]);
    assert_eq!(inbox("guest").await, [""; 0]);
    let gone = json!({ "organizationId": "o2", "userIds": ["bob"] });
    app.call("users.delete", gone).await.ok();
    assert_eq!(inbox("bob").await, [""; 0], "lists ask again");
}

#[tokio::test]
async fn a_thread_names_at_most_thirty_organizations() {
    let app = with_members().await;
    let many: Vec<String> = (0..31).map(|n| format!("o{n}")).collect();
    let sent = |organizations: &[String]| {
        at(json!({ "commentAnnotations": [{
            "annotationId": "t", "commentData": [{ "from": { "userId": "ada" } }],
            "visibility": {
                "type": "organizationPrivate", "organizationId": "o1",
                "organizationIds": organizations,
            },
        }] }))
    };
    app.call("comments.annotations_add", sent(&many)).await.error("INVALID_ARGUMENT");
    let done = app.call("comments.annotations_add", sent(&many[..30])).await.data();
    assert_eq!(done["t"]["success"], true, "{done}");
}
