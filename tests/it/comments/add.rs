use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{add_to, at, by, events_in, find, names_after, start, thread, with_thread};

#[tokio::test]
async fn new_comments_come_last_with_their_subscriptions_and_events() {
    let app = with_thread().await;
    app.advance(std::time::Duration::from_secs(1));
    let mut named = by("cy");
    named["commentId"] = json!(7);
    named["triggerNotification"] = json!(true);
    named["taggedUserContacts"] = json!([{ "userId": "eve" }]);
    let sent = thread(json!({ "commentData": [named, by("ada")] }));
    let added = app.call("comments.add", sent).await.data();
    assert_eq!(added[0], 7);
    assert!((100_000..1_000_000).contains(&added[1].as_u64().unwrap()));
    let shown = find(&app, "a").await;
    let comments = shown["comments"].as_array().unwrap();
    let ids: Vec<&Value> = comments.iter().map(|comment| &comment["commentId"]).collect();
    assert_eq!(ids, [&json!(1), &json!(2), &json!(7), &added[1]]);
    assert_eq!(shown["subscribedUsers"]["eve"]["type"], "auto");
    assert_eq!(shown["involvedUserIds"], json!(["ada", "bob", "cy", "eve"]));
    assert!(shown["lastUpdated"].as_u64() > shown["createdAt"].as_u64());

    assert_eq!(names_after(&app, 2), ["comment.add", "comment.add"]);
    let event = &events_in(&app, "d")[2]["event"];
    assert_eq!((&event["commentId"], &event["notify"]), (&json!(7), &json!(true)));
    assert_eq!(event["data"]["targetComment"]["from"]["userId"], "cy");
}

#[tokio::test]
async fn a_comment_id_that_is_taken_is_refused_and_one_sent_twice_is_added_once() {
    let app = with_thread().await;
    let mut comment = by("cy");
    comment["commentId"] = json!(2);
    let sent = thread(json!({ "commentData": [comment] }));
    app.call("comments.add", sent).await.error("ALREADY_EXISTS");
    comment["commentId"] = json!(3);
    let sent = thread(json!({ "commentData": [comment, comment] }));
    assert_eq!(app.call("comments.add", sent).await.data(), json!([3]));
}

#[tokio::test]
async fn an_unknown_thread_is_not_found_and_1_to_500_comments_with_authors_are_required() {
    let app = with_thread().await;
    let comments = json!({ "commentData": [by("cy")] });
    for (organization, document, id) in [("o", "d", "x"), ("o", "e", "a"), ("x", "d", "a")] {
        let mut sent = comments.clone();
        sent["organizationId"] = json!(organization);
        sent["documentId"] = json!(document);
        sent["annotationId"] = json!(id);
        app.call("comments.add", sent).await.error("NOT_FOUND");
    }
    for comments in [json!([]), json!([{}]), json!([{ "from": {} }]), json!({})] {
        let sent = thread(json!({ "commentData": comments }));
        app.call("comments.add", sent).await.error("INVALID_ARGUMENT");
    }
    let many: Vec<Value> = (0..501).map(|_| json!({ "from": { "userId": "u" } })).collect();
    let sent = thread(json!({ "commentData": many }));
    app.call("comments.add", sent).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn five_hundred_comments_are_added_at_once() {
    let app = with_thread().await;
    let many: Vec<Value> = (0..500).map(|_| by("cy")).collect();
    let added = app.call("comments.add", thread(json!({ "commentData": many }))).await.data();
    let ids: BTreeSet<u64> = added.as_array().unwrap().iter().filter_map(Value::as_u64).collect();
    assert_eq!(ids.len(), 500);
    assert_eq!(names_after(&app, 2).len(), 500);
}

#[tokio::test]
async fn comments_of_210_kb_each_are_added_to_one_thread_and_one_of_420_kb_is_refused() {
    let app = start().await;
    let large = |id: u64| {
        json!({
            "from": { "userId": "ada" }, "commentId": id, "commentText": "x".repeat(210_000),
        })
    };
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": [large(1)] })).await;
    app.call("comments.add", thread(json!({ "commentData": [large(2)] }))).await.ok();
    app.call("comments.add", thread(json!({ "commentData": [large(3), large(4)] }))).await.ok();
    assert_eq!(super::long::numbers(&app, 1).await, [1, 2, 3, 4]);
    // A comment that is too large by itself is told so, and what is full is not invalid.
    let huge = json!({ "from": { "userId": "ada" }, "commentText": "x".repeat(420_000) });
    app.call("comments.add", thread(json!({ "commentData": [huge] })))
        .await
        .error("RESOURCE_EXHAUSTED");
}

#[tokio::test]
async fn a_reaction_beyond_the_maximum_size_of_a_thread_is_refused() {
    let app = start().await;
    let text = "x".repeat(409_600 - 1_400);
    let comment = json!({ "from": { "userId": "ada" }, "commentId": 1, "commentText": text });
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": [comment] })).await;
    let mut refused = 0;
    for n in 0..12 {
        let reaction = thread(json!({
            "commentId": 1, "icon": format!("ICON_{n}"), "from": { "userId": "ada" },
        }));
        let reply = app.call("comments.reactions_add", reaction).await;
        if reply.status() != 200 {
            reply.error("RESOURCE_EXHAUSTED");
            refused += 1;
        }
    }
    assert!(refused > 0 && refused < 12, "{refused}");
}

#[tokio::test]
async fn a_comment_mentions_at_most_twenty_groups() {
    let app = start().await;
    let ids: Vec<String> = (0..21).map(|n| format!("g{n}")).collect();
    let groups: Vec<Value> = ids.iter().map(|id| json!({ "groupId": id })).collect();
    let sent = json!({ "organizationId": "o", "organizationUserGroups": groups });
    app.call("user-groups.add", sent).await.ok();
    let mention =
        |ids: &[String]| -> Value { ids.iter().map(|id| json!({ "userId": id })).collect() };
    let users: Vec<String> = (0..30).map(|n| format!("u{n}")).collect();
    let comment = |mentioned: Value| json!({ "from": { "userId": "ada" }, "commentId": 1, "taggedUserContacts": mentioned });
    let many = comment(mention(&ids));
    let sent =
        at("d", json!({ "commentAnnotations": [{ "annotationId": "b", "commentData": [many] }] }));
    let entries = app.call("comments.annotations_add", sent).await.data();
    assert_eq!(entries["b"]["success"], false, "{entries}");
    let fits = comment(mention(&[users.as_slice(), &ids[1..]].concat()));
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": [fits] })).await;
    let mut another = comment(mention(&ids));
    another["commentId"] = json!(2);
    app.call("comments.add", thread(json!({ "commentData": [another] })))
        .await
        .error("INVALID_ARGUMENT");
    let edit = thread(
        json!({ "commentIds": [1], "updatedData": { "taggedUserContacts": mention(&ids) } }),
    );
    app.call("comments.update", edit).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn with_verify_user_permissions_an_author_without_a_right_is_denied() {
    let app = with_thread().await;
    let private =
        json!({ "organizationId": "o", "documentIds": ["d"], "accessType": "restricted" });
    app.call("documents.access_update", private).await.ok();
    let sent =
        |verify| thread(json!({ "commentData": [by("eve")], "verifyUserPermissions": verify }));
    app.call("comments.add", sent(true)).await.error("PERMISSION_DENIED");
    app.call("comments.add", sent(false)).await.ok();
}

#[tokio::test]
async fn an_unknown_agent_is_not_found() {
    let app = with_thread().await;
    let mut comment = by("robot");
    comment["agent"] = json!({ "agentSource": "service", "agentId": "nobody",
        "reason": { "title": "t", "description": "d", "severity": "low" } });
    app.call("comments.add", thread(json!({ "commentData": [comment] }))).await.error("NOT_FOUND");
    comment["agent"]["agentId"] = json!("lorem-ipsum");
    app.call("comments.add", thread(json!({ "commentData": [comment] }))).await.ok();
    assert_eq!(find(&app, "a").await["comments"][2]["agent"]["agentType"], "built-in");
    let agent = json!({
        "name": "Own", "description": "Ours", "enabled": true, "instructions": "Look.",
        "contextGathering": { "strategies": ["none"] }, "execution": {},
    });
    comment["agent"]["agentId"] = app.call("agents.create", agent).await.data()["agentId"].take();
    app.call("comments.add", thread(json!({ "commentData": [comment] }))).await.ok();
    assert_eq!(find(&app, "a").await["comments"][3]["agent"]["agentType"], "custom");
    comment["agent"]["reason"]["severity"] = json!("worst");
    app.call("comments.add", thread(json!({ "commentData": [comment] })))
        .await
        .error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn simultaneous_additions_are_all_kept_and_have_one_event_each() {
    let app = start().await;
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": [by("ada")] })).await;
    let sent =
        |n: usize| at("d", json!({ "annotationId": "a", "commentData": [by(&format!("u{n}"))] }));
    let mut left: Vec<usize> = (0..30).collect();
    // A call that loses too often is refused, and tries again.
    for _ in 0..30 {
        let replies = join_all(left.iter().map(|n| app.call("comments.add", sent(*n)))).await;
        let lost = left.iter().zip(&replies).filter(|(_, reply)| reply.status() != 200);
        let lost: Vec<usize> = lost
            .map(|(n, reply)| {
                reply.error("ABORTED");
                *n
            })
            .collect();
        left = lost;
        if left.is_empty() {
            break;
        }
    }
    assert!(left.is_empty());
    let comments = find(&app, "a").await["comments"].as_array().unwrap().clone();
    let authors: BTreeSet<&str> =
        comments.iter().map(|comment| comment["from"]["userId"].as_str().unwrap()).collect();
    assert_eq!((comments.len(), authors.len()), (31, 31));
    assert_eq!(events_in(&app, "d").len(), 31);
}
