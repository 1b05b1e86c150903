//! `/v2/agents/get`.

use serde_json::{Value, json};

use super::{agent, agent_with, create, list, smallest};
use crate::{
    app::{App, cost::Cost},
    workspace::field,
};

const BUILT_IN: [&str; 10] = [
    "spell-check",
    "grammar-check",
    "broken-links",
    "pii-detection",
    "profanity-filter",
    "sensitive-data",
    "lighthouse",
    "accessibility-checker",
    "og-image-checker",
    "lorem-ipsum",
];

fn ids(agents: &[Value]) -> Vec<&str> {
    agents.iter().map(|agent| agent["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn ten_agents_are_there_from_the_beginning() {
    let app = App::start().await;
    let agents = list(&app, json!(null)).await;
    assert_eq!(ids(&agents), BUILT_IN);
    for row in agents {
        assert_eq!((&row["enabled"], &row["system"]), (&json!(true), &json!(true)), "{row}");
        assert!(row["essentialDefault"].is_boolean() && row["managedBy"] != "customer", "{row}");
        let mut alone = agent(&app, row["id"].as_str().unwrap()).await;
        assert!(!alone["name"].as_str().unwrap().is_empty());
        assert!(!alone["description"].as_str().unwrap().is_empty());
        alone["executionCount"] = json!(0);
        alone["lastExecutedAt"] = json!(null);
        assert_eq!(alone, row);
    }
}

#[tokio::test]
async fn a_list_has_identities_by_age_and_by_filter() {
    let app = App::start().await;
    let mut created = vec![];
    for name in ["c", "b", "a"] {
        created.push(create(&app, agent_with(json!({ "name": name }))).await);
        app.advance(std::time::Duration::from_secs(1));
    }
    let custom = list(&app, json!("customOnly")).await;
    assert_eq!(ids(&custom), created);
    for row in &custom {
        assert_eq!(
            (&row["executionCount"], row.get("lastExecutedAt")),
            (&json!(0), Some(&json!(null)))
        );
        assert!(row.get("instructions").is_none() && row["version"] == 1, "{row}");
        assert!(row.get("system").is_none(), "{row}");
    }
    let alone = agent(&app, &created[0]).await;
    assert!(alone.get("executionCount").is_none() && alone.get("lastExecutedAt").is_none());
    assert_eq!(ids(&list(&app, json!("defaultOnly")).await), BUILT_IN);
    let all = list(&app, json!(null)).await;
    assert_eq!((ids(&all[..10]), ids(&all[10..])), (BUILT_IN.to_vec(), ids(&custom)));
}

#[tokio::test]
async fn listing_agents_costs_two_reads() {
    let app = App::start().await;
    create(&app, smallest()).await;
    app.advance(std::time::Duration::from_secs(11));
    app.forget_calls();
    list(&app, json!(null)).await;
    let cost = Cost::of(&app.calls());
    assert_eq!((cost.reads, cost.writes), (2, 0));
}

#[tokio::test]
async fn the_filter_is_ignored_when_an_agent_id_is_sent() {
    let app = App::start().await;
    let sent = json!({ "agentId": "spell-check", "filter": "customOnly" });
    assert_eq!(app.call("agents.get", sent).await.data()["agent"]["id"], "spell-check");
}

#[tokio::test]
async fn an_unknown_agent_or_group_is_not_found_and_an_unknown_filter_is_refused() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    for sent in [
        json!({ "agentId": "nobody" }),
        json!({ "agentId": "agent-count" }),
        json!({ "agentId": "spell-check#built-in" }),
        json!({ "groupId": "seo" }),
        json!({ "groupId": "seo", "agentId": id }),
    ] {
        app.call("agents.get", sent).await.error("NOT_FOUND");
    }
    for (sent, path) in [
        (json!({ "filter": "all" }), "data.filter"),
        (json!({ "agentId": "" }), "data.agentId"),
        (json!({ "agentId": "x".repeat(257) }), "data.agentId"),
        (json!({ "groupId": 1 }), "data.groupId"),
    ] {
        assert_eq!(field(&app.call("agents.get", sent).await.error("INVALID_ARGUMENT")), path);
    }
}
