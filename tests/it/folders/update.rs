use std::collections::BTreeMap;

use futures_util::future::join_all;
use serde_json::json;

use super::{all, parent, with_folders};
use crate::app::App;

fn moves(pairs: &[(&str, &str)]) -> serde_json::Value {
    let folders: Vec<_> = pairs
        .iter()
        .map(|(id, parent)| json!({ "folderId": id, "parentFolderId": parent }))
        .collect();
    json!({ "organizationId": "o", "folders": folders })
}

#[tokio::test]
async fn omitted_members_keep_their_values() {
    let app = with_folders(&[("a", "root"), ("b", "a")]).await;
    let renamed =
        json!({ "organizationId": "o", "folders": [{ "folderId": "b", "folderName": "B" }] });
    assert_eq!(app.call("folders.update", renamed).await.data()["b"]["success"], true);
    let folders = all(&app).await;
    assert_eq!(
        (&folders[1]["folderName"], &folders[1]["parentFolderId"]),
        (&json!("B"), &json!("a"))
    );
    app.call("folders.update", moves(&[("b", "root")])).await.ok();
    let folders = all(&app).await;
    assert_eq!(
        (&folders[0]["folderName"], &folders[0]["parentFolderId"]),
        (&json!("B"), &json!("root"))
    );
}

#[tokio::test]
async fn a_folder_moves_with_everything_below_it() {
    let app = with_folders(&[("a", "root"), ("a1", "a"), ("a11", "a1"), ("b", "root")]).await;
    app.call("folders.update", moves(&[("a1", "b")])).await.ok();
    let ancestors: BTreeMap<_, _> = all(&app)
        .await
        .into_iter()
        .map(|f| (f["folderId"].as_str().unwrap().to_owned(), f["ancestors"].clone()))
        .collect();
    assert_eq!(ancestors["a1"], json!(["root", "b"]));
    assert_eq!(ancestors["a11"], json!(["root", "b", "a1"]));
}

#[tokio::test]
async fn a_folder_cannot_move_into_itself_or_below_itself() {
    let app = with_folders(&[("a", "root"), ("b", "a"), ("c", "b")]).await;
    for target in ["a", "b", "c"] {
        let data = app.call("folders.update", moves(&[("a", target)])).await.data();
        assert_eq!(data["a"]["code"], "invalid-argument", "into {target}");
    }
    assert_eq!(parent(&app, "a").await, "root");
}

#[tokio::test]
async fn moves_of_one_request_are_decided_one_after_the_other() {
    let app = with_folders(&[("a", "root"), ("b", "root"), ("c", "root")]).await;
    // The first move makes the second one a cycle; ids come sorted, so a goes first.
    let data =
        app.call("folders.update", moves(&[("a", "b"), ("b", "a"), ("c", "a")])).await.data();
    assert_eq!(data["a"]["success"], true);
    assert_eq!(data["b"]["code"], "invalid-argument");
    assert_eq!(data["c"]["success"], true);
    assert_eq!((parent(&app, "a").await, parent(&app, "c").await), (json!("b"), json!("a")));
}

#[tokio::test]
async fn unknown_folders_and_parents_are_not_found() {
    let app = with_folders(&[("a", "root")]).await;
    let data = app.call("folders.update", moves(&[("x", "a"), ("a", "x")])).await.data();
    assert_eq!(
        (&data["x"]["code"], &data["a"]["code"]),
        (&json!("not-found"), &json!("not-found"))
    );
    let elsewhere =
        json!({ "organizationId": "x", "folders": [{ "folderId": "a", "folderName": "n" }] });
    assert_eq!(app.call("folders.update", elsewhere).await.data()["a"]["code"], "not-found");
}

#[tokio::test]
async fn changes_of_one_folder_in_one_request_are_merged_in_order() {
    let app = with_folders(&[("a", "root"), ("b", "root")]).await;
    let sent = json!({ "organizationId": "o", "folders": [
        { "folderId": "a", "folderName": "one", "parentFolderId": "b" }, { "folderId": "a", "folderName": "two" },
    ] });
    let data = app.call("folders.update", sent).await.data();
    assert_eq!(data.as_object().unwrap().len(), 1);
    assert_eq!(all(&app).await[1]["folderName"], "two");
    assert_eq!(parent(&app, "a").await, "b");
}

/// Two folders that move into each other concurrently, and rings of three: the second move has to
/// see the first. A ring would hide its folders from the tree.
#[tokio::test]
async fn concurrent_moves_never_close_a_cycle() {
    for round in 0..10 {
        let app = with_folders(&[("a", "root"), ("b", "root"), ("c", "root")]).await;
        let ring = [("a", "b"), ("b", "c"), ("c", "a")];
        let ring = if round % 2 == 0 { &ring[..] } else { &[("a", "b"), ("b", "a")][..] };
        let replies =
            join_all(ring.iter().map(|pair| app.call("folders.update", moves(&[*pair])))).await;
        let moved = replies
            .iter()
            .zip(ring)
            .filter(|(reply, (id, _))| reply.data()[*id]["success"] == true);
        assert!(moved.count() < ring.len());
        for folder in all(&app).await {
            assert_eq!(folder["ancestors"][0], "root", "{folder}");
        }
    }
}

#[tokio::test]
async fn a_tree_cannot_grow_deeper_than_64_by_moving() {
    let app = App::start().await;
    let chain = |prefix: &str, n: usize| -> Vec<serde_json::Value> {
        let id = |n: usize| format!("{prefix}{n:02}");
        let parent = |n: usize| if n == 0 { "root".to_owned() } else { id(n - 1) };
        (0..n).map(|n| json!({ "folderId": id(n), "parentFolderId": parent(n) })).collect()
    };
    let folders = [chain("x", 40), chain("y", 25)].concat();
    let sent = json!({ "organizationId": "o", "createOrganization": true, "folders": folders });
    app.call("folders.add", sent).await.ok();
    assert_eq!(
        app.call("folders.update", moves(&[("y00", "x39")])).await.data()["y00"]["code"],
        "invalid-argument"
    );
    assert_eq!(
        app.call("folders.update", moves(&[("y00", "x38")])).await.data()["y00"]["success"],
        true
    );
}
