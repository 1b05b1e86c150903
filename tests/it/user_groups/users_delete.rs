use serde_json::{Value, json};

use super::{members, of_group, world};
use crate::app::App;

const V1: &str = "/v1/organizations/usergroups/users/delete";

async fn delete(app: &App, sent: Value) -> Value {
    app.call("user-groups.users_delete", sent).await.data()
}

#[tokio::test]
async fn named_users_leave_the_group_and_users_who_are_no_members_fail() {
    let app = world().await;
    let data = delete(&app, of_group(json!(["a", "c", "nobody", "a"]))).await;
    let message = "User deleted from organization user group.";
    let expected = json!({ "success": true, "organizationUserGroupId": "g", "message": message });
    assert_eq!(data["a"], expected);
    for user in ["c", "nobody"] {
        assert_eq!(data[user]["success"], false);
        assert_eq!(data[user]["organizationUserGroupId"], "g");
    }
    assert_eq!(data.as_object().unwrap().len(), 3);
    assert_eq!(members(&app).await, json!(["b"]));
    let users = app.call("users.get", json!({ "organizationId": "o" })).await.data();
    assert_eq!(users.as_array().unwrap().len(), 3, "they stay users of the organization");
}

#[tokio::test]
async fn delete_all_removes_all_members_whatever_user_ids_are_sent() {
    for users in [json!(null), json!([]), json!(["c"])] {
        let app = world().await;
        let mut sent = of_group(users);
        sent["deleteAll"] = json!(true);
        let data = app.call_at(V1, sent.clone()).await.data();
        assert_eq!(data.as_object().unwrap().keys().collect::<Vec<_>>(), ["a", "b"]);
        assert!(data.as_object().unwrap().values().all(|entry| entry["success"] == true));
        assert_eq!(members(&app).await, json!([]));
        assert_eq!(delete(&app, sent).await, json!({}), "an empty group is empty");
    }
}

#[tokio::test]
async fn one_to_500_user_ids_are_required_without_delete_all() {
    let app = world().await;
    for users in [json!(null), json!([]), json!(vec!["a"; 501])] {
        for all in [json!(null), json!(false)] {
            let mut sent = of_group(users.clone());
            sent["deleteAll"] = all;
            let error = app.call("user-groups.users_delete", sent).await.error("INVALID_ARGUMENT");
            assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "userIds"]));
        }
    }
    assert_eq!(members(&app).await, json!(["a", "b"]));
}

#[tokio::test]
async fn an_unknown_group_or_organization_is_not_found() {
    let app = world().await;
    for (name, id) in [("organizationUserGroupId", "nothing"), ("organizationId", "nowhere")] {
        for all in [false, true] {
            for users in [json!(["a"]), json!(["a", "b"])] {
                let mut sent = of_group(users);
                sent[name] = json!(id);
                sent["deleteAll"] = json!(all);
                app.call("user-groups.users_delete", sent).await.error("NOT_FOUND");
            }
        }
    }
}

#[tokio::test]
async fn the_v1_path_does_the_same() {
    let app = world().await;
    let data = app.call_at(V1, of_group(json!(["a"]))).await.data();
    assert_eq!(data["a"]["success"], true);
    assert_eq!(members(&app).await, json!(["b"]));
}
