use serde_json::{Value, json};

use super::{events_in, find, names_after, thread, with_thread};
use crate::app::App;

async fn update(app: &App, ids: Value, patch: Value) -> Value {
    let sent = thread(json!({ "commentIds": ids, "updatedData": patch }));
    app.call("comments.update", sent).await.data()
}

#[tokio::test]
async fn omitted_members_keep_their_values_and_null_clears() {
    let app = with_thread().await;
    update(&app, json!([1]), json!({ "commentHtml": "<p>x</p>", "context": { "a": 1 } })).await;
    app.advance(std::time::Duration::from_secs(1));
    let entries =
        update(&app, json!([1]), json!({ "commentHtml": null, "commentText": "new" })).await;
    assert_eq!(
        entries["1"],
        json!({ "success": true, "id": 1, "message": "Updated successfully" })
    );
    let comment = find(&app, "a").await["comments"][0].clone();
    assert!(comment.get("commentHtml").is_none());
    assert_eq!((&comment["commentText"], &comment["context"]["a"]), (&json!("new"), &json!(1)));
    assert_eq!((&comment["isEdited"], &comment["status"]), (&json!(true), &json!("updated")));
    assert!(comment["editedAt"].as_u64() > comment["createdAt"].as_u64());
    assert_eq!(find(&app, "a").await["comments"][1]["isEdited"], false);
}

#[tokio::test]
async fn an_edit_has_one_event_and_an_edit_without_a_change_has_none() {
    let app = with_thread().await;
    update(&app, json!([1]), json!({ "commentText": "new", "attachments": [{ "name": "n" }] }))
        .await;
    assert_eq!(names_after(&app, 2), ["comment.update"]);
    let event = events_in(&app, "d")[2]["event"].clone();
    assert_eq!(event["changes"]["commentText"], json!({ "from": "by ada", "to": "new" }));
    assert_eq!((&event["commentId"], &event["actor"]["userId"]), (&json!(1), &json!("ada")));
    let before = find(&app, "a").await;
    app.advance(std::time::Duration::from_secs(1));
    assert_eq!(
        update(&app, json!([1]), json!({ "commentText": "new" })).await["1"]["success"],
        true
    );
    assert_eq!(names_after(&app, 3).len(), 0);
    assert_eq!(find(&app, "a").await, before);
}

#[tokio::test]
async fn adding_and_removing_mentions_subscribes_and_unsubscribes_users() {
    let app = with_thread().await;
    update(
        &app,
        json!([1]),
        json!({ "taggedUserContacts": [{ "userId": "eve" }, { "userId": "bob" }] }),
    )
    .await;
    let shown = find(&app, "a").await;
    assert_eq!(shown["mentionedUserIds"], json!(["bob", "eve"]));
    assert_eq!(shown["subscribedUsers"]["eve"]["type"], "auto");
    update(&app, json!([1]), json!({ "taggedUserContacts": null })).await;
    let shown = find(&app, "a").await;
    assert!(shown["subscribedUsers"].get("eve").is_none());
    assert_eq!(shown["subscribedUsers"]["bob"]["type"], "auto", "who also wrote stays");
    assert_eq!(shown["mentionedUserIds"], json!([]));
}

#[tokio::test]
async fn an_unknown_comment_or_thread_fails_without_failing_known_comments() {
    let app = with_thread().await;
    let entries = update(&app, json!([9, 1, 9]), json!({ "commentText": "x" })).await;
    assert_eq!((&entries["9"]["success"], &entries["1"]["success"]), (&json!(false), &json!(true)));
    assert_eq!(entries.as_object().unwrap().len(), 2);
    for (organization, document, id) in [("o", "d", "x"), ("o", "e", "a"), ("x", "d", "a")] {
        let sent = json!({ "organizationId": organization, "documentId": document, "annotationId": id,
            "commentIds": [1], "updatedData": { "commentText": "y" } });
        assert_eq!(app.call("comments.update", sent).await.data()["1"]["success"], false);
    }
}

#[tokio::test]
async fn comment_ids_and_updated_data_are_required_and_checked() {
    let app = with_thread().await;
    for sent in [
        json!({ "commentIds": [], "updatedData": {} }),
        json!({ "updatedData": {} }),
        json!({ "commentIds": [1] }),
        json!({ "commentIds": [1], "updatedData": { "commentText": 1 } }),
        json!({ "commentIds": [1], "updatedData": { "attachments": [{ "size": "x" }] } }),
    ] {
        app.call("comments.update", thread(sent)).await.error("INVALID_ARGUMENT");
    }
}
