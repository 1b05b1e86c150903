//! Data of versions before containers had lives (commit 5bb3a149): read as they were meant, and
//! repaired by one pass. Their clean-up removed by times, so that it could miss what was changed
//! meanwhile, and their tombstones expired whether it had ended or not.

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use embedded::{Effect, Fault, Hold, Snapshot};
use futures_util::future::join;
use roundtable::{DataDir, HostSetup, Setup, Stack, table_name};
use serde_json::{Value, json};
use service::{Clock, Keyring, Table};

use crate::app::{App, KEYRING, histories::sweep};

/// The tables with data of tenants.
const TABLES: [Table; 3] = [Table::Resources, Table::Realtime, Table::Crdt];
const HOUR: u64 = 60 * 60 * 1000;

async fn at(app: &App, operation: &str, organization: &str, more: Value) -> Value {
    let mut sent = json!({ "organizationId": organization });
    sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    app.call(operation, sent).await.data()
}

/// An organization with everything, twice: what is in `gone-…` goes, the rest stays.
async fn fill(app: &App) {
    app.fill_sample_world("").await;
    let folders = json!({ "folders": [
        { "folderId": "gone-folder" },
        { "folderId": "gone-below", "parentFolderId": "gone-folder" },
    ] });
    at(app, "folders.add", "acme", folders).await;
    for (folder, document) in [
        (Value::Null, "gone-document"),
        (json!("gone-folder"), "gone-inside"),
        (json!("gone-below"), "gone-deeper"),
    ] {
        let sent = json!({ "folderId": folder, "documents": [{ "documentId": document }] });
        at(app, "documents.add", "acme", sent).await;
        content(app, "acme", document).await;
    }
    let users = json!({ "folderId": "gone-folder", "users": [{ "userId": "bob" }] });
    at(app, "users.add", "acme", users).await;
    let sent = json!({ "organizationUserGroups": [{ "groupId": "gone-group" }] });
    at(app, "user-groups.add", "acme", sent).await;
    let sent = json!({ "organizationUserGroupId": "gone-group", "userIds": ["ada", "bob"] });
    at(app, "user-groups.users_add", "acme", sent).await;

    let eve = json!({ "users": [{ "userId": "gone-eve" }] });
    at(app, "users.add", "acme", eve.clone()).await;
    for level in [json!({ "documentId": "roadmap" }), json!({ "folderId": "handbook" })] {
        let mut sent = eve.clone();
        sent.as_object_mut().unwrap().extend(level.as_object().unwrap().clone());
        at(app, "users.add", "acme", sent).await;
    }
    let sent = json!({ "organizationUserGroupId": "writers", "userIds": ["gone-eve"] });
    at(app, "user-groups.users_add", "acme", sent).await;
    grant(app, "gone-eve", "welcome").await;

    let sent = json!({ "createOrganization": true, "documents": [{ "documentId": "theirs" }] });
    at(app, "documents.add", "gone-organization", sent).await;
    at(app, "users.add", "gone-organization", json!({ "users": [{ "userId": "ada" }] })).await;
    content(app, "gone-organization", "theirs").await;

    // A right needs no document, so it may be given before the document is added.
    grant(app, "bob", "future").await;
    app.advance(Duration::from_secs(1));
}

async fn grant(app: &App, user: &str, document: &str) {
    let sent = json!({ "user": { "userId": user }, "permissions": { "resources": [
        { "type": "document", "id": document, "organizationId": "acme" },
    ] } });
    app.call("permissions.add", sent).await.ok();
}

/// Threads, one of them long, and what else a document has.
async fn content(app: &App, organization: &str, document: &str) {
    let own = |more: Value| {
        let mut sent = json!({ "documentId": document });
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sent
    };
    let said: Vec<Value> = (0..60)
        .map(|n| json!({ "from": { "userId": "ada" }, "commentText": format!("{n}") }))
        .collect();
    let threads = json!([{ "annotationId": format!("thread-{document}"), "commentData": said }]);
    for (operation, sent) in [
        ("comments.annotations_add", json!({ "commentAnnotations": threads })),
        ("users.add", json!({ "users": [{ "userId": "bob" }] })),
        ("live-state.broadcast", json!({ "liveStateDataId": "slides", "data": { "page": 1 } })),
        ("editors.add", json!({ "editorId": "body", "type": "text", "data": "text" })),
        (
            "notifications.config_set",
            json!({
                "documentIds": [document], "userIds": ["ada"], "config": { "inbox": "MINE" },
            }),
        ),
        (
            "notifications.seen",
            json!({
                "annotationId": format!("thread-{document}"), "userId": "ada",
            }),
        ),
        // The recording says when it was added, and so that all of this was before the end.
        (
            "recordings.add",
            json!({ "recordings": [{
            "annotationId": format!("recording-{document}"), "from": { "userId": "ada" },
            "attachments": [{ "url": "https://cdn.example.com/demo.mp3" }],
            "recordedTime": { "duration": 4200 },
        }] }),
        ),
    ] {
        at(app, operation, organization, own(sent)).await;
    }
}

async fn delete_everything(app: &App) {
    at(app, "documents.delete", "acme", json!({ "documentIds": ["gone-document"] })).await;
    at(app, "folders.delete", "acme", json!({ "folderId": "gone-folder" })).await;
    let sent = json!({ "organizationUserGroupIds": ["gone-group"] });
    at(app, "user-groups.delete", "acme", sent).await;
    at(app, "users.delete", "acme", json!({ "userIds": ["gone-eve"] })).await;
    app.call("organizations.delete", json!({ "organizationIds": ["gone-organization"] }))
        .await
        .ok();
    app.advance(Duration::from_secs(1));
}

/// The places of all items of the tenant that are there, by table.
fn live(app: &App) -> BTreeSet<String> {
    let places = TABLES.into_iter().flat_map(|table| {
        let place =
            move |item: &Value| format!("{} {} {}", table.name(), item["PK"]["S"], item["SK"]["S"]);
        app.items_of(table, &app.key).iter().map(place).collect::<Vec<_>>()
    });
    places.collect()
}

/// How much of the past has expired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Past {
    /// Nothing: there are tombstones, and records of ends.
    Recent,
    /// The whole past.
    Long,
}

fn number(item: &Value, name: &str) -> Option<u64> {
    item[name]["N"].as_str()?.parse().ok()
}

/// An item as the earlier version wrote it; none if it has expired.
fn as_earlier(item: &Value, past: Past) -> Option<Value> {
    let (mut item, before) = (item.clone(), item);
    let own = item.as_object_mut().expect("an item");
    let sort = before["SK"]["S"].as_str().unwrap_or_default();
    for name in ["_since", "_in", "_ended", "given", "groups", "_findsPeople"] {
        own.remove(name);
    }
    if before.get("_gone").is_some() {
        let expires = number(before, "_written").unwrap_or(0) + 7 * 24 * HOUR;
        own.insert("expires".to_owned(), json!({ "N": (expires / 1000).to_string() }));
        return (past == Past::Recent).then_some(item);
    }
    if sort.split('#').next().is_some_and(|kind| kind.ends_with("-grant")) {
        let ends = [number(before, "left"), number(before, "ended")];
        own.remove("left");
        own.remove("ended");
        let since = match ends {
            [None, None] => number(before, "given").unwrap_or(0),
            [left, ended] => {
                let end = left.or(ended).unwrap_or(0);
                let what = if left.is_some() { "inside" } else { "level" };
                own.insert("revoked".to_owned(), json!({ "S": what }));
                own.insert("accessRole".to_owned(), json!({ "S": "editor" }));
                let expires = (end + 49 * HOUR) / 1000;
                own.insert("expires".to_owned(), json!({ "N": expires.to_string() }));
                if past == Past::Long {
                    return None;
                }
                end
            }
        };
        own.insert("since".to_owned(), json!({ "N": since.to_string() }));
    }
    Some(item)
}

async fn request(app: &App, operation: &str, request: Value) {
    let sent = reqwest::Client::new()
        .post(app.stack().aws_endpoint().expect("a port"))
        .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
        .body(request.to_string())
        .send();
    assert_eq!(sent.await.unwrap().status(), 200);
}

/// Rewrites all tables as the earlier version would have left them; its streams are read.
async fn to_earlier(app: &App, past: Past) {
    for table in TABLES {
        let name = table_name(table);
        for item in app.embedded().dump(&name).unwrap() {
            match as_earlier(&item, past) {
                Some(earlier) if earlier == item => {}
                Some(earlier) => {
                    let sent = json!({ "TableName": name, "Item": earlier });
                    request(app, "PutItem", sent).await;
                }
                None => {
                    let key = json!({ "PK": item["PK"], "SK": item["SK"] });
                    let sent = json!({ "TableName": name, "Key": key });
                    request(app, "DeleteItem", sent).await;
                }
            }
        }
    }
    app.skip_records().await;
}

/// Data of which nothing was cleaned up, what should be left of them, and the deployment.
async fn world() -> (App, Snapshot, BTreeSet<String>) {
    let app = App::start().await;
    fill(&app).await;
    app.settle().await;
    delete_everything(&app).await;
    let deleted = app.embedded().snapshot().unwrap();
    app.clean_up().await;
    let left = live(&app);
    assert_eq!(sweep(app.embedded()), Ok(()));
    assert!(left.iter().all(|it| !it.contains("gone") || it.contains("gone-eve")), "{left:#?}");
    (app, deleted, left)
}

async fn repair(app: &App) -> Value {
    let done = app.call("operator.deletions_repair", json!({})).await.data();
    assert_eq!((&done["next"], &done["unnamed"]), (&Value::Null, &json!(0)), "{done}");
    done["repeated"].clone()
}

/// Repairs in calls that have time for one page; returns their number.
async fn repair_in_pages(app: &App) -> usize {
    let (mut start, mut calls) = (Value::Null, 0);
    loop {
        let hold = Hold::default();
        let effect = Effect::Hold(hold.clone());
        app.fault(Fault { operation: "Scan".to_owned(), skip: 0, times: 1, effect });
        let time_passes = async {
            hold.reached().await;
            app.advance(Duration::from_secs(11));
            hold.release();
        };
        let sent = json!({ "start": start });
        let (done, ()) = join(app.call("operator.deletions_repair", sent), time_passes).await;
        start = done.data()["next"].clone();
        calls += 1;
        if start.is_null() {
            return calls;
        }
    }
}

#[tokio::test]
async fn the_repair_removes_what_deletions_of_an_earlier_version_left_and_nothing_else() {
    let (app, deleted, left) = world().await;
    for past in [Past::Recent, Past::Long] {
        app.embedded().restore(&deleted).unwrap();
        to_earlier(&app, past).await;
        app.advance(Duration::from_secs(1));
        sweep(app.embedded()).expect_err("the clean-up has done nothing");
        assert_ne!(repair(&app).await, json!(0), "{past:?}");
        // Broken off before anything followed from it, it begins anew.
        assert!(repair_in_pages(&app).await > 1);
        app.clean_up().await;
        assert_eq!(sweep(app.embedded()), Ok(()), "{past:?}");
        let mut kept = live(&app);
        if past == Past::Long {
            // Nothing says any more that she left: only what needs her in the organization goes.
            kept.retain(|it| !it.contains("gone-eve"));
        }
        let expected = left.iter().filter(|it| past == Past::Recent || !it.contains("gone-eve"));
        let expected: BTreeSet<&String> = expected.collect();
        let kept: BTreeSet<&String> = kept.iter().collect();
        let lost: Vec<_> = expected.difference(&kept).collect();
        let more: Vec<_> = kept.difference(&expected).collect();
        assert!(lost.is_empty() && more.is_empty(), "{past:?} lost {lost:#?}, left {more:#?}");
        assert_eq!(repair(&app).await, json!(0), "{past:?}");
        reads_as_before(&app).await;
    }
}

/// Checks that callers see the same data afterwards.
async fn reads_as_before(app: &App) {
    let ids = |found: Value, name: &str| -> Vec<String> {
        let items = found.as_array().unwrap().iter();
        items.map(|item| item[name].as_str().unwrap().to_owned()).collect()
    };
    let documents = at(app, "documents.get", "acme", json!({})).await;
    assert_eq!(ids(documents, "documentId"), ["roadmap", "welcome"]);
    let folders = at(app, "folders.get", "acme", json!({})).await;
    assert_eq!(ids(folders, "folderId"), ["handbook", "policies"]);
    let threads = json!({ "documentIds": ["welcome"] });
    let threads = at(app, "comments.annotations_get", "acme", threads).await;
    assert_eq!(ids(threads, "annotationId"), ["intro"]);
    let sent = json!({ "organizationIds": ["gone-organization"] });
    assert_eq!(app.call("organizations.get", sent).await.data(), json!([]));
}

async fn token(app: &App, user: &str, document: Option<&str>) -> String {
    let resource = |id: &str| json!({ "type": "document", "id": id, "organizationId": "acme" });
    let resources: Vec<Value> = document.into_iter().map(resource).collect();
    let sent = json!({ "userId": user, "userProperties": { "name": user, "email": "u@example.com" }, "permissions": { "resources": resources } });
    let token = app.call("users.generate_token", sent).await.data();
    token["token"].as_str().unwrap().to_owned()
}

/// Before anything is repaired or cleaned up.
#[tokio::test]
async fn rows_of_an_earlier_version_are_read_correctly_before_any_repair() {
    let app = App::start().await;
    fill(&app).await;
    for document in ["roadmap", "welcome"] {
        let restricted = json!({ "documentIds": [document], "accessType": "restricted" });
        at(&app, "documents.access_update", "acme", restricted).await;
    }
    let (eve, bob) =
        (token(&app, "gone-eve", Some("roadmap")).await, token(&app, "bob", Some("roadmap")).await);
    let opens = async |token: &str, document: &str| {
        let sent = json!({ "organizationId": "acme", "documentIds": [document] });
        let read = app.caller().end_user(token).call("comments.annotations_get", sent).await;
        read.status() == 200
    };
    assert!(opens(&eve, "roadmap").await && opens(&bob, "roadmap").await);
    app.advance(Duration::from_secs(1));
    delete_everything(&app).await;
    let sent = json!({ "userId": "bob", "permissions": { "resources": [
        { "type": "document", "id": "roadmap", "organizationId": "acme" },
    ] } });
    app.call("permissions.remove", sent).await.ok();
    app.advance(Duration::from_secs(1));
    to_earlier(&app, Past::Recent).await;
    app.advance(Duration::from_secs(1));

    // Rights that were taken away: all in the organization, or the right at a level.
    let new_eve = token(&app, "gone-eve", None).await;
    for (token, document) in
        [(&eve, "roadmap"), (&eve, "welcome"), (&new_eve, "roadmap"), (&bob, "roadmap")]
    {
        assert!(!opens(token, document).await, "{document}");
    }
    // A membership and a grant without the time at which they were given.
    for user in ["ada", "bob"] {
        assert!(opens(&token(&app, user, None).await, "welcome").await, "{user}");
    }
    let threads = json!({ "documentIds": ["welcome"] });
    let threads = at(&app, "comments.annotations_get", "acme", threads).await;
    assert_eq!(threads[0]["annotationId"], "intro");

    // A tombstone without the time of the end: what is added again is empty.
    let again = json!({ "documents": [{ "documentId": "gone-document" }] });
    at(&app, "documents.add", "acme", again).await;
    let own = json!({ "documentId": "gone-document" });
    for operation in ["users.get", "recordings.get", "live-state.get"] {
        assert_eq!(at(&app, operation, "acme", own.clone()).await, json!([]), "{operation}");
    }
    let threads = json!({ "documentIds": ["gone-document"] });
    assert_eq!(at(&app, "comments.annotations_get", "acme", threads).await, json!([]));
}

/// A folder with the data of a deployment, removed at the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

async fn served(folder: &Folder, snapshot: Option<&Snapshot>, clock: Clock) -> Stack {
    let keyring = Keyring::parse(KEYRING).unwrap();
    let setup = Setup::unserved(folder.0.clone(), keyring, registry::families());
    let functions = HostSetup { snapshot, clock, is_synced: false, ..setup.functions };
    Stack::open(Setup { functions, ..setup }).await.unwrap()
}

#[tokio::test]
async fn a_data_folder_of_format_1_is_upgraded_and_repaired_when_it_is_opened() {
    let (app, deleted, _) = world().await;
    app.embedded().restore(&deleted).unwrap();
    to_earlier(&app, Past::Recent).await;
    let name = keyring::random_text::<8>().unwrap();
    let folder = Folder(std::env::temp_dir().join(format!("roundtable-{name}")));
    let format = folder.0.join("format");
    std::fs::create_dir_all(&folder.0).unwrap();
    drop(
        served(&folder, Some(&app.embedded().snapshot().unwrap()), Clock::stopped(app.now())).await,
    );

    // Data without a format are of the first one.
    let data = DataDir::open(&folder.0).unwrap();
    assert_eq!(std::fs::read_to_string(&format).unwrap(), "1");
    let refused = data.upgrade(|_| Err("the disk is full".to_owned())).unwrap_err();
    assert!(refused.contains("the disk is full"), "{refused}");
    assert_eq!(std::fs::read_to_string(&format).unwrap(), "1");
    assert!(data.upgrade(|_| Ok(())).unwrap().is_some());
    assert_eq!(std::fs::read_to_string(&format).unwrap(), "2");
    assert_eq!(data.upgrade(|_| panic!("it is of this format")), Ok(None));

    let clock = Clock::stopped(Clock::default().now());
    let stack = served(&folder, None, clock.clone()).await;
    let mut sources = stack.sources(None);
    // A clean-up is confirmed once a later look finds nothing.
    for _ in 0..4 {
        sources.settle().await.unwrap();
        clock.advance(Duration::from_secs(21 * 60));
        sources.tick().await;
    }
    sources.settle().await.unwrap();
    assert_eq!(sweep(stack.embedded()), Ok(()));
}
