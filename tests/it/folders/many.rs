//! Organizations with many folders.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};
use service::Table;

use super::with_folders;
use crate::{app::App, multiply::multiply, schedule::put};

const MOST: usize = 20_000;

fn batch(from: usize, count: usize) -> Value {
    let folders: Vec<Value> =
        (from..from + count).map(|n| json!({ "folderId": format!("n{n}") })).collect();
    json!({ "organizationId": "o", "folders": folders })
}

fn added(reply: &Value) -> usize {
    let entries = reply.as_object().unwrap().values();
    let is_added = |entry: &&Value| {
        assert!(entry["success"] == true || entry["code"] == "resource-exhausted", "{entry}");
        entry["success"] == true
    };
    entries.filter(is_added).count()
}

/// Sets the counter of folders, as if calls had added the existing ones.
async fn counted(app: &App, folders: usize) {
    let rows = app.items_of(Table::Resources, &app.key);
    let row = rows.into_iter().find(|row| row["SK"]["S"] == "folder-count");
    let mut row = row.expect("a counter");
    row["count"] = json!({ "N": folders.to_string() });
    put(app, Table::Resources, &row).await;
}

async fn get(app: &App, members: Value) -> Value {
    let mut sent = json!({ "organizationId": "o" });
    sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    app.call("folders.get", sent).await.ok()
}

#[tokio::test]
async fn an_organization_at_its_limit_of_folders_still_works_and_takes_no_more() {
    let app = with_folders(&[("f00000", "root"), ("below", "f00000")]).await;
    multiply(&app, "folder#f00000", "f00000", 1..MOST - 1001).await;
    counted(&app, MOST - 1000).await;
    let calls = join_all((0..4).map(|n| app.call("folders.add", batch(n * 400, 400)))).await;
    assert_eq!(calls.iter().map(|reply| added(&reply.data())).sum::<usize>(), 1000);
    assert_eq!(added(&app.call("folders.add", batch(9000, 1)).await.data()), 0);
    app.forget_calls();
    assert_eq!(added(&app.call("folders.add", batch(9000, 20)).await.data()), 0);
    assert!(app.calls().len() < 8, "the folders are not counted again: {:?}", app.calls());

    let one = get(&app, json!({ "folderId": "f00000" })).await;
    assert_eq!(one["data"][0]["subFolders"][0]["folderId"], "below");
    app.call("folders.add", batch(0, 1)).await.ok();
    let moved = json!({ "organizationId": "o", "folders": [
        { "folderId": "below", "parentFolderId": "f00001" },
    ] });
    assert_eq!(app.call("folders.update", moved).await.data()["below"]["success"], true);
    let gone = json!({ "organizationId": "o", "folderId": "n0" });
    app.call("folders.delete", gone).await.ok();
    assert_eq!(added(&app.call("folders.add", batch(9000, 2)).await.data()), 1);

    let (mut ids, mut token) = (BTreeSet::new(), Value::Null);
    loop {
        let page = get(&app, json!({ "pageToken": token })).await;
        let data = page["data"].as_array().unwrap();
        assert!(data.len() <= 1000);
        ids.extend(data.iter().map(|it| it["folderId"].as_str().unwrap().to_owned()));
        token = page["nextPageToken"].clone();
        if token.is_null() {
            break;
        }
    }
    assert_eq!(ids.len(), MOST);
}

#[tokio::test]
async fn folders_created_with_documents_and_users_count_towards_the_limit() {
    let app = with_folders(&[("f00000", "root")]).await;
    let number = |app: &App| {
        let rows = app.items_of(Table::Resources, &app.key);
        let row = rows.into_iter().find(|row| row["SK"]["S"] == "folder-count");
        row.expect("a counter")["count"]["N"].as_str().unwrap().parse::<usize>().unwrap()
    };
    let document = |folder: &str, id: &str| {
        json!({ "organizationId": "o", "folderId": folder, "createFolder": true,
            "documents": [{ "documentId": id }] })
    };
    let user = |folder: &str| {
        json!({ "organizationId": "o", "folderId": folder, "createFolder": true,
            "users": [{ "userId": "u" }] })
    };
    for _ in 0..2 {
        app.call("users.add", user("by-user")).await.ok();
    }
    app.call("documents.add", document("by-document", "d1")).await.ok();
    app.call("documents.add", document("by-document", "d2")).await.ok();
    assert_eq!(number(&app), 3);
    let gone = json!({ "organizationId": "o", "folderId": "by-user" });
    app.call("folders.delete", gone).await.ok();
    assert_eq!(number(&app), 2);

    multiply(&app, "folder#f00000", "f00000", 1..MOST - 1).await;
    counted(&app, MOST).await;
    app.advance(std::time::Duration::from_millis(1));
    let refused = app.call("documents.add", document("more", "d3")).await;
    refused.error("RESOURCE_EXHAUSTED");
    app.call("users.add", user("more")).await.error("RESOURCE_EXHAUSTED");
    app.call("documents.add", document("by-document", "d4")).await.ok();
}

#[tokio::test]
async fn one_of_3000_folders_is_read_in_fewer_than_8_calls() {
    let app = with_folders(&[("f00000", "root"), ("mid", "root"), ("low", "mid")]).await;
    multiply(&app, "folder#f00000", "f00000", 1..3000).await;
    app.forget_calls();
    let one = get(&app, json!({ "folderId": "low" })).await;
    assert_eq!(one["data"][0]["ancestors"], json!(["root", "mid"]));
    assert!(app.calls().len() < 8, "{:?}", app.calls());
    let top = get(&app, json!({ "folderId": "mid" })).await;
    assert_eq!(top["data"][0]["subFolders"][0]["folderId"], "low");
    let error = json!({ "organizationId": "o", "folderId": "none" });
    app.call("folders.get", error).await.error("NOT_FOUND");
}

#[tokio::test]
async fn the_subfolders_of_a_folder_are_returned_in_pages() {
    for others in [1, 1000] {
        let app = with_folders(&[
            ("f00000", "root"),
            ("p", "root"),
            ("c", "p"),
            ("a", "p"),
            ("b", "p"),
            ("d", "a"),
        ])
        .await;
        multiply(&app, "folder#f00000", "f00000", 1..others).await;
        for depth in [Value::Null, json!(2)] {
            let (mut walked, mut token) = (Vec::new(), Value::Null);
            for _ in 0..3 {
                let sent = json!({
                    "folderId": "p", "maxDepth": depth, "pageSize": 1, "pageToken": token,
                });
                let page = get(&app, sent).await;
                walked.push(page["data"][0]["subFolders"][0].clone());
                token = page["nextPageToken"].clone();
            }
            assert!(token.is_null());
            let ids: Vec<&Value> = walked.iter().map(|folder| &folder["folderId"]).collect();
            assert_eq!(ids, ["a", "b", "c"]);
            let below = walked[0]["subFolders"].as_array().map(Vec::len);
            assert_eq!(below, Some(usize::from(!depth.is_null())));
        }
    }
}
