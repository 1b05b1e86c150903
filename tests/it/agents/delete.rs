//! `/v2/agents/delete`.

use embedded::{Effect, Fault};
use serde_json::{Value, json};

use super::{agent, counted, create, list, next_version, smallest, stored, versions};
use crate::app::App;

async fn delete(app: &App, id: &str) -> Value {
    app.call("agents.delete", json!({ "agentId": id })).await.data()
}

#[tokio::test]
async fn a_deleted_agent_is_gone_with_its_versions_and_other_agents_stay() {
    let app = App::start().await;
    let (gone, kept) = (create(&app, smallest()).await, create(&app, smallest()).await);
    next_version(&app, &gone, "two").await;
    next_version(&app, &kept, "two").await;
    let before = agent(&app, &kept).await;
    assert_eq!(counted(&app), "2");
    assert_eq!(delete(&app, &gone).await, json!({ "agentId": gone }));
    app.call("agents.get", json!({ "agentId": gone })).await.error("NOT_FOUND");
    assert_eq!(versions(&app, &gone).await, [] as [Value; 0]);
    assert_eq!(list(&app, json!("customOnly")).await.len(), 1);
    assert!(!format!("{:?}", stored(&app)).contains(&gone));
    assert_eq!((agent(&app, &kept).await, counted(&app)), (before, json!("1")));
}

#[tokio::test]
async fn deleting_an_agent_that_does_not_exist_succeeds() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    for id in [id.as_str(), &id, "nobody", "agent-count"] {
        assert_eq!(delete(&app, id).await, json!({ "agentId": id }));
    }
    assert_eq!((stored(&app).len(), counted(&app)), (0, json!("0")), "counted once");
}

#[tokio::test]
async fn a_built_in_agent_stays() {
    let app = App::start().await;
    app.call("agents.delete", json!({ "agentId": "spell-check" })).await.error("INVALID_ARGUMENT");
    app.call("agents.delete", json!({ "agentId": "" })).await.error("INVALID_ARGUMENT");
    app.call("agents.delete", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(list(&app, json!("defaultOnly")).await.len(), 10);
}

/// 98 versions fit in one transaction with the agent and its count; one more does not.
#[tokio::test]
async fn an_agent_with_more_versions_than_a_transaction_deletes_is_deleted_with_all_of_them() {
    for (versions, written) in [(98, 1), (99, 2)] {
        let app = App::start().await;
        let id = create(&app, smallest()).await;
        for n in 2..=versions {
            assert_eq!(next_version(&app, &id, "x").await, n);
        }
        app.forget_calls();
        delete(&app, &id).await;
        let writes = ["TransactWriteItems", "BatchWriteItem", "DeleteItem"];
        let calls = app.calls().into_iter();
        let made = calls.filter(|call| writes.contains(&call.operation.as_str()));
        assert_eq!(made.count(), written, "{versions}");
        assert_eq!((stored(&app).len(), counted(&app)), (0, json!("0")));
    }
}

#[tokio::test]
async fn a_deletion_that_fails_half_way_is_finished_by_the_next_call() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    for _ in 2..=110 {
        next_version(&app, &id, "x").await;
    }
    let effect = Effect::Throttle;
    app.fault(Fault { operation: "TransactWriteItems".to_owned(), skip: 0, times: 1000, effect });
    app.call("agents.delete", json!({ "agentId": id })).await.error("UNAVAILABLE");
    app.embedded().clear_faults();
    // The agent remains, with a shorter history.
    let left = versions(&app, &id).await;
    assert_eq!((left.len(), &left[0]["version"]), (98, &json!(110)));
    assert_eq!((&agent(&app, &id).await["version"], counted(&app)), (&json!(110), json!("1")));
    assert_eq!(next_version(&app, &id, "x").await, 111);
    delete(&app, &id).await;
    assert_eq!((stored(&app).len(), counted(&app)), (0, json!("0")));
}
