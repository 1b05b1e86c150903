//! `/v2/workspace/authtoken/rotate`.

use std::time::Duration;

use futures_util::future::join_all;
use roundtable::table_name;
use serde_json::{Value, json};
use service::{Limits, Table};

use crate::app::{ADMIN_TOKEN, App, Options, Reply, Workspace};

const NOW: &str = r#"{"data":{"gracePeriodSeconds":0}}"#;

async fn rotate(app: &App, holder: &Workspace, sent: Value) -> Workspace {
    let reply = app.caller().workspace(holder).call("operator.auth_token_rotate", sent).await;
    read(&reply)
}

fn read(reply: &Reply) -> Workspace {
    let text = |member: &str| reply.data()[member].as_str().unwrap().to_owned();
    Workspace { id: text("id"), token: text("authToken") }
}

async fn look(app: &App, holder: &Workspace) -> Reply {
    app.caller().workspace(holder).call("workspace.get", json!({})).await
}

#[tokio::test]
async fn without_grace_the_old_token_stops_working_at_once_and_the_new_token_works() {
    let app = App::start().await;
    let new = rotate(&app, &app.workspace, json!({ "gracePeriodSeconds": 0 })).await;
    assert_eq!(new.id, app.workspace.id);
    assert_ne!(new.token, app.workspace.token);
    look(&app, &app.workspace).await.error("PERMISSION_DENIED");
    look(&app, &new).await.ok();
}

#[tokio::test]
async fn with_a_grace_period_old_and_new_token_work_until_it_ends() {
    let app = App::start().await;
    let new = rotate(&app, &app.workspace, json!({ "gracePeriodSeconds": 60 })).await;
    app.advance(Duration::from_secs(59));
    look(&app, &app.workspace).await.ok();
    look(&app, &new).await.ok();
    app.advance(Duration::from_secs(2));
    look(&app, &app.workspace).await.error("PERMISSION_DENIED");
    look(&app, &new).await.ok();
}

#[tokio::test]
async fn a_rotation_without_grace_ends_every_earlier_grace_period() {
    let app = App::start().await;
    let second = rotate(&app, &app.workspace, json!({ "gracePeriodSeconds": 604_800 })).await;
    let third = rotate(&app, &second, json!({ "gracePeriodSeconds": 0 })).await;
    look(&app, &app.workspace).await.error("PERMISSION_DENIED");
    look(&app, &second).await.error("PERMISSION_DENIED");
    look(&app, &third).await.ok();
}

#[tokio::test]
async fn at_most_five_old_tokens_work() {
    let app = App::start().await;
    let mut holder = app.workspace.clone();
    let sent = json!({ "gracePeriodSeconds": 604_800 });
    for _ in 0..5 {
        holder = rotate(&app, &holder, sent.clone()).await;
    }
    let caller = app.caller().workspace(&holder);
    let refused = caller.call("operator.auth_token_rotate", sent).await;
    refused.error("RESOURCE_EXHAUSTED");
    let long = json!({ "gracePeriodSeconds": 604_801 });
    caller.call("operator.auth_token_rotate", long).await.error("INVALID_ARGUMENT");
    caller.call("operator.auth_token_rotate", json!({})).await.error("INVALID_ARGUMENT");
}

/// The token leaked, or its holder lost it.
#[tokio::test]
async fn the_operator_rotates_the_token_of_a_workspace_without_sending_it() {
    let app = App::start().await;
    let (other, _) = app.new_workspace().await;
    let (id, path) = (app.workspace.id.as_str(), "/v2/workspace/authtoken/rotate");
    let admin = ("x-service-admin-token", ADMIN_TOKEN);
    let of = |id| ("x-service-workspace-id", id);
    let new = read(&app.send(path, NOW, &[of(id), admin]).await);
    look(&app, &app.workspace).await.error("PERMISSION_DENIED");
    look(&app, &new).await.ok();
    look(&app, &other).await.ok();
    let wrong = ("x-service-admin-token", "wrong");
    let own = ("x-service-workspace-auth-token", new.token.as_str());
    for headers in [&[of(id), wrong][..], &[of("ws_none"), admin], &[admin], &[of(id), own, wrong]]
    {
        app.send(path, NOW, headers).await.error("PERMISSION_DENIED");
    }
    look(&app, &new).await.ok();
    // Nothing else of a workspace is the operator's.
    app.send("/v2/workspace/get", "{}", &[of(id), admin]).await.error("PERMISSION_DENIED");
}

#[tokio::test]
async fn processes_share_how_much_of_its_limit_a_workspace_has_used() {
    let limits = Limits { writes_per_second: Some(10), ..Limits::default() };
    let app = App::start_with(Options { limits, ..Options::default() }).await;
    let sent = json!({ "gracePeriodSeconds": 60 });
    join_all((0..30).map(|_| app.call("operator.auth_token_rotate", sent.clone()))).await;
    let items = app.embedded().dump(&table_name(Table::Schedule)).unwrap();
    let limit = format!("limit#workspace#{}", app.workspace.id);
    assert!(items.iter().any(|item| item["PK"]["S"] == *limit), "{items:?}");
}
