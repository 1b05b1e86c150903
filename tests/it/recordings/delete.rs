use serde_json::{Map, Value, json};

use super::{add, add_plain, all, domain_events, find, numbered, plain, start};
use crate::app::App;

async fn delete(app: &App, ids: Value) -> Value {
    let sent = json!({ "organizationId": "acme", "recordingIds": ids });
    app.call("recordings.delete", sent).await.data()
}

#[tokio::test]
async fn a_deleted_recording_is_gone_with_all_its_versions() {
    let app = start().await;
    add_plain(&app, "d", &["a", "b"]).await;
    add_plain(&app, "e", &["c"]).await;
    let before = domain_events(&app).len();
    let deleted = delete(&app, json!(["a", "c"])).await;
    let done = json!({ "success": true, "message": "Recording deleted." });
    assert_eq!(deleted, json!({ "a": done, "c": done }));
    assert_eq!(all(&app).await, ["b"]);
    assert_eq!(find(&app, "a").await, Value::Null);
    assert_eq!(domain_events(&app).len(), before, "no event");
    add_plain(&app, "d", &["a"]).await;
    assert_eq!(find(&app, "a").await["latestVersion"], 1);
}

#[tokio::test]
async fn an_unknown_recording_fails_without_failing_the_others_in_its_batch() {
    let app = start().await;
    add_plain(&app, "d", &["a"]).await;
    let deleted = delete(&app, json!(["nobody", "a"])).await;
    assert_eq!(deleted["nobody"]["success"], false);
    assert!(deleted["nobody"]["message"].as_str().is_some_and(|text| text.contains("nobody")));
    assert_eq!(deleted["a"]["success"], true);
    assert_eq!(delete(&app, json!(["a"])).await["a"]["success"], false);
}

#[tokio::test]
async fn a_recording_id_sent_twice_is_reported_once_as_deleted() {
    let app = start().await;
    add_plain(&app, "d", &["a"]).await;
    let deleted = delete(&app, json!(["a", "a"])).await;
    assert_eq!(deleted.as_object().map(Map::len), Some(1));
    assert_eq!(deleted["a"]["success"], true);
}

#[tokio::test]
async fn an_unknown_organization_fails_each_item() {
    let app = App::start().await;
    let deleted = delete(&app, json!(["a", "b"])).await;
    for id in ["a", "b"] {
        assert_eq!(deleted[id]["success"], false);
    }
}

#[tokio::test]
async fn a_batch_holds_1_to_500_ids() {
    let app = start().await;
    let sent: Vec<Value> = numbered(500).iter().map(|id| plain(id)).collect();
    add(&app, "d", json!(sent)).await;
    for ids in [json!([]), json!(numbered(501)), json!(null), json!([""]), json!(["r0", 1])] {
        let sent = json!({ "organizationId": "acme", "recordingIds": ids });
        let error = app.call("recordings.delete", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"][1], "recordingIds");
    }
    assert_eq!(all(&app).await.len(), 100);
    let deleted = delete(&app, json!(numbered(500))).await;
    assert!(deleted.as_object().expect("a map").values().all(|entry| entry["success"] == true));
    assert_eq!(all(&app).await, Vec::<Value>::new());
}
