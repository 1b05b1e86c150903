//! `/v2/workspace/update`.

use serde_json::{Value, json};

use crate::{app::App, workspace::field};

async fn update(app: &App, mut change: Value) -> Value {
    change["id"] = json!(app.workspace.id);
    app.call("operator.workspace_update", change).await.data()
}

fn production() -> Value {
    json!({ "ownerEmail": "ada@example.com", "type": "production" })
}

#[tokio::test]
async fn omitted_members_keep_their_values() {
    let app = App::start().await;
    let data = update(&app, json!({})).await;
    let defaults = json!({
        "id": app.workspace.id, "name": "owner@example.com workspace", "plan": "paid",
        "selfServeProductionKeys": true, "maxProductionKeys": 10, "productionKeys": 0,
        "maxTestingKeys": 100, "testingKeys": 1,
        "maxWebhookEndpoints": 500,
    });
    assert_eq!(data, defaults);
    let mut expected = defaults;
    for (member, value) in [
        ("name", json!("Renamed")),
        ("plan", json!("free")),
        ("selfServeProductionKeys", json!(false)),
        ("maxProductionKeys", json!(0)),
        ("maxTestingKeys", json!(0)),
        ("maxWebhookEndpoints", json!(2000)),
    ] {
        expected[member] = value.clone();
        let mut change = json!({});
        change[member] = value;
        assert_eq!(update(&app, change).await, expected);
    }
    let nulls = json!({
        "name": null, "plan": null, "selfServeProductionKeys": null, "maxProductionKeys": null,
    });
    assert_eq!(update(&app, nulls).await, expected);
    assert_eq!(app.call("workspace.get", json!({})).await.data()["name"], "Renamed");
}

#[tokio::test]
async fn the_current_plan_and_limits_decide_whether_a_production_key_is_created() {
    let app = App::start().await;
    let create = || app.call("workspace.api_key_create", production());
    update(&app, json!({ "plan": "free" })).await;
    create().await.error("FAILED_PRECONDITION");
    update(&app, json!({ "plan": "paid", "selfServeProductionKeys": false })).await;
    create().await.error("PERMISSION_DENIED");
    update(&app, json!({ "selfServeProductionKeys": true, "maxProductionKeys": 0 })).await;
    create().await.error("RESOURCE_EXHAUSTED");
    update(&app, json!({ "maxProductionKeys": 1 })).await;
    create().await.ok();
    create().await.error("RESOURCE_EXHAUSTED");
}

#[tokio::test]
async fn a_lower_maximum_takes_no_key_away() {
    let app = App::start().await;
    for _ in 0..2 {
        app.call("workspace.api_key_create", production()).await.ok();
    }
    let data = update(&app, json!({ "maxProductionKeys": 1 })).await;
    assert_eq!(data["productionKeys"], 2);
    let keys = app.call("workspace.api_keys_get", json!({})).await.data();
    assert_eq!(keys.as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn an_unknown_workspace_is_not_found() {
    let app = App::start().await;
    app.call("operator.workspace_update", json!({ "id": "ws_none", "name": "x" }))
        .await
        .error("NOT_FOUND");
}

#[tokio::test]
async fn only_the_operator_changes_workspaces() {
    let app = App::start().await;
    let body = json!({ "data": { "id": app.workspace.id, "plan": "paid" } }).to_string();
    let own = [
        ("x-service-workspace-id", app.workspace.id.as_str()),
        ("x-service-workspace-auth-token", app.workspace.token.as_str()),
    ];
    app.send("/v2/workspace/update", body, &own).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn a_refusal_names_the_field() {
    let app = App::start().await;
    for (member, value) in [
        ("id", json!(null)),
        ("id", json!("")),
        ("name", json!("")),
        ("name", json!("x".repeat(201))),
        ("plan", json!("gold")),
        ("selfServeProductionKeys", json!(1)),
        ("maxProductionKeys", json!(1001)),
        ("maxProductionKeys", json!(-1)),
    ] {
        let mut sent = json!({ "id": app.workspace.id });
        sent[member] = value.clone();
        let error = app.call("operator.workspace_update", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), format!("data.{member}"), "{value}");
    }
}
