use serde_json::json;

use super::{groups, world};
use crate::app::App;

const V1: &str = "/v1/organizations/usergroups/add";

#[tokio::test]
async fn an_unknown_organization_is_created_only_when_asked_for() {
    let app = App::start().await;
    let mut sent = json!({ "organizationId": "o", "organizationUserGroups": [
        { "groupId": "g", "groupName": "Writers" }, { "groupId": "h" },
    ] });
    let data = app.call("user-groups.add", sent.clone()).await.data();
    assert_eq!((&data["g"]["success"], &data["g"]["id"]), (&json!(false), &json!("g")));
    assert_eq!(data["h"]["success"], false);
    assert_eq!(groups(&app).await, json!([]));
    sent["createOrganization"] = json!(true);
    let data = app.call("user-groups.add", sent).await.data();
    let message = "Organization user group added.";
    assert_eq!(data["g"], json!({ "id": "g", "success": true, "message": message }));
    let expected = json!([
        { "groupId": "g", "organizationUserGroupId": "g", "groupName": "Writers", "userIds": [] },
        { "groupId": "h", "organizationUserGroupId": "h", "userIds": [] },
    ]);
    assert_eq!(groups(&app).await, expected);
}

#[tokio::test]
async fn a_group_added_again_takes_the_new_name_and_keeps_its_members() {
    let app = world().await;
    let sent = json!({ "organizationId": "o", "organizationUserGroups": [
        { "groupId": "g", "groupName": "early" }, { "groupId": "g", "groupName": "late" },
    ] });
    let data = app.call_at(V1, sent).await.data();
    assert_eq!(data.as_object().unwrap().len(), 1);
    assert_eq!(data["g"]["success"], true);
    let group = groups(&app).await[0].clone();
    assert_eq!((&group["groupName"], &group["userIds"]), (&json!("late"), &json!(["a", "b"])));
}

#[tokio::test]
async fn a_group_added_again_without_a_name_keeps_its_name() {
    let app = world().await;
    let sent = json!({ "organizationId": "o", "organizationUserGroups": [
        { "groupId": "g" }, { "groupId": "h" },
    ] });
    let data = app.call("user-groups.add", sent).await.data();
    assert_eq!((&data["g"]["success"], &data["h"]["success"]), (&json!(true), &json!(true)));
    let groups = groups(&app).await;
    assert_eq!((&groups[0]["groupName"], &groups[1]["groupId"]), (&json!("G"), &json!("h")));
    assert!(groups[1].get("groupName").is_none());
}

#[tokio::test]
async fn malformed_groups_are_refused_with_their_path() {
    let app = App::start().await;
    for (list, path) in [
        (json!([]), json!(["data", "organizationUserGroups"])),
        (json!(vec![json!({ "groupId": "g" }); 501]), json!(["data", "organizationUserGroups"])),
        (json!([{}]), json!(["data", "organizationUserGroups", 0, "groupId"])),
        (
            json!([{ "groupId": "g", "groupName": " " }]),
            json!(["data", "organizationUserGroups", 0, "groupName"]),
        ),
    ] {
        let sent = json!({ "organizationId": "o", "organizationUserGroups": list });
        let error = app.call("user-groups.add", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], path);
    }
}
