use serde_json::{Map, Value, json};

use super::{add, all, find, lying_in, numbered, start};
use crate::app::App;

const NONE: [Value; 0] = [];

async fn add_to(app: &App, place: Value, documents: Value) -> Value {
    let mut sent = place;
    sent["documents"] = documents;
    app.call("documents.add", sent).await.data()
}

#[tokio::test]
async fn a_document_keeps_its_name_and_its_custom_members() {
    let app = start().await;
    let added = add_to(
        &app,
        json!({ "organizationId": "acme" }),
        json!([{
            "documentId": "d", "documentName": "Plan", "owner": { "name": "ada" }, "n": 1e308,
            "organizationName": "x", "gone": null,
        }]),
    )
    .await;
    assert_eq!(added["d"]["success"], true);
    assert_eq!(added["d"]["id"], "d");
    assert!(added["d"]["message"].is_string());
    assert_eq!(added["d"].get("code"), None);

    let now = app.now();
    let mut found = find(&app, "d").await;
    for time in ["createdAt", "lastUpdated"] {
        let at = found[time].take().as_u64().expect("a time");
        assert!(now - at < 60_000, "{time}: {at}, now {now}");
    }
    let expected = json!({
        "id": "d", "documentId": "d", "documentName": "Plan", "organizationId": "acme",
        "accessType": "public", "disabled": false, "createdAt": null, "lastUpdated": null,
        "inheritAccessFromParent": true, "owner": { "name": "ada" }, "n": 1e308,
        "organizationName": "x",
    });
    assert_eq!(found, expected);
}

#[tokio::test]
async fn members_that_the_service_sets_itself_are_ignored() {
    let app = start().await;
    let sent = json!([{
        "documentId": "d", "id": "x", "organizationId": "x", "folderId": "f",
        "accessType": "restricted", "disabled": true, "createdAt": 1, "lastUpdated": 1,
    }]);
    add_to(&app, json!({ "organizationId": "acme" }), sent).await;
    let found = find(&app, "d").await;
    assert_eq!(found["id"], "d");
    assert_eq!(found["organizationId"], "acme");
    assert_eq!(found.get("folderId"), None);
    assert_eq!(found["accessType"], "public");
    assert_eq!(found["disabled"], false);
    assert_eq!(found["documentName"], "");
    assert!(found["createdAt"].as_u64() > Some(1));
    assert!(found["lastUpdated"].as_u64() > Some(1));
}

#[tokio::test]
async fn an_existing_document_fails_without_failing_the_others_and_is_not_changed() {
    let app = start().await;
    let place = json!({ "organizationId": "acme" });
    add_to(&app, place.clone(), json!([{ "documentId": "d", "documentName": "First" }])).await;
    let into = json!({ "organizationId": "acme", "folderId": "f" });
    for place in [place, into] {
        let fresh = if place["folderId"].is_null() { "e" } else { "g" };
        let sent = json!([
            { "documentId": "d", "documentName": "Second" },
            { "documentId": fresh },
        ]);
        let added = add_to(&app, place, sent).await;
        assert_eq!(added["d"]["success"], false);
        assert_eq!(added["d"]["code"], "already-exists");
        assert_eq!(added["d"]["id"], "d");
        assert_eq!(added[fresh]["success"], true);
    }
    assert_eq!(find(&app, "d").await["documentName"], "First");
    assert_eq!(lying_in(&app, "f").await, ["g"]);
}

#[tokio::test]
async fn a_document_sent_twice_in_a_request_is_added_as_the_first_item_says() {
    let app = start().await;
    let sent = json!([
        { "documentId": "d", "documentName": "First" },
        { "documentId": "d", "documentName": "Second" },
    ]);
    let added = add_to(&app, json!({ "organizationId": "acme", "folderId": "f" }), sent).await;
    assert_eq!(added.as_object().map(Map::len), Some(1));
    assert_eq!(added["d"]["success"], true);
    assert_eq!(find(&app, "d").await["documentName"], "First");
}

#[tokio::test]
async fn an_unknown_organization_fails_each_item_unless_it_may_be_created() {
    let app = App::start().await;
    let documents = json!([{ "documentId": "d" }, { "documentId": "e" }]);
    for create in [Value::Null, json!(false)] {
        let place = json!({ "organizationId": "acme", "createOrganization": create });
        let added = add_to(&app, place, documents.clone()).await;
        for id in ["d", "e"] {
            assert_eq!(added[id]["success"], false);
            assert_eq!(added[id]["code"], "not-found");
            assert_eq!(added[id]["id"], id);
        }
    }
    assert_eq!(all(&app).await, NONE);
    let place = json!({ "organizationId": "acme", "createOrganization": true });
    for success in [true, false] {
        let added = add_to(&app, place.clone(), documents.clone()).await;
        assert_eq!(added["d"]["success"], success);
    }
    assert_eq!(all(&app).await, ["d", "e"]);
    let organizations = app.call("organizations.get", json!({})).await.data();
    assert_eq!(organizations[0]["id"], "acme");
}

#[tokio::test]
async fn a_document_is_in_the_folder_that_the_call_names() {
    let app = start().await;
    add(&app, Some("f"), &["in-f"]).await;
    add(&app, Some("root"), &["at-root"]).await;
    add(&app, None, &["nowhere"]).await;
    assert_eq!(find(&app, "in-f").await["folderId"], "f");
    assert_eq!(find(&app, "at-root").await.get("folderId"), None);
    assert_eq!(find(&app, "nowhere").await.get("folderId"), None);
}

#[tokio::test]
async fn an_unknown_folder_fails_each_item() {
    let app = start().await;
    add(&app, None, &["there"]).await;
    let place = json!({ "organizationId": "acme", "folderId": "nowhere" });
    let sent = json!([{ "documentId": "d" }, { "documentId": "e" }, { "documentId": "there" }]);
    let added = add_to(&app, place, sent).await;
    assert_eq!(added.as_object().map(Map::len), Some(3));
    for (id, entry) in added.as_object().expect("a map") {
        assert_eq!(entry["success"], false, "{id}");
        assert_eq!(entry["code"], "not-found", "{id}");
        assert!(entry["message"].as_str().is_some_and(|text| text.contains("nowhere")), "{entry}");
    }
    assert_eq!(all(&app).await, ["there"]);
}

#[tokio::test]
async fn a_deleted_folder_takes_no_documents_before_its_cleanup() {
    let app = start().await;
    add(&app, Some("f"), &["old"]).await;
    app.call("folders.delete", json!({ "organizationId": "acme", "folderId": "f" })).await.ok();
    let place = json!({ "organizationId": "acme", "folderId": "f" });
    let added = add_to(&app, place, json!([{ "documentId": "d" }])).await;
    assert_eq!(added["d"]["code"], "not-found");
    app.settle().await;
    assert_eq!(all(&app).await, NONE);
}

#[tokio::test]
async fn no_document_is_left_in_a_folder_deleted_at_the_same_time() {
    let app = start().await;
    let place = json!({ "organizationId": "acme", "folderId": "f" });
    let documents: Vec<Value> = numbered(30).iter().map(|id| json!({ "documentId": id })).collect();
    let sent = json!({ "organizationId": "acme", "folderId": "f" });
    let (_, deleted) =
        tokio::join!(add_to(&app, place, json!(documents)), app.call("folders.delete", sent));
    deleted.ok();
    app.settle().await;
    assert_eq!(all(&app).await, NONE);
}

#[tokio::test]
async fn create_folder_creates_an_unknown_folder_at_the_top() {
    let app = App::start().await;
    let place = json!({
        "organizationId": "acme", "createOrganization": true,
        "folderId": "new", "createFolder": true,
    });
    for id in ["d", "e"] {
        let added = add_to(&app, place.clone(), json!([{ "documentId": id }])).await;
        assert_eq!(added[id]["success"], true);
    }
    assert_eq!(lying_in(&app, "new").await, ["d", "e"]);
    let folders = app.call("folders.get", json!({ "organizationId": "acme" })).await.data();
    assert_eq!(folders.as_array().map(Vec::len), Some(1));
    assert_eq!(folders[0]["folderId"], "new");
    assert_eq!(folders[0]["parentFolderId"], "root");
}

#[tokio::test]
async fn create_folder_creates_no_folder_in_an_unknown_organization() {
    let app = App::start().await;
    let place = json!({ "organizationId": "acme", "folderId": "new", "createFolder": true });
    let added = add_to(&app, place, json!([{ "documentId": "d" }])).await;
    assert_eq!(added["d"]["code"], "not-found");
    let folders = app.call("folders.get", json!({ "organizationId": "acme" })).await.data();
    assert_eq!(folders, json!([]));
}

#[tokio::test]
async fn a_batch_holds_1_to_500_documents() {
    let app = start().await;
    let batch = |n: usize| {
        let documents: Vec<Value> =
            numbered(n).iter().map(|id| json!({ "documentId": id })).collect();
        app.call(
            "documents.add",
            json!({ "organizationId": "acme", "folderId": "f", "documents": documents }),
        )
    };
    for n in [0, 501] {
        let error = batch(n).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "documents"]));
    }
    assert_eq!(all(&app).await, NONE);
    app.forget_calls();
    let added = batch(500).await.data();
    assert!(app.calls().len() <= 500 / 25 + 2, "{} calls", app.calls().len());
    let added = added.as_object().expect("a map");
    assert_eq!(added.len(), 500);
    assert!(added.values().all(|entry| entry["success"] == true));
    assert_eq!(lying_in(&app, "f").await.len(), 500);
}

#[tokio::test]
async fn a_malformed_item_refuses_the_whole_request() {
    let app = start().await;
    for (second, member) in [
        (json!({}), "documentId"),
        (json!({ "documentId": null }), "documentId"),
        (json!({ "documentId": "x".repeat(257) }), "documentId"),
        (json!({ "documentId": "a\u{7}" }), "documentId"),
        (json!({ "documentId": "e", "documentName": "" }), "documentName"),
        (json!({ "documentId": "e", "documentName": "x".repeat(1001) }), "documentName"),
        (json!({ "documentId": "e", "documentName": {} }), "documentName"),
    ] {
        let sent =
            json!({ "organizationId": "acme", "documents": [{ "documentId": "d" }, second] });
        let error = app.call("documents.add", sent.clone()).await.error("INVALID_ARGUMENT");
        let path = json!(["data", "documents", 1, member]);
        assert_eq!(error["details"]["issues"][0]["path"], path, "{sent}");
    }
    let sent = json!({ "documents": [{ "documentId": "d" }] });
    app.call("documents.add", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(all(&app).await, NONE);
}

#[tokio::test]
async fn ids_of_256_characters_and_of_any_unicode_are_stored_and_found() {
    let app = start().await;
    let longest = "x".repeat(256);
    let all_kinds = [longest.as_str(), "#", "a#b", "%23", "a/b", "🦀", "مرحبا", "__proto__"];
    add(&app, Some("f"), &all_kinds).await;
    for id in all_kinds {
        assert_eq!(find(&app, id).await["documentId"], id);
    }
    assert_eq!(lying_in(&app, "f").await.len(), all_kinds.len());
}

#[tokio::test]
async fn a_document_above_400_kib_fails_without_failing_the_others_in_its_batch() {
    let app = start().await;
    let sent = json!([{ "documentId": "d", "x": "x".repeat(420_000) }, { "documentId": "e" }]);
    let added = add_to(&app, json!({ "organizationId": "acme", "folderId": "f" }), sent).await;
    assert_eq!(added["d"]["code"], "invalid-argument");
    assert_eq!(added["e"]["success"], true);
    assert_eq!(all(&app).await, ["e"]);
}
