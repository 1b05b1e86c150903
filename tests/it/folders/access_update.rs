use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{all, with_folders};
use crate::app::App;

async fn access(app: &App) -> BTreeMap<String, (Value, Value)> {
    let pair =
        |folder: &Value| (folder["accessType"].clone(), folder["inheritAccessFromParent"].clone());
    all(app).await.iter().map(|f| (f["folderId"].as_str().unwrap().to_owned(), pair(f))).collect()
}

#[tokio::test]
async fn a_folder_inherits_its_access_type_until_it_has_its_own() {
    let app = with_folders(&[("a", "root"), ("b", "a"), ("c", "b")]).await;
    let set = json!({ "organizationId": "o", "folderIds": ["a"], "accessType": "restricted" });
    let data = app.call("folders.access_update", set).await.data();
    assert_eq!(data["a"]["success"], true);
    assert_eq!(data["a"]["accessType"], "restricted");
    assert_eq!(data["a"]["inheritFromParent"], false);
    let seen = access(&app).await;
    assert_eq!(seen["a"], (json!("restricted"), json!(false)));
    assert_eq!(seen["c"], (json!("restricted"), json!(true)));

    let own =
        json!({ "organizationId": "o", "folderIds": ["b"], "accessType": "organizationPrivate" });
    app.call("folders.access_update", own).await.ok();
    assert_eq!(access(&app).await["c"].0, "organizationPrivate");

    let back = json!({ "organizationId": "o", "folderIds": ["b"], "inheritFromParent": true });
    let data = app.call("folders.access_update", back).await.data();
    assert_eq!(data["b"]["accessType"], Value::Null);
    assert_eq!(access(&app).await["c"].0, "restricted");
}

#[tokio::test]
async fn an_access_type_is_needed_unless_it_is_inherited() {
    let app = with_folders(&[("a", "root")]).await;
    for sent in
        [json!({}), json!({ "inheritFromParent": false }), json!({ "accessType": "secret" })]
    {
        let mut body = json!({ "organizationId": "o", "folderIds": ["a"] });
        body.as_object_mut().unwrap().extend(sent.as_object().unwrap().clone());
        app.call("folders.access_update", body).await.error("INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn an_unknown_folder_fails_without_failing_the_others() {
    let app = with_folders(&[("a", "root")]).await;
    let sent =
        json!({ "organizationId": "o", "folderIds": ["a", "x", "a"], "accessType": "restricted" });
    let data = app.call("folders.access_update", sent).await.data();
    assert_eq!(data.as_object().unwrap().len(), 2);
    assert_eq!(data["a"]["success"], true);
    assert_eq!(data["x"]["code"], "not-found");
}
