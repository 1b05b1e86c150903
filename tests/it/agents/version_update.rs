//! `/v2/agents/version/update`.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{agent, agent_with, at_store, create, next_version, smallest, stored, versions};
use crate::{app::App, workspace::field};

async fn update(app: &App, id: &str, members: Value) -> Value {
    let mut sent = members;
    sent["agentId"] = json!(id);
    app.call("agents.version_update", sent).await.data()
}

/// Contract `agents.update`.
#[tokio::test]
async fn nested_members_are_merged_one_level_deep() {
    let app = App::start().await;
    let id = create(
        &app,
        agent_with(json!({
            "execution": {
                "aiConfig": { "provider": "claude", "maxToolTurns": 3 },
                "knowledge": { "maxChunks": 2 }, "odd": [1, 2],
            },
            "scope": { "pageScope": ["/a"] }, "odd": { "a": 1 },
        })),
    )
    .await;
    let members = json!({
        "execution": { "aiConfig": { "provider": "openai" }, "odd": [3] },
        "odd": { "b": 2 }, "setup": { "c": 3 }, "instructions": "Other.",
    });
    assert_eq!(update(&app, &id, members).await, json!({ "version": 2 }));
    let found = agent(&app, &id).await;
    let execution = json!({
        "aiConfig": { "provider": "openai", "maxToolTurns": 8 },
        "knowledge": { "maxChunks": 2 }, "odd": [3],
    });
    for (member, value) in [
        ("execution", execution),
        ("scope", json!({ "pageScope": ["/a"] })),
        ("odd", json!({ "a": 1, "b": 2 })),
        ("setup", json!({ "c": 3 })),
        ("instructions", json!("Other.")),
        ("contextGathering", json!({ "strategies": ["web-page-text"] })),
        ("version", json!(2)),
    ] {
        assert_eq!(found[member], value, "{member}");
    }
}

#[tokio::test]
async fn name_description_and_enabled_are_ignored_and_metadata_is_replaced() {
    let app = App::start().await;
    let id = create(&app, agent_with(json!({ "metadata": { "a": 1, "b": 2 } }))).await;
    let members = json!({ "name": "x", "description": "x", "enabled": false, "setup": {} });
    update(&app, &id, members).await;
    let found = agent(&app, &id).await;
    assert_eq!((&found["name"], &found["enabled"]), (&json!("Reviewer"), &json!(true)));
    assert_eq!(found["metadata"], json!({ "a": 1, "b": 2 }));
    assert_eq!(update(&app, &id, json!({ "metadata": { "c": 3 } })).await["version"], 3);
    assert_eq!(agent(&app, &id).await["metadata"], json!({ "c": 3 }));
}

#[tokio::test]
async fn an_update_is_refused_when_the_merged_agent_would_be_invalid() {
    let app = App::start().await;
    let by = json!({ "executionStrategy": "service", "serviceId": "crawler" });
    let id = create(&app, agent_with(json!({ "execution": by, "instructions": null }))).await;
    let before = stored(&app);
    for (members, path) in [
        (json!({ "execution": { "executionStrategy": "ai" } }), "data.instructions"),
        (
            json!({ "execution": { "executionStrategy": "ai" }, "instructions": " " }),
            "data.instructions",
        ),
        (
            json!({ "contextGathering": { "strategies": ["rest-api"] } }),
            "data.contextGathering.endpoints",
        ),
        (json!({ "contextGathering": { "strategies": [] } }), "data.contextGathering.strategies"),
        (
            json!({ "scope": { "crossPage": { "enabled": true, "targetProperty": "t" } } }),
            "data.scope.crossPage.pageDiscovery",
        ),
        (
            json!({ "execution": { "aiConfig": { "maxToolTurns": 17 } } }),
            "data.execution.aiConfig.maxToolTurns",
        ),
        (json!({ "managedBy": "x", "setup": {} }), "data.managedBy"),
        (json!({ "metadata": { "internal": true } }), "data.metadata.internal"),
        (json!({ "phaseTimeoutMs": 0 }), "data.phaseTimeoutMs"),
    ] {
        let mut sent = members.clone();
        sent["agentId"] = json!(id);
        let error = app.call("agents.version_update", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), path, "{members}");
    }
    assert_eq!(stored(&app), before);
    let members = json!({ "execution": { "executionStrategy": "ai" }, "instructions": "Go." });
    assert_eq!(update(&app, &id, members).await["version"], 2);
}

#[tokio::test]
async fn an_update_without_a_member_of_the_version_is_refused() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    for members in [json!({}), json!({ "name": "x", "enabled": true }), json!({ "setup": null })] {
        let mut sent = members;
        sent["agentId"] = json!(id);
        app.call("agents.version_update", sent).await.error("INVALID_ARGUMENT");
    }
    app.call("agents.version_update", json!({ "setup": {} })).await.error("INVALID_ARGUMENT");
    assert_eq!(versions(&app, &id).await.len(), 1);
}

#[tokio::test]
async fn only_custom_agents_that_exist_have_versions() {
    let app = App::start().await;
    let sent = json!({ "agentId": "spell-check", "instructions": "x" });
    let error = app.call("agents.version_update", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(field(&error), "data.agentId");
    let sent = json!({ "agentId": "nobody", "instructions": "x" });
    app.call("agents.version_update", sent).await.error("NOT_FOUND");
}

#[tokio::test]
async fn secrets_that_are_not_sent_stay_and_a_placeholder_keeps_the_stored_one() {
    let app = App::start().await;
    let servers = |token: &str| {
        let auth = json!({ "type": "bearer", "token": token });
        json!([{ "id": "s", "url": "https://mcp.example.com", "auth": auth }])
    };
    let sent = agent_with(json!({ "execution": { "mcpServers": servers("hunter2") } }));
    let id = create(&app, sent).await;
    // The secret that the store would use for a call.
    let secret = || {
        let current = stored(&app)
            .into_iter()
            .find(|item| item["SK"]["S"].as_str().is_some_and(|sort| sort.ends_with("#current")));
        let item = current.expect("a current version");
        let place =
            format!("{}\n{}", item["PK"]["S"].as_str().unwrap(), item["SK"]["S"].as_str().unwrap());
        let sealed = item["secrets"]["L"][0]["M"]["sealed"]["S"].as_str().unwrap().to_owned();
        let keyring = keyring::Keyring::parse(crate::app::KEYRING).unwrap();
        keyring.open(&place, &sealed).unwrap()
    };
    assert_eq!(secret(), "hunter2");
    next_version(&app, &id, "Other.").await;
    update(&app, &id, json!({ "execution": { "odd": 1 } })).await;
    assert_eq!(secret(), "hunter2");
    let shown = agent(&app, &id).await["execution"]["mcpServers"][0]["auth"].clone();
    assert_eq!(shown, json!({ "type": "bearer", "token": "__redacted__" }));
    // A console that reads an agent and writes it back.
    let mut read = servers("__redacted__");
    read[0]["timeoutMs"] = json!(5_000);
    update(&app, &id, json!({ "execution": { "mcpServers": read } })).await;
    assert_eq!(secret(), "hunter2");
    // No other server gets it, and nobody the placeholder.
    for (member, value) in [("url", "https://other.example.com"), ("id", "other")] {
        let mut moved = servers("__redacted__");
        moved[0][member] = json!(value);
        let sent = json!({ "agentId": id, "execution": { "mcpServers": moved } });
        app.call("agents.version_update", sent).await.error("INVALID_ARGUMENT");
    }
    let new = agent_with(json!({ "execution": { "mcpServers": servers("__redacted__") } }));
    app.call("agents.create", new).await.error("INVALID_ARGUMENT");
    update(&app, &id, json!({ "execution": { "mcpServers": servers("hunter3") } })).await;
    assert_eq!(secret(), "hunter3");
    // The version before has its own.
    app.call("agents.versions_restore", json!({ "agentId": id })).await.ok();
    assert_eq!(secret(), "hunter2");
    assert!(!format!("{:?}", stored(&app)).contains("hunter2"));
}

#[tokio::test]
async fn updates_at_once_never_lose_a_version() {
    for _ in 0..5 {
        let app = App::start().await;
        let id = create(&app, smallest()).await;
        let (app, id) = (&app, id.as_str());
        let made = (0..4).map(|n| async move { next_version(app, id, &format!("{n}")).await });
        let made: BTreeSet<u64> = join_all(made).await.into_iter().collect();
        assert_eq!(made, BTreeSet::from([2, 3, 4, 5]));
        let found = versions(app, id).await;
        let numbers: Vec<u64> = found.iter().map(|v| v["version"].as_u64().unwrap()).collect();
        assert_eq!(numbers, [5, 4, 3, 2, 1]);
        let said: BTreeSet<String> = found.iter().map(|v| v["instructions"].to_string()).collect();
        assert_eq!(said.len(), 5, "{said:?}");
        assert_eq!(agent(app, id).await["version"], 5);
    }
}

#[tokio::test]
async fn a_version_that_makes_the_agent_exceed_400_kib_is_refused() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    let half = "x".repeat(250_000);
    update(&app, &id, json!({ "instructions": half })).await;
    let sent = json!({ "agentId": id, "rawInstructions": half });
    let error = app.call("agents.version_update", sent).await.error("INVALID_ARGUMENT");
    assert!(error["message"].as_str().unwrap().contains("409600"), "{error}");
    assert_eq!(versions(&app, &id).await.len(), 2);
}

#[tokio::test]
async fn an_agent_has_at_most_1000_versions() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    let places = [format!("agent#{id}"), format!("agent-version#{id}#version#current")];
    for place in places {
        let key =
            json!({ "PK": { "S": format!("key#{}", app.key.api_key) }, "SK": { "S": place } });
        let request = json!({
            "Key": key, "UpdateExpression": "SET #v = :v",
            "ExpressionAttributeNames": { "#v": "version" },
            "ExpressionAttributeValues": { ":v": { "N": "999" } },
        });
        at_store(&app, "UpdateItem", request).await;
    }
    assert_eq!(next_version(&app, &id, "x").await, 1000);
    let sent = json!({ "agentId": id, "instructions": "y" });
    app.call("agents.version_update", sent).await.error("RESOURCE_EXHAUSTED");
}
