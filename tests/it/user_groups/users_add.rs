use serde_json::{Value, json};

use super::{members, of_group, world};

const V1: &str = "/v1/organizations/usergroups/users/add";

#[tokio::test]
async fn only_users_of_the_organization_join() {
    let app = world().await;
    let at_document = json!({
        "organizationId": "o", "documentId": "d", "createDocument": true, "users": [{ "userId": "d" }]
    });
    app.call("users.add", at_document).await.ok();
    let data = app.call("user-groups.users_add", of_group(json!(["c", "d", "nobody", "c"]))).await;
    let data = data.data();
    let message = "User added to organization user group.";
    let expected = json!({ "success": true, "organizationUserGroupId": "g", "message": message });
    assert_eq!(data["c"], expected);
    assert_eq!(data["d"]["success"], false);
    assert_eq!(
        (&data["nobody"]["success"], &data["nobody"]["organizationUserGroupId"]),
        (&json!(false), &json!("g"))
    );
    assert_eq!(data.as_object().unwrap().len(), 3);
    assert_eq!(members(&app).await, json!(["a", "b", "c"]));
}

#[tokio::test]
async fn adding_a_member_of_the_group_again_succeeds() {
    let app = world().await;
    let data = app.call_at(V1, of_group(json!(["a"]))).await.data();
    assert_eq!(data["a"]["success"], true);
    assert_eq!(members(&app).await, json!(["a", "b"]));
}

#[tokio::test]
async fn a_user_can_be_in_many_groups() {
    let app = world().await;
    let group = json!({ "organizationId": "o", "organizationUserGroups": [{ "groupId": "h" }] });
    app.call("user-groups.add", group).await.ok();
    let mut sent = of_group(json!(["a"]));
    sent["organizationUserGroupId"] = json!("h");
    app.call("user-groups.users_add", sent).await.ok();
    let groups = super::groups(&app).await;
    assert_eq!((&groups[0]["userIds"], &groups[1]["userIds"]), (&json!(["a", "b"]), &json!(["a"])));
}

#[tokio::test]
async fn an_unknown_group_or_organization_is_not_found() {
    let app = world().await;
    for (name, id) in [("organizationUserGroupId", "nothing"), ("organizationId", "nowhere")] {
        for users in [json!(["a"]), json!(["nobody"]), json!(["a", "nobody"])] {
            let mut sent = of_group(users);
            sent[name] = json!(id);
            app.call("user-groups.users_add", sent).await.error("NOT_FOUND");
        }
    }
    // A user of a misleading name is not taken for the group.
    let data = app.call("user-groups.users_add", of_group(json!(["group g", "c"]))).await.data();
    assert_eq!((&data["group g"]["success"], &data["c"]["success"]), (&json!(false), &json!(true)));
}

#[tokio::test]
async fn a_batch_has_1_to_500_users_and_is_written_in_batches() {
    let app = world().await;
    for users in [json!([]), json!(vec!["a"; 501]), json!(null)] {
        app.call("user-groups.users_add", of_group(users)).await.error("INVALID_ARGUMENT");
    }
    let ids: Vec<String> = (0..500).map(|n| format!("u{n}")).collect();
    let users: Vec<Value> = ids.iter().map(|id| json!({ "userId": id })).collect();
    app.call("users.add", json!({ "organizationId": "o", "users": users })).await.ok();
    app.forget_calls();
    let data = app.call("user-groups.users_add", of_group(json!(ids))).await.data();
    assert!(data.as_object().unwrap().values().all(|entry| entry["success"] == true));
    assert!(app.calls().len() <= 500 / 25 + 2, "{}", app.calls().len());
    assert_eq!(members(&app).await.as_array().unwrap().len(), 502);
}
