use serde_json::json;

use super::{groups, of_group, world};

#[tokio::test]
async fn a_deleted_group_is_gone_at_once_and_its_memberships_follow() {
    let app = world().await;
    let sent = json!({ "organizationId": "o", "organizationUserGroupIds": ["g", "g", "nothing"] });
    let data = app.call("user-groups.delete", sent).await.data();
    let message = "Organization user group deleted.";
    assert_eq!(data["g"], json!({ "success": true, "message": message }));
    assert_eq!(data["nothing"]["success"], false);
    assert_eq!(data.as_object().unwrap().len(), 2);
    assert_eq!(groups(&app).await, json!([]));
    app.call("user-groups.users_add", of_group(json!(["c"]))).await.error("NOT_FOUND");
    app.settle().await;
    let left = app.items_of(service::Table::Resources, &app.key);
    assert!(!left.iter().any(|item| item["groupId"]["S"] == "g"), "{left:?}");
    let users = app.call("users.get", json!({ "organizationId": "o" })).await.data();
    assert_eq!(users.as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn a_malformed_list_of_groups_is_refused_and_an_unknown_group_fails() {
    let app = world().await;
    for list in [json!([]), json!(vec!["g"; 501]), json!(null), json!([1])] {
        let sent = json!({ "organizationId": "o", "organizationUserGroupIds": list });
        app.call("user-groups.delete", sent).await.error("INVALID_ARGUMENT");
    }
    let sent = json!({ "organizationId": "p", "organizationUserGroupIds": ["g"] });
    assert_eq!(app.call("user-groups.delete", sent).await.data()["g"]["success"], false);
    assert_eq!(groups(&app).await.as_array().unwrap().len(), 1);
}
