//! `activities.delete`.

use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{add, all, numbered, plain, start, with};
use crate::app::App;

async fn delete(app: &App, sent: Value) -> Value {
    let sent = with(json!({ "organizationId": "acme" }), sent);
    app.call("activities.delete", sent).await.ok()
}

fn done() -> Value {
    json!({ "success": true, "message": "Activity deleted." })
}

/// Activities of two documents about two targets, and one that is immutable.
async fn world() -> App {
    let app = start().await;
    let about = |id: &str, target: &str| with(plain(id), json!({ "targetEntityId": target }));
    add(&app, "d", json!([about("dt", "t"), about("du", "u"), plain("d")])).await;
    add(&app, "e", json!([about("et", "t"), about("eu", "u")])).await;
    app.enable_activities(true).await;
    add(&app, "d", json!([about("fixed", "t")])).await;
    app.enable_activities(false).await;
    app
}

async fn left(app: &App) -> Vec<String> {
    let mut left: Vec<String> =
        all(app).await.iter().map(|id| id.as_str().expect("an id").to_owned()).collect();
    left.sort();
    left
}

#[tokio::test]
async fn activity_ids_filters_or_both_select_the_activities_to_delete() {
    for (sent, gone, kept) in [
        (json!({ "activityIds": ["dt", "eu"] }), vec!["dt", "eu"], vec!["d", "du", "et", "fixed"]),
        (json!({ "targetEntityId": "u" }), vec!["du", "eu"], vec!["d", "dt", "et", "fixed"]),
        (json!({ "documentId": "e" }), vec!["et", "eu"], vec!["d", "dt", "du", "fixed"]),
        (
            json!({ "documentId": "e", "targetEntityId": "t" }),
            vec!["et"],
            vec!["d", "dt", "du", "eu", "fixed"],
        ),
        (
            json!({ "documentId": "e", "activityIds": ["eu"] }),
            vec!["eu"],
            vec!["d", "dt", "du", "et", "fixed"],
        ),
        (json!({ "documentId": "nowhere" }), vec![], vec!["d", "dt", "du", "et", "eu", "fixed"]),
    ] {
        let app = world().await;
        let deleted = delete(&app, sent.clone()).await;
        let expected: Map<String, Value> =
            gone.iter().map(|id| ((*id).to_owned(), done())).collect();
        assert_eq!(deleted["data"], json!(expected), "{sent}");
        assert_eq!(deleted["hasMore"], false);
        assert_eq!(left(&app).await, kept, "{sent}");
    }
}

#[tokio::test]
async fn an_immutable_activity_is_not_deleted_and_reported_as_failed() {
    for sent in [
        json!({ "activityIds": ["fixed", "dt"] }),
        json!({ "targetEntityId": "t", "documentId": "d" }),
        json!({ "documentId": "d" }),
    ] {
        let app = world().await;
        let deleted = delete(&app, sent.clone()).await["data"].take();
        assert_eq!(deleted["fixed"]["success"], false, "{sent}");
        let message = deleted["fixed"]["message"].as_str().expect("a message");
        assert!(message.contains("fixed") && message.contains("immutable"), "{message}");
        assert_eq!(deleted["dt"], done(), "{sent}");
        assert!(left(&app).await.contains(&"fixed".to_owned()));
    }
}

#[tokio::test]
async fn an_unknown_activity_or_one_of_another_document_fails_without_failing_the_others() {
    let app = world().await;
    let sent = json!({ "activityIds": ["nobody", "et", "dt"], "documentId": "d" });
    let deleted = delete(&app, sent).await["data"].take();
    for id in ["nobody", "et"] {
        assert_eq!(deleted[id]["success"], false, "{id}");
        assert!(deleted[id]["message"].as_str().is_some_and(|text| text.contains(id)));
    }
    assert_eq!(deleted["dt"], done());
    let again = delete(&app, json!({ "activityIds": ["dt"] })).await["data"].take();
    assert_eq!(again["dt"]["success"], false);
}

#[tokio::test]
async fn an_activity_id_sent_twice_is_reported_once_as_deleted() {
    let app = world().await;
    let deleted = delete(&app, json!({ "activityIds": ["dt", "dt"] })).await;
    assert_eq!(deleted["data"], json!({ "dt": done() }));
}

#[tokio::test]
async fn a_deletion_needs_an_organization_and_a_filter_or_1_to_500_activity_ids() {
    let app = world().await;
    for sent in [
        json!({}),
        json!({ "documentId": null, "targetEntityId": null, "activityIds": null }),
        json!({ "activityIds": [] }),
        json!({ "documentId": "d", "activityIds": [] }),
        json!({ "activityIds": numbered(501) }),
    ] {
        let sent = with(json!({ "organizationId": "acme" }), sent);
        let error = app.call("activities.delete", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "activityIds"]));
    }
    let sent = json!({ "documentId": "d" });
    app.call("activities.delete", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(left(&app).await.len(), 6);
}

#[tokio::test]
async fn an_unknown_organization_holds_nothing_to_delete() {
    let app = App::start().await;
    for sent in [json!({ "documentId": "d" }), json!({ "targetEntityId": "t" })] {
        assert_eq!(delete(&app, sent).await["data"], json!({}));
    }
    let deleted = delete(&app, json!({ "activityIds": ["a"] })).await;
    assert_eq!(deleted["data"]["a"]["success"], false);
}

#[tokio::test]
async fn activities_are_deleted_while_the_activity_service_is_off() {
    let app = world().await;
    app.caller().configure_activities(false, true).await;
    assert_eq!(delete(&app, json!({ "activityIds": ["dt"] })).await["data"]["dt"], done());
}

#[tokio::test]
async fn three_thousand_activities_of_a_document_are_deleted_in_two_calls() {
    let app = start().await;
    let batch = |prefix: &str| -> Vec<Value> {
        numbered(500).iter().map(|id| plain(&format!("{prefix}{id}"))).collect()
    };
    for prefix in ["p", "q", "r", "s", "t", "u"] {
        assert_eq!(add(&app, "d", json!(batch(prefix))).await["success"], true);
    }
    add(&app, "e", json!([plain("other")])).await;
    let first = delete(&app, json!({ "documentId": "d" })).await;
    assert_eq!(first["hasMore"], true);
    assert_eq!(first["data"].as_object().map(Map::len), Some(2500));
    let second = delete(&app, json!({ "documentId": "d" })).await;
    assert_eq!(second["hasMore"], false);
    assert_eq!(second["data"].as_object().map(Map::len), Some(500));
    for deleted in [first, second] {
        let entries = deleted["data"].as_object().expect("a map");
        assert!(entries.values().all(|entry| *entry == done()));
    }
    assert_eq!(all(&app).await, ["other"]);
}

#[tokio::test]
async fn one_call_deletes_activities_newer_than_250_immutable_ones() {
    let app = start().await;
    app.enable_activities(true).await;
    let fixed: Vec<Value> = numbered(250).iter().map(|id| plain(id)).collect();
    add(&app, "d", json!(fixed)).await;
    app.advance(Duration::from_secs(1));
    app.enable_activities(false).await;
    add(&app, "d", json!([plain("last")])).await;
    let deleted = delete(&app, json!({ "documentId": "d" })).await;
    assert_eq!(deleted["data"]["last"], done());
    assert_eq!(deleted["data"].as_object().map(Map::len), Some(251));
    assert_eq!(deleted["hasMore"], false);
    assert_eq!(left(&app).await.len(), 250);
}
