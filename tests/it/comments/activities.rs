use serde_json::{Value, json};

use super::{at, by, list, start, thread, with_thread};
use crate::app::App;

async fn actions(app: &App) -> Vec<Value> {
    let sent = json!({ "organizationId": "o", "documentId": "d", "order": "asc" });
    let found = app.call("activities.get", sent).await.data();
    found.as_array().expect("activities").clone()
}

fn names(activities: &[Value]) -> Vec<&str> {
    activities.iter().filter_map(|activity| activity["actionType"].as_str()).collect()
}

#[tokio::test]
async fn a_change_sent_with_trigger_activities_is_recorded_as_an_activity() {
    let app = start().await;
    app.enable_activities(false).await;
    let mut comment = by("ada");
    comment["triggerActivities"] = true.into();
    let sent = at(
        "d",
        json!({ "commentAnnotations": [
        { "annotationId": "t", "commentData": [comment] },
        { "annotationId": "quiet", "commentData": [by("bob")] },
    ] }),
    );
    app.call("comments.annotations_add", sent).await.ok();
    let id =
        list(&app, json!({ "annotationIds": ["t"] })).await[0]["comments"][0]["commentId"].clone();
    let reaction = at(
        "d",
        json!({
            "annotationId": "t", "commentId": id, "icon": "HEART_FACE",
            "from": { "userId": "bob" }, "triggerActivities": true,
        }),
    );
    // Two activities of one millisecond have no order.
    app.advance(std::time::Duration::from_millis(1));
    app.call("comments.reactions_add", reaction).await.ok();

    let recorded = actions(&app).await;
    assert_eq!(names(&recorded), ["comment_annotation.add", "comment.reaction_add"]);
    assert_eq!(recorded[0]["targetEntityId"], "t");
    assert_eq!(recorded[0]["actionUser"]["userId"], "ada");
    assert_eq!(recorded[0]["featureType"], "comment");
    assert_eq!(recorded[1]["actionUser"]["userId"], "bob");
    assert_eq!(recorded[1]["targetSubEntityId"], id.to_string());
}

#[tokio::test]
async fn nothing_is_recorded_while_the_service_or_its_trigger_is_off() {
    let app = with_thread().await;
    let reply = || {
        let mut comment = by("bob");
        comment["triggerActivities"] = true.into();
        thread(json!({ "commentData": [comment] }))
    };
    app.call("comments.add", reply()).await.ok();
    assert!(actions(&app).await.is_empty());

    app.enable_activities(true).await;
    let off = json!({ "activityServiceConfig": { "triggers": { "comment": { "added": false } } } });
    app.call("configuration.activities_update", off).await.ok();
    app.call("comments.add", reply()).await.ok();
    assert!(actions(&app).await.is_empty());

    let on = json!({ "activityServiceConfig": { "triggers": { "comment": { "added": true } } } });
    app.call("configuration.activities_update", on).await.ok();
    app.call("comments.add", reply()).await.ok();
    assert_eq!(names(&actions(&app).await), ["comment.add"]);
}
