//! A resource that is added again under an id is empty, at once and for ever, whatever the workers
//! have done (decision 101). No worker runs in these tests unless they say so.

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use crate::{app::App, schedule::put};

/// The sample data; its workers have done everything.
async fn world() -> App {
    let app = App::start().await;
    app.fill_sample_world("").await;
    app.settle().await;
    app
}

fn at(more: &Value) -> Value {
    let mut sent = json!({ "organizationId": "acme" });
    sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    sent
}

async fn ok(app: &App, operation: &str, more: Value) {
    app.call(operation, at(&more)).await.ok();
}

async fn listed(app: &App, operation: &str, more: Value) -> Value {
    app.call(operation, at(&more)).await.data()
}

/// Threads, recordings, users, presence, live state and editors of a document.
async fn content_of(app: &App, document: &str) -> Vec<(&'static str, Value)> {
    let mut found = Vec::new();
    let one = json!({ "documentId": document });
    for operation in
        ["recordings.get", "users.get", "presence.get", "live-state.get", "editors.get"]
    {
        found.push((operation, listed(app, operation, one.clone()).await));
    }
    let threads = json!({ "documentIds": [document] });
    found
        .push(("comments.annotations_get", listed(app, "comments.annotations_get", threads).await));
    found
}

fn assert_empty(found: Vec<(&'static str, Value)>) {
    for (operation, data) in found {
        assert_eq!(data, json!([]), "{operation}");
    }
}

async fn delete_and_add_document(app: &App) {
    ok(app, "documents.delete", json!({ "documentIds": ["welcome"] })).await;
    ok(app, "documents.add", json!({ "documents": [{ "documentId": "welcome" }] })).await;
}

#[tokio::test]
async fn a_document_that_is_added_again_is_empty_before_any_worker() {
    let app = world().await;
    delete_and_add_document(&app).await;
    assert_empty(content_of(&app, "welcome").await);
    let reply = json!({
        "documentId": "welcome", "annotationId": "intro",
        "commentData": [{ "from": { "userId": "bob" }, "commentText": "late" }],
    });
    app.call("comments.add", at(&reply)).await.error("NOT_FOUND");
    app.clean_up().await;
    assert_empty(content_of(&app, "welcome").await);
}

#[tokio::test]
async fn a_thread_of_the_same_id_in_a_new_document_has_no_old_comments() {
    let app = world().await;
    delete_and_add_document(&app).await;
    let thread = json!({
        "documentId": "welcome",
        "commentAnnotations": [{ "annotationId": "intro", "commentData": [
            { "commentId": 5, "from": { "userId": "ada" }, "commentText": "new" },
        ] }],
    });
    let added = app.call("comments.annotations_add", at(&thread)).await.data();
    assert_eq!(added["intro"]["success"], true, "{added}");
    app.clean_up().await;
    let found =
        listed(&app, "comments.annotations_get", json!({ "documentIds": ["welcome"] })).await;
    assert_eq!(found.as_array().unwrap().len(), 1);
    assert_eq!(found[0]["comments"].as_array().unwrap().len(), 1, "{found}");
}

#[tokio::test]
async fn live_state_that_is_merged_into_a_new_document_begins_anew() {
    let app = world().await;
    delete_and_add_document(&app).await;
    let state = json!({
        "documentId": "welcome", "liveStateDataId": "slides", "data": { "page": 7 }, "merge": true,
    });
    ok(&app, "live-state.broadcast", state).await;
    app.clean_up().await;
    let found = listed(&app, "live-state.get", json!({ "documentId": "welcome" })).await;
    assert_eq!(found[0]["data"], json!({ "page": 7 }));
}

/// A row of a call that was under way during the deletion lands after all of it.
#[tokio::test]
async fn a_row_that_an_older_call_writes_late_is_not_in_the_new_document() {
    let app = world().await;
    let items = app.items_of(Table::Resources, &app.key);
    let is_thread = |item: &&Value| item["SK"]["S"] == "annotation#welcome#id#intro";
    let thread = items.iter().find(is_thread).unwrap().clone();
    delete_and_add_document(&app).await;
    app.clean_up().await;
    put(&app, Table::Resources, &thread).await;
    assert_empty(content_of(&app, "welcome").await);
    let edit = json!({
        "documentId": "welcome", "annotationIds": ["intro"], "updatedData": { "isPinned": true },
    });
    let _ = app.call("comments.annotations_update", at(&edit)).await;
    assert_empty(content_of(&app, "welcome").await);
}

#[tokio::test]
async fn an_organization_that_is_added_again_is_empty_before_any_worker() {
    let app = world().await;
    app.call("organizations.delete", json!({ "organizationIds": ["acme"] })).await.ok();
    let again = json!({ "organizations": [{ "organizationId": "acme" }] });
    app.call("organizations.add", again).await.ok();
    for operation in ["documents.get", "folders.get", "users.get", "user-groups.get"] {
        assert_eq!(listed(&app, operation, json!({})).await, json!([]), "{operation}");
    }
    // The old ids are free, and take nothing of what was there along.
    let documents =
        json!({ "documents": [{ "documentId": "roadmap" }, { "documentId": "welcome" }] });
    let added = app.call("documents.add", at(&documents)).await.data();
    for id in ["roadmap", "welcome"] {
        assert_eq!(added[id]["success"], true, "{added}");
        assert_empty(content_of(&app, id).await);
    }
    let users = json!({ "users": [{ "userId": "ada" }] });
    ok(&app, "users.add", users).await;
    app.clean_up().await;
    let documents = listed(&app, "documents.get", json!({})).await;
    assert_eq!(documents.as_array().unwrap().len(), 2, "{documents}");
    let users = listed(&app, "users.get", json!({})).await;
    assert_eq!(users.as_array().unwrap().len(), 1, "{users}");
    assert_eq!(users[0].get("email"), None, "{users}");
    assert_empty(content_of(&app, "welcome").await);
}

#[tokio::test]
async fn a_user_who_is_added_to_a_new_organization_keeps_no_old_role() {
    let app = world().await;
    let viewer = json!({ "users": [{ "userId": "bob", "accessRole": "viewer" }] });
    ok(&app, "users.add", viewer).await;
    app.call("organizations.delete", json!({ "organizationIds": ["acme"] })).await.ok();
    let again = json!({ "organizations": [{ "organizationId": "acme" }] });
    app.call("organizations.add", again).await.ok();
    ok(&app, "users.add", json!({ "users": [{ "userId": "bob" }] })).await;
    let users = listed(&app, "users.get", json!({})).await;
    assert_eq!(users[0]["accessRole"], "editor", "{users}");
}

#[tokio::test]
async fn a_group_that_is_added_again_has_no_members() {
    let app = world().await;
    let delete = json!({ "organizationUserGroupIds": ["writers"] });
    ok(&app, "user-groups.delete", delete).await;
    let groups = json!({ "organizationUserGroups": [{ "groupId": "writers" }] });
    ok(&app, "user-groups.add", groups).await;
    let found = listed(&app, "user-groups.get", json!({})).await;
    assert_eq!(found[0]["userIds"], json!([]), "{found}");
    let users = json!({ "organizationUserGroupIds": ["writers"] });
    assert_eq!(listed(&app, "users.get", users).await, json!([]));
    let join = json!({ "organizationUserGroupId": "writers", "userIds": ["bob"] });
    ok(&app, "user-groups.users_add", join).await;
    app.clean_up().await;
    let found = listed(&app, "user-groups.get", json!({})).await;
    assert_eq!(found[0]["userIds"], json!(["bob"]), "{found}");
}

/// Documents that the worker reaches late have been changed in between.
#[tokio::test]
async fn documents_updated_before_a_late_cleanup_are_removed_with_their_folder_or_organization() {
    for of_folder in [true, false] {
        let app = world().await;
        match of_folder {
            true => ok(&app, "folders.delete", json!({ "folderId": "handbook" })).await,
            false => {
                let sent = json!({ "organizationIds": ["acme"] });
                app.call("organizations.delete", sent).await.ok();
            }
        }
        app.advance(Duration::from_secs(3 * 60));
        let rename = json!({ "documents": [{ "documentId": "welcome", "documentName": "kept?" }] });
        let _ = app.call("documents.update", at(&rename)).await;
        app.clean_up().await;
        let left = app.items_of(Table::Resources, &app.key);
        let left: Vec<&str> = left.iter().filter_map(|item| item["SK"]["S"].as_str()).collect();
        assert!(!left.contains(&"document#welcome"), "{of_folder}: {left:?}");
        assert!(!left.iter().any(|sort| sort.starts_with("annotation#welcome")), "{left:?}");
    }
}

#[tokio::test]
async fn nothing_can_be_added_or_moved_below_a_deleted_folder() {
    let app = world().await;
    ok(&app, "folders.add", json!({ "folders": [{ "folderId": "other" }] })).await;
    ok(&app, "folders.delete", json!({ "folderId": "handbook" })).await;
    // The subfolder is there until the worker comes.
    let moved = json!({ "documentIds": ["roadmap"], "folderId": "policies" });
    app.call("documents.move_documents", at(&moved)).await.error("NOT_FOUND");
    let is_refused = |data: Value, id: &str| {
        assert_eq!(data[id]["success"], false, "{data}");
        assert!(data.to_string().contains("There is no folder policies."), "{data}");
    };
    let document = json!({ "folderId": "policies", "documents": [{ "documentId": "new" }] });
    is_refused(app.call("documents.add", at(&document)).await.data(), "new");
    let document = json!({
        "folderId": "policies", "createFolder": true, "documents": [{ "documentId": "new" }],
    });
    is_refused(app.call("documents.add", at(&document)).await.data(), "new");
    let folder = json!({ "folders": [{ "folderId": "new", "parentFolderId": "policies" }] });
    is_refused(app.call("folders.add", at(&folder)).await.data(), "new");
    let folder = json!({ "folders": [{ "folderId": "other", "parentFolderId": "policies" }] });
    let updated = app.call("folders.update", at(&folder)).await.data();
    assert!(updated.to_string().contains("not-found"), "{updated}");
    is_refused(updated, "other");
    let users = json!({ "folderId": "policies", "users": [{ "userId": "bob" }] });
    is_refused(app.call("users.add", at(&users)).await.data(), "bob");
    app.clean_up().await;
    let documents = listed(&app, "documents.get", json!({})).await;
    assert_eq!(documents.as_array().unwrap().len(), 1, "{documents}");
    assert_eq!(documents[0]["id"], "roadmap", "{documents}");
}

/// A folder tree that is added again by one call lies in the new folders.
#[tokio::test]
async fn a_folder_tree_is_added_again_by_one_call_after_its_deletion() {
    let app = world().await;
    ok(&app, "folders.delete", json!({ "folderId": "handbook" })).await;
    app.clean_up().await;
    let folders = json!({ "folders": [
        { "folderId": "handbook" }, { "folderId": "policies", "parentFolderId": "handbook" },
    ] });
    let added = app.call("folders.add", at(&folders)).await.data();
    assert_eq!(added["policies"]["success"], true, "{added}");
    let document = json!({ "folderId": "policies", "documents": [{ "documentId": "new" }] });
    let added = app.call("documents.add", at(&document)).await.data();
    assert_eq!(added["new"]["success"], true, "{added}");
    app.clean_up().await;
    let documents = listed(&app, "documents.get", json!({ "folderId": "policies" })).await;
    assert_eq!(documents.as_array().unwrap().len(), 1, "{documents}");
}

/// The tombstones of containers, and whether they expire.
fn tombstones(app: &App) -> Vec<(String, bool)> {
    let own = format!("key#{}", app.key.api_key);
    let items = app.embedded().dump(&roundtable::table_name(Table::Resources)).unwrap();
    let is_own = |item: &&Value| {
        let partition = item["PK"]["S"].as_str().unwrap_or_default();
        partition.starts_with(&own) && item.get("_ended").is_some()
    };
    let entry = |item: &Value| {
        (item["SK"]["S"].as_str().unwrap().to_owned(), item.get("expires").is_some())
    };
    items.iter().filter(is_own).map(entry).collect()
}

#[tokio::test]
async fn a_tombstone_expires_only_after_a_clean_up_that_found_nothing() {
    let app = world().await;
    ok(&app, "documents.delete", json!({ "documentIds": ["welcome"] })).await;
    let of = |expires| vec![("document#welcome".to_owned(), expires)];
    assert_eq!(tombstones(&app), of(false));
    app.settle().await;
    assert_eq!(tombstones(&app), of(false), "one look is not enough");
    app.clean_up().await;
    assert_eq!(tombstones(&app), of(true));
    // The life goes on where the tombstone says.
    ok(&app, "documents.add", json!({ "documents": [{ "documentId": "welcome" }] })).await;
    let items = app.items_of(Table::Resources, &app.key);
    let document = items.iter().find(|item| item["SK"]["S"] == "document#welcome").unwrap();
    assert!(document.get("_since").is_some(), "{document}");
}

#[tokio::test]
async fn the_last_look_of_a_deletion_does_not_confirm_the_clean_up_of_a_later_one() {
    let app = world().await;
    ok(&app, "documents.delete", json!({ "documentIds": ["welcome"] })).await;
    app.settle().await;
    app.advance(Duration::from_secs(19 * 60));
    ok(&app, "documents.add", json!({ "documents": [{ "documentId": "welcome" }] })).await;
    ok(&app, "documents.delete", json!({ "documentIds": ["welcome"] })).await;
    // The clean-up is lost.
    app.skip_records().await;
    app.clean_up().await;
    assert_eq!(tombstones(&app), vec![("document#welcome".to_owned(), false)]);
}

#[tokio::test]
async fn rows_of_a_first_life_have_no_attributes_for_lives() {
    let app = world().await;
    for item in app.items_of(Table::Resources, &app.key) {
        for name in ["_since", "_in", "_ended"] {
            assert!(item.get(name).is_none(), "{name} in {item}");
        }
    }
}
