use serde_json::{Value, json};

use super::{groups, world};
use crate::app::App;

async fn get(app: &App, more: Value) -> Value {
    let mut sent = json!({ "organizationId": "o" });
    for (name, value) in more.as_object().unwrap() {
        sent[name] = value.clone();
    }
    app.call("user-groups.get", sent).await.ok()
}

fn ids(result: &Value) -> Vec<&str> {
    let groups = result["data"].as_array().unwrap();
    groups.iter().map(|group| group["organizationUserGroupId"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn groups_are_listed_with_their_members_in_pages() {
    let app = world().await;
    let more = json!({ "organizationId": "o", "organizationUserGroups": [
        { "groupId": "f" }, { "groupId": "h" },
    ] });
    app.call("user-groups.add", more).await.ok();
    for filter in [json!(null), json!(["h", "g", "f", "nothing"])] {
        let name = "organizationUserGroupIds";
        let first = get(&app, json!({ name: filter, "pageSize": 2 })).await;
        assert_eq!(ids(&first), ["f", "g"]);
        assert_eq!(first["data"][1]["userIds"], json!(["a", "b"]));
        let token = &first["nextPageToken"];
        let second = get(&app, json!({ name: filter, "pageSize": 2, "pageToken": token })).await;
        assert_eq!(ids(&second), ["h"]);
        assert_eq!(second.get("nextPageToken"), Some(&json!(null)));
        let all = get(&app, json!({ name: filter, "pageSize": 3 })).await;
        assert_eq!(all.get("nextPageToken"), Some(&json!(null)));
    }
}

#[tokio::test]
async fn an_unknown_organization_has_no_groups() {
    let app = world().await;
    let result = get(&app, json!({ "organizationId": "p" })).await;
    assert_eq!(result["data"], json!([]));
    assert_eq!(groups(&app).await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn more_than_30_group_ids_or_an_empty_id_are_refused() {
    let app = App::start().await;
    for (name, value) in [
        ("organizationUserGroupIds", json!(vec!["g"; 31])),
        ("organizationUserGroupIds", json!([""])),
    ] {
        let mut sent = json!({ "organizationId": "o" });
        sent[name] = value;
        let error = app.call("user-groups.get", sent).await.error("INVALID_ARGUMENT");
        assert!(error["message"].as_str().unwrap().contains(name), "{error}");
    }
    get(&app, json!({ "organizationUserGroupIds": vec!["g"; 30], "pageSize": 1000 })).await;
}
