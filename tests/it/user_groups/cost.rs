//! Costs of a right by a group: read units and calls of a read by an end user.

use serde_json::{Value, json};

use super::of_group;
use crate::{
    app::{App, cost::Cost},
    end_users::token,
};

/// Documents at the top, in a folder, and in the third of three; all restricted. The user `u` has a
/// right of their own to each, `a` is in the group `g`, and `c` in none.
async fn world() -> App {
    let app = super::world().await;
    let mut parent = json!("root");
    for folder in ["f", "g", "h"] {
        let folders = json!({ "organizationId": "o", "createOrganization": true, "folders": [
            { "folderId": folder, "parentFolderId": parent },
        ] });
        app.call("folders.add", folders).await.ok();
        parent = json!(folder);
    }
    for (document, folder) in [("d0", Value::Null), ("d1", json!("f")), ("d3", json!("h"))] {
        let documents = json!({
            "organizationId": "o", "folderId": folder, "documents": [{ "documentId": document }],
        });
        app.call("documents.add", documents).await.ok();
    }
    let access = json!({
        "organizationId": "o", "documentIds": ["d0", "d1", "d3"], "accessType": "restricted",
    });
    app.call("documents.access_update", access).await.ok();
    app
}

fn right(kind: &str, id: &str) -> Value {
    json!({ "resources": [{ "type": kind, "id": id, "organizationId": "o" }] })
}

async fn give_user(app: &App, document: &str) {
    let own = json!({ "user": { "userId": "c" }, "permissions": right("document", document) });
    app.call("permissions.add", own).await.ok();
}

async fn give_group(app: &App, kind: &str, id: &str) {
    let sent = json!({ "organizationUserGroupId": "g", "permissions": right(kind, id) });
    app.call("permissions.add", sent).await.ok();
}

/// Calls that read, and read units.
async fn read(app: &App, user: &str, document: &str) -> (usize, f64) {
    let token = token(app, user, json!([])).await;
    let state = json!({ "organizationId": "o", "documentId": document });
    app.forget_calls();
    app.caller().end_user(&token).call("live-state.get", state).await.ok();
    let cost = Cost::of(&app.calls());
    (cost.reads, cost.read_units)
}

#[tokio::test]
async fn a_right_by_a_group_costs_a_unit_and_a_call_at_the_top_alone() {
    let app = world().await;
    for document in ["d0", "d1", "d3"] {
        give_user(&app, document).await;
    }
    let mut without = Vec::new();
    for document in ["d0", "d1", "d3"] {
        without.push(read(&app, "c", document).await);
    }
    for (document, (calls, units)) in ["d0", "d1", "d3"].into_iter().zip(&without) {
        give_group(&app, "document", document).await;
        let is_at_the_top = usize::from(document == "d0");
        let expected = (calls + is_at_the_top, units + 1.0);
        assert_eq!(read(&app, "a", document).await, expected, "{document}");
        assert_eq!(read(&app, "c", document).await, (*calls, *units), "{document}: no group");
    }
    // A member of a group without a right here pays nothing, nor does anybody for a second right of
    // the same group.
    let groups = json!({ "organizationId": "o", "organizationUserGroups": [{ "groupId": "h" }] });
    app.call("user-groups.add", groups).await.ok();
    let mut joined = of_group(json!(["c"]));
    joined["organizationUserGroupId"] = json!("h");
    app.call("user-groups.users_add", joined).await.ok();
    give_group(&app, "folder", "h").await;
    let (calls, units) = without[2];
    assert_eq!(read(&app, "c", "d3").await, (calls, units));
    assert_eq!(read(&app, "a", "d3").await, (calls, units + 1.0));
}

#[tokio::test]
async fn joining_a_group_costs_at_most_9_write_units_and_5_calls() {
    let app = super::world().await;
    app.forget_calls();
    app.call("user-groups.users_add", of_group(json!(["c"]))).await.ok();
    let cost = Cost::of(&app.calls());
    // A transaction of two rows, one of which has an index, and the number of members.
    assert!(cost.write_units <= 9.0, "{cost:?}");
    assert!(cost.reads + cost.writes <= 5, "{cost:?}");
}
