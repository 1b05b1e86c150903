//! `/v2/agents/versions/list`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{agent, create, next_version, smallest, versions};
use crate::{app::App, workspace::field};

#[tokio::test]
async fn versions_come_newest_first_as_they_were() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    for n in 2..=11 {
        app.advance(Duration::from_secs(1));
        next_version(&app, &id, &format!("I{n}")).await;
    }
    let found = versions(&app, &id).await;
    assert_eq!(found.len(), 11);
    for (version, n) in found.iter().zip((1..=11).rev()) {
        let said = if n == 1 { json!("Review.") } else { json!(format!("I{n}")) };
        assert_eq!((&version["id"], &version["version"]), (&json!(format!("v{n}")), &json!(n)));
        assert_eq!(version["instructions"], said);
        assert_eq!(version["contextGathering"], json!({ "strategies": ["web-page-text"] }));
        assert!(version.get("name").is_none() && version.get("secrets").is_none(), "{version}");
    }
    let times: Vec<u64> = found.iter().map(|v| v["createdAt"].as_u64().unwrap()).collect();
    assert!(times.is_sorted_by(|a, b| a > b), "{times:?}");
    assert_eq!(times[10], agent(&app, &id).await["createdAt"].as_u64().unwrap());
}

#[tokio::test]
async fn an_unknown_or_built_in_agent_has_no_versions() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    for other in ["nobody", "spell-check", &id[..id.len() - 1]] {
        assert_eq!(versions(&app, other).await, [] as [Value; 0]);
    }
    let error = app.call("agents.versions_list", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(field(&error), "data.agentId");
}

#[tokio::test]
async fn a_history_that_is_too_large_for_a_reply_is_refused() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    for _ in 0..10 {
        next_version(&app, &id, &"x".repeat(390_000)).await;
    }
    app.call("agents.versions_list", json!({ "agentId": id })).await.error("RESOURCE_EXHAUSTED");
    app.call("agents.get", json!({ "agentId": id })).await.ok();
}
