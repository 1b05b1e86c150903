use serde_json::{Value, json};

use super::{events_in, find, names_after, rows, thread, with_thread};

fn reaction(icon: &str, user: &str) -> Value {
    thread(json!({ "commentId": 1, "icon": icon, "from": { "userId": user } }))
}

#[tokio::test]
async fn users_who_react_with_one_icon_share_one_reaction() {
    let app = with_thread().await;
    let add = async |icon: &str, user: &str| {
        let done = app.call("comments.reactions_add", reaction(icon, user)).await.data();
        assert_eq!(done["success"], true);
        done["reactionAnnotationId"].as_str().unwrap().to_owned()
    };
    let heart = add("HEART_FACE", "ada").await;
    assert_eq!(heart.len(), 20);
    assert_eq!(add("HEART_FACE", "bob").await, heart);
    assert_eq!(add("HEART_FACE", "bob").await, heart, "twice changes nothing");
    let hands = add("RAISED_HANDS", "bob").await;
    assert_ne!(hands, heart);
    let comment = find(&app, "a").await["comments"][0].clone();
    assert_eq!(comment["reactionAnnotationIds"], json!([heart, hands]));
    let shown = &comment["reactionAnnotations"][0];
    assert_eq!((&shown["icon"], &shown["type"]), (&json!("HEART_FACE"), &json!("reaction")));
    assert_eq!(shown["involvedUserIds"], json!(["ada", "bob"]));
    assert_eq!((&shown["commentAnnotationId"], &shown["commentId"]), (&json!("a"), &json!(1)));
    assert_eq!(shown["fromUsers"][1]["from"]["userId"], "bob");
    assert!(shown["fromUsers"][1]["lastUpdated"].is_u64());
    assert_eq!(names_after(&app, 2), ["comment.reaction_add"; 3]);
    let event = events_in(&app, "d")[3]["event"].clone();
    assert_eq!((&event["actor"]["userId"], &event["commentId"]), (&json!("bob"), &json!(1)));
    let links = rows(&app).into_iter().filter(|row| row.contains("#reaction#"));
    assert_eq!(links.count(), 2, "one row for each user");
}

#[tokio::test]
async fn an_unknown_comment_is_not_found_and_icon_comment_id_and_user_are_required() {
    let app = with_thread().await;
    for (id, comment) in [("a", 9), ("x", 1)] {
        let mut sent = reaction("HEART_FACE", "ada");
        sent["annotationId"] = json!(id);
        sent["commentId"] = json!(comment);
        app.call("comments.reactions_add", sent).await.error("NOT_FOUND");
    }
    let mut sent = reaction("HEART_FACE", "ada");
    sent["organizationId"] = json!("x");
    app.call("comments.reactions_add", sent).await.error("NOT_FOUND");
    for (member, value) in [
        ("icon", json!(" ")),
        ("icon", json!(null)),
        ("commentId", json!("1")),
        ("from", json!({})),
    ] {
        let mut sent = reaction("HEART_FACE", "ada");
        sent[member] = value;
        app.call("comments.reactions_add", sent).await.error("INVALID_ARGUMENT");
    }
}
