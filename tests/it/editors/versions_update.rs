//! `/v2/crdt/versions/update`.

use serde_json::json;

use super::{add_version, of, versions, with, with_text};
use crate::workspace::field;

#[tokio::test]
async fn a_version_gets_another_name() {
    let app = with_text("a").await;
    let id = add_version(&app, "First").await;
    let sent = with(of("e"), json!({ "versionId": id, "name": "Second" }));
    let version = app.call("editors.versions_update", sent).await.data();
    assert_eq!((&version["name"], &version["userIds"]), (&json!("Second"), &json!(["ada"])));
    assert_eq!(versions(&app).await[0], version);
}

#[tokio::test]
async fn only_versions_that_were_added_have_names() {
    let app = with_text("a").await;
    let edited = versions(&app).await[0]["versionId"].clone();
    let added = add_version(&app, "First").await;
    for id in [edited, json!("nope")] {
        let sent = with(of("e"), json!({ "versionId": id, "name": "x" }));
        app.call("editors.versions_update", sent).await.error("NOT_FOUND");
    }
    let sent = with(of("nope"), json!({ "versionId": added, "name": "x" }));
    app.call("editors.versions_update", sent).await.error("NOT_FOUND");
    for (members, named) in [
        (json!({ "versionId": added }), "data.name"),
        (json!({ "versionId": added, "name": "" }), "data.name"),
        (json!({ "name": "x" }), "data.versionId"),
    ] {
        let sent = with(of("e"), members);
        let error = app.call("editors.versions_update", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), named);
    }
    assert_eq!(versions(&app).await[0]["name"], "First");
}
