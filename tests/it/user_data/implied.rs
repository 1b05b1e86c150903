//! Users are erased in all organizations with data, added or implied.

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use super::{call_in, delete, finish, person};
use crate::app::App;

/// Operations that imply an organization, with their requests.
fn writes() -> Vec<(&'static str, Value)> {
    let at = |more: Value| {
        let mut sent = json!({ "documentId": "d" });
        sent.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        sent
    };
    let activity = json!({
        "id": "a", "featureType": "comment", "actionType": "comment.add", "actionUser": person("zoe"),
        "targetEntityId": "t",
    });
    vec![
        ("activities.add", at(json!({ "activities": [activity] }))),
        (
            "editors.add",
            at(json!({ "editorId": "e", "type": "text", "data": "x", "userId": "zoe" })),
        ),
        (
            "editors.updates_add",
            at(json!({ "editorId": "f", "type": "text", "updates": ["AAA="], "userId": "zoe" })),
        ),
        ("live-state.broadcast", at(json!({ "liveStateDataId": "l", "data": { "n": 1 } }))),
        ("presence.add", at(json!({ "users": [person("zoe")] }))),
        ("presence.update", at(json!({ "users": [person("zoe")] }))),
    ]
}

async fn organizations(app: &App) -> Vec<String> {
    let found = app.call("organizations.get", json!({})).await.data();
    let id = |it: &Value| it["organizationId"].as_str().unwrap().to_owned();
    found.as_array().unwrap().iter().map(id).collect()
}

#[tokio::test]
async fn the_first_write_of_any_kind_records_the_organization_and_the_next_costs_no_more() {
    let app = App::start().await;
    app.enable_activities(false).await;
    for (n, (operation, sent)) in writes().into_iter().enumerate() {
        let organization = format!("o{n}");
        call_in(&app, &organization, operation, sent.clone()).await;
        assert!(organizations(&app).await.contains(&organization), "{operation}");
        app.forget_calls();
        let mut again = sent.clone();
        again["organizationId"] = json!(organization);
        app.call(operation, again).await;
        let record = format!("organization#{organization}\"");
        let calls = app.calls();
        assert!(!calls.iter().any(|it| format!("{it:?}").contains(&record)), "{calls:?}");
    }
    let resource = json!({ "type": "document", "id": "d", "organizationId": "granted" });
    let permissions = json!({ "resources": [resource] });
    let grant = json!({ "user": { "userId": "zoe" }, "permissions": permissions });
    app.call("permissions.add", grant).await.ok();
    assert!(organizations(&app).await.contains(&"granted".to_owned()));
}

#[tokio::test]
async fn a_user_is_erased_in_organizations_that_nobody_added() {
    let app = App::start().await;
    app.enable_activities(false).await;
    for (operation, sent) in writes() {
        call_in(&app, "ghost", operation, sent).await;
    }
    app.advance(Duration::from_millis(1));
    delete(&app, &["zoe"]).await;
    app.settle().await;
    finish(&app).await;
    for table in [Table::Resources, Table::Realtime, Table::Crdt] {
        let items = app.items_of(table, &app.key).into_iter();
        // The record that ends the tokens of the user expires with the last of them.
        let lasts = |item: &Value| item["left"]["N"].is_null() || item["expires"].is_null();
        let items = json!(items.filter(lasts).collect::<Vec<_>>()).to_string();
        assert!(!items.contains("zoe"), "{items}");
    }
    let sent = json!({ "organizationId": "ghost", "documentId": "d" });
    let editors = app.call("editors.get", sent).await.data();
    assert_eq!(editors.as_array().unwrap().len(), 2);
    assert!(editors.as_array().unwrap().iter().all(|it| it["lastUpdatedBy"].is_null()));
}

#[tokio::test]
async fn an_erasure_removes_the_user_from_own_editors_and_keeps_the_user_of_others() {
    let app = App::start().await;
    for (editor, user) in [("e", "zoe"), ("f", "bob")] {
        let sent = json!({
            "documentId": "d", "editorId": editor, "type": "text", "data": "x", "userId": user,
        });
        call_in(&app, "acme", "editors.add", sent).await;
    }
    delete(&app, &["zoe"]).await;
    finish(&app).await;
    let sent = json!({ "organizationId": "acme", "documentId": "d" });
    let editors = app.call("editors.get", sent).await.data();
    let by: Vec<&Value> =
        editors.as_array().unwrap().iter().map(|it| &it["lastUpdatedBy"]).collect();
    assert_eq!(by, [&Value::Null, &json!("bob")]);
}

#[tokio::test]
async fn an_organization_that_is_only_implied_can_still_be_added() {
    let app = App::start().await;
    let sent = json!({ "documentId": "d", "liveStateDataId": "l", "data": { "n": 1 } });
    call_in(&app, "ghost", "live-state.broadcast", sent.clone()).await;
    let added = json!({ "organizations": [
        { "organizationId": "ghost", "organizationName": "Ghost" },
    ] });
    for expected in [true, false] {
        let entries = app.call("organizations.add", added.clone()).await.data();
        assert_eq!(entries["ghost"]["success"], expected, "{entries}");
    }
    let found = app.call("organizations.get", json!({})).await.data();
    assert_eq!(found[0]["organizationName"], "Ghost");

    app.call("organizations.delete", json!({ "organizationIds": ["ghost"] })).await.ok();
    assert!(organizations(&app).await.is_empty());
    // Another function may believe in it for ten minutes (decision 30).
    app.advance(Duration::from_secs(600));
    call_in(&app, "ghost", "live-state.broadcast", sent).await;
    assert_eq!(organizations(&app).await, ["ghost"]);
}
