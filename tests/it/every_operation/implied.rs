//! An organization that was never added is an empty one to every operation, also if a write that needs
//! none has recorded it (contract `organizations.unknown`).

use serde_json::{Value, json};

use crate::app::{App, specs};

/// Operations on the record itself, which is there.
const OF_THE_RECORD: [&str; 4] =
    ["organizations.delete", "organizations.disable", "organizations.get", "organizations.update"];

/// Members of replies that are generated, or are words: of an organization and a document that are
/// both missing, either may be named.
const OTHERS: [&str; 6] = ["token", "jobId", "id", "nextPageToken", "pageToken", "message"];

/// A reply without what differs from call to call.
fn shown(reply: &str) -> Value {
    let mut reply: Value = serde_json::from_str(reply).expect("JSON");
    forget(&mut reply);
    reply
}

fn forget(value: &mut Value) {
    match value {
        Value::Object(members) => {
            OTHERS.iter().for_each(|name| drop(members.remove(*name)));
            members.values_mut().for_each(forget);
        }
        Value::Array(elements) => elements.iter_mut().for_each(forget),
        _ => {}
    }
}

#[tokio::test]
async fn an_implied_organization_gets_the_same_replies_as_an_unknown_one() {
    let (app, second) = App::sample_world().await;
    let grant = json!({ "user": { "userId": "somebody" }, "permissions": { "resources": [
        { "type": "document", "id": "somewhere", "organizationId": "ghost" },
    ] } });
    app.call("permissions.add", grant).await.ok();
    let listed = app.call("organizations.get", json!({ "organizationIds": ["ghost"] })).await;
    assert_eq!(listed.data()[0]["organizationId"], "ghost");
    let before = app.embedded().snapshot().unwrap();
    let mut compared = 0;
    for spec in specs().values().filter(|spec| spec.level == "apiKey") {
        let body = app.sample_body(&spec.binary(), &second);
        if !body.contains("\"acme\"") || OF_THE_RECORD.contains(&spec.name) {
            continue;
        }
        for path in spec.paths {
            let mut replies = Vec::new();
            for id in ["ghost", "nobody"] {
                app.embedded().restore(&before).unwrap();
                let body = body.replace("\"acme\"", &format!("{id:?}"));
                // Without it, and an organization that is missing is not created.
                let mut body: Value = serde_json::from_str(&body).expect("JSON");
                body["data"].as_object_mut().expect("data").remove("createOrganization");
                let reply = app.caller().body_at(path, body.to_string()).await;
                replies.push((reply.status(), shown(&reply.text().replace(id, "it"))));
            }
            assert_eq!(replies[0], replies[1], "{path}");
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}

/// Operations that need an organization create it, as if it had not been implied.
#[tokio::test]
async fn operations_that_may_create_an_organization_add_an_implied_one() {
    let document = json!([{ "documentId": "d" }]);
    for (operation, sent) in [
        ("documents.add", json!({ "createOrganization": true, "documents": document })),
        (
            "documents.add",
            json!({
                "createOrganization": true, "documents": document, "folderId": "f",
                "createFolder": true,
            }),
        ),
        ("folders.add", json!({ "createOrganization": true, "folders": [{ "folderId": "f" }] })),
        (
            "user-groups.add",
            json!({ "createOrganization": true, "organizationUserGroups": [{ "groupId": "g" }] }),
        ),
        ("users.add", json!({ "users": [{ "userId": "u" }] })),
        (
            "users.add",
            json!({ "users": [{ "userId": "u" }], "documentId": "d", "createDocument": true }),
        ),
        (
            "users.add",
            json!({ "users": [{ "userId": "u" }], "folderId": "f", "createFolder": true }),
        ),
        (
            "comments.annotations_add",
            json!({
                "createOrganization": true, "createDocument": true, "documentId": "d",
                "commentAnnotations": [{ "commentData": [
                    { "from": { "userId": "u" }, "commentText": "text" },
                ] }],
            }),
        ),
        (
            "notifications.add",
            json!({
                "createOrganization": true, "createDocument": true, "documentId": "d",
                "actionUser": { "userId": "u" }, "notifyUsers": [{ "userId": "v" }],
                "displayHeadlineMessageTemplate": "News", "displayBodyMessage": "Read them.",
            }),
        ),
    ] {
        let app = App::start().await;
        let presence = json!({
            "organizationId": "ghost", "documentId": "x", "users": [{ "userId": "u" }],
        });
        app.call("presence.add", presence).await.ok();
        let mut with = sent.clone();
        with["organizationId"] = json!("ghost");
        let mut without = with.clone();
        without.as_object_mut().unwrap().remove("createOrganization");
        if without != with {
            let refused = app.call(operation, without).await;
            assert!(!refused.text().contains("\"success\":true"), "{}", refused.text());
        }
        let added = app.call(operation, with).await;
        added.ok();
        assert!(!added.text().contains("\"success\":false"), "{sent}: {}", added.text());
        let again = json!({ "organizations": [{ "organizationId": "ghost" }] });
        let again = app.call("organizations.add", again).await.data();
        assert_eq!(again["ghost"]["code"], "already-exists", "{sent}: {again}");
    }
}

/// A write that needs a document that is not there records nothing.
#[tokio::test]
async fn a_write_that_fails_implies_no_organization() {
    let app = App::start().await;
    let recording = json!({
        "organizationId": "ghost", "documentId": "d", "recordings": [{ "annotationId": "r",
            "recordedTime": { "duration": 4200 }, "attachments": [{ "url": "https://cdn.example.com/demo.mp3" }] }],
    });
    let refused = app.call("recordings.add", recording).await.data();
    assert_eq!(refused["r"]["success"], false, "{refused}");
    assert_eq!(app.call("organizations.get", json!({})).await.data(), json!([]));
}
