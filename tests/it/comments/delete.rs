use serde_json::{Value, json};

use super::{events_in, find, names_after, thread, with_thread};
use crate::app::App;

async fn delete(app: &App, filter: Value) -> Value {
    app.call("comments.delete", thread(filter)).await.data()
}

#[tokio::test]
async fn deleted_comments_are_gone_and_have_one_event_each() {
    let app = with_thread().await;
    let entries =
        delete(&app, json!({ "commentIds": [2, 9, 2], "from": { "userId": "eve" } })).await;
    assert_eq!(
        entries["2"],
        json!({ "success": true, "id": 2, "message": "Deleted successfully" })
    );
    assert_eq!((&entries["9"]["success"], entries.as_object().unwrap().len()), (&json!(false), 2));
    assert_eq!(find(&app, "a").await["comments"].as_array().unwrap().len(), 1);
    assert_eq!(names_after(&app, 2), ["comment.delete"]);
    let event = events_in(&app, "d")[2]["event"].clone();
    assert_eq!((&event["commentId"], &event["actor"]["userId"]), (&json!(2), &json!("eve")));
    assert_eq!(event["data"]["targetComment"]["commentText"], "by bob");
}

#[tokio::test]
async fn without_comment_ids_all_comments_are_deleted_and_the_thread_stays() {
    let app = with_thread().await;
    assert_eq!(delete(&app, json!({})).await.as_object().unwrap().len(), 2);
    let shown = find(&app, "a").await;
    assert_eq!((&shown["comments"], &shown["from"]["userId"]), (&json!([]), &json!("ada")));
    assert_eq!(delete(&app, json!({})).await, json!({}));
    app.call("comments.add", thread(json!({ "commentData": [super::by("cy")] }))).await.ok();
    assert_eq!(names_after(&app, 4), ["comment.add"], "the thread is not a new one");
}

#[tokio::test]
async fn deleting_a_mention_ends_the_automatic_subscription_that_the_mention_made() {
    let app = with_thread().await;
    let mut comment = super::by("bob");
    comment["commentId"] = json!(3);
    comment["taggedUserContacts"] =
        json!([{ "userId": "eve" }, { "userId": "ada" }, { "userId": "cy" }]);
    app.call("comments.add", thread(json!({ "commentData": [comment] }))).await.ok();
    app.call("comments.annotations_subscribe", thread(json!({ "user": { "userId": "cy" } })))
        .await
        .ok();
    delete(&app, json!({ "commentIds": [3] })).await;
    let shown = find(&app, "a").await;
    let subscribed: Vec<&String> = shown["subscribedUsers"].as_object().unwrap().keys().collect();
    assert_eq!(subscribed, ["ada", "cy"]);
}

#[tokio::test]
async fn an_unknown_thread_is_not_found_and_its_comments_fail_one_by_one() {
    let app = with_thread().await;
    for (organization, document, id) in [("o", "d", "x"), ("o", "e", "a"), ("x", "d", "a")] {
        let mut sent =
            json!({ "organizationId": organization, "documentId": document, "annotationId": id });
        app.call("comments.delete", sent.clone()).await.error("NOT_FOUND");
        sent["commentIds"] = json!([1]);
        assert_eq!(app.call("comments.delete", sent).await.data()["1"]["success"], false);
    }
    assert_eq!(find(&app, "a").await["comments"].as_array().unwrap().len(), 2);
}
