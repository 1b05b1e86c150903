use serde_json::{Value, json};

use super::{thread, with_thread};
use crate::app::App;

async fn get(app: &App, filter: Value) -> Vec<Value> {
    let comments = app.call("comments.get", thread(filter)).await.data();
    comments.as_array().unwrap().iter().map(|comment| comment["commentId"].clone()).collect()
}

#[tokio::test]
async fn comments_come_in_their_order_or_in_that_of_their_numbers() {
    let app = with_thread().await;
    assert_eq!(get(&app, json!({})).await, [1, 2]);
    assert_eq!(
        get(&app, json!({ "commentIds": [2, 9, 1] })).await,
        [json!(2), json!(null), json!(1)]
    );
    assert_eq!(get(&app, json!({ "userIds": ["bob"] })).await, [2]);
    assert_eq!(
        get(&app, json!({ "userIds": ["bob"], "commentIds": [1, 2] })).await,
        [json!(null), json!(2)]
    );
    assert_eq!(get(&app, json!({ "userIds": null, "commentIds": null })).await, [1, 2]);
}

#[tokio::test]
async fn a_comment_has_its_text_flags_reactions_mentions_and_attachments() {
    let app = with_thread().await;
    let comments = app.call("comments.get", thread(json!({ "commentIds": [1] }))).await.data();
    let comment = &comments[0];
    assert_eq!((&comment["commentText"], &comment["isDraft"]), (&json!("by ada"), &json!(false)));
    assert_eq!(
        (&comment["isEdited"], &comment["reactionAnnotations"]),
        (&json!(false), &json!([]))
    );
    assert_eq!((&comment["to"], &comment["attachments"]), (&json!([]), &json!([])));
}

#[tokio::test]
async fn an_unknown_thread_has_an_empty_list_and_null_for_each_comment_id() {
    let app = with_thread().await;
    for (organization, document, id) in [("o", "d", "x"), ("o", "e", "a"), ("x", "d", "a")] {
        let mut sent =
            json!({ "organizationId": organization, "documentId": document, "annotationId": id });
        assert_eq!(app.call("comments.get", sent.clone()).await.data(), json!([]));
        sent["commentIds"] = json!([1]);
        assert_eq!(app.call("comments.get", sent).await.data(), json!([null]));
    }
}

#[tokio::test]
async fn comment_ids_that_are_not_nonnegative_integers_are_refused() {
    let app = with_thread().await;
    for ids in [json!(["1"]), json!([-1]), json!([1.5]), json!(1)] {
        app.call("comments.get", thread(json!({ "commentIds": ids })))
            .await
            .error("INVALID_ARGUMENT");
    }
}
