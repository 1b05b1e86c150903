use std::time::Duration;

use embedded::{Effect, Fault};
use serde_json::{Value, json};

use super::{Peer, add, count, data, noise, of, push, stored, update, with_text, work};
use crate::app::App;

async fn delete(app: &App, ids: Value) -> Value {
    let sent = json!({ "organizationId": "o", "documentId": "d", "editorIds": ids });
    app.call("editors.delete", sent).await.data()
}

async fn settle_passes(app: &App) {
    app.settle().await;
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
}

#[tokio::test]
async fn a_deleted_editor_is_gone_at_once_and_its_rows_follow() {
    let app = with_text(&noise(70_000)).await;
    assert!(work(&app, "merge").await);
    update(&app, "e", "text", json!("y")).await.ok();
    add(&app, "f", "text", json!("stays")).await;
    let gone = delete(&app, json!(["e"])).await;
    assert_eq!((&gone["e"]["id"], &gone["e"]["success"]), (&json!("e"), &json!(true)));
    assert_eq!(app.call("editors.get", of("e")).await.data(), json!([]));
    update(&app, "e", "text", json!("z")).await.error("NOT_FOUND");
    app.call("editors.state_get", of("e")).await.error("NOT_FOUND");
    settle_passes(&app).await;
    assert_eq!(stored(&app).len(), 2, "{:?}", stored(&app));
    assert_eq!(data(&app, "f").await, "stays");
}

#[tokio::test]
async fn without_ids_all_editors_of_the_document_are_deleted_and_other_documents_keep_theirs() {
    let app = with_text("x").await;
    add(&app, "f", "map", json!({})).await;
    let other = json!({ "organizationId": "o", "documentId": "d2", "editorId": "e" });
    let sent = super::with(other.clone(), json!({ "type": "text", "data": "theirs" }));
    app.call("editors.add", sent).await.ok();
    let sent = json!({ "organizationId": "o", "documentId": "d" });
    let gone = app.call("editors.delete", sent.clone()).await.data();
    assert_eq!(gone.as_object().unwrap().keys().collect::<Vec<_>>(), ["e", "f"]);
    assert_eq!(app.call("editors.delete", sent).await.data(), json!({}));
    settle_passes(&app).await;
    assert_eq!(app.call("editors.get", other).await.data()[0]["data"], "theirs");
    assert!(stored(&app).iter().all(|sort| sort.starts_with("crdt#d2#")));
}

#[tokio::test]
async fn an_unknown_editor_is_reported_as_failed_and_an_id_sent_twice_once() {
    let app = with_text("x").await;
    let gone = delete(&app, json!(["e", "nope", "e"])).await;
    assert_eq!(gone["e"]["success"], true);
    assert_eq!(gone["nope"]["success"], false);
    assert_eq!(gone["nope"]["message"], "There is no CRDT data for editor nope.");
    assert_eq!(gone.as_object().unwrap().len(), 2);
    let ids: Vec<String> = (0..31).map(|n| n.to_string()).collect();
    let sent = json!({ "organizationId": "o", "documentId": "d", "editorIds": ids });
    app.call("editors.delete", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(delete(&app, json!(ids[..30])).await.as_object().unwrap().len(), 30);
}

#[tokio::test]
async fn an_editor_added_again_has_none_of_its_old_content() {
    let app = with_text("old").await;
    push(&app, &[Peer::new(7).insert(0, "older ")]).await.ok();
    let before = app.call("editors.state_get", of("e")).await.data();
    delete(&app, json!(["e"])).await;
    add(&app, "e", "map", json!({ "new": 1 })).await;
    assert_eq!(data(&app, "e").await, json!({ "new": 1 }), "before the rows are gone");
    settle_passes(&app).await;
    assert_eq!(data(&app, "e").await, json!({ "new": 1 }), "and after");
    assert_eq!((count(&app, "head"), count(&app, "log")), (1, 1));
    let after = app.call("editors.state_get", of("e")).await.data();
    assert_ne!(before["stateVector"], after["stateVector"]);
}

#[tokio::test]
async fn the_removal_of_rows_of_an_editor_continues_after_a_failure() {
    let app = with_text("x").await;
    for n in 0..60 {
        update(&app, "e", "text", json!(n.to_string())).await.ok();
    }
    app.settle().await;
    delete(&app, json!(["e"])).await;
    let fails = Fault {
        operation: "TransactWriteItems".to_owned(),
        skip: 1,
        times: 3,
        effect: Effect::InternalError,
    };
    app.fault(fails);
    app.settle().await;
    assert!(count(&app, "log") > 0, "some of it is left");
    app.advance(Duration::from_secs(361));
    app.settle().await;
    assert_eq!(stored(&app), Vec::<String>::new());
}

#[tokio::test]
async fn a_deleted_document_or_organization_is_removed_with_its_editors() {
    let app = with_text(&noise(70_000)).await;
    assert!(work(&app, "merge").await);
    update(&app, "e", "text", json!("y")).await.ok();
    for document in ["d", "d2"] {
        let documents = json!({
            "organizationId": "o", "createOrganization": true,
            "documents": [{ "documentId": document }],
        });
        app.call("documents.add", documents).await.ok();
    }
    let other = json!({ "organizationId": "o", "documentId": "d2", "editorId": "e", "type": "text", "data": "theirs" });
    app.call("editors.add", other).await.ok();
    let sent = json!({ "organizationId": "o", "documentIds": ["d"] });
    app.call("documents.delete", sent).await.ok();
    app.settle().await;
    assert!(stored(&app).iter().all(|sort| sort.starts_with("crdt#d2#")), "{:?}", stored(&app));
    let sent = json!({ "organizationId": "o", "documentId": "d2" });
    assert_eq!(app.call("editors.get", sent).await.data()[0]["data"], "theirs");

    let sent = json!({ "organizationIds": ["o"] });
    app.call("organizations.delete", sent).await.ok();
    app.advance(Duration::from_secs(1));
    app.settle().await;
    assert_eq!(stored(&app), Vec::<String>::new());
}

#[tokio::test]
async fn editors_of_a_deleted_document_are_removed_when_the_document_is_added_again() {
    let app = with_text(&noise(70_000)).await;
    let documents = json!({
        "organizationId": "o", "createOrganization": true, "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", documents.clone()).await.ok();
    assert!(work(&app, "merge").await);
    let sent = json!({ "organizationId": "o", "documentIds": ["d"] });
    app.call("documents.delete", sent).await.ok();
    app.advance(Duration::from_secs(1));
    app.call("documents.add", documents).await.ok();
    update(&app, "e", "text", json!("too late")).await.error("NOT_FOUND");
    add(&app, "f", "text", json!("new")).await;
    settle_passes(&app).await;
    let sent = json!({ "organizationId": "o", "documentId": "d" });
    let left = app.call("editors.get", sent).await.data();
    assert_eq!((&left[0]["data"], left.as_array().unwrap().len()), (&json!("new"), 1));
}
