use serde_json::{Value, json};

use super::{add_to, at, by, events_in, find, list, names_after, rows, with_thread};
use crate::{
    app::App,
    end_users::{at as within, member, with_document},
};

async fn delete(app: &App, filter: Value) -> Value {
    app.call("comments.annotations_delete", at("d", filter)).await.data()
}

#[tokio::test]
async fn a_deleted_thread_leaves_no_rows_and_has_one_event() {
    let app = with_thread().await;
    let reaction =
        super::thread(json!({ "commentId": 1, "icon": "HEART", "from": { "userId": "eve" } }));
    app.call("comments.reactions_add", reaction).await.ok();
    let deleted =
        delete(&app, json!({ "annotationIds": ["a", "a", "nope"], "from": { "userId": "eve" } }))
            .await;
    assert_eq!(
        deleted["a"],
        json!({ "success": true, "id": "a", "message": "Deleted Successfully" })
    );
    assert_eq!(deleted["nope"]["success"], false);
    assert_eq!(deleted.as_object().unwrap().len(), 2);
    assert!(find(&app, "a").await.is_null());
    assert_eq!(rows(&app), Vec::<String>::new());
    assert_eq!(names_after(&app, 3), ["comment_annotation.delete"]);
    let event = &events_in(&app, "d")[3]["event"];
    assert_eq!((&event["actor"]["userId"], &event["annotationId"]), (&json!("eve"), &json!("a")));
}

#[tokio::test]
async fn without_a_filter_all_threads_of_the_document_are_deleted() {
    let app = with_thread().await;
    add_to(&app, "d", json!({ "annotationId": "b", "commentData": [by("ada")] })).await;
    add_to(&app, "e", json!({ "annotationId": "c", "commentData": [by("ada")] })).await;
    assert_eq!(delete(&app, json!({})).await.as_object().unwrap().len(), 2);
    assert_eq!(super::ids(&list(&app, json!({})).await), ["c"]);
    assert_eq!(delete(&app, json!({})).await, json!({}));
}

#[tokio::test]
async fn several_filters_select_the_threads_that_match_all_of_them() {
    let app = with_thread().await;
    add_to(
        &app,
        "d",
        json!({ "annotationId": "b", "location": { "id": "l" }, "commentData": [by("bob")] }),
    )
    .await;
    assert_eq!(delete(&app, json!({ "userIds": ["bob"], "locationIds": ["x"] })).await, json!({}));
    assert_eq!(
        delete(&app, json!({ "userIds": ["ada"], "annotationIds": ["b"] })).await["b"]["success"],
        false
    );
    assert_eq!(
        delete(&app, json!({ "userIds": ["bob"], "locationIds": ["l"] })).await["b"]["success"],
        true
    );
    assert!(find(&app, "a").await.is_object());
}

#[tokio::test]
async fn threads_of_agents_are_deleted_by_agent_kind_and_page() {
    let app = with_thread().await;
    for (id, kind, url) in
        [("s", "suggestion", "https://a.example"), ("t", "comment", "https://b.example")]
    {
        let mut comment = by("robot");
        comment["agent"] = json!({ "agentSource": "service", "agentId": "lighthouse", "url": url,
            "reason": { "title": "t", "description": "d", "severity": "low" } });
        add_to(&app, "d", json!({ "annotationId": id, "type": kind, "commentData": [comment] }))
            .await;
    }
    let no = json!({ "agentId": "lighthouse", "agentSuggestions": true, "agentUrls": ["https://b.example"] });
    assert_eq!(delete(&app, no).await, json!({}));
    let yes = json!({ "agentId": "lighthouse", "agentSuggestions": true, "agentUrls": ["https://a.example"] });
    assert_eq!(delete(&app, yes).await["s"]["success"], true);
    app.call("comments.annotations_delete", at("d", json!({ "agentUrls": [] })))
        .await
        .error("INVALID_ARGUMENT");
    let off = json!({ "features": { "advancedQueries": false } });
    app.call("workspace.api_key_config_update", off).await.ok();
    app.advance(std::time::Duration::from_secs(11));
    app.call("comments.annotations_delete", at("d", json!({ "agentId": "lighthouse" })))
        .await
        .error("NOT_FOUND");
    assert!(find(&app, "t").await.is_object() && find(&app, "a").await.is_object());
}

#[tokio::test]
async fn an_unknown_organization_has_no_threads() {
    let app = with_thread().await;
    let sent = json!({ "organizationId": "x", "documentId": "d", "annotationIds": ["a"] });
    assert_eq!(app.call("comments.annotations_delete", sent).await.data()["a"]["success"], false);
}

#[tokio::test]
async fn without_an_organization_the_only_one_that_has_the_document_is_meant() {
    let app = with_thread().await;
    let sent = json!({ "documentId": "d", "annotationIds": ["a"] });
    for path in ["/v2/commentannotations/delete", "/v1/commentannotations/delete"] {
        let mut unknown = sent.clone();
        unknown["documentId"] = json!("nowhere");
        app.call_at(path, unknown).await.error("NOT_FOUND");
    }
    let second = json!({
        "organizationId": "p", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", second).await.ok();
    let error =
        app.call("comments.annotations_delete", sent.clone()).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "organizationId"]));
    assert!(find(&app, "a").await.is_object());
    let gone = json!({ "organizationId": "p", "documentIds": ["d"] });
    app.call("documents.delete", gone).await.ok();
    let deleted = app.call("comments.annotations_delete", sent).await.data();
    assert_eq!(deleted["a"]["success"], true);
    assert!(find(&app, "a").await.is_null());
}

#[tokio::test]
async fn an_end_user_has_to_name_the_organization() {
    let app = with_document().await;
    let ada = member(&app, "ada", "commenter").await;
    let sent = json!({ "documentId": "d", "annotationIds": ["a"] });
    let caller = app.caller().end_user(&ada);
    let error = caller.call("comments.annotations_delete", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "organizationId"]));
}

/// The thread has more link rows than a transaction can delete.
#[tokio::test]
async fn deleting_a_thread_of_hundreds_of_users_deletes_all_link_rows() {
    let app = with_thread().await;
    let comments: Vec<Value> = (0..250).map(|n| by(&format!("u{n}"))).collect();
    let sent = super::thread(json!({ "commentData": comments }));
    app.call("comments.add", sent).await.ok();
    let links = || rows(&app).into_iter().filter(|row| row.starts_with("link#")).count();
    assert_eq!(links(), 252);
    let mentions: Vec<Value> = (0..150).map(|n| json!({ "userId": format!("m{n}") })).collect();
    let mut comment = by("ada");
    comment["taggedUserContacts"] = json!(mentions);
    app.call("comments.add", super::thread(json!({ "commentData": [comment] }))).await.ok();
    assert_eq!(links(), 252 + 150, "one row for each user");
    app.advance(std::time::Duration::from_secs(1));
    app.call("comments.add", super::thread(json!({ "commentData": [by("ada")] }))).await.ok();
    assert_eq!(links(), 252 + 150, "one row for each user");
    assert_eq!(list(&app, json!({ "mentionedUserIds": ["m149"] })).await.len(), 1);
    assert_eq!(delete(&app, json!({ "annotationIds": ["a"] })).await["a"]["success"], true);
    assert_eq!(links(), 0);
    app.advance(std::time::Duration::from_secs(1));
    app.settle().await;
    assert_eq!(rows(&app), Vec::<String>::new());
}

#[tokio::test]
async fn an_end_user_deletes_threads_in_which_nobody_else_commented() {
    let app = with_document().await;
    let ada = member(&app, "ada", "commenter").await;
    let said = |user: &str| json!({ "from": { "userId": user }, "commentText": "x" });
    for (id, comments) in [
        ("own", json!([said("ada"), said("ada")])),
        ("answered", json!([said("ada"), said("bob")])),
        ("bobs", json!([said("bob")])),
    ] {
        let thread = json!({ "annotationId": id, "commentData": comments });
        let sent = within(json!({ "commentAnnotations": [thread] }));
        app.call("comments.annotations_add", sent).await.ok();
    }
    // So many comments that the one of another user is archived.
    let mut many = vec![said("ada"), said("bob")];
    many.extend(
        (0..48).map(|_| json!({ "from": { "userId": "ada" }, "commentText": "x".repeat(400) })),
    );
    let thread = json!({ "annotationId": "long", "commentData": many });
    app.call("comments.annotations_add", within(json!({ "commentAnnotations": [thread] })))
        .await
        .ok();
    let ids = json!({ "annotationIds": ["own", "answered", "bobs", "long", "none"] });
    let deleted =
        app.caller().end_user(&ada).call("comments.annotations_delete", within(ids)).await;
    let deleted = deleted.data();
    for (id, is_deleted) in
        [("own", true), ("answered", false), ("bobs", false), ("long", false), ("none", false)]
    {
        assert_eq!(deleted[id]["success"], is_deleted, "{id}");
    }
    let all = app.caller().end_user(&ada);
    all.call("comments.annotations_delete", within(json!({}))).await.error("INVALID_ARGUMENT");
    let by_filter = within(json!({ "annotationIds": ["bobs"], "userIds": ["bob"] }));
    all.call("comments.annotations_delete", by_filter).await.error("PERMISSION_DENIED");
    let vera = member(&app, "vera", "viewer").await;
    let own = within(json!({ "annotationIds": ["own"] }));
    let reply = app.caller().end_user(&vera).call("comments.annotations_delete", own).await;
    reply.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn an_end_user_learns_nothing_of_a_hidden_thread() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let thread = json!({
        "annotationId": "hidden",
        "commentData": [{ "from": { "userId": "bob" }, "commentText": "x" }],
        "visibility": { "type": "restricted", "userIds": ["bob"] },
    });
    app.call("comments.annotations_add", within(json!({ "commentAnnotations": [thread] })))
        .await
        .ok();
    let ids = within(json!({ "annotationIds": ["hidden", "none"] }));
    let deleted = app.caller().end_user(&ada).call("comments.annotations_delete", ids).await;
    let deleted = deleted.data();
    for id in ["hidden", "none"] {
        assert_eq!(deleted[id]["success"], false);
        let message = deleted[id]["message"].as_str().expect("a message");
        assert_eq!(message.replace(id, "x"), "There is no comment annotation x.", "{id}");
    }
    let left = app.call("comments.annotations_get", within(json!({}))).await.data();
    assert_eq!(left[0]["annotationId"], "hidden");
}
