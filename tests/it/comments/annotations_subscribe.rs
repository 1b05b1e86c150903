use serde_json::json;

use super::{events_in, find, names_after, thread, with_thread};

#[tokio::test]
async fn subscribing_a_user_twice_adds_one_subscription_and_one_event() {
    let app = with_thread().await;
    let sent = thread(json!({ "user": { "userId": "eve", "name": "Eve" } }));
    for _ in 0..2 {
        let done = app.call("comments.annotations_subscribe", sent.clone()).await.data();
        assert_eq!(done, json!({ "success": true }));
    }
    assert_eq!(names_after(&app, 2), ["comment_annotation.subscribe"]);
    assert_eq!(events_in(&app, "d")[2]["event"]["actor"]["userId"], "eve");
    let shown = find(&app, "a").await;
    assert_eq!(
        shown["subscribedUsers"]["eve"],
        json!({ "user": { "userId": "eve", "name": "Eve" }, "type": "manual" })
    );
    assert_eq!(shown["involvedUserIds"], json!(["ada", "bob", "eve"]));
}

#[tokio::test]
async fn an_automatic_subscription_becomes_manual_without_an_event() {
    let app = with_thread().await;
    assert_eq!(find(&app, "a").await["subscribedUsers"]["ada"]["type"], "auto");
    let sent = thread(json!({ "user": { "userId": "ada" } }));
    app.call("comments.annotations_subscribe", sent).await.ok();
    assert_eq!(find(&app, "a").await["subscribedUsers"]["ada"]["type"], "manual");
    assert_eq!(names_after(&app, 2).len(), 0, "they were subscribed before");
}

#[tokio::test]
async fn an_unknown_thread_is_not_found_and_a_user_id_is_required() {
    let app = with_thread().await;
    let user = json!({ "userId": "eve" });
    for (organization, document, id) in [("o", "d", "x"), ("o", "e", "a"), ("x", "d", "a")] {
        let sent = json!({ "organizationId": organization, "documentId": document, "annotationId": id, "user": user });
        app.call("comments.annotations_subscribe", sent).await.error("NOT_FOUND");
    }
    let nobody = thread(json!({ "user": { "name": "Eve" } }));
    app.call("comments.annotations_subscribe", nobody).await.error("INVALID_ARGUMENT");
}
