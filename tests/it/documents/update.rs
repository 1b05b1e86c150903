use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{add, all, find, lying_in, numbered, start};
use crate::app::App;

async fn update(app: &App, documents: Value) -> Value {
    let sent = json!({ "organizationId": "acme", "documents": documents });
    app.call("documents.update", sent).await.data()
}

#[tokio::test]
async fn omitted_members_keep_their_values() {
    let app = start().await;
    let sent = json!({
        "organizationId": "acme", "folderId": "f",
        "documents": [{ "documentId": "d", "documentName": "Plan", "owner": "ada", "n": 1 }],
    });
    app.call("documents.add", sent).await.ok();
    let before = find(&app, "d").await;

    app.advance(Duration::from_secs(1));
    let updated = update(&app, json!([{ "documentId": "d", "owner": "bob" }])).await;
    assert_eq!(updated["d"]["success"], true);
    assert_eq!(updated["d"]["id"], "d");
    assert!(updated["d"]["message"].is_string());
    assert_eq!(updated["d"].get("code"), None);
    let mut expected = before.clone();
    expected["owner"] = json!("bob");
    let mut after = find(&app, "d").await;
    assert!(after["lastUpdated"].as_u64() > before["lastUpdated"].as_u64());
    after["lastUpdated"] = before["lastUpdated"].clone();
    assert_eq!(after, expected);

    update(&app, json!([{ "documentId": "d", "documentName": "Plan B" }])).await;
    let after = find(&app, "d").await;
    assert_eq!(after["documentName"], "Plan B");
    assert_eq!(after["owner"], "bob");
}

#[tokio::test]
async fn a_custom_member_is_replaced_as_a_whole_and_null_removes_it() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let sent =
        json!([{ "documentId": "d", "documentName": "Plan", "a": { "x": 1, "y": 2 }, "b": 1 }]);
    update(&app, sent).await;
    let sent = json!([{ "documentId": "d", "documentName": null, "a": { "x": null }, "b": null }]);
    update(&app, sent).await;
    let found = find(&app, "d").await;
    assert_eq!(found["a"], json!({ "x": null }));
    assert_eq!(found.get("b"), None);
    assert_eq!(found["documentName"], "Plan");
}

#[tokio::test]
async fn neither_folder_nor_access_is_changed() {
    let app = start().await;
    add(&app, Some("f"), &["d"]).await;
    let before = find(&app, "d").await;
    let sent = json!([{
        "documentId": "d", "id": "x", "organizationId": "x", "folderId": "g",
        "accessType": "restricted", "disabled": true, "createdAt": 1, "lastUpdated": 1,
    }]);
    assert_eq!(update(&app, sent).await["d"]["success"], true);
    let mut after = find(&app, "d").await;
    assert!(after["lastUpdated"].as_u64() >= before["lastUpdated"].as_u64());
    after["lastUpdated"] = before["lastUpdated"].clone();
    assert_eq!(after, before);
    assert_eq!(lying_in(&app, "f").await, ["d"]);
    assert_eq!(lying_in(&app, "g").await, Vec::<Value>::new());
}

#[tokio::test]
async fn two_updates_of_a_document_in_a_request_merge_and_the_later_member_wins() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let sent = json!([
        { "documentId": "d", "documentName": "First", "x": 1, "y": 1, "z": null },
        { "documentId": "d", "documentName": "Second", "y": null, "z": 2 },
    ]);
    let updated = update(&app, sent).await;
    assert_eq!(updated.as_object().map(Map::len), Some(1));
    let found = find(&app, "d").await;
    assert_eq!(found["documentName"], "Second");
    assert_eq!(found["x"], 1);
    assert_eq!(found.get("y"), None);
    assert_eq!(found["z"], 2);
}

#[tokio::test]
async fn an_unknown_document_fails_without_failing_the_others_and_is_not_added() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let sent = json!([{ "documentId": "nobody", "x": 1 }, { "documentId": "d", "x": 1 }]);
    let updated = update(&app, sent).await;
    assert_eq!(updated["nobody"]["success"], false);
    assert_eq!(updated["nobody"]["code"], "not-found");
    assert_eq!(updated["nobody"]["id"], "nobody");
    assert_eq!(updated["d"]["success"], true);
    assert_eq!(all(&app).await, ["d"]);
}

#[tokio::test]
async fn an_unknown_organization_fails_each_item() {
    let app = App::start().await;
    let updated = update(&app, json!([{ "documentId": "d" }, { "documentId": "e" }])).await;
    for id in ["d", "e"] {
        assert_eq!(updated[id]["success"], false);
        assert_eq!(updated[id]["code"], "not-found");
    }
    let organizations = app.call("organizations.get", json!({})).await.data();
    assert_eq!(organizations, json!([]));
}

#[tokio::test]
async fn an_update_that_grows_a_document_above_400_kib_fails_alone_and_changes_nothing() {
    let app = start().await;
    add(&app, None, &["d", "e"]).await;
    let half = "x".repeat(250_000);
    update(&app, json!([{ "documentId": "d", "x": half }])).await;
    let sent = json!([{ "documentId": "d", "y": half }, { "documentId": "e", "y": 1 }]);
    let updated = update(&app, sent).await;
    assert_eq!(updated["d"]["code"], "invalid-argument");
    assert_eq!(updated["e"]["success"], true);
    let found = find(&app, "d").await;
    assert_eq!(found["x"], half);
    assert_eq!(found.get("y"), None);
}

#[tokio::test]
async fn a_batch_holds_1_to_500_documents() {
    let app = start().await;
    let batch = |n: usize| {
        let documents: Vec<Value> =
            numbered(n).iter().map(|id| json!({ "documentId": id, "x": 1 })).collect();
        app.call("documents.update", json!({ "organizationId": "acme", "documents": documents }))
    };
    add(&app, None, &["d499"]).await;
    for n in [0, 501] {
        let error = batch(n).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "documents"]));
    }
    assert_eq!(find(&app, "d499").await.get("x"), None);
    let updated = batch(500).await.data();
    assert_eq!(updated.as_object().map(Map::len), Some(500));
    assert_eq!(updated["d0"]["code"], "not-found");
    assert_eq!(updated["d499"]["success"], true);
    assert_eq!(find(&app, "d499").await["x"], 1);
}

#[tokio::test]
async fn a_malformed_item_refuses_the_whole_request() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    for second in [json!({}), json!({ "documentId": "d", "documentName": " " }), json!([])] {
        let documents = json!([{ "documentId": "d", "x": 1 }, second]);
        let sent = json!({ "organizationId": "acme", "documents": documents });
        app.call("documents.update", sent).await.error("INVALID_ARGUMENT");
    }
    let sent = json!({ "documents": [{ "documentId": "d", "x": 1 }] });
    let error = app.call("documents.update", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "organizationId"]));
    assert_eq!(find(&app, "d").await.get("x"), None);
}

#[tokio::test]
async fn a_failed_write_is_reported_as_internal_and_the_call_can_be_repeated() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    app.fail_writes();
    let sent = json!([{ "documentId": "d", "documentName": "Plan" }]);
    let updated = update(&app, sent.clone()).await;
    assert_eq!(updated["d"]["success"], false);
    assert_eq!(updated["d"]["code"], "internal");
    assert_eq!(updated["d"]["id"], "d");
    app.embedded().clear_faults();
    assert_eq!(update(&app, sent).await["d"]["success"], true);
    assert_eq!(find(&app, "d").await["documentName"], "Plan");
}
