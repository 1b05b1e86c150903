//! `/v2/crdt/versions/delete`.

use std::time::Duration;

use serde_json::json;

use super::{add_version, count, noise, of, text_at, update, versions, with, with_text, work};
use crate::workspace::field;

#[tokio::test]
async fn a_deleted_version_is_gone_at_once_and_its_snapshot_follows() {
    let app = with_text(&noise(70_000)).await;
    let [first, second] = [add_version(&app, "First").await, add_version(&app, "Second").await];
    app.advance(Duration::from_secs(660));
    update(&app, "e", "text", json!(noise(190_000))).await.ok();
    assert!(work(&app, "merge").await);
    for _ in 0..2 {
        app.advance(Duration::from_secs(21 * 60));
        app.tick().await;
        app.settle().await;
    }
    assert_eq!((count(&app, "snapshot"), count(&app, "version")), (2, 2), "of versions, and now");
    let sent = with(of("e"), json!({ "versionId": first }));
    app.call("editors.versions_delete", sent.clone()).await.ok();
    app.call("editors.versions_get", sent.clone()).await.error("NOT_FOUND");
    app.call("editors.versions_delete", sent.clone()).await.error("NOT_FOUND");
    let names: Vec<_> =
        versions(&app).await.iter().map(|version| version["name"].clone()).collect();
    assert_eq!(names, [json!(null), json!("Second"), json!(null)]);
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
    assert_eq!((count(&app, "snapshot"), count(&app, "version")), (2, 1), "another one needs it");
    assert!(text_at(&app, json!({ "versionId": second })).await == json!(noise(70_000)));
    let sent = with(of("e"), json!({ "versionId": second }));
    app.call("editors.versions_delete", sent).await.ok();
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
    assert_eq!((count(&app, "snapshot"), count(&app, "version")), (1, 0));
}

#[tokio::test]
async fn only_versions_that_were_added_are_deleted() {
    let app = with_text("a").await;
    let edited = versions(&app).await[0]["versionId"].clone();
    for id in [edited, json!("nope")] {
        let sent = with(of("e"), json!({ "versionId": id }));
        app.call("editors.versions_delete", sent).await.error("NOT_FOUND");
    }
    let id = add_version(&app, "First").await;
    let sent = with(of("nope"), json!({ "versionId": id }));
    app.call("editors.versions_delete", sent).await.error("NOT_FOUND");
    let error = app.call("editors.versions_delete", of("e")).await.error("INVALID_ARGUMENT");
    assert_eq!(field(&error), "data.versionId");
    assert_eq!(count(&app, "version"), 1);
}
