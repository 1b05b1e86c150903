//! Groups of many users.

use serde_json::{Value, json};
use service::Table;

use super::{members, of_group};
use crate::{app::App, multiply::multiply, schedule::put};

const MOST: usize = 10_000;

/// A group of this many users, who need not be in the organization.
async fn crowd(count: usize) -> App {
    let app = App::start().await;
    let users = [json!({ "userId": "u00000" }), json!({ "userId": "a" }), json!({ "userId": "b" })];
    let users = json!({ "organizationId": "o", "users": users });
    app.call("users.add", users).await.ok();
    let group = json!({ "organizationId": "o", "organizationUserGroups": [{ "groupId": "g" }] });
    app.call("user-groups.add", group).await.ok();
    app.call("user-groups.users_add", of_group(json!(["u00000"]))).await.ok();
    multiply(&app, "group#g#user#u00000", "u00000", 1..count).await;
    let rows = app.items_of(Table::Resources, &app.key);
    let counter = |row: &&Value| row["SK"]["S"].as_str().unwrap().starts_with("group-count#g#");
    let mut row = rows.iter().find(counter).expect("a counter").clone();
    row["count"] = json!({ "N": count.to_string() });
    put(&app, Table::Resources, &row).await;
    app
}

#[tokio::test]
async fn a_group_at_its_maximum_takes_no_user_until_one_leaves() {
    let app = crowd(MOST - 1).await;
    let joined = app.call("user-groups.users_add", of_group(json!(["a", "b"]))).await.data();
    assert_eq!((&joined["a"]["success"], &joined["b"]["success"]), (&json!(true), &json!(false)));
    assert!(joined["b"]["message"].as_str().unwrap().contains("maximum"), "{joined}");
    assert_eq!(members(&app).await.as_array().unwrap().len(), MOST, "and is listed");
    app.call("user-groups.users_delete", of_group(json!(["a"]))).await.ok();
    let joined = app.call("user-groups.users_add", of_group(json!(["b"]))).await.data();
    assert_eq!(joined["b"]["success"], true);
}

#[tokio::test]
async fn a_member_who_joins_a_group_again_is_not_counted_twice() {
    let app = crowd(MOST - 2).await;
    for _ in 0..3 {
        let joined = app.call("user-groups.users_add", of_group(json!(["a"]))).await.data();
        assert_eq!(joined["a"]["success"], true);
    }
    let joined = app.call("user-groups.users_add", of_group(json!(["a", "b"]))).await.data();
    assert_eq!((&joined["a"]["success"], &joined["b"]["success"]), (&json!(true), &json!(true)));
    let rows = app.items_of(Table::Resources, &app.key);
    let counter = |row: &&Value| row["SK"]["S"].as_str().unwrap().starts_with("group-count#g#");
    let counter = rows.iter().find(counter).expect("a counter");
    assert_eq!(counter["count"]["N"], MOST.to_string());
    let joined = app.call("user-groups.users_add", of_group(json!(["a", "u00000"]))).await.data();
    assert!(joined.as_object().unwrap().values().all(|entry| entry["success"] == true), "{joined}");
}

#[tokio::test]
async fn delete_all_empties_a_group_too_large_for_one_call_over_several_calls() {
    let app = crowd(MOST + 5).await;
    let mut sent = of_group(json!([]));
    sent["deleteAll"] = json!(true);
    for expected in [MOST, 5, 0] {
        let removed = app.call("user-groups.users_delete", sent.clone()).await.data();
        assert_eq!(removed.as_object().unwrap().len(), expected);
    }
    assert_eq!(members(&app).await, json!([]));
}
