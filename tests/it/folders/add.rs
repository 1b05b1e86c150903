use serde_json::json;

use super::{ids, parent, with_folders};
use crate::app::App;

#[tokio::test]
async fn a_folder_may_be_added_below_another_folder_of_the_same_request() {
    let app = with_folders(&[("a", "root"), ("b", "a"), ("c", "b")]).await;
    assert_eq!(ids(&app).await, ["a", "b", "c"]);
    assert_eq!(parent(&app, "c").await, "b");
}

#[tokio::test]
async fn a_parent_that_does_not_exist_is_not_found() {
    let app = with_folders(&[("a", "root")]).await;
    let sent = json!({ "organizationId": "o", "folders": [
        { "folderId": "early", "parentFolderId": "late" },
        { "folderId": "late", "folderName": "late" },
        { "folderId": "b", "parentFolderId": "nowhere" },
    ] });
    let data = app.call("folders.add", sent).await.data();
    assert_eq!(data["early"]["success"], false);
    assert_eq!(data["early"]["code"], "not-found");
    assert_eq!(data["late"]["success"], true);
    assert_eq!(data["b"]["code"], "not-found");
    assert_eq!(ids(&app).await, ["a", "late"]);
}

#[tokio::test]
async fn an_existing_folder_fails_and_is_not_changed() {
    let app = with_folders(&[("a", "root")]).await;
    let again =
        json!({ "organizationId": "o", "folders": [{ "folderId": "a", "folderName": "other" }] });
    let data = app.call("folders.add", again).await.data();
    assert_eq!(data["a"]["code"], "already-exists");
    assert_eq!(super::all(&app).await[0]["folderName"], "a");
}

#[tokio::test]
async fn a_folder_sent_twice_in_a_request_is_added_as_the_first_item_says() {
    let app = App::start().await;
    let sent = json!({ "organizationId": "o", "createOrganization": true, "folders": [
        { "folderId": "a", "folderName": "first" }, { "folderId": "a", "folderName": "second" },
    ] });
    let data = app.call("folders.add", sent).await.data();
    assert_eq!(data.as_object().unwrap().len(), 1);
    assert_eq!(data["a"]["success"], true);
    assert_eq!(super::all(&app).await[0]["folderName"], "first");
}

#[tokio::test]
async fn an_unknown_organization_is_created_only_when_asked_for() {
    let app = App::start().await;
    let mut sent = json!({ "organizationId": "o", "folders": [{ "folderId": "a" }] });
    let data = app.call("folders.add", sent.clone()).await.data();
    assert_eq!(data["a"]["success"], false);
    assert_eq!(data["a"]["code"], "not-found");
    assert!(ids(&app).await.is_empty());
    sent["createOrganization"] = json!(true);
    assert_eq!(app.call("folders.add", sent).await.data()["a"]["success"], true);
}

#[tokio::test]
async fn root_is_refused_as_the_id_of_a_folder() {
    let app = with_folders(&[("a", "root")]).await;
    let data = app
        .call("folders.add", json!({ "organizationId": "o", "folders": [{ "folderId": "root" }] }));
    assert_eq!(data.await.data()["root"]["code"], "invalid-argument");
    assert_eq!(ids(&app).await, ["a"]);
}

#[tokio::test]
async fn folders_nest_64_levels_deep_and_no_deeper() {
    let names: Vec<String> = (0..65).map(|n| format!("f{n:02}")).collect();
    let app = App::start().await;
    let folders: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(n, id)| json!({ "folderId": id, "parentFolderId": if n == 0 { "root" } else { &names[n - 1] } }))
        .collect();
    let sent = json!({ "organizationId": "o", "createOrganization": true, "folders": folders });
    let data = app.call("folders.add", sent).await.data();
    assert_eq!(data["f63"]["success"], true);
    assert_eq!(data["f64"]["success"], false);
    assert_eq!(data["f64"]["code"], "invalid-argument");
}

#[tokio::test]
async fn five_hundred_folders_take_few_calls() {
    let app = with_folders(&[("a", "root")]).await;
    let folders: Vec<_> =
        (0..500).map(|n| json!({ "folderId": format!("n{n}"), "parentFolderId": "a" })).collect();
    app.forget_calls();
    app.call("folders.add", json!({ "organizationId": "o", "folders": folders })).await.ok();
    assert!(app.calls().len() <= 500_usize.div_ceil(25) + 2, "{}", app.calls().len());
    assert_eq!(ids(&app).await.len(), 501);
}
