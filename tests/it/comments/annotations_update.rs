use serde_json::{Value, json};

use super::{add_to, at, by, events_in, find, list, names_after, start, thread, with_thread};
use crate::app::App;

async fn update(app: &App, patch: Value) -> Value {
    let sent = at("d", json!({ "annotationIds": ["a"], "updatedData": patch }));
    app.call("comments.annotations_update", sent).await.data()["a"].clone()
}

#[tokio::test]
async fn omitted_members_keep_their_values_and_null_clears() {
    let app = with_thread().await;
    let set = json!({ "priority": { "id": "P1" }, "assignedTo": { "userId": "eve" }, "location": { "id": "l" }, "context": { "x": 1 } });
    assert_eq!(
        update(&app, set).await,
        json!({ "success": true, "id": "a", "message": "Updated Successfully" })
    );
    update(&app, json!({ "location": null, "priority": null })).await;
    let thread = find(&app, "a").await;
    assert!(thread.get("location").is_none() && thread.get("priority").is_none());
    assert_eq!(
        (&thread["context"]["x"], &thread["assignedTo"]["userId"]),
        (&json!(1), &json!("eve"))
    );
    assert_eq!(thread["comments"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn each_change_has_an_event_with_the_value_before() {
    let app = with_thread().await;
    let all = json!({
        "status": { "id": "RESOLVED" }, "statusUpdatedByUserId": "eve", "resolvedByUserId": "eve", "priority": { "id": "P0" },
        "assignedTo": { "userId": "cy" }, "visibility": { "type": "restricted", "userIds": ["cy"] },
    });
    let sent =
        at("d", json!({ "annotationIds": ["a"], "updatedData": all, "triggerNotification": true }));
    app.call("comments.annotations_update", sent).await.ok();
    assert_eq!(
        names_after(&app, 2),
        [
            "comment_annotation.assign",
            "comment_annotation.status_change",
            "comment_annotation.priority_change",
            "comment_annotation.access_mode_change",
        ]
    );
    let events = events_in(&app, "d");
    let status = &events[3]["event"];
    assert_eq!(status["changes"]["status"]["from"]["id"], "OPEN");
    assert_eq!(status["changes"]["status"]["to"]["id"], "RESOLVED");
    assert_eq!((&status["actor"]["userId"], &status["notify"]), (&json!("eve"), &json!(true)));
    assert_eq!(events[4]["event"]["changes"]["priority"]["from"], json!(null));
    assert_eq!(
        events[5]["event"]["data"]["commentAnnotation"]["visibilityConfig"]["userIds"],
        json!(["ada", "cy"])
    );
}

#[tokio::test]
async fn an_update_that_changes_nothing_has_no_write_and_no_event() {
    let app = with_thread().await;
    update(&app, json!({ "priority": { "id": "P0" } })).await;
    let before = find(&app, "a").await;
    app.advance(std::time::Duration::from_secs(5));
    app.forget_calls();
    assert_eq!(update(&app, json!({ "priority": { "id": "P0" } })).await["success"], true);
    assert!(
        app.calls()
            .iter()
            .all(|call| !call.operation.contains("Write") && call.operation != "PutItem")
    );
    assert_eq!(find(&app, "a").await, before);
    assert_eq!(names_after(&app, 3).len(), 0);
    update(&app, json!({ "location": { "id": "x" } })).await;
    assert_eq!(names_after(&app, 3).len(), 0, "a move has no event");
    assert!(find(&app, "a").await["lastUpdated"].as_u64() > before["lastUpdated"].as_u64());
}

#[tokio::test]
async fn a_status_that_is_not_terminal_removes_the_resolver() {
    let app = with_thread().await;
    update(&app, json!({ "status": { "id": "RESOLVED" }, "resolvedByUserId": "eve", "statusUpdatedByUserId": "eve" })).await;
    assert_eq!(find(&app, "a").await["resolvedByUserId"], "eve");
    update(&app, json!({ "status": { "id": "IN_PROGRESS" }, "resolvedByUserId": "eve" })).await;
    let thread = find(&app, "a").await;
    assert!(thread.get("resolvedByUserId").is_none());
    assert_eq!(thread["statusUpdatedByUserId"], "eve");
}

#[tokio::test]
async fn an_accepted_suggestion_is_neither_rejected_nor_reopened_nor_accepted_twice() {
    let app = start().await;
    add_to(&app, "d", json!({ "annotationId": "a", "type": "suggestion", "suggestion": { "newValue": 1 }, "commentData": [by("ada")] })).await;
    let accept =
        json!({ "suggestion": { "status": "accepted", "newValue": 1, "resolvedBy": "eve" } });
    assert_eq!(update(&app, accept.clone()).await["success"], true);
    let decided = find(&app, "a").await;
    assert!(decided["suggestion"]["resolvedAt"].is_u64());
    assert_eq!(update(&app, accept).await["success"], true);
    assert_eq!(find(&app, "a").await, decided);
    for status in ["rejected", "pending"] {
        assert_eq!(
            update(&app, json!({ "suggestion": { "status": status } })).await["success"],
            false
        );
    }
    assert_eq!(names_after(&app, 1), ["comment_annotation.suggestion_accept"]);
    let stale = at(
        "d",
        json!({ "annotationIds": ["a"], "updatedData": { "suggestion": { "status": "stale" } } }),
    );
    app.call("comments.annotations_update", stale).await.error("INVALID_ARGUMENT");
    add_to(&app, "d", json!({ "annotationId": "b", "commentData": [by("ada")] })).await;
    let sent = at(
        "d",
        json!({ "annotationIds": ["b"], "updatedData": { "suggestion": { "status": "accepted" } } }),
    );
    assert_eq!(app.call("comments.annotations_update", sent).await.data()["b"]["success"], false);
    add_to(
        &app,
        "d",
        json!({ "annotationId": "c", "type": "suggestion", "commentData": [by("ada")] }),
    )
    .await;
    let sent = at(
        "d",
        json!({ "annotationIds": ["c"], "updatedData": { "suggestion": { "status": "rejected" } } }),
    );
    assert_eq!(app.call("comments.annotations_update", sent).await.data()["c"]["success"], true);
    assert_eq!(names_after(&app, 4), ["comment_annotation.suggestion_reject"]);
}

#[tokio::test]
async fn ids_and_filters_select_the_threads_that_are_updated() {
    let app = with_thread().await;
    add_to(
        &app,
        "d",
        json!({ "annotationId": "b", "location": { "id": "l" }, "commentData": [by("bob")] }),
    )
    .await;
    add_to(&app, "e", json!({ "annotationId": "c", "commentData": [by("bob")] })).await;
    let patch = json!({ "priority": { "id": "P2" } });
    let by_author = at("d", json!({ "userIds": ["bob"], "updatedData": patch }));
    let entries = app.call("comments.annotations_update", by_author).await.data();
    assert_eq!(entries.as_object().unwrap().keys().collect::<Vec<_>>(), ["b"]);
    let elsewhere = at(
        "d",
        json!({ "locationIds": ["l"], "annotationIds": ["a", "nope", "a"], "updatedData": patch }),
    );
    let entries = app.call("comments.annotations_update", elsewhere).await.data();
    assert_eq!(
        (&entries["a"]["success"], &entries["nope"]["success"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(entries.as_object().unwrap().len(), 2);
    let all = at("d", json!({ "updatedData": patch }));
    let entries = app.call("comments.annotations_update", all).await.data();
    assert_eq!(entries.as_object().unwrap().len(), 2);
    assert!(list(&app, json!({ "documentId": "e" })).await[0].get("priority").is_none());
    let unknown = json!({ "organizationId": "x", "documentId": "d", "annotationIds": ["a"], "updatedData": patch });
    assert_eq!(
        app.call("comments.annotations_update", unknown).await.data()["a"]["success"],
        false
    );
}

#[tokio::test]
async fn update_users_replaces_a_user_in_the_thread_and_in_filters() {
    let app = with_thread().await;
    let sent = at(
        "d",
        json!({ "updateUsers": [{ "oldUser": { "userId": "ada" }, "newUser": { "userId": "eve", "name": "Eve" } }] }),
    );
    assert_eq!(app.call("comments.annotations_update", sent).await.data()["a"]["success"], true);
    let thread = find(&app, "a").await;
    assert_eq!(thread["from"], json!({ "userId": "eve", "name": "Eve" }));
    assert_eq!(thread["involvedUserIds"], json!(["bob", "eve"]));
    assert_eq!(list(&app, json!({ "userIds": ["eve"] })).await.len(), 1);
    assert!(list(&app, json!({ "userIds": ["ada"] })).await.is_empty());
}

#[tokio::test]
async fn two_users_exchanged_by_update_users_are_each_replaced_once_in_texts() {
    let app = super::long::long(40).await;
    let mention = json!({ "from": { "userId": "ada" }, "commentId": 1_000,
        "commentText": "{{ada}} and {{bob}} please", "commentHtml": "<b>{{bob}}</b>",
        "taggedUserContacts": [{ "userId": "ada" }, { "userId": "bob" }] });
    app.call("comments.add", thread(json!({ "commentData": [mention] }))).await.ok();
    let to = |from: &str, to: &str| json!({ "oldUser": { "userId": from }, "newUser": { "userId": to } });
    let replace = async |replaced: Value| {
        let sent = at("d", json!({ "annotationIds": ["a"], "updateUsers": replaced }));
        let entry = app.call("comments.annotations_update", sent).await.data();
        assert_eq!(entry["a"]["success"], true, "{entry}");
    };
    let authors = async || {
        let sent = thread(json!({ "pageSize": 1_000 }));
        let all = app.call("comments.get", sent).await.data();
        let author = |it: &Value| it["from"]["userId"].as_str().unwrap().to_owned();
        all.as_array().unwrap().iter().map(author).collect::<Vec<_>>()
    };
    let before = authors().await;
    replace(json!([to("ada", "bob"), to("bob", "ada")])).await;
    let swapped: Vec<&str> =
        before.iter().map(|user| if user == "ada" { "bob" } else { "ada" }).collect();
    assert_eq!(authors().await, swapped);
    let last = async || {
        let sent = thread(json!({ "commentIds": [1_000] }));
        app.call("comments.get", sent).await.data()[0].clone()
    };
    let comment = last().await;
    assert_eq!(comment["commentText"], "{{bob}} and {{ada}} please");
    assert_eq!(comment["commentHtml"], "<b>{{ada}}</b>");
    // Of two that become one, one contact is left; a subscription counts more than its end.
    let subscribe = |user: &str| json!({ "organizationId": "o", "documentId": "d", "annotationId": "a", "user": { "userId": user } });
    app.call("comments.annotations_subscribe", subscribe("eve")).await.ok();
    app.call("comments.annotations_unsubscribe", subscribe("ada")).await.ok();
    replace(json!([to("ada", "eve"), to("bob", "eve")])).await;
    let tagged = last().await["taggedUserContacts"].clone();
    assert_eq!(tagged.as_array().unwrap().len(), 1, "{tagged}");
    let thread = find(&app, "a").await;
    assert_eq!(thread["subscribedUsers"].as_object().unwrap().len(), 1, "{thread}");
    assert_eq!(thread["unsubscribedUsers"], json!({}));
    assert!(authors().await.iter().all(|user| user == "eve"));
}

#[tokio::test]
async fn accepting_a_suggestion_by_its_status_alone_keeps_its_other_members() {
    let app = start().await;
    let suggestion = json!({ "newValue": "b", "oldValue": "a", "targetId": "t" });
    add_to(&app, "d", json!({ "annotationId": "a", "type": "suggestion", "suggestion": suggestion, "commentData": [by("ada")] })).await;
    assert_eq!(
        update(&app, json!({ "suggestion": { "status": "accepted" } })).await["success"],
        true
    );
    let shown = find(&app, "a").await["suggestion"].clone();
    for (name, value) in suggestion.as_object().unwrap() {
        assert_eq!(shown[name], *value, "{shown}");
    }
    assert_eq!(shown["status"], "accepted");
}

#[tokio::test]
async fn a_thread_at_a_numeric_location_is_found_by_any_spelling_of_the_number() {
    let app = start().await;
    for (id, number) in [("a", "1.0"), ("b", "99999999999999999999"), ("c", "1e3")] {
        let thread = format!(
            r#"{{"data":{{"organizationId":"o","documentId":"d","commentAnnotations":[{{
                "annotationId":"{id}","location":{{"id":{number}}},
                "commentData":[{{"from":{{"userId":"ada"}}}}]}}]}}}}"#
        );
        app.caller().body_at("/v2/commentannotations/add", thread).await.ok();
    }
    for (location, found) in [
        ("1", vec!["a"]),
        ("1.0", vec!["a"]),
        ("99999999999999999999", vec!["b"]),
        ("100000000000000000000", vec!["b"]),
        ("1000", vec!["c"]),
        ("2", vec![]),
    ] {
        let threads = list(&app, json!({ "documentId": "d", "locationIds": [location] })).await;
        assert_eq!(super::ids(&threads), found, "{location}");
    }
}

#[tokio::test]
async fn an_update_without_updated_data_or_with_more_than_30_ids_is_refused() {
    let app = with_thread().await;
    let error =
        app.call("comments.annotations_update", at("d", json!({}))).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "updatedData"]));
    let list = at("d", json!({ "updatedData": [] }));
    app.call("comments.annotations_update", list).await.error("INVALID_ARGUMENT");
    let many: Vec<String> = (0..31).map(|n| n.to_string()).collect();
    let sent = at("d", json!({ "annotationIds": many, "updatedData": {} }));
    app.call("comments.annotations_update", sent).await.error("INVALID_ARGUMENT");
}
