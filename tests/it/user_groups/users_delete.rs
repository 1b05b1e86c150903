use std::{pin::pin, time::Duration};

use embedded::{Effect, Fault, Hold};
use futures_util::future::{Either, select};
use serde_json::{Value, json};
use service::Table;

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

/// Whether the user is in the group by the membership, and by the row of the group.
fn joined(app: &App, user: &str) -> (bool, bool) {
    let items = app.items_of(Table::Resources, &app.key);
    let find = |sort: String| items.iter().find(|item| item["SK"]["S"] == json!(sort));
    let membership = find(format!("user#{user}"));
    let by_membership = membership.is_some_and(|it| it["groups"]["M"]["g"].is_object());
    (by_membership, find(format!("group#g#user#{user}")).is_some())
}

/// Deletes all users of the group; at the n-th request to the store, `a` is added again, who has left
/// the organization before. Whether there is such a request.
async fn join_meanwhile(app: &App, request: usize) -> bool {
    let leave = json!({ "organizationId": "o", "userIds": ["a"] });
    app.call("users.delete", leave).await.ok();
    assert_eq!(joined(app, "a"), (false, true), "no clean-up has been there");
    let hold = Hold::default();
    let effect = Effect::Hold(hold.clone());
    app.fault(Fault { operation: "*".to_owned(), skip: request, times: 1, effect });
    let mut all = of_group(json!([]));
    all["deleteAll"] = json!(true);
    let mut call = pin!(app.call("user-groups.users_delete", all));
    if let Either::Left(_) = select(&mut call, pin!(hold.reached())).await {
        app.embedded().clear_faults();
        return false;
    }
    app.advance(Duration::from_millis(1));
    let users = json!({ "organizationId": "o", "users": [{ "userId": "a" }] });
    app.call("users.add", users).await.ok();
    app.call("user-groups.users_add", of_group(json!(["a"]))).await.ok();
    hold.release();
    call.await.ok();
    true
}

#[tokio::test]
async fn a_user_who_joins_while_all_are_removed_is_in_the_group_and_its_list_or_in_none() {
    let mut request = 0;
    loop {
        let app = world().await;
        if !join_meanwhile(&app, request).await {
            break;
        }
        let (by_membership, by_row) = joined(&app, "a");
        assert_eq!(by_membership, by_row, "request {request}");
        request += 1;
    }
    assert!(request > 2, "{request}");
}
