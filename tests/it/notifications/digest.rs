//! Content and lists of digests (rules N14, N15).

use serde_json::{Value, json};

use super::{
    get,
    scene::{change, comment, headline, inbox, reply, say, start, thread, trace, wait, windows},
};
use crate::app::App;

/// A digest for `bob` of three comments in `d` and `e`, by `ada`, `cy` and `ada`.
async fn with_digest() -> (App, Value) {
    let app = start().await;
    windows(&app, None, Some((60, 50))).await;
    for (document, id, user) in [("d", "t1", "ada"), ("e", "t2", "cy"), ("d", "t3", "ada")] {
        say(&app, document, id, user).await;
        app.advance(std::time::Duration::from_millis(3));
    }
    wait(&app, 61).await;
    let [digest] = inbox(&app, "bob").await.try_into().unwrap();
    (app, digest)
}

#[tokio::test]
async fn n14_a_digest_lists_its_activities_documents_and_actors() {
    let (app, it) = with_digest().await;
    assert_eq!(headline(&it), "Ada and 1 other left 3 updates in 2 documents");
    assert_eq!(it["notificationSource"], "comment", "they are all of comments");
    assert_eq!(it["notifyUsers"], json!({ "bob": true }));
    assert_eq!(it["actionUser"]["userId"], "ada", "the most recent one");
    assert_eq!(it["metadata"]["documentId"], "d", "that of the newest");
    let batch = &it["notificationSourceData"]["batch"];
    assert_eq!((&batch["scope"], &batch["reason"]), (&json!("user"), &json!("window")));
    assert_eq!(batch["total"], 3);
    let (opened, closed) = (batch["openedAt"].as_u64().unwrap(), batch["closedAt"].as_u64());
    assert_eq!(closed, Some(opened + 60_000));
    assert!(it["timestamp"].as_u64() >= closed);
    let expected = json!([
        { "documentId": "d", "documentName": "Plan", "count": 2 },
        { "documentId": "e", "documentName": "Map", "count": 1 },
    ]);
    assert_eq!(batch["documents"], expected);
    let activities = batch["activities"].as_array().unwrap();
    let threads: Vec<&Value> = activities.iter().map(|it| &it["commentAnnotationId"]).collect();
    assert_eq!(threads, ["t1", "t2", "t3"], "oldest first (rule N15)");
    let second = &activities[1];
    assert_eq!(second["type"], "comment_annotation.add");
    assert_eq!(second["actionUser"]["name"], "Cy");
    assert_eq!((&second["documentId"], &second["snippet"]), (&json!("e"), &json!("text of t2")));
    assert!(second["timestamp"].is_u64() && second["commentId"].is_u64());
    let rows = trace(&app, json!({ "userId": "bob" })).await;
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert_eq!((&row["state"], &row["notificationId"]), (&json!("delivered"), &it["id"]));
        assert!(activities.iter().any(|activity| activity["id"] == row["eventId"]));
    }
}

#[tokio::test]
async fn n14_a_digest_is_found_and_deleted_under_each_of_its_documents() {
    let (app, it) = with_digest().await;
    for document in ["d", "e"] {
        for filter in
            [json!({ "documentId": document }), json!({ "documentId": document, "userId": "bob" })]
        {
            let found = get(&app, filter.clone()).await;
            let found = found.iter().filter(|found| found["id"] == it["id"]).count();
            assert_eq!(found, 1, "{filter}");
        }
    }
    let none = get(&app, json!({ "documentId": "x", "userId": "bob" })).await;
    assert!(none.is_empty());
    let read = json!({
        "organizationId": "acme", "notifications": [{ "id": it["id"], "readByUserIds": ["bob"] }],
    });
    app.call("notifications.update", read).await.ok();
    let gone = json!({ "organizationId": "acme", "notificationIds": [it["id"]] });
    app.call("notifications.delete", gone).await.ok();
    for document in ["d", "e"] {
        let found = get(&app, json!({ "documentId": document, "userId": "bob" })).await;
        assert!(found.is_empty(), "{document}");
    }
    let rows = super::stored(&app, &["digest-of"]);
    assert_eq!(rows.len(), 0, "eve's is the same; cy is not notified of her own: {rows:?}");
}

#[tokio::test]
async fn a_digest_is_listed_with_the_activities_that_its_reader_may_see() {
    let (app, it) = with_digest().await;
    let private = json!({ "visibility": { "type": "restricted", "userIds": ["eve"] } });
    change(&app, "d", "t1", private.clone()).await;
    let ids = json!([it["id"]]);
    for filter in [json!({ "userId": "bob" }), json!({ "userId": "bob", "notificationIds": ids })] {
        let [it] = get(&app, filter).await.try_into().unwrap();
        let batch = &it["notificationSourceData"]["batch"];
        assert_eq!(
            (&batch["total"], batch["activities"].as_array().unwrap().len()),
            (&json!(2), 2)
        );
        assert_eq!(batch["documents"][0]["count"], 1);
        assert!(!it.to_string().contains("text of t1"), "{it}");
    }
    super::restrict(&app, "e", &["eve"]).await;
    change(&app, "d", "t3", private).await;
    assert!(get(&app, json!({ "userId": "bob" })).await.is_empty(), "nothing is left");
    let [all] = get(&app, json!({ "notificationIds": ids })).await.try_into().unwrap();
    let total = &all["notificationSourceData"]["batch"]["total"];
    assert_eq!(*total, 3, "what one of its readers may see: eve");
}

#[tokio::test]
async fn n14_a_digest_shows_nothing_that_its_reader_may_not_see() {
    let app = start().await;
    windows(&app, None, Some((60, 50))).await;
    let salaries = comment("cy", "the salary list", json!({}));
    say(&app, "d", "t1", "ada").await;
    app.advance(std::time::Duration::from_millis(3));
    thread(&app, "e", "t2", salaries, json!({})).await;
    wait(&app, 61).await;
    let [it] = inbox(&app, "bob").await.try_into().unwrap();
    assert_eq!(it["displayBodyMessage"], "the salary list");
    assert_eq!(headline(&it), "Cy and 1 other left 2 updates in 2 documents");
    change(&app, "e", "t2", json!({ "visibility": { "type": "restricted", "userIds": ["cy"] } }))
        .await;
    let check = async || {
        let [it] = inbox(&app, "bob").await.try_into().unwrap();
        for hidden in ["salary", "Cy", "\"cy\"", "\"e\"", "Map"] {
            assert!(!it.to_string().contains(hidden), "{hidden}: {it}");
        }
        assert_eq!(headline(&it), "Ada left 1 update in Plan");
        assert_eq!(
            (&it["displayBodyMessage"], &it["actionUser"]["userId"]),
            (&json!("text of t1"), &json!("ada"))
        );
        let data = &it["displayHeadlineMessageTemplateData"];
        assert_eq!((&data["count"], &data["othersCount"]), (&json!(1), &json!(0)));
        assert_eq!(it["metadata"]["documentId"], "d");
        assert_eq!(data["recipientUser"]["name"], "Bob");
    };
    check().await;
    // The notification is the same once the thread is gone.
    let gone = json!({ "organizationId": "acme", "documentId": "e", "annotationIds": ["t2"] });
    app.call("comments.annotations_delete", gone).await.ok();
    check().await;
}

#[tokio::test]
async fn a_long_text_is_shortened_and_shown_on_one_line() {
    let app = start().await;
    let text = format!("first\nsecond {}", "é".repeat(400));
    thread(&app, "d", "t", comment("ada", &text, json!({})), json!({})).await;
    app.settle().await;
    let shown = inbox(&app, "bob").await[0]["displayBodyMessage"].as_str().unwrap().to_owned();
    assert!(shown.starts_with("first second é") && shown.ends_with('…'), "{shown}");
    assert_eq!(shown.chars().count(), 280);
}

#[tokio::test]
async fn n14_updates_by_one_actor_in_one_document_are_counted_in_the_headline() {
    let app = start().await;
    windows(&app, Some((60, 2)), None).await;
    say(&app, "d", "t", "ada").await;
    reply(&app, "d", "t", comment("ada", "y", json!({}))).await;
    app.settle().await;
    let [it] = inbox(&app, "bob").await.try_into().unwrap();
    assert_eq!(headline(&it), "Ada left 2 updates in Plan");
    let batch = &it["notificationSourceData"]["batch"];
    assert_eq!((&batch["scope"], &batch["reason"]), (&json!("document"), &json!("maxActivities")));
}
