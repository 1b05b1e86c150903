use std::time::Duration;

use serde_json::{Value, json};

use super::{add, all, find, lying_in, numbered, start};
use crate::app::{App, Reply};

const NONE: [Value; 0] = [];

async fn relocate(app: &App, ids: Value, folder: &str) -> Reply {
    let sent = json!({ "organizationId": "acme", "documentIds": ids, "folderId": folder });
    app.call("documents.move_documents", sent).await
}

#[tokio::test]
async fn documents_move_from_folder_to_folder_and_out_of_any() {
    let app = start().await;
    add(&app, Some("f"), &["a", "b"]).await;
    add(&app, None, &["c"]).await;

    let result = relocate(&app, json!(["a", "c"]), "g").await.ok();
    assert_eq!(result.get("data"), None);
    assert_eq!(lying_in(&app, "f").await, ["b"]);
    assert_eq!(lying_in(&app, "g").await, ["a", "c"]);
    assert_eq!(lying_in(&app, "root").await, NONE);
    assert_eq!(find(&app, "c").await["folderId"], "g");

    relocate(&app, json!(["a", "b"]), "root").await.ok();
    assert_eq!(lying_in(&app, "f").await, NONE);
    assert_eq!(lying_in(&app, "g").await, ["c"]);
    assert_eq!(lying_in(&app, "root").await, ["a", "b"]);
    assert_eq!(find(&app, "a").await.get("folderId"), None);
}

#[tokio::test]
async fn a_move_changes_only_the_folder_and_the_time_of_the_last_update() {
    let app = start().await;
    let sent = json!({
        "organizationId": "acme",
        "documents": [{ "documentId": "d", "documentName": "Plan", "owner": { "n": 1 } }],
    });
    app.call("documents.add", sent).await.ok();
    let sent =
        json!({ "organizationId": "acme", "documentIds": ["d"], "accessType": "restricted" });
    app.call("documents.access_update", sent).await.ok();
    let sent = json!({ "organizationId": "acme", "documentIds": ["d"], "disabled": true });
    app.call("documents.disable", sent).await.ok();
    let before = find(&app, "d").await;

    app.advance(Duration::from_secs(1));
    relocate(&app, json!(["d"]), "f").await.ok();
    let mut after = find(&app, "d").await;
    assert!(after["lastUpdated"].as_u64() > before["lastUpdated"].as_u64());
    after["lastUpdated"] = before["lastUpdated"].clone();
    let mut expected = before;
    expected["folderId"] = json!("f");
    assert_eq!(after, expected);
}

#[tokio::test]
async fn an_unknown_document_is_not_found_and_no_document_is_moved() {
    let app = start().await;
    add(&app, Some("f"), &["a", "b"]).await;
    for folder in ["g", "root"] {
        let error = relocate(&app, json!(["a", "nobody", "b"]), folder).await.error("NOT_FOUND");
        assert!(error["message"].as_str().is_some_and(|text| text.contains("nobody")), "{error}");
    }
    assert_eq!(lying_in(&app, "f").await, ["a", "b"]);
    relocate(&app, json!(["nobody"]), "root").await.error("NOT_FOUND");
    assert_eq!(all(&app).await, ["a", "b"]);
}

#[tokio::test]
async fn an_unknown_folder_is_not_found_and_no_document_is_moved() {
    let app = start().await;
    add(&app, Some("f"), &["a", "b"]).await;
    let error = relocate(&app, json!(["a", "b"]), "nowhere").await.error("NOT_FOUND");
    assert!(error["message"].as_str().is_some_and(|text| text.contains("nowhere")), "{error}");
    assert_eq!(lying_in(&app, "f").await, ["a", "b"]);
    assert_eq!(lying_in(&app, "nowhere").await, NONE);
}

#[tokio::test]
async fn documents_of_another_organization_are_not_found() {
    let app = start().await;
    add(&app, Some("f"), &["d"]).await;
    let sent = json!({ "organizationId": "other", "documentIds": ["d"], "folderId": "root" });
    app.call("documents.move_documents", sent).await.error("NOT_FOUND");
    assert_eq!(lying_in(&app, "f").await, ["d"]);
}

#[tokio::test]
async fn a_call_moves_1_to_30_documents_and_one_sent_twice_is_moved_once() {
    let app = start().await;
    let ids = numbered(31);
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    add(&app, None, &names).await;
    for n in [0, 31] {
        let error = relocate(&app, json!(ids[..n]), "f").await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "documentIds"]));
    }
    assert_eq!(lying_in(&app, "f").await, NONE);
    relocate(&app, json!(ids[..30]), "f").await.ok();
    assert_eq!(lying_in(&app, "f").await.len(), 30);
    relocate(&app, json!(["d0", "d0"]), "g").await.ok();
    relocate(&app, json!(["d0", "d0"]), "g").await.ok();
    assert_eq!(lying_in(&app, "g").await, ["d0"]);
}

#[tokio::test]
async fn every_member_is_required() {
    let app = start().await;
    add(&app, Some("f"), &["d"]).await;
    let whole = json!({ "organizationId": "acme", "documentIds": ["d"], "folderId": "root" });
    for member in ["organizationId", "documentIds", "folderId"] {
        let mut sent = whole.clone();
        sent[member] = Value::Null;
        let refused = app.call("documents.move_documents", sent.clone()).await;
        let error = refused.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", member]));
        sent.as_object_mut().expect("an object").remove(member);
        app.call("documents.move_documents", sent).await.error("INVALID_ARGUMENT");
    }
    assert_eq!(lying_in(&app, "f").await, ["d"]);
}

#[tokio::test]
async fn a_document_moved_out_of_a_deleted_folder_before_its_cleanup_stays() {
    let app = start().await;
    add(&app, Some("f"), &["out", "left"]).await;
    add(&app, Some("g"), &["in"]).await;
    relocate(&app, json!(["in"]), "f").await.ok();
    app.call("folders.delete", json!({ "organizationId": "acme", "folderId": "f" })).await.ok();
    app.advance(Duration::from_secs(1));
    relocate(&app, json!(["out"]), "root").await.ok();
    relocate(&app, json!(["out"]), "f").await.error("NOT_FOUND");
    app.settle().await;
    assert_eq!(all(&app).await, ["out"]);
}

#[tokio::test]
async fn a_change_made_at_the_same_time_is_kept() {
    let app = start().await;
    add(&app, None, &["d"]).await;
    let documents = json!([{ "documentId": "d", "x": 1 }]);
    let sent = json!({ "organizationId": "acme", "documents": documents });
    let (updated, moved) =
        tokio::join!(app.call("documents.update", sent), relocate(&app, json!(["d"]), "f"));
    assert_eq!(updated.data()["d"]["success"], true);
    moved.ok();
    let found = find(&app, "d").await;
    assert_eq!(found["x"], 1);
    assert_eq!(found["folderId"], "f");
    assert_eq!(lying_in(&app, "f").await, ["d"]);
}

/// The folders above the new place have to be there in the moment of the move.
#[tokio::test]
async fn a_move_pays_two_write_units_for_each_folder_above_the_first() {
    let app = start().await;
    let (mut spent, mut parent) = (vec![], "root");
    for folder in ["one", "two", "three"] {
        let folders = json!([{ "folderId": folder, "parentFolderId": parent }]);
        app.call("folders.add", json!({ "organizationId": "acme", "folders": folders })).await.ok();
        add(&app, None, &[folder]).await;
        app.settle().await;
        let moved = async { drop(relocate(&app, json!([folder]), folder).await.ok()) };
        spent.push(app.cost_of(moved).await.write_units);
        parent = folder;
    }
    assert_eq!([spent[1] - spent[0], spent[2] - spent[1]], [2.0, 2.0], "{spent:?}");
}
