//! `/v2/agents/versions/restore`.

use futures_util::future::join_all;
use serde_json::json;

use super::{agent, create, next_version, smallest, stored, versions};
use crate::{app::App, workspace::field};

#[tokio::test]
async fn the_current_version_is_deleted_and_the_one_before_is_in_force() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    next_version(&app, &id, "two").await;
    let (second, history) = (agent(&app, &id).await, versions(&app, &id).await);
    next_version(&app, &id, "three").await;
    let sent = json!({ "agentId": id });
    assert_eq!(
        app.call("agents.versions_restore", sent.clone()).await.data(),
        json!({ "version": 2 })
    );
    let mut found = agent(&app, &id).await;
    found["lastUpdated"] = second["lastUpdated"].clone();
    assert_eq!((found, versions(&app, &id).await), (second, history));
    // The number is free again.
    assert_eq!(next_version(&app, &id, "another three").await, 3);
    for version in [2, 1] {
        let restored = app.call("agents.versions_restore", sent.clone()).await.data();
        assert_eq!(restored, json!({ "version": version }));
    }
    app.call("agents.versions_restore", sent.clone()).await.error("FAILED_PRECONDITION");
    let found = agent(&app, &id).await;
    assert_eq!((&found["version"], &found["instructions"]), (&json!(1), &json!("Review.")));
    assert_eq!(stored(&app).len(), 2, "the agent and its version");
}

#[tokio::test]
async fn an_unknown_or_built_in_agent_is_not_found() {
    let app = App::start().await;
    for id in ["nobody", "spell-check"] {
        app.call("agents.versions_restore", json!({ "agentId": id })).await.error("NOT_FOUND");
    }
    let error = app.call("agents.versions_restore", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(field(&error), "data.agentId");
}

#[tokio::test]
async fn restoring_and_updating_at_once_leaves_no_gap() {
    for _ in 0..5 {
        let app = App::start().await;
        let id = create(&app, smallest()).await;
        for n in 2..=4 {
            next_version(&app, &id, &format!("{n}")).await;
        }
        let (a, id) = (&app, id.as_str());
        let calls = (0..4).map(|n| async move {
            match n % 2 {
                0 => a.call("agents.versions_restore", json!({ "agentId": id })).await.ok(),
                _ => {
                    let sent = json!({ "agentId": id, "instructions": format!("new {n}") });
                    a.call("agents.version_update", sent).await.ok()
                }
            }
        });
        join_all(calls).await;
        let numbers: Vec<_> =
            versions(&app, id).await.iter().map(|v| v["version"].as_u64().unwrap()).collect();
        assert_eq!(numbers, [4, 3, 2, 1]);
        assert_eq!(agent(&app, id).await["version"], 4);
    }
}
