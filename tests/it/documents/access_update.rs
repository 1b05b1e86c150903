use std::time::Duration;

use serde_json::{Map, json};

use super::{add, all, find, numbered, start};
use crate::app::App;

#[tokio::test]
async fn the_document_takes_the_access_type_sent_and_no_longer_inherits() {
    let app = start().await;
    add(&app, Some("f"), &["d", "other"]).await;
    let untouched = find(&app, "other").await;
    for value in ["restricted", "organizationPrivate", "organizationPrivate", "public"] {
        let before = find(&app, "d").await;
        app.advance(Duration::from_secs(1));
        let sent = json!({ "organizationId": "acme", "documentIds": ["d"], "accessType": value });
        let updated = app.call("documents.access_update", sent).await.data();
        assert_eq!(updated["d"]["success"], true);
        assert_eq!(updated["d"]["accessType"], value);
        assert!(updated["d"]["message"].is_string());
        assert_eq!(updated["d"].get("code"), None);
        let mut after = find(&app, "d").await;
        assert!(after["lastUpdated"].as_u64() > before["lastUpdated"].as_u64());
        after["lastUpdated"] = before["lastUpdated"].clone();
        let mut expected = before;
        expected["accessType"] = json!(value);
        expected["inheritAccessFromParent"] = json!(false);
        assert_eq!(after, expected);
    }
    assert_eq!(find(&app, "other").await, untouched);
}

#[tokio::test]
async fn a_document_inherits_its_access_type_until_it_has_its_own_and_again_afterwards() {
    let app = start().await;
    add(&app, Some("f"), &["d"]).await;
    let shown = async || {
        let document = find(&app, "d").await;
        (document["accessType"].clone(), document["inheritAccessFromParent"].clone())
    };
    assert_eq!(shown().await, (json!("public"), json!(true)));
    let folder = json!({
        "organizationId": "acme", "folderIds": ["f"], "accessType": "restricted",
    });
    app.call("folders.access_update", folder).await.ok();
    assert_eq!(shown().await, (json!("restricted"), json!(true)));
    let own = json!({ "organizationId": "acme", "documentIds": ["d"], "accessType": "public" });
    app.call("documents.access_update", own).await.ok();
    assert_eq!(shown().await, (json!("public"), json!(false)));
    let back = json!({
        "organizationId": "acme", "documentIds": ["d"], "inheritFromParent": true,
    });
    let updated = app.call("documents.access_update", back).await.data();
    assert_eq!(updated["d"]["accessType"], json!(null));
    assert_eq!(updated["d"]["inheritFromParent"], true);
    assert_eq!(shown().await, (json!("restricted"), json!(true)));
    let default = json!({ "defaultDocumentAccessType": "organizationPrivate" });
    app.call("workspace.api_key_config_update", default).await.ok();
    let out = json!({ "organizationId": "acme", "folderId": "root", "documentIds": ["d"] });
    app.call("documents.move_documents", out).await.ok();
    assert_eq!(shown().await, (json!("organizationPrivate"), json!(true)));
}

#[tokio::test]
async fn an_unknown_document_fails_without_failing_the_others_and_is_not_added() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let ids = json!(["nobody", "d", "d"]);
    let sent = json!({ "organizationId": "acme", "documentIds": ids, "accessType": "restricted" });
    let updated = app.call("documents.access_update", sent).await.data();
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
    let sent = json!({ "organizationId": "acme", "documentIds": ids, "accessType": "restricted" });
    let updated = app.call("documents.access_update", sent).await.data();
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
    let whole =
        json!({ "organizationId": "acme", "documentIds": ["d"], "accessType": "restricted" });
    for (member, value) in [
        ("organizationId", json!(null)),
        ("documentIds", json!(null)),
        ("documentIds", json!([])),
        ("accessType", json!(null)),
        ("accessType", json!("private")),
        ("accessType", json!("Restricted")),
        ("accessType", json!(1)),
    ] {
        let mut sent = whole.clone();
        sent[member] = value;
        let error =
            app.call("documents.access_update", sent.clone()).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", member]), "{sent}");
    }
    assert_eq!(find(&app, "d").await, before);
}

#[tokio::test]
async fn a_batch_holds_at_most_500_ids() {
    let app = start().await;
    let batch = |n: usize| {
        let ids = numbered(n);
        let sent =
            json!({ "organizationId": "acme", "documentIds": ids, "accessType": "restricted" });
        app.call("documents.access_update", sent)
    };
    add(&app, None, &["d499"]).await;
    let before = find(&app, "d499").await;
    batch(501).await.error("INVALID_ARGUMENT");
    assert_eq!(find(&app, "d499").await, before);
    assert_eq!(batch(500).await.data()["d499"]["success"], true);
    assert_eq!(find(&app, "d499").await["accessType"], "restricted");
}
