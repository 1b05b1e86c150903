use serde_json::{Value, json};

use super::{add_to, at, by, events_in, find, ids, list, names_after, start};
use crate::app::App;

async fn add(app: &App, sent: Value) -> Value {
    app.call("comments.annotations_add", at("d", sent)).await.data()
}

#[tokio::test]
async fn a_thread_is_added_with_defaults() {
    let app = start().await;
    let entry = add_to(&app, "d", json!({ "commentData": [by("ada"), by("bob")] })).await;
    let id = entry["annotationId"].as_str().unwrap();
    assert_eq!(id.len(), 20);
    assert!(!id.contains(':'));
    let numbers = entry["commentIds"].as_array().unwrap();
    assert!(numbers.iter().all(|n| (100_000..1_000_000).contains(&n.as_u64().unwrap())));
    assert_ne!(numbers[0], numbers[1]);

    let thread = find(&app, id).await;
    assert_eq!(thread["status"]["id"], "OPEN");
    assert_eq!(thread["type"], "comment");
    assert_eq!(thread["commentType"], "manual");
    assert_eq!(thread["sourceType"], "rest-api");
    assert_eq!(thread["visibilityConfig"], json!({ "type": "public" }));
    assert_eq!(thread["from"]["userId"], "ada");
    assert_eq!(thread["subscribedUsers"]["ada"]["type"], "auto");
    assert_eq!(thread["involvedUserIds"], json!(["ada", "bob"]));
    assert_eq!(thread["createdAt"], thread["lastUpdated"]);
    assert_eq!(
        thread["metadata"],
        json!({ "apiKey": app.key.api_key, "organizationId": "o", "documentId": "d" })
    );
    let comment = &thread["comments"][0];
    assert_eq!((&comment["commentId"], &comment["commentText"]), (&numbers[0], &json!("by ada")));
    assert_eq!((&comment["type"], &comment["status"]), (&json!("text"), &json!("added")));
    assert!(comment["lastUpdated"].as_str().unwrap().ends_with('Z'));
    assert!(comment["createdAt"].is_u64());
}

#[tokio::test]
async fn members_of_the_thread_and_its_comments_are_returned_as_they_were_sent() {
    let app = start().await;
    let sent = json!({
        "annotationId": "a", "location": { "id": 7, "locationName": "x" }, "status": { "id": "IN_PROGRESS" },
        "targetElement": { "elementId": "e", "deep": [[1]] }, "assignedTo": { "userId": "eve", "name": "Eve" },
        "priority": { "id": "P0" }, "context": { "k": { "n": 5e-324 }, "access": { "team": "red" } },
        "pageInfo": { "url": "https://example.com" }, "isPageAnnotation": true, "positionX": 1.25,
        "commentType": "chart", "createdAt": 5, "lastUpdated": 6,
        "commentData": [{ "from": { "userId": "ada" }, "commentId": 9, "createdAt": 7, "lastUpdated": 0,
            "commentHtml": "<p>{{bob}}</p>", "context": { "x": 1 }, "isCommentResolverUsed": true,
            "taggedUserContacts": [{ "userId": "bob", "contact": { "userId": "bob", "name": "Bob" } }],
            "attachments": [{ "attachmentId": 5, "name": "n", "size": 3, "metadata": { "a": 1 } }, {}] }],
    });
    add_to(&app, "d", sent.clone()).await;
    let thread = find(&app, "a").await;
    for member in [
        "location",
        "targetElement",
        "pageInfo",
        "isPageAnnotation",
        "positionX",
        "commentType",
        "createdAt",
        "lastUpdated",
        "assignedTo",
    ] {
        assert_eq!(thread[member], sent[member], "{member}");
    }
    assert_eq!(thread["context"]["accessFields"], json!(["team:red"]));
    assert_eq!(thread["context"]["k"], sent["context"]["k"]);
    assert_eq!(
        (&thread["status"]["type"], &thread["priority"]["name"]),
        (&json!("ongoing"), &json!("P0"))
    );
    assert_eq!(thread["mentionedUserIds"], json!(["bob"]));
    assert_eq!(thread["involvedUserIds"], json!(["ada", "bob", "eve"]));
    let comment = &thread["comments"][0];
    assert_eq!(comment["lastUpdated"], "1970-01-01T00:00:00.000Z");
    assert_eq!((&comment["commentId"], &comment["createdAt"]), (&json!(9), &json!(7)));
    assert_eq!(comment["to"], json!([{ "userId": "bob", "name": "Bob" }]));
    assert_eq!(comment["attachments"][0], sent["commentData"][0]["attachments"][0]);
    assert!(comment["attachments"][1]["attachmentId"].as_u64().unwrap() >= 100_000);
    assert_eq!(
        (&comment["isCommentResolverUsed"], &comment["isCommentTextAvailable"]),
        (&json!(true), &json!(true))
    );
}

#[tokio::test]
async fn the_thread_and_each_comment_after_the_first_have_an_event() {
    let app = start().await;
    let mut later = by("bob");
    later["triggerNotification"] = json!(true);
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": [by("ada"), later, by("cy")] }))
        .await;
    let events = events_in(&app, "d");
    assert_eq!(names_after(&app, 0), ["comment_annotation.add", "comment.add", "comment.add"]);
    let event = &events[1]["event"];
    assert_eq!((&event["annotationId"], &event["notify"]), (&json!("a"), &json!(true)));
    assert_eq!(event["actor"]["userId"], "bob");
    assert_eq!(event["data"]["targetComment"]["commentId"], event["commentId"]);
    assert_eq!(event["data"]["commentAnnotation"]["annotationId"], "a");
    assert!(events[0]["event"].get("notify").is_none());
}

#[tokio::test]
async fn a_thread_id_that_is_taken_fails_and_one_sent_twice_is_added_once() {
    let app = start().await;
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": [by("ada")] })).await;
    let twice = json!({ "commentAnnotations": [
        { "annotationId": "a", "commentData": [by("bob")] },
        { "annotationId": "b", "commentData": [by("bob")] },
        { "annotationId": "b", "commentData": [by("cy")] },
    ] });
    let entries = add(&app, twice).await;
    assert_eq!(entries.as_object().unwrap().len(), 2);
    assert_eq!((&entries["a"]["success"], &entries["b"]["success"]), (&json!(false), &json!(true)));
    assert_eq!(find(&app, "b").await["from"]["userId"], "bob", "the first one is added");
    assert_eq!(find(&app, "a").await["from"]["userId"], "ada");
    add_to(&app, "e", json!({ "annotationId": "a", "commentData": [by("bob")] })).await;
    assert_eq!(find(&app, "a").await["from"]["userId"], "ada", "another document has its own");
}

#[tokio::test]
async fn an_unknown_document_fails_unless_document_and_organization_may_be_created() {
    let app = App::start().await;
    let annotations = json!([{ "annotationId": "a", "commentData": [by("ada")] }]);
    let sent = |organization, document| {
        json!({
            "organizationId": "o", "documentId": "d", "commentAnnotations": annotations,
            "createOrganization": organization, "createDocument": document,
        })
    };
    for (organization, document) in
        [(json!(null), json!(null)), (json!(true), json!(false)), (json!(false), json!(true))]
    {
        let entries =
            app.call("comments.annotations_add", sent(organization, document)).await.data();
        assert_eq!(entries["a"]["success"], false, "{entries}");
    }
    assert!(list(&app, json!({})).await.is_empty());
    let entries = app.call("comments.annotations_add", sent(json!(true), json!(true))).await.data();
    assert_eq!(entries["a"]["success"], true, "{entries}");
    let documents = app.call("documents.get", json!({ "organizationId": "o" })).await.data();
    assert_eq!(documents[0]["documentId"], "d");
    let organizations = app.call("organizations.get", json!({})).await.data();
    assert_eq!(organizations[0]["organizationId"], "o");
}

#[tokio::test]
async fn with_verify_user_permissions_threads_of_authors_without_a_right_fail() {
    let app = start().await;
    let private =
        json!({ "organizationId": "o", "documentIds": ["d"], "accessType": "organizationPrivate" });
    app.call("documents.access_update", private).await.ok();
    let users = json!({ "organizationId": "o", "users": [{ "userId": "ada" }] });
    app.call("users.add", users).await.ok();
    let annotations = json!([
        { "annotationId": "a", "commentData": [by("ada")] },
        { "annotationId": "b", "commentData": [by("ada"), by("eve")] },
        { "commentData": [by("eve")] },
    ]);
    let entries =
        add(&app, json!({ "verifyUserPermissions": true, "commentAnnotations": annotations }))
            .await;
    assert_eq!(entries["a"]["success"], true);
    for denied in ["b", "__service_denied:2"] {
        assert_eq!(entries[denied]["success"], false, "{entries}");
        assert!(entries[denied]["message"].as_str().unwrap().contains("eve"));
    }
    assert_eq!(ids(&list(&app, json!({ "documentId": "d" })).await), ["a"]);
    let entries = add(
        &app,
        json!({ "commentAnnotations": [{ "annotationId": "c", "commentData": [by("eve")] }] }),
    )
    .await;
    assert_eq!(entries["c"]["success"], true, "unless they are not verified");
}

#[tokio::test]
async fn an_invalid_member_is_refused_with_its_path() {
    let app = start().await;
    let with = |member: &str, value: Value| {
        let mut annotation = json!({ "commentData": [by("ada")] });
        annotation[member] = value;
        json!({ "commentAnnotations": [annotation] })
    };
    for (member, value) in [
        ("annotationId", json!("a:b")),
        ("annotationId", json!("")),
        ("commentData", json!([])),
        ("commentData", json!([{ "commentText": "x" }])),
        ("status", json!({ "id": "MINE", "name": "x" })),
        ("visibility", json!({ "type": "restricted", "userIds": [] })),
        ("visibility", json!({ "type": "organizationPrivate" })),
        ("location", json!({ "locationName": "x" })),
        ("context", json!({ "access": { "a": [] } })),
        ("type", json!("note")),
        ("createdAt", json!(10_000_000_000_000_u64)),
        ("createdAt", json!(-1)),
        ("positionX", json!("1")),
    ] {
        let reply =
            app.call("comments.annotations_add", at("d", with(member, value.clone()))).await;
        let error = reply.error("INVALID_ARGUMENT");
        let path = error["details"]["issues"][0]["path"].to_string();
        assert!(path.contains("commentAnnotations") && path.contains(member), "{value}: {error}");
    }
    let none = at("d", json!({ "commentAnnotations": [] }));
    app.call("comments.annotations_add", none).await.error("INVALID_ARGUMENT");
    add(&app, with("createdAt", json!(9_999_999_999_999_u64))).await;
}

#[tokio::test]
async fn the_author_of_a_restricted_thread_is_added_to_its_users() {
    let app = start().await;
    let visibility = json!({ "type": "restricted", "userIds": ["bob"] });
    add_to(
        &app,
        "d",
        json!({ "annotationId": "a", "visibility": visibility, "commentData": [by("ada")] }),
    )
    .await;
    let config = find(&app, "a").await["visibilityConfig"].clone();
    assert_eq!(config, json!({ "type": "restricted", "userIds": ["ada", "bob"] }));
}

#[tokio::test]
async fn a_suggestion_is_pending_whatever_was_sent() {
    let app = start().await;
    let suggestion = json!({ "status": "accepted", "newValue": { "x": 1 }, "targetId": "t" });
    add_to(&app, "d", json!({ "annotationId": "a", "type": "suggestion", "suggestion": suggestion, "commentData": [by("ada")] })).await;
    let shown = find(&app, "a").await["suggestion"].clone();
    assert_eq!(shown, json!({ "status": "pending", "newValue": { "x": 1 }, "targetId": "t" }));
    add_to(
        &app,
        "d",
        json!({ "annotationId": "b", "suggestion": { "x": 1 }, "commentData": [by("ada")] }),
    )
    .await;
    assert!(find(&app, "b").await.get("suggestion").is_none());
}

#[tokio::test]
async fn an_agent_of_the_service_has_to_exist() {
    let app = start().await;
    let comment = |source: &str, id: &str| {
        let mut comment = by("agent");
        comment["agent"] = json!({ "agentSource": source, "agentId": id, "agentName": "A",
            "reason": { "title": "t", "description": "d", "severity": "high", "findingId": "f1", "more": [1] } });
        comment
    };
    let annotations = json!([
        { "annotationId": "a", "commentData": [comment("service", "spell-check")] },
        { "annotationId": "b", "commentData": [comment("service", "nobody")] },
        { "annotationId": "c", "commentData": [comment("external", "nobody"), by("ada")] },
        { "annotationId": "d", "commentData": [by("ada"), comment("external", "x")] },
    ]);
    let entries = add(&app, json!({ "commentAnnotations": annotations })).await;
    assert_eq!(
        (&entries["a"]["findingId"], &entries["b"]["success"]),
        (&json!("f1"), &json!(false))
    );
    let a = find(&app, "a").await;
    assert_eq!((&a["sourceType"], &a["agent"]["agentType"]), (&json!("agent"), &json!("built-in")));
    assert_eq!(a["comments"][0]["agent"]["reason"]["more"], json!([1]));
    let c = find(&app, "c").await;
    assert_eq!(
        (&c["agent"]["agentType"], &c["comments"][1]["sourceType"]),
        (&json!("external"), &json!("rest-api"))
    );
    let d = find(&app, "d").await;
    assert_eq!(
        (&d["sourceType"], &d["comments"][1]["sourceType"]),
        (&json!("rest-api"), &json!("agent"))
    );
    assert!(find(&app, "b").await.is_null());
}

#[tokio::test]
async fn a_thread_of_a_hundred_comments_is_added_with_all_of_them() {
    let app = start().await;
    let comments: Vec<Value> = (0..100).map(|n| by(&format!("u{n}"))).collect();
    let entry = add_to(&app, "d", json!({ "annotationId": "a", "commentData": comments })).await;
    assert_eq!(entry["commentIds"].as_array().unwrap().len(), 100);
    let thread = find(&app, "a").await;
    assert_eq!(thread["comments"].as_array().unwrap().len(), 100);
    assert_eq!(names_after(&app, 0).len(), 100);
    assert_eq!(thread["involvedUserIds"].as_array().unwrap().len(), 100);
}

#[tokio::test]
async fn a_thread_that_is_too_large_is_refused() {
    let app = start().await;
    let comment = json!({ "from": { "userId": "ada" }, "commentText": "x".repeat(420_000) });
    let sent = json!({ "commentAnnotations": [
        { "annotationId": "a", "commentData": [comment] }, { "annotationId": "b", "commentData": [by("ada")] },
    ] });
    let entries = add(&app, sent).await;
    assert_eq!((&entries["a"]["success"], &entries["b"]["success"]), (&json!(false), &json!(true)));
    assert!(entries["a"]["message"].as_str().unwrap().contains("409600"), "{entries}");
}

#[tokio::test]
async fn a_thread_of_three_comments_of_210_kb_each_is_added() {
    let app = start().await;
    let large = |id: u64| {
        json!({
            "from": { "userId": "ada" }, "commentId": id, "commentText": "x".repeat(210_000),
        })
    };
    let sent = json!({ "annotationId": "a", "commentData": [large(1), large(2), large(3)] });
    assert_eq!(add_to(&app, "d", sent).await["commentIds"], json!([1, 2, 3]));
    assert_eq!(super::long::numbers(&app, 1).await, [1, 2, 3]);
}

#[tokio::test]
async fn the_older_path_and_the_older_name_of_comments_do_the_same() {
    let app = start().await;
    let sent = at(
        "d",
        json!({ "commentAnnotations": [{ "annotationId": "a", "comments": [by("ada")] }] }),
    );
    let entries = app.call_at("/v1/commentannotations/add", sent).await.data();
    assert_eq!(entries["a"]["success"], true);
}
