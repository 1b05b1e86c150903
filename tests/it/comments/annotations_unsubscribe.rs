use serde_json::json;

use super::{find, names_after, thread, with_thread};

#[tokio::test]
async fn unsubscribing_a_user_twice_has_one_event() {
    let app = with_thread().await;
    let sent = thread(json!({ "user": { "userId": "ada" }, "triggerNotification": true }));
    for _ in 0..2 {
        let done = app.call("comments.annotations_unsubscribe", sent.clone()).await.data();
        assert_eq!(done, json!({ "success": true }));
    }
    assert_eq!(names_after(&app, 2), ["comment_annotation.unsubscribe"]);
    let shown = find(&app, "a").await;
    assert_eq!(shown["subscribedUsers"], json!({}));
    assert_eq!(shown["unsubscribedUsers"]["ada"]["user"]["userId"], "ada");
}

#[tokio::test]
async fn a_mention_does_not_subscribe_a_user_who_unsubscribed() {
    let app = with_thread().await;
    let user = json!({ "user": { "userId": "ada" } });
    app.call("comments.annotations_unsubscribe", thread(user.clone())).await.ok();
    let comment = json!({ "from": { "userId": "bob" }, "taggedUserContacts": [{ "userId": "ada" }, { "userId": "cy" }] });
    app.call("comments.add", thread(json!({ "commentData": [comment] }))).await.ok();
    let shown = find(&app, "a").await;
    assert!(shown["subscribedUsers"].get("ada").is_none());
    assert_eq!(shown["subscribedUsers"]["cy"]["type"], "auto");
    app.call("comments.annotations_subscribe", thread(user)).await.ok();
    let shown = find(&app, "a").await;
    assert_eq!(
        (&shown["subscribedUsers"]["ada"]["type"], &shown["unsubscribedUsers"]),
        (&json!("manual"), &json!({}))
    );
}

#[tokio::test]
async fn a_thread_that_is_not_in_the_document_is_not_found() {
    let app = with_thread().await;
    let sent = json!({ "organizationId": "o", "documentId": "e", "annotationId": "a", "user": { "userId": "ada" } });
    app.call("comments.annotations_unsubscribe", sent).await.error("NOT_FOUND");
}
