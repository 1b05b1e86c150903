use std::time::Duration;

use serde_json::{Value, json};

use super::{Peer, add, data, noise, of, push, update, view, with_text, work};
use crate::app::App;

async fn all(app: &App, document: &str) -> Vec<Value> {
    let sent = json!({ "organizationId": "o", "documentId": document });
    app.call("editors.get", sent).await.data().as_array().unwrap().clone()
}

#[tokio::test]
async fn an_unknown_editor_document_or_organization_has_an_empty_list() {
    let app = with_text("x").await;
    assert_eq!(app.call("editors.get", of("f")).await.data(), json!([]));
    assert_eq!(all(&app, "other").await, Vec::<Value>::new());
    let sent = json!({ "organizationId": "other", "documentId": "d" });
    assert_eq!(app.call("editors.get", sent).await.data(), json!([]));
}

/// Lambda passes a reply as a JSON string, in which each quote takes more space.
#[tokio::test]
async fn a_reply_too_large_for_lambda_is_refused() {
    let app = with_text(&"\"".repeat(1_400_000)).await;
    view(&app, "e").await;
    add(&app, "f", "text", json!("\"".repeat(1_600_000))).await;
    let error = app.call("editors.get", of("f")).await.error("RESOURCE_EXHAUSTED");
    assert!(error["message"].as_str().unwrap().contains("too large"), "{error}");
}

#[tokio::test]
async fn without_an_editor_id_all_editors_of_the_document_are_listed() {
    let app = with_text("one").await;
    // Ids that look like keys, and one that begins with another.
    for (id, value) in [("e2", "two"), ("e#log#x", "three"), ("%23", "four")] {
        add(&app, id, "text", json!(value)).await;
    }
    add(&app, "m", "map", json!({ "a": 1 })).await;
    for document in ["d2", "d#head#e"] {
        let sent = json!({ "organizationId": "o", "documentId": document, "editorId": "e", "type": "text", "data": "theirs" });
        app.call("editors.add", sent).await.ok();
    }
    update(&app, "e2", "text", json!("two, changed")).await.ok();
    push(&app, &[Peer::new(7).insert(0, "")]).await.ok();
    let found = all(&app, "d").await;
    let mut pairs: Vec<(&str, &Value)> =
        found.iter().map(|view| (view["id"].as_str().unwrap(), &view["data"])).collect();
    pairs.sort_by_key(|(id, _)| *id);
    let expected = [
        ("%23", json!("four")),
        ("e", json!("one")),
        ("e#log#x", json!("three")),
        ("e2", json!("two, changed")),
        ("m", json!({ "a": 1 })),
    ];
    assert_eq!(pairs, expected.iter().map(|(id, value)| (*id, value)).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_list_holds_snapshots_of_every_size() {
    let app = with_text("").await;
    let (small, large) = ("small".repeat(20_000), noise(900_000));
    for text in [&small, &large] {
        update(&app, "e", "text", json!(text)).await.ok();
        assert!(work(&app, "merge").await);
        let found = all(&app, "d").await;
        assert!(found[0]["data"] == json!(text) && found.len() == 1);
        assert!(data(&app, "e").await == json!(text));
    }
}

#[tokio::test]
async fn the_last_update_gives_time_and_user_and_a_compaction_changes_neither() {
    let app = with_text("x").await;
    let added = view(&app, "e").await;
    app.advance(Duration::from_secs(5));
    let mut sent = of("e");
    sent["updates"] = json!([super::base64(&Peer::new(7).insert(0, &noise(70_000)))]);
    sent["userId"] = json!("bob");
    app.call("editors.updates_add", sent).await.ok();
    let pushed = view(&app, "e").await;
    assert!(pushed["lastUpdate"].as_str() > added["lastUpdate"].as_str());
    assert_eq!(pushed["lastUpdatedBy"], "bob");
    app.advance(Duration::from_secs(5));
    assert!(work(&app, "merge").await);
    let merged = view(&app, "e").await;
    assert_eq!(merged, pushed, "compaction is no update");
    update(&app, "e", "text", json!("y")).await.ok();
    let updated = view(&app, "e").await;
    assert!(updated["lastUpdate"].as_str() > merged["lastUpdate"].as_str());
    assert_eq!((&updated["lastUpdatedBy"], &updated["sessionId"]), (&Value::Null, &Value::Null));
}
