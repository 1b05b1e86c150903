use std::time::Duration;

use embedded::{Call, Effect, Fault};
use futures_util::future::join;
use serde_json::{Value, json};

use crate::end_users::token;

use super::{events_in, find, names_after, rows, thread, with_thread};

fn reaction(icon: &str, user: &str) -> Value {
    thread(json!({ "commentId": 1, "icon": icon, "from": { "userId": user } }))
}

#[tokio::test]
async fn a_user_takes_their_own_reaction_back() {
    let app = with_thread().await;
    let mut id = json!(null);
    for user in ["ada", "bob"] {
        let done = app.call("comments.reactions_add", reaction("HEART", user)).await.data();
        id = done["reactionAnnotationId"].clone();
    }
    let done = app.call("comments.reactions_delete", reaction("HEART", "ada")).await.data();
    assert_eq!(done, json!({ "reactionAnnotationId": id, "success": true }));
    let comment = find(&app, "a").await["comments"][0].clone();
    assert_eq!(comment["reactionAnnotations"][0]["involvedUserIds"], json!(["bob"]));
    app.call("comments.reactions_delete", reaction("HEART", "bob")).await.ok();
    assert_eq!(find(&app, "a").await["comments"][0]["reactionAnnotations"], json!([]));
    assert_eq!(names_after(&app, 4), ["comment.reaction_delete"; 2]);
    assert_eq!(events_in(&app, "d")[4]["event"]["actor"]["userId"], "ada");
    assert!(!rows(&app).iter().any(|row| row.contains("#reaction#")));
}

#[tokio::test]
async fn a_reaction_that_does_not_exist_is_not_found_and_has_no_event() {
    let app = with_thread().await;
    app.call("comments.reactions_add", reaction("HEART", "ada")).await.ok();
    for sent in [reaction("HEART", "bob"), reaction("SMILE", "ada")] {
        app.call("comments.reactions_delete", sent).await.error("NOT_FOUND");
    }
    for (member, value) in
        [("annotationId", json!("x")), ("commentId", json!(2)), ("organizationId", json!("x"))]
    {
        let mut sent = reaction("HEART", "ada");
        sent[member] = value;
        app.call("comments.reactions_delete", sent).await.error("NOT_FOUND");
    }
    assert_eq!(names_after(&app, 3).len(), 0);
}

/// The link row of a reaction leads to it for its user: lists, export and erasure follow it.
#[tokio::test]
async fn a_reaction_added_and_deleted_at_the_same_time_is_found_by_its_user() {
    let app = with_thread().await;
    app.call("comments.reactions_add", reaction("HEART", "zoe")).await.ok();
    // Another account than the API key, whose calls wait for each other here.
    let zoe = token(&app, "zoe", json!([])).await;
    app.forget_calls();
    // The first batch of writes comes late: a removal after the write, or an addition before it.
    let late = Effect::Stall(Duration::from_millis(400));
    app.fault(Fault { operation: "BatchWriteItem".to_owned(), skip: 0, times: 1, effect: late });
    let goes = async { app.call("comments.reactions_delete", reaction("HEART", "zoe")).await.ok() };
    let comes = async {
        let is_written =
            |call: &Call| matches!(call.operation.as_str(), "PutItem" | "TransactWriteItems");
        while !app.calls().iter().any(is_written) {
            tokio::task::yield_now().await;
        }
        let caller = app.caller().end_user(&zoe);
        caller.call("comments.reactions_add", reaction("HEART", "zoe")).await.ok();
    };
    join(goes, comes).await;
    let thread = find(&app, "a").await;
    let reactions = &thread["comments"][0]["reactionAnnotations"];
    assert_eq!(reactions[0]["involvedUserIds"], json!(["zoe"]));
    let sent = json!({ "organizationId": "o", "userId": "zoe" });
    let data = app.call("user-data.get", sent).await.data();
    assert_eq!(data["reactions"].as_array().unwrap().len(), 1, "{:?}", rows(&app));
}
