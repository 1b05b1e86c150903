//! Dependent data of deleted resources is deleted in the background.

use std::{collections::BTreeSet, time::Duration};

use embedded::{Effect, Fault};
use futures_util::future::join;
use serde_json::{Value, json};
use service::Table;

use crate::{
    app::{App, events_of, sample},
    schedule::{put, rows},
};

/// The sample data, with members and a grant of the folder `handbook`.
async fn world() -> App {
    let app = App::start().await;
    fill(&app).await;
    app
}

async fn fill(app: &App) {
    app.fill_sample_world("").await;
    let members = json!({
        "organizationId": "acme", "folderId": "handbook", "users": [{ "userId": "ada" }],
    });
    app.call_at("/v2/users/add", members).await.ok();
    let grant = json!({ "user": { "userId": "bob" }, "permissions": { "resources": [
        { "type": "folder", "id": "handbook", "organizationId": "acme" },
    ] } });
    app.call_at("/v2/auth/permissions/add", grant).await.ok();
    let deep = json!({
        "organizationId": "acme", "folderId": "policies", "documents": [{ "documentId": "deep" }],
    });
    app.call("documents.add", deep).await.ok();
    assert_eq!(kept(app), all());
}

const OF_DOCUMENT: &[&str] =
    &["document#welcome", "document-grant#welcome#user#bob", "document-user#welcome#user#ada"];
const OF_FOLDER: &[&str] = &[
    "document#deep",
    "document#welcome",
    "document-grant#welcome#user#bob",
    "document-user#welcome#user#ada",
    "folder#handbook",
    "folder#policies",
    "folder-grant#handbook#user#bob",
    "folder-user#handbook#user#ada",
];
const OF_USER: &[&str] = &[
    "user#ada",
    "document-user#welcome#user#ada",
    "folder-user#handbook#user#ada",
    "group#writers#user#ada",
];
const OF_GROUP: &[&str] = &["group#writers#group", "group#writers#user#ada"];

/// All sample data.
fn all() -> BTreeSet<String> {
    keys(&[
        "document#deep",
        "document#roadmap",
        "document#welcome",
        "document-grant#welcome#user#bob",
        "document-user#welcome#user#ada",
        "folder#handbook",
        "folder#policies",
        "folder-grant#handbook#user#bob",
        "folder-user#handbook#user#ada",
        "group#writers#group",
        "group#writers#user#ada",
        "user#ada",
        "user#bob",
    ])
}

fn keys(keys: &[&str]) -> BTreeSet<String> {
    keys.iter().map(|key| (*key).to_owned()).collect()
}

fn without(gone: &[&str]) -> BTreeSet<String> {
    all().difference(&keys(gone)).cloned().collect()
}

/// The data of these tests; other data of a document has tests of its own.
const KINDS: [&str; 8] = [
    "document",
    "document-grant",
    "document-user",
    "folder",
    "folder-grant",
    "folder-user",
    "group",
    "user",
];

/// The part of it in the organization.
fn kept(app: &App) -> BTreeSet<String> {
    let partition = format!("key#{}#organization#acme", app.key.api_key);
    let items = app.items_of(Table::Resources, &app.key);
    let items = items.into_iter().filter(|item| item["PK"]["S"] == partition);
    let sorts = items.map(|item| item["SK"]["S"].as_str().unwrap().to_owned());
    sorts.filter(|sort| KINDS.contains(&sort.split('#').next().unwrap_or_default())).collect()
}

/// Deletes the organization, the folder `handbook`, the document `welcome`, the user `ada` or the
/// group `writers`.
async fn delete(app: &App, what: &str) {
    let (path, mut sent) = match what {
        "organization" => ("/v2/organizations/delete", json!({ "organizationIds": ["acme"] })),
        "folder" => ("/v2/organizations/folders/delete", json!({ "folderId": "handbook" })),
        "document" => ("/v2/organizations/documents/delete", json!({ "documentIds": ["welcome"] })),
        "user" => ("/v2/users/delete", json!({ "userIds": ["ada"] })),
        "group" => (
            "/v2/organizations/usergroups/delete",
            json!({ "organizationUserGroupIds": ["writers"] }),
        ),
        _ => panic!("nothing deletes a {what}"),
    };
    if what != "organization" {
        sent["organizationId"] = json!("acme");
    }
    app.call_at(path, sent).await.ok();
    // Later writes also have a later time.
    app.advance(Duration::from_secs(1));
}

async fn list(app: &App, path: &str, members: Value) -> Value {
    let mut sent = members;
    sent["organizationId"] = json!("acme");
    app.call_at(path, sent).await.data()
}

/// The records with events of deletions.
fn records(app: &App) -> Vec<Value> {
    app.records().into_iter().filter(is_deletion).collect()
}

/// Whether a record has the event of a resource with dependent data.
pub(crate) fn is_deletion(record: &Value) -> bool {
    let stored = events_of(record).remove(0);
    !["domain", "user.erase", "user.read", "webhook_endpoint.change"]
        .iter()
        .any(|other| stored["event"]["type"] == *other)
}

/// The clean-up message for the first event of the outbox.
fn order(app: &App, pass: u32) -> Value {
    let stored = events_of(&records(app)[0]).remove(0);
    let message = json!({ "event": stored["event"], "at": stored["at"], "pass": pass });
    let body = json!({ "tenant": stored["tenant"], "message": message }).to_string();
    json!({ "Records": [{ "messageId": "again", "body": body }] })
}

#[tokio::test]
async fn a_deleted_resource_is_removed_with_all_that_depends_on_it() {
    const DOCUMENTS: &str = "/v2/organizations/documents/get";
    const FOLDERS: &str = "/v2/organizations/folders/get";
    const GROUPS: &str = "/v2/organizations/usergroups/get";
    const USERS: &str = "/v2/users/get";
    let everything = all();
    let everything: Vec<&str> = everything.iter().map(String::as_str).collect();
    let (any, of_document) = (json!({}), json!({ "documentId": "welcome" }));
    for (what, gone, lists) in [
        ("organization", &everything[..], vec![(DOCUMENTS, 0), (FOLDERS, 0), (USERS, 0)]),
        ("folder", OF_FOLDER, vec![(DOCUMENTS, 1), (FOLDERS, 0)]),
        ("document", OF_DOCUMENT, vec![(USERS, 0)]),
        ("user", OF_USER, vec![(USERS, 0)]),
        ("group", OF_GROUP, vec![(GROUPS, 0)]),
    ] {
        let app = world().await;
        delete(&app, what).await;
        app.settle().await;
        assert_eq!(kept(&app), without(gone), "{what}");
        for (path, left) in lists {
            let filter = if ["document", "user"].contains(&what) { &of_document } else { &any };
            let listed = list(&app, path, filter.clone()).await;
            assert_eq!(listed.as_array().map(Vec::len), Some(left), "{what}: {path}");
        }
    }
}

#[tokio::test]
async fn the_clean_up_of_an_organization_leaves_that_of_another_tenant() {
    let app = world().await;
    let second = app.second_key().await;
    let other = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "theirs" }],
    });
    app.call_as(&second, "documents.add", other).await.ok();
    delete(&app, "organization").await;
    app.settle().await;
    let sent = json!({ "organizationId": "acme" });
    let theirs = app.call_as(&second, "documents.get", sent).await.data();
    assert_eq!(theirs.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn a_document_moved_out_of_a_deleted_folder_before_its_cleanup_stays() {
    let app = world().await;
    delete(&app, "folder").await;
    let out = json!({ "organizationId": "acme", "documentIds": ["welcome"], "folderId": "root" });
    app.call_at("/v2/organizations/documents/move", out).await.ok();
    app.settle().await;
    assert!(kept(&app).contains("document#welcome"));
    assert!(kept(&app).contains("document-user#welcome#user#ada"));
    assert!(!kept(&app).contains("document#deep"));
}

#[tokio::test]
async fn documents_added_to_a_new_organization_of_the_same_id_stay() {
    let app = world().await;
    delete(&app, "organization").await;
    let documents = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "fresh" }],
    });
    app.call("documents.add", documents).await.ok();
    app.settle().await;
    assert_eq!(kept(&app), keys(&["document#fresh"]));
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
    assert_eq!(kept(&app), keys(&["document#fresh"]), "also after the second pass");
}

#[tokio::test]
async fn a_resource_added_again_before_the_clean_up_has_only_what_was_added_with_it() {
    const DOCUMENTS: &str = "/v2/organizations/documents/add";
    const USERS: &str = "/v2/users/add";
    for (what, calls, gone, again) in [
        (
            "folder",
            [
                (
                    "/v2/organizations/folders/add",
                    json!({ "folders": [{ "folderId": "handbook" }] }),
                ),
                (
                    DOCUMENTS,
                    json!({ "folderId": "handbook", "documents": [{ "documentId": "fresh" }] }),
                ),
            ],
            OF_FOLDER,
            ["folder#handbook", "document#fresh"],
        ),
        (
            "document",
            [
                (DOCUMENTS, json!({ "documents": [{ "documentId": "welcome" }] })),
                (USERS, json!({ "documentId": "welcome", "users": [{ "userId": "bob" }] })),
            ],
            OF_DOCUMENT,
            ["document#welcome", "document-user#welcome#user#bob"],
        ),
        (
            "user",
            [
                (USERS, json!({ "users": [{ "userId": "ada" }] })),
                (USERS, json!({ "documentId": "roadmap", "users": [{ "userId": "ada" }] })),
            ],
            OF_USER,
            ["user#ada", "document-user#roadmap#user#ada"],
        ),
        (
            "group",
            [
                (
                    "/v2/organizations/usergroups/add",
                    json!({ "organizationUserGroups": [{ "groupId": "writers" }] }),
                ),
                (
                    "/v2/organizations/usergroups/users/add",
                    json!({ "organizationUserGroupId": "writers", "userIds": ["bob"] }),
                ),
            ],
            OF_GROUP,
            ["group#writers#group", "group#writers#user#bob"],
        ),
    ] {
        let app = world().await;
        delete(&app, what).await;
        for (path, mut sent) in calls {
            sent["organizationId"] = json!("acme");
            app.call_at(path, sent).await.ok();
        }
        app.settle().await;
        let expected: BTreeSet<String> = without(gone).union(&keys(&again)).cloned().collect();
        assert_eq!(kept(&app), expected, "{what}");
    }
}

#[tokio::test]
async fn a_second_delivery_of_a_deletion_changes_nothing() {
    let app = world().await;
    delete(&app, "document").await;
    app.settle().await;
    let documents = json!({ "organizationId": "acme", "documents": [{ "documentId": "welcome" }] });
    app.call("documents.add", documents).await.ok();
    let users = json!({
        "organizationId": "acme", "documentId": "welcome", "users": [{ "userId": "bob" }],
    });
    app.call_at("/v2/users/add", users).await.ok();
    let before = app.items_of(Table::Resources, &app.key);

    let done = json!({ "batchItemFailures": [] });
    for pass in [0, 0, 1] {
        let order = order(&app, pass);
        assert_eq!(app.stack().run_worker("cleanup.sweep", order).await, Some(done.clone()));
    }
    for _ in 0..2 {
        let event = json!({ "Records": records(&app) });
        assert_eq!(app.stack().run_worker("journal.events", event).await, Some(done.clone()));
    }
    app.settle().await;
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
    assert_eq!(app.items_of(Table::Resources, &app.key), before);
    assert!(rows(&app).is_empty(), "and it comes to an end");
}

#[tokio::test]
async fn the_second_pass_removes_rows_written_during_the_deletion() {
    let app = world().await;
    let items = app.items_of(Table::Resources, &app.key);
    let late = items.into_iter().find(|item| item["SK"]["S"] == "document-user#welcome#user#ada");
    let late = late.unwrap();
    delete(&app, "document").await;
    app.settle().await;
    // A call that had seen the document before its deletion writes after the first pass.
    put(&app, Table::Resources, &late).await;
    let is_there = || kept(&app).contains("document-user#welcome#user#ada");
    app.advance(Duration::from_secs(19 * 60));
    app.tick().await;
    app.settle().await;
    assert!(is_there());
    app.advance(Duration::from_secs(2 * 60));
    app.tick().await;
    app.settle().await;
    assert!(!is_there());
    assert_eq!(rows(&app).len(), 1, "a pass that found something is not the last one");
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
    assert!(rows(&app).is_empty(), "and it comes to an end");
}

/// Both passes, from a deletion three minutes ago on.
async fn pass_twice(app: &App) {
    app.settle().await;
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
}

async fn write_content(app: &App, document: &str) {
    let editor = json!({
        "organizationId": "acme", "documentId": document, "editorId": "notes",
        "type": "text", "data": "later",
    });
    app.call("editors.add", editor).await.ok();
    let state = json!({
        "organizationId": "acme", "documentId": document, "liveStateDataId": "page",
        "data": { "page": 1 },
    });
    app.call("live-state.broadcast", state).await.ok();
}

#[tokio::test]
async fn rows_written_three_minutes_after_a_deletion_stay_without_a_new_document_or_user() {
    let app = world().await;
    delete(&app, "document").await;
    delete(&app, "user").await;
    app.settle().await;
    app.advance(Duration::from_secs(3 * 60));
    write_content(&app, "welcome").await;
    let users = json!({
        "organizationId": "acme", "documentId": "roadmap", "users": [{ "userId": "ada" }],
    });
    app.call_at("/v2/users/add", users).await.ok();
    pass_twice(&app).await;
    let there = json!({ "organizationId": "acme", "documentId": "welcome" });
    assert_eq!(app.call("editors.get", there.clone()).await.data()[0]["data"], "later");
    assert_eq!(app.call("live-state.get", there).await.data().as_array().unwrap().len(), 1);
    assert!(kept(&app).contains("document-user#roadmap#user#ada"));
}

/// The remaining keys of an organization in the tables of callers' data.
fn left_of(app: &App, organization: &str) -> Vec<String> {
    let own = format!("key#{}#organization#{organization}", app.key.api_key);
    let tables = [Table::Resources, Table::Realtime, Table::Crdt];
    let items = tables.into_iter().flat_map(|table| app.items_of(table, &app.key));
    let keys = items.filter_map(|item| {
        let partition = item["PK"]["S"].as_str()?;
        let is_own = partition == own || partition.starts_with(&format!("{own}#"));
        is_own.then(|| format!("{partition} {}", item["SK"]["S"]))
    });
    keys.collect()
}

#[tokio::test]
async fn a_deleted_organization_leaves_no_rows_even_of_documents_never_added() {
    let app = world().await;
    write_content(&app, "never-added").await;
    write_content(&app, "welcome").await;
    let partitions: BTreeSet<String> = left_of(&app, "acme")
        .into_iter()
        .filter_map(|key| Some(key.split_once(' ')?.0.to_owned()))
        .collect();
    assert!(partitions.len() > 5, "an organization is many partitions: {partitions:?}");
    delete(&app, "organization").await;
    pass_twice(&app).await;
    assert_eq!(left_of(&app, "acme"), Vec::<String>::new());
}

#[tokio::test]
async fn a_cleanup_that_fails_half_way_is_finished_when_its_message_returns() {
    let app = App::start().await;
    let documents: Vec<Value> =
        (0..120).map(|n| json!({ "documentId": format!("d{n}") })).collect();
    let sent =
        json!({ "organizationId": "acme", "createOrganization": true, "documents": documents });
    app.call("documents.add", sent).await.ok();
    delete(&app, "organization").await;
    app.fault(Fault {
        operation: "TransactWriteItems".to_owned(),
        skip: 1,
        times: 1000,
        effect: Effect::InternalError,
    });
    app.settle().await;
    let left = kept(&app).len();
    assert!(0 < left && left < 120, "{left} are left");
    app.embedded().clear_faults();
    // The message comes back when it is no longer held for the worker that failed.
    app.advance(Duration::from_secs(7 * 60));
    app.settle().await;
    assert_eq!(kept(&app), keys(&[]));
}

#[tokio::test]
async fn a_deletion_is_cleaned_up_although_the_queue_refused_its_message_for_a_while() {
    let app = world().await;
    app.fault(Fault {
        operation: "SendMessageBatch".to_owned(),
        skip: 0,
        times: 1000,
        effect: Effect::InternalError,
    });
    delete(&app, "document").await;
    app.try_settle().await.unwrap_err();
    assert!(kept(&app).contains("document-user#welcome#user#ada"));
    app.embedded().clear_faults();
    app.settle().await;
    assert!(!kept(&app).contains("document-user#welcome#user#ada"));
}

#[tokio::test]
async fn the_expiry_of_an_event_row_sends_no_message() {
    let app = world().await;
    delete(&app, "document").await;
    app.settle().await;
    let mut record = records(&app)[0].clone();
    record["eventName"] = json!("REMOVE");
    record["dynamodb"].as_object_mut().unwrap().remove("NewImage");
    let answer = app.stack().run_worker("journal.events", json!({ "Records": [record] })).await;
    assert_eq!(answer, Some(json!({ "batchItemFailures": [] })));
    assert_eq!(app.settle().await, 0);
}

#[tokio::test]
async fn a_sweep_that_runs_out_of_time_continues_with_a_new_message() {
    let app = world().await;
    delete(&app, "document").await;
    let sweep = app.stack().run_worker("cleanup.sweep", order(&app, 0));
    // Polled first, the worker has read the clock before it is moved.
    let (answer, ()) = join(sweep, async { app.advance(Duration::from_secs(60)) }).await;
    assert_eq!(answer, Some(json!({ "batchItemFailures": [] })));
    let cleanup = roundtable::queue_name(service::Queue::Cleanup);
    assert_eq!(app.embedded().queue_depth(&cleanup).unwrap().visible, 1);
    app.settle().await;
    assert!(!kept(&app).contains("document-user#welcome#user#ada"));
}

#[tokio::test]
async fn an_unreadable_message_fails_without_failing_the_others_in_its_batch() {
    let app = world().await;
    delete(&app, "document").await;
    let broken = json!({ "messageId": "broken", "body": "{}" });
    let good = order(&app, 1)["Records"][0].take();
    let event = json!({ "Records": [broken, good] });
    let answer = app.stack().run_worker("cleanup.sweep", event).await;
    let expected = json!({ "batchItemFailures": [{ "itemIdentifier": "broken" }] });
    assert_eq!(answer, Some(expected));
    assert!(!kept(&app).contains("document-user#welcome#user#ada"));
}

#[tokio::test]
async fn a_job_of_an_unknown_key_is_dropped() {
    let app = world().await;
    delete(&app, "document").await;
    let body = order(&app, 0)["Records"][0]["body"].as_str().unwrap().to_owned();
    let body = body.replace(&app.key.api_key, "rt_gone");
    let event = json!({ "Records": [{ "messageId": "gone", "body": body }] });
    let answer = app.stack().run_worker("cleanup.sweep", event).await;
    assert_eq!(answer, Some(json!({ "batchItemFailures": [] })));
    assert!(kept(&app).contains("document-user#welcome#user#ada"));
}

#[tokio::test]
async fn the_sample_events_of_the_workers_are_processed_and_remove_nothing() {
    let app = world().await;
    app.settle().await;
    for name in ["journal.events", "cleanup.sweep", "schedule.release", "user-data.erase"] {
        let text = sample(&name.replace('.', "-")).replace("{{apiKey}}", &app.key.api_key);
        let event: Value = serde_json::from_str(&text).unwrap();
        let answer = app.stack().run_worker(name, event).await.unwrap();
        let expected = match name {
            "schedule.release" => Value::Null,
            _ => json!({ "batchItemFailures": [] }),
        };
        assert_eq!(answer, expected, "{name}");
    }
    // One message of the journal; the job itself left one for its second pass.
    assert_eq!(app.settle().await, 1);
    assert_eq!(rows(&app).len(), 2);
    assert_eq!(kept(&app), all(), "what the samples tell of was never there");
}

/// Content, rights, presence, activities, notifications and preferences: none needs the document.
async fn write_all(app: &App, document: &str) {
    write_content(app, document).await;
    let at = |more: Value| {
        let mut sent = json!({ "organizationId": "acme", "documentId": document });
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sent
    };
    let present = at(json!({ "users": [{ "userId": "late" }] }));
    app.call("presence.add", present).await.ok();
    let grant = json!({ "user": { "userId": "late" }, "permissions": { "resources": [
        { "type": "document", "id": document, "organizationId": "acme" },
    ] } });
    app.call_at("/v2/auth/permissions/add", grant).await.ok();
    let preference = json!({
        "organizationId": "acme", "documentIds": [document], "userIds": ["late"],
        "config": { "inbox": "NONE" },
    });
    app.call("notifications.config_set", preference).await.ok();
}

/// The sort keys of what [`write_all`] wrote.
fn late(app: &App) -> Vec<String> {
    let tables = [Table::Resources, Table::Realtime, Table::Crdt];
    let items = tables.into_iter().flat_map(|table| app.items_of(table, &app.key));
    let sorts = items.map(|item| item["SK"]["S"].as_str().unwrap().to_owned());
    let is_meant = |sort: &String| {
        sort.ends_with("#late") || sort.contains("#head#notes") || sort.contains("#data#page")
    };
    let mut found: Vec<String> = sorts.filter(is_meant).collect();
    found.sort();
    found
}

#[tokio::test]
async fn data_written_right_after_the_deletion_of_its_document_stays() {
    let app = world().await;
    delete(&app, "document").await;
    write_all(&app, "welcome").await;
    let written = late(&app);
    assert_eq!(written.len(), 6, "{written:?}");
    pass_twice(&app).await;
    assert_eq!(late(&app), written);
    let there = json!({ "organizationId": "acme", "documentId": "welcome" });
    assert_eq!(app.call("editors.get", there).await.data()[0]["data"], "later");
}

#[tokio::test]
async fn data_written_right_after_the_deletion_of_its_folder_or_organization_stays() {
    for by_folder in [true, false] {
        let app = world().await;
        match by_folder {
            true => delete(&app, "folder").await,
            false => delete(&app, "organization").await,
        }
        write_all(&app, "welcome").await;
        let written = late(&app);
        app.advance(Duration::from_secs(1));
        pass_twice(&app).await;
        assert_eq!(late(&app), written, "{by_folder}");
    }
}

#[tokio::test]
async fn a_membership_added_right_after_its_user_was_deleted_stays() {
    let app = world().await;
    delete(&app, "user").await;
    let users = json!({
        "organizationId": "acme", "documentId": "roadmap", "users": [{ "userId": "ada" }],
    });
    app.call_at("/v2/users/add", users).await.ok();
    pass_twice(&app).await;
    assert!(kept(&app).contains("document-user#roadmap#user#ada"));
    assert!(!kept(&app).contains("document-user#welcome#user#ada"));
}

#[tokio::test]
async fn an_update_of_an_editor_of_a_deleted_document_is_not_found() {
    let app = world().await;
    write_content(&app, "welcome").await;
    delete(&app, "document").await;
    let sent = json!({
        "organizationId": "acme", "documentId": "welcome", "editorId": "notes",
        "type": "text", "data": "too late",
    });
    app.call("editors.update", sent.clone()).await.error("NOT_FOUND");
    // The editor is added anew, and stays.
    app.call("editors.add", sent).await.ok();
    pass_twice(&app).await;
    let there = json!({ "organizationId": "acme", "documentId": "welcome" });
    assert_eq!(app.call("editors.get", there).await.data()[0]["data"], "too late");
}

#[tokio::test]
async fn an_addition_to_a_thread_of_a_deleted_document_is_not_found() {
    let app = world().await;
    let thread = json!({
        "annotationId": "late", "commentData": [{ "commentId": 1, "from": { "userId": "ada" } }],
    });
    let threads = json!({
        "organizationId": "acme", "documentId": "welcome", "commentAnnotations": [thread],
    });
    app.call("comments.annotations_add", threads).await.ok();
    delete(&app, "document").await;
    let of = |more: Value| {
        let mut sent = json!({
            "organizationId": "acme", "documentId": "welcome", "annotationId": "late",
        });
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sent
    };
    let from = json!({ "userId": "ada" });
    for (operation, more) in [
        ("comments.add", json!({ "commentData": [{ "from": from }] })),
        ("comments.reactions_add", json!({ "commentId": 1, "icon": "HEART", "from": from })),
        ("comments.annotations_subscribe", json!({ "user": from })),
    ] {
        let error = app.call(operation, of(more)).await.error("NOT_FOUND");
        assert_eq!(error["message"], "There is no comment annotation late.", "{operation}");
    }
}
