use std::time::Duration;

use serde_json::{Map, json};

use super::{add, all, find, numbered, start};
use crate::app::App;

#[tokio::test]
async fn a_document_is_disabled_and_enabled_again() {
    let app = start().await;
    add(&app, Some("f"), &["d", "other"]).await;
    let untouched = find(&app, "other").await;
    for value in [true, true, false] {
        let before = find(&app, "d").await;
        app.advance(Duration::from_secs(1));
        let sent = json!({ "organizationId": "acme", "documentIds": ["d"], "disabled": value });
        let updated = app.call("documents.disable", sent).await.data();
        assert_eq!(updated["d"]["success"], true);
        assert_eq!(updated["d"]["disabled"], value);
        assert!(updated["d"]["message"].is_string());
        assert_eq!(updated["d"].get("code"), None);
        let mut after = find(&app, "d").await;
        assert!(after["lastUpdated"].as_u64() > before["lastUpdated"].as_u64());
        after["lastUpdated"] = before["lastUpdated"].clone();
        let mut expected = before;
        expected["disabled"] = json!(value);
        assert_eq!(after, expected);
    }
    assert_eq!(find(&app, "other").await, untouched);
}

#[tokio::test]
async fn an_unknown_document_fails_without_failing_the_others_and_is_not_added() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let ids = json!(["nobody", "d", "d"]);
    let sent = json!({ "organizationId": "acme", "documentIds": ids, "disabled": true });
    let updated = app.call("documents.disable", sent).await.data();
    assert_eq!(updated.as_object().map(Map::len), Some(2));
    assert_eq!(updated["nobody"]["success"], false);
    assert_eq!(updated["nobody"]["code"], "not-found");
    assert_eq!(updated["d"]["success"], true);
    assert_eq!(all(&app).await, ["d"]);
}

#[tokio::test]
async fn an_unknown_organization_fails_each_item() {
    let app = App::start().await;
    let ids = json!(["d", "e"]);
    let sent = json!({ "organizationId": "acme", "documentIds": ids, "disabled": true });
    let updated = app.call("documents.disable", sent).await.data();
    for id in ["d", "e"] {
        assert_eq!(updated[id]["success"], false);
        assert_eq!(updated[id]["code"], "not-found");
    }
}

#[tokio::test]
async fn every_member_is_required() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let before = find(&app, "d").await;
    let whole = json!({ "organizationId": "acme", "documentIds": ["d"], "disabled": true });
    for (member, value) in [
        ("organizationId", json!(null)),
        ("documentIds", json!(null)),
        ("documentIds", json!([])),
        ("disabled", json!(null)),
        ("disabled", json!("true")),
        ("disabled", json!(1)),
    ] {
        let mut sent = whole.clone();
        sent[member] = value;
        let error = app.call("documents.disable", sent.clone()).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", member]), "{sent}");
    }
    assert_eq!(find(&app, "d").await, before);
}

#[tokio::test]
async fn a_batch_holds_at_most_500_ids() {
    let app = start().await;
    let batch = |n: usize| {
        let ids = numbered(n);
        let sent = json!({ "organizationId": "acme", "documentIds": ids, "disabled": true });
        app.call("documents.disable", sent)
    };
    add(&app, None, &["d499"]).await;
    let before = find(&app, "d499").await;
    batch(501).await.error("INVALID_ARGUMENT");
    assert_eq!(find(&app, "d499").await, before);
    assert_eq!(batch(500).await.data()["d499"]["success"], true);
    assert_eq!(find(&app, "d499").await["disabled"], true);
}
