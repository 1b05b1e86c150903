//! User groups (contract `user-groups`).

mod add;
mod cost;
mod delete;
mod get;
mod limits;
mod many;
mod rights;
mod users_add;
mod users_delete;

use serde_json::{Value, json};

use crate::app::App;

/// Users `a`, `b` and `c` in the organization, the first two in the group `g`.
async fn world() -> App {
    let app = App::start().await;
    let users = json!({ "organizationId": "o", "users": [
        { "userId": "a" }, { "userId": "b" }, { "userId": "c" },
    ] });
    app.call("users.add", users).await.ok();
    let groups = json!({ "organizationId": "o", "organizationUserGroups": [
        { "groupId": "g", "groupName": "G" },
    ] });
    app.call("user-groups.add", groups).await.ok();
    app.call("user-groups.users_add", of_group(json!(["a", "b"]))).await.ok();
    app
}

fn of_group(users: Value) -> Value {
    json!({ "organizationId": "o", "organizationUserGroupId": "g", "userIds": users })
}

/// Every group of the organization.
async fn groups(app: &App) -> Value {
    app.call("user-groups.get", json!({ "organizationId": "o" })).await.data()
}

async fn members(app: &App) -> Value {
    groups(app).await[0]["userIds"].clone()
}
