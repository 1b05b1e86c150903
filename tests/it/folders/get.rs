use serde_json::{Value, json};

use super::with_folders;
use crate::app::App;

const TREE: [(&str, &str); 6] =
    [("b", "root"), ("a", "root"), ("a1", "a"), ("a2", "a"), ("a11", "a1"), ("a111", "a11")];

async fn get(app: &App, parameters: Value) -> Vec<Value> {
    let mut sent = json!({ "organizationId": "o" });
    sent.as_object_mut().unwrap().extend(parameters.as_object().unwrap().clone());
    app.call("folders.get", sent).await.data().as_array().unwrap().clone()
}

/// A folder as its id with its subfolders, `null` where they are absent.
fn shape(folder: &Value) -> Value {
    let below =
        folder.get("subFolders").map(|below| below.as_array().unwrap().iter().map(shape).collect());
    json!({ folder["folderId"].as_str().unwrap(): below.map_or(Value::Null, Value::Array) })
}

fn shapes(folders: &[Value]) -> Value {
    folders.iter().map(shape).collect()
}

#[tokio::test]
async fn without_filters_all_folders_are_listed_flat_and_parents_before_children() {
    let app = with_folders(&TREE).await;
    let folders = get(&app, json!({})).await;
    let ids: Vec<&str> =
        folders.iter().map(|folder| folder["folderId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["a", "a1", "a11", "a111", "a2", "b"]);
    assert!(folders.iter().all(|folder| folder.get("subFolders").is_none()));
    assert_eq!(folders[3]["ancestors"], json!(["root", "a", "a1", "a11"]));
}

#[tokio::test]
async fn a_folder_has_the_members_of_the_specification() {
    let app = with_folders(&[("a", "root")]).await;
    let folder = get(&app, json!({ "folderId": "a" })).await.remove(0);
    let mut names: Vec<&String> = folder.as_object().unwrap().keys().collect();
    names.sort();
    assert_eq!(
        names,
        [
            "accessType",
            "ancestors",
            "apiKey",
            "createdAt",
            "folderId",
            "folderName",
            "inheritAccessFromParent",
            "lastUpdated",
            "organizationId",
            "parentFolderId",
            "subFolders",
        ]
    );
    assert_eq!(folder["apiKey"], app.key.api_key);
    assert_eq!(folder["organizationId"], "o");
    assert_eq!(folder["parentFolderId"], "root");
    assert_eq!(folder["ancestors"], json!(["root"]));
    assert_eq!(folder["accessType"], "public");
    assert_eq!(folder["inheritAccessFromParent"], true);
    assert!(folder["createdAt"].as_u64().unwrap() <= app.now());
}

#[tokio::test]
async fn one_folder_comes_with_one_level_of_subfolders_unless_max_depth_says_more() {
    let app = with_folders(&TREE).await;
    let one = json!([{ "a": [{ "a1": [] }, { "a2": [] }] }]);
    assert_eq!(shapes(&get(&app, json!({ "folderId": "a" })).await), one);
    assert_eq!(shapes(&get(&app, json!({ "folderId": "a", "maxDepth": 1 })).await), one);
    let two = json!([{ "a": [{ "a1": [{ "a11": [] }] }, { "a2": [] }] }]);
    assert_eq!(shapes(&get(&app, json!({ "folderId": "a", "maxDepth": 2 })).await), two);
}

#[tokio::test]
async fn max_depth_without_a_folder_id_nests_from_the_top() {
    let app = with_folders(&TREE).await;
    let one = json!([{ "a": [{ "a1": [] }, { "a2": [] }] }, { "b": [] }]);
    assert_eq!(shapes(&get(&app, json!({ "maxDepth": 1 })).await), one);
    let all =
        json!([{ "a": [{ "a1": [{ "a11": [{ "a111": [] }] }] }, { "a2": [] }] }, { "b": [] }]);
    assert_eq!(shapes(&get(&app, json!({ "maxDepth": 32 })).await), all);
}

#[tokio::test]
async fn max_depth_is_an_integer_from_1_to_32() {
    let app = with_folders(&TREE).await;
    for depth in [json!(1), json!(32), json!(2.0)] {
        app.call("folders.get", json!({ "organizationId": "o", "maxDepth": depth })).await.ok();
    }
    for depth in [json!(0), json!(33), json!(1.5), json!("1"), json!(-1), json!(true)] {
        let reply =
            app.call("folders.get", json!({ "organizationId": "o", "maxDepth": depth })).await;
        assert_eq!(
            reply.error("INVALID_ARGUMENT")["details"]["issues"][0]["path"],
            json!(["data", "maxDepth"])
        );
    }
}

#[tokio::test]
async fn an_unknown_folder_is_not_found_and_an_unknown_organization_has_no_folders() {
    let app = with_folders(&TREE).await;
    app.call("folders.get", json!({ "organizationId": "o", "folderId": "x" }))
        .await
        .error("NOT_FOUND");
    app.call("folders.get", json!({ "organizationId": "x", "folderId": "a" }))
        .await
        .error("NOT_FOUND");
    assert_eq!(app.call("folders.get", json!({ "organizationId": "x" })).await.data(), json!([]));
    assert_eq!(
        app.call("folders.get", json!({ "organizationId": "x", "maxDepth": 3 })).await.data(),
        json!([])
    );
}

#[tokio::test]
async fn siblings_come_by_name_then_id() {
    let app = App::start().await;
    let folders = json!([
        { "folderId": "1", "folderName": "same" }, { "folderId": "0", "folderName": "same" },
        { "folderId": "3", "folderName": "alpha" }, { "folderId": "2" },
    ]);
    let sent = json!({ "organizationId": "o", "createOrganization": true, "folders": folders });
    app.call("folders.add", sent).await.ok();
    assert_eq!(super::ids(&app).await, ["2", "3", "0", "1"]);
}

#[tokio::test]
async fn folders_cannot_be_read_while_the_feature_advanced_queries_is_off() {
    let app = with_folders(&TREE).await;
    let off = json!({ "features": { "advancedQueries": false } });
    app.call("workspace.api_key_config_update", off).await.ok();
    app.call("folders.get", json!({ "organizationId": "o" })).await.error("FAILED_PRECONDITION");
    let on = json!({ "features": { "advancedQueries": true } });
    app.call("workspace.api_key_config_update", on).await.ok();
    app.call("folders.get", json!({ "organizationId": "o" })).await.ok();
}
