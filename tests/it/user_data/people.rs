//! People whom the data of others names: found by what was true then, not only by what is true now.

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use super::{
    add_comment, add_thread, call, delete, finish, get, has_word, ids, page_of, person, start,
};
use crate::app::App;

/// The items that name the user in a table.
fn naming(app: &App, kind: &str, name: &str) -> Vec<String> {
    let items = app.items_of(Table::Resources, &app.key).into_iter();
    let items = items.filter(|item| item["SK"]["S"].as_str().unwrap().starts_with(kind));
    items.map(|item| item.to_string()).filter(|item| has_word(item, name)).collect()
}

async fn erase(app: &App, user: &str) {
    let job = delete(app, &[user]).await;
    finish(app).await;
    let status = app.call("user-data.delete_status", json!({ "jobId": job })).await.data();
    assert_eq!(status["isDeleteCompleted"], true);
}

#[tokio::test]
async fn activities_of_others_name_the_user_no_more() {
    for immutable in [true, false] {
        let app = start().await;
        app.enable_activities(immutable).await;
        let comments = json!([
            { "commentId": 1, "from": person("zoe"), "commentText": "Words of zoe." },
            { "commentId": 2, "from": person("bob"), "commentText": "{{zoe}} was here." },
        ]);
        let thread = json!({
            "annotationId": "gone", "commentData": comments, "assignedTo": person("zoe"),
        });
        add_thread(&app, "d", thread).await;
        let at = |more: Value| {
            let mut sent = json!({ "documentId": "d", "annotationId": "gone" });
            sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            sent
        };
        // A reply records the thread with the words of zoe, which are deleted then.
        let reply =
            json!({ "from": person("bob"), "commentText": "Yes.", "triggerActivities": true });
        call(&app, "comments.add", at(json!({ "commentData": [reply] }))).await;
        call(&app, "comments.delete", at(json!({ "commentIds": [1] }))).await;
        // A new assignment records the previous one.
        let patch = json!({
            "documentId": "d", "annotationIds": ["gone"], "triggerActivities": true,
            "updatedData": { "assignedTo": person("bob"), "from": person("bob") },
        });
        call(&app, "comments.annotations_update", patch).await;
        let own = json!({
            "id": "own", "featureType": "custom", "actionType": "custom.done",
            "actionUser": person("bob"), "targetEntityId": "task",
            "changes": {
                "assignee": { "from": person("bob"), "to": person("zoe") },
                "watcherUserIds": { "from": ["zoe", "bob"], "to": [] },
            },
            "entityData": { "owner": person("zoe"), "text": "Ask {{zoe}}." },
            "displayMessageTemplateData": { "actor": person("zoe") },
        });
        call(&app, "activities.add", json!({ "documentId": "d", "activities": [own] })).await;
        call(
            &app,
            "comments.annotations_delete",
            json!({ "documentId": "d", "annotationIds": ["gone"] }),
        )
        .await;
        app.settle().await;
        assert!(naming(&app, "activity#", "zoe").len() >= 3);
        erase(&app, "zoe").await;
        assert_eq!(naming(&app, "activity#", "zoe"), Vec::<String>::new());
        let activities = call(&app, "activities.get", json!({})).await;
        assert!(activities.as_array().unwrap().len() >= 3, "they stay");
        let own = activities.as_array().unwrap().iter().find(|it| it["id"] == "own").unwrap();
        assert_eq!(own["changes"]["watcherUserIds"]["from"], json!(["bob"]));
        assert_eq!(own["entityData"]["text"], "Ask {{deleted-user}}.");
        assert_eq!(own["entityData"]["owner"]["userId"], "deleted-user");
    }
}

#[tokio::test]
async fn custom_members_and_texts_name_the_user_no_more() {
    let app = start().await;
    let custom = json!({ "owner": person("zoe"), "reviewerUserIds": ["zoe", "bob"], "size": 7 });
    let mut organization = custom.clone();
    organization["id"] = json!("acme");
    let mut document = custom.clone();
    document["documentId"] = json!("e");
    let sent = json!({ "documents": [document] });
    call(&app, "documents.update", sent).await;
    let sent = json!({ "organizations": [
        { "organizationId": "acme", "owner": person("zoe"), "reviewerUserIds": ["zoe", "bob"] },
    ] });
    app.call("organizations.update", sent).await.ok();
    let comment = json!({
        "commentId": 1, "from": person("bob"), "commentText": "{{zoe}} knows.",
        "commentHtml": "<b>{{zoe}}</b>", "context": { "seenBy": [person("zoe")] },
        "attachments": [{ "name": "a", "metadata": { "uploadedBy": person("zoe") } }],
    });
    let thread = json!({
        "annotationId": "t", "commentData": [comment],
        "context": { "requestedBy": person("zoe"), "team": "red" },
        "location": { "id": "l", "drawnBy": person("zoe") },
        "targetElement": { "lastUpdatedBy": "zoe" }, "pageInfo": { "visitor": person("zoe") },
    });
    add_thread(&app, "d", thread).await;
    assert_eq!(ids(&get(&app, "zoe").await["data"]["comments"]), ["t"], "found by all of that");
    erase(&app, "zoe").await;
    for kind in ["annotation#", "document#", "organization#", "link#"] {
        assert_eq!(naming(&app, kind, "zoe"), Vec::<String>::new(), "{kind}");
    }
    let thread =
        call(&app, "comments.annotations_get", json!({ "documentId": "d" })).await[0].clone();
    assert_eq!(thread["comments"][0]["commentText"], "{{deleted-user}} knows.");
    assert_eq!(thread["context"]["team"], "red");
    assert_eq!(thread["location"]["id"], "l");
    let found = call(&app, "documents.get", json!({ "documentIds": ["e"] })).await[0].clone();
    assert_eq!(found["size"], 7, "{found}");
    assert_eq!(found["reviewerUserIds"], json!(["bob"]), "{found}");
}

#[tokio::test]
async fn notifications_are_exported_and_erased_whatever_part_names_the_user() {
    let app = start().await;
    let news = |id: &str, more: Value| {
        let mut sent = json!({
            "documentId": "d", "notificationId": id, "actionUser": person("bob"),
            "notifyUsers": [person("bob")], "displayHeadlineMessageTemplate": "{who} has news",
            "displayBodyMessage": "Read it.",
        });
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sent
    };
    for sent in [
        news("to", json!({ "notifyUsers": [person("zoe"), person("bob")] })),
        news("by", json!({ "actionUser": person("zoe") })),
        news("headline", json!({ "displayHeadlineMessageTemplateData": { "who": person("zoe") } })),
        news("body", json!({ "displayBodyMessage": "Ask {{zoe}}." })),
        news("source", json!({ "notificationSourceData": { "ownerUserId": "zoe" } })),
        news("metadata", json!({ "metadata": { "people": [person("zoe")] } })),
        news("other", json!({})),
    ] {
        call(&app, "notifications.add", sent).await;
    }
    let mut found: Vec<String> = vec![];
    let data = get(&app, "zoe").await["data"].clone();
    found.extend(ids(&data["notifications"]).into_iter().map(str::to_owned));
    found.sort();
    assert_eq!(found, ["body", "by", "headline", "metadata", "source", "to"]);
    erase(&app, "zoe").await;
    assert_eq!(naming(&app, "", "zoe").len(), 1, "the record that older tokens ended");
    let left = call(&app, "notifications.get", json!({})).await;
    assert_eq!(left.as_array().unwrap().len(), 7);
}

/// The export of a long thread has every comment of the user and those that mention the user, once.
#[tokio::test]
async fn an_export_has_all_comments_of_the_user_in_a_long_thread() {
    let app = start().await;
    let text = "some words ".repeat(200);
    let comment = |id: usize| {
        let by = if id.is_multiple_of(3) { "ada" } else { "bob" };
        let mut comment = json!({ "commentId": id, "from": person(by), "commentText": text });
        if id % 10 == 1 {
            comment["taggedUserContacts"] = json!([{ "userId": "ada" }]);
        }
        comment
    };
    let all: Vec<Value> = (0..1_500).map(comment).collect();
    add_thread(&app, "d", json!({ "annotationId": "a", "commentData": all[..1] })).await;
    for some in all[1..].chunks(300) {
        let sent = json!({ "documentId": "d", "annotationId": "a", "commentData": some });
        call(&app, "comments.add", sent).await;
    }
    add_comment(&app, "b", "ada").await;
    let (mut token, mut pages) = (Value::Null, 0);
    let (mut found, mut threads) = (Vec::new(), Vec::new());
    loop {
        let page = page_of(&app, "ada", &token).await;
        for thread in page["data"]["comments"].as_array().unwrap() {
            threads.push(thread["annotationId"].as_str().unwrap().to_owned());
            if thread["annotationId"] == "a" {
                let comments = thread["comments"].as_array().unwrap().iter();
                found.extend(comments.map(|one| one["commentId"].as_u64().unwrap()));
                assert_eq!(thread["commentsCount"], 1_500);
            }
        }
        (token, pages) = (page["nextPageToken"].clone(), pages + 1);
        if token.is_null() {
            break;
        }
        assert!(pages < 10, "the pages come to no end");
    }
    assert!(pages > 1);
    threads.dedup();
    assert_eq!(threads, ["a", "b"]);
    let mut once = found.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), found.len(), "a comment is in it twice");
    let is_theirs = |id: &u64| id.is_multiple_of(3) || *id % 10 == 1;
    let missing: Vec<u64> =
        (0..1_500).filter(is_theirs).filter(|id| once.binary_search(id).is_err()).collect();
    assert_eq!(missing, Vec::<u64>::new());
}

/// More people than have a row each.
#[tokio::test]
async fn a_user_named_among_80_others_is_exported_and_erased() {
    let app = start().await;
    let many: Vec<Value> = (0..80).map(|n| json!({ "userId": format!("u{n}") })).collect();
    let mut crowd = many.clone();
    crowd.push(person("zoe"));
    let comment = json!({ "commentId": 1, "from": person("bob"), "context": { "team": crowd } });
    add_thread(&app, "d", json!({ "annotationId": "with", "commentData": [comment] })).await;
    let comment = json!({ "commentId": 1, "from": person("bob"), "context": { "team": many } });
    add_thread(&app, "d", json!({ "annotationId": "without", "commentData": [comment] })).await;
    let news = json!({
        "documentId": "d", "notificationId": "news", "actionUser": person("bob"),
        "notifyUsers": [person("bob")], "metadata": { "team": crowd },
        "displayHeadlineMessageTemplate": "News", "displayBodyMessage": "Read it.",
    });
    call(&app, "notifications.add", news).await;
    let links = app.items_of(Table::Resources, &app.key).into_iter();
    let links = links.filter(|item| item["SK"]["S"].as_str().unwrap().starts_with("link#u"));
    assert_eq!(links.count(), 0);
    let data = get(&app, "zoe").await["data"].clone();
    assert_eq!(ids(&data["comments"]), ["with"]);
    assert_eq!(ids(&data["notifications"]), ["news"]);
    erase(&app, "zoe").await;
    assert_eq!(naming(&app, "annotation#", "zoe"), Vec::<String>::new());
    assert_eq!(naming(&app, "notification#", "zoe"), Vec::<String>::new());
}

/// The walk costs what it looks through once, however many users the job has.
#[tokio::test]
async fn a_walk_reads_activities_once_for_all_users_of_a_job() {
    let mut units = Vec::new();
    for users in [1, 20] {
        let app = start().await;
        app.enable_activities(true).await;
        for n in 0..4 {
            let activity = |m: usize| {
                json!({
                    "id": format!("a{n}-{m}"), "featureType": "custom", "actionType": "custom.done",
                    "actionUser": person("bob"), "targetEntityId": "task",
                })
            };
            let activities: Vec<Value> = (0..50).map(activity).collect();
            let sent = json!({ "documentId": "d", "activities": activities });
            call(&app, "activities.add", sent).await;
        }
        app.settle().await;
        let users: Vec<String> = (0..users).map(|n| format!("user-{n}")).collect();
        let users: Vec<&str> = users.iter().map(String::as_str).collect();
        delete(&app, &users).await;
        app.settle().await;
        app.advance(Duration::from_secs(61));
        app.forget_calls();
        app.settle().await;
        let read = app.calls().into_iter().filter(|call| call.operation == "BatchGetItem");
        units.push(read.map(|call| call.units).sum::<f64>());
    }
    assert!(units[0] >= 100.0, "{units:?}");
    assert!(units[1] - units[0] < 100.0, "{units:?}");
    assert!(units[0] < 130.0, "half a unit for each of 200 activities: {units:?}");
}
