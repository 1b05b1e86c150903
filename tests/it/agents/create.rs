//! `/v2/agents/create`.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{agent, agent_with, at_store, counted, create, list, smallest, stored, versions};
use crate::{app::App, workspace::field};

async fn refused(app: &App, members: Value, path: &str) {
    let error =
        app.call("agents.create", agent_with(members.clone())).await.error("INVALID_ARGUMENT");
    assert!(field(&error).starts_with(&format!("data.{path}")), "{members}: {error}");
}

async fn accepted(app: &App, members: Value) -> Value {
    let reply = app.call("agents.create", agent_with(members.clone())).await;
    assert_eq!(reply.status(), 200, "{members}: {}", reply.text());
    let id = reply.data()["agentId"].as_str().unwrap().to_owned();
    let found = agent(app, &id).await;
    app.call("agents.delete", json!({ "agentId": id })).await.ok();
    found
}

#[tokio::test]
async fn an_agent_starts_with_version_1() {
    let app = App::start().await;
    let id = create(&app, agent_with(json!({ "metadata": { "team": "docs" } }))).await;
    let now = app.now();
    let found = agent(&app, &id).await;
    for (member, value) in [
        ("id", json!(id)),
        ("agentId", json!(id)),
        ("name", json!("Reviewer")),
        ("description", json!("Reviews.")),
        ("enabled", json!(true)),
        ("version", json!(1)),
        ("managedBy", json!("customer")),
        ("metadata", json!({ "team": "docs" })),
        ("instructions", json!("Review.")),
        ("contextGathering", json!({ "strategies": ["web-page-text"] })),
        ("execution", json!({})),
    ] {
        assert_eq!(found[member], value, "{member}");
    }
    assert!(found["createdAt"].as_u64().is_some_and(|at| now - at < 10_000));
    assert_eq!(found["createdAt"], found["lastUpdated"]);
    let versions = versions(&app, &id).await;
    assert_eq!((versions.len(), &versions[0]["id"]), (1, &json!("v1")));
    assert_eq!(counted(&app), "1");
}

#[tokio::test]
async fn a_missing_or_malformed_member_is_refused_with_its_name() {
    let app = App::start().await;
    for member in
        ["name", "description", "enabled", "instructions", "contextGathering", "execution"]
    {
        for value in [None, Some(json!(null))] {
            let mut sent = smallest();
            match value {
                Some(value) => sent[member] = value,
                None => drop(sent.as_object_mut().unwrap().remove(member)),
            }
            let error = app.call("agents.create", sent).await.error("INVALID_ARGUMENT");
            assert_eq!(field(&error), format!("data.{member}"));
        }
    }
    for (member, value) in [
        ("name", json!("")),
        ("name", json!(" \t\n")),
        ("name", json!("x".repeat(1001))),
        ("description", json!("")),
        ("description", json!(" ")),
        ("description", json!("x".repeat(4001))),
        ("enabled", json!("true")),
        ("instructions", json!("")),
        ("instructions", json!(" \n")),
        ("execution", json!([])),
        ("phaseTimeoutMs", json!(0)),
        ("phaseTimeoutMs", json!(1.5)),
        ("metadata", json!([])),
        ("response", json!("x")),
        ("setup", json!(1)),
        ("rawInstructions", json!(1)),
    ] {
        refused(&app, json!({ member: value }), member).await;
    }
    refused(&app, json!({ "contextGathering": {} }), "contextGathering.strategies").await;
    assert_eq!(stored(&app), [] as [Value; 0], "nothing was written");
}

#[tokio::test]
async fn values_of_the_least_and_greatest_length_are_accepted() {
    let app = App::start().await;
    for members in [
        json!({ "name": "x", "description": "x" }),
        json!({ "name": "é".repeat(1000), "description": "é".repeat(4000) }),
        json!({ "phaseTimeoutMs": 1 }),
        json!({ "phaseTimeoutMs": 9_007_199_254_740_991_u64 }),
        json!({ "phaseTimeoutMs": null }),
        json!({ "metadata": { "x": "x".repeat(16_376) } }),
    ] {
        accepted(&app, members).await;
    }
    refused(&app, json!({ "metadata": { "x": "x".repeat(16_377) } }), "metadata").await;
}

#[tokio::test]
async fn unknown_strategies_and_strategies_without_their_parameters_are_refused() {
    let app = App::start().await;
    for strategy in [
        "web-page-text",
        "web-page-screenshot",
        "web-page-html",
        "web-page-css",
        "web-page-links",
        "web-page-accessibility",
        "robots-txt",
        "sitemap-data",
        "lighthouse",
        "none",
    ] {
        accepted(&app, json!({ "contextGathering": { "strategies": [strategy] } })).await;
    }
    let gathering = |members: Value| json!({ "contextGathering": members });
    let url = json!({ "url": "https://api.example.com/x" });
    accepted(&app, gathering(json!({ "strategies": ["computed-styles"], "selectors": ["h1"] })))
        .await;
    for n in [1, 10] {
        let endpoints = vec![url.clone(); n];
        accepted(&app, gathering(json!({ "strategies": ["rest-api"], "endpoints": endpoints })))
            .await;
    }
    let options = |strategy: &str, members: Value| json!({ "strategies": [strategy], "strategyOptions": { strategy: members } });
    accepted(&app, gathering(options("computed-styles", json!({ "selectors": ["h1"] })))).await;
    accepted(&app, gathering(options("rest-api", json!({ "endpoints": [url] })))).await;
    for (members, path) in [
        (options("computed-styles", json!({})), "selectors"),
        (
            options("rest-api", json!({ "endpoints": [{ "url": "" }] })),
            "strategyOptions.rest-api.endpoints.0.url",
        ),
        (json!({ "strategies": [] }), "strategies"),
        (json!({ "strategies": ["web-page"] }), "strategies.0"),
        (json!({ "strategies": ["computed-styles"] }), "selectors"),
        (json!({ "strategies": ["computed-styles"], "selectors": [] }), "selectors"),
        (json!({ "strategies": ["rest-api"] }), "endpoints"),
        (json!({ "strategies": ["rest-api"], "endpoints": [] }), "endpoints"),
        (json!({ "strategies": ["rest-api"], "endpoints": vec![url; 11] }), "endpoints"),
        (json!({ "strategies": ["rest-api"], "endpoints": [{}] }), "endpoints.0.url"),
        (json!({ "strategies": ["rest-api"], "endpoints": [{ "url": "" }] }), "endpoints.0.url"),
        (
            json!({ "strategies": ["rest-api"], "endpoints": [{ "url": "https://a.b", "auth": { "type": "digest" } }] }),
            "endpoints.0.auth.type",
        ),
    ] {
        refused(&app, gathering(members), &format!("contextGathering.{path}")).await;
    }
}

#[tokio::test]
async fn only_a_service_works_without_instructions() {
    let app = App::start().await;
    let execution = |members: Value| json!({ "execution": members, "instructions": null });
    for service in
        ["broken-links", "crawler", "screenshot", "accessibility-checker", "og-image-checker"]
    {
        let by = json!({ "executionStrategy": "service", "serviceId": service });
        accepted(&app, execution(by)).await;
    }
    for strategy in ["ai", "service+ai", "stagehand-agent", "mcp-tools"] {
        let by = json!({ "executionStrategy": strategy, "serviceId": "crawler" });
        accepted(&app, json!({ "execution": by })).await;
        refused(&app, execution(by), "instructions").await;
    }
    for strategy in ["service", "service+ai"] {
        let by = json!({ "execution": { "executionStrategy": strategy } });
        refused(&app, by, "execution.serviceId").await;
    }
    for (members, path) in [
        (json!({ "executionStrategy": "magic" }), "executionStrategy"),
        (json!({ "executionStrategy": "service", "serviceId": "magic" }), "serviceId"),
    ] {
        refused(&app, json!({ "execution": members }), &format!("execution.{path}")).await;
    }
}

#[tokio::test]
async fn execution_has_ranges_defaults_and_strict_blocks() {
    let app = App::start().await;
    let server = |members: Value| {
        let mut server = json!({ "id": "s", "url": "https://mcp.example.com" });
        server.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        server
    };
    let found = accepted(
        &app,
        json!({ "execution": {
            "mcpServers": [server(json!({ "transport": "http", "odd": 1 }))],
            "aiConfig": { "provider": "gemini", "model": "m" },
            "knowledge": { "useMemory": true, "maxChunks": 1, "maxPatterns": 20 },
            "odd": { "x": null },
        } }),
    )
    .await;
    let expected = json!({
        "mcpServers": [{
            "id": "s", "url": "https://mcp.example.com", "transport": "http", "timeoutMs": 30000,
            "odd": 1,
        }],
        "aiConfig": { "provider": "gemini", "maxToolTurns": 8 },
        "knowledge": { "useMemory": true, "maxChunks": 1, "maxPatterns": 20 },
        "odd": { "x": null },
    });
    assert_eq!(found["execution"], expected);
    for members in [
        json!({ "mcpServers": vec![server(json!({})); 5] }),
        json!({ "mcpServers": [server(json!({ "timeoutMs": 1 }))] }),
        json!({ "mcpServers": [server(json!({ "timeoutMs": 120_000 }))] }),
        json!({ "aiConfig": { "provider": "claude", "maxToolTurns": 1 } }),
        json!({ "aiConfig": { "provider": "openai", "maxToolTurns": 16 } }),
        json!({ "knowledge": { "maxActivities": 20 } }),
    ] {
        accepted(&app, json!({ "execution": members })).await;
    }
    for (members, path) in [
        (json!({ "mcpServers": [] }), "mcpServers"),
        (json!({ "mcpServers": vec![server(json!({})); 6] }), "mcpServers"),
        (json!({ "mcpServers": [{ "id": "s" }] }), "mcpServers.0.url"),
        (json!({ "mcpServers": [{ "url": "https://a.b" }] }), "mcpServers.0.id"),
        (json!({ "mcpServers": [server(json!({ "url": "ftp://a.b" }))] }), "mcpServers.0.url"),
        (
            json!({ "mcpServers": [server(json!({ "transport": "stdio" }))] }),
            "mcpServers.0.transport",
        ),
        (json!({ "mcpServers": [server(json!({ "timeoutMs": 0 }))] }), "mcpServers.0.timeoutMs"),
        (
            json!({ "mcpServers": [server(json!({ "timeoutMs": 120_001 }))] }),
            "mcpServers.0.timeoutMs",
        ),
        (json!({ "mcpServers": [server(json!({ "auth": {} }))] }), "mcpServers.0.auth.type"),
        (json!({ "aiConfig": { "provider": "other" } }), "aiConfig.provider"),
        (json!({ "aiConfig": { "maxToolTurns": 0 } }), "aiConfig.maxToolTurns"),
        (json!({ "aiConfig": { "maxToolTurns": 17 } }), "aiConfig.maxToolTurns"),
        (json!({ "aiConfig": { "temperature": 1 } }), "aiConfig"),
        (json!({ "knowledge": { "maxChunks": 0 } }), "knowledge.maxChunks"),
        (json!({ "knowledge": { "maxPatterns": 21 } }), "knowledge.maxPatterns"),
        (json!({ "knowledge": { "maxActivities": 21 } }), "knowledge.maxActivities"),
        (json!({ "knowledge": { "odd": 1 } }), "knowledge"),
    ] {
        refused(&app, json!({ "execution": members }), &format!("execution.{path}")).await;
    }
}

#[tokio::test]
async fn the_other_blocks_have_their_rules() {
    let app = App::start().await;
    let cross = json!({ "enabled": true, "targetProperty": "title", "pageDiscovery": "auto" });
    let found = accepted(
        &app,
        json!({
            "postProcess": {
                "guardrails": false, "annotations": { "strategy": "page-level" },
                "matchAndMerge": true, "customProcessors": ["x"],
            },
            "input": {
                "variableKeys": ["tone"], "supportedVariables": ["forged"],
                "userContextFields": [{ "id": "f", "title": "F", "type": "number", "example": 3 }],
                "inputRequirements": { "requires": ["tone"] },
            },
            "scope": { "pageScope": ["/docs"], "crossPage": cross },
            "response": { "schema": { "deep": [1] } }, "setup": {}, "rawInstructions": "r",
            "odd": { "kept": true }, "gone": null,
        }),
    )
    .await;
    for (member, value) in [
        (
            "postProcess",
            json!({
                "guardrails": false, "customProcessors": ["x"],
                "annotations": { "enabled": true, "strategy": "page-level" },
            }),
        ),
        (
            "input",
            json!({
                "variableKeys": ["tone"], "inputRequirements": { "requires": ["tone"] },
                "userContextFields": [{ "id": "f", "title": "F", "type": "number", "example": 3 }],
            }),
        ),
        ("scope", json!({ "pageScope": ["/docs"], "crossPage": cross })),
        ("response", json!({ "schema": { "deep": [1] } })),
        ("rawInstructions", json!("r")),
        ("odd", json!({ "kept": true })),
    ] {
        assert_eq!(found[member], value, "{member}");
    }
    assert!(found.get("gone").is_none());
    for (members, path) in [
        (json!({ "postProcess": { "odd": true } }), "postProcess"),
        (json!({ "postProcess": { "guardrails": "on" } }), "postProcess.guardrails"),
        (
            json!({ "postProcess": { "annotations": { "strategy": "x" } } }),
            "postProcess.annotations.strategy",
        ),
        (json!({ "input": { "variableKeys": "x" } }), "input.variableKeys"),
        (
            json!({ "input": { "userContextFields": [{ "id": "f", "title": "F" }] } }),
            "input.userContextFields.0.type",
        ),
        (
            json!({ "input": { "userContextFields": [{ "id": "f", "title": "F", "type": "date" }] } }),
            "input.userContextFields.0.type",
        ),
    ] {
        refused(&app, members, path).await;
    }
    for member in ["enabled", "targetProperty", "pageDiscovery"] {
        let mut cross = cross.clone();
        cross.as_object_mut().unwrap().remove(member);
        refused(
            &app,
            json!({ "scope": { "crossPage": cross } }),
            &format!("scope.crossPage.{member}"),
        )
        .await;
    }
}

#[tokio::test]
async fn members_that_the_service_sets_itself_are_refused_or_ignored() {
    let app = App::start().await;
    refused(&app, json!({ "managedBy": "customer" }), "managedBy").await;
    for member in ["type", "category", "internal", "apiKey"] {
        refused(&app, json!({ "metadata": { member: "x" } }), &format!("metadata.{member}")).await;
    }
    let found =
        accepted(&app, json!({ "managedBy": null, "id": "mine", "version": 7, "createdAt": 1 }))
            .await;
    assert_eq!((&found["managedBy"], &found["version"]), (&json!("customer"), &json!(1)));
    assert!(found["id"] != "mine" && found["createdAt"] != 1);
}

#[tokio::test]
async fn secrets_are_sealed_at_rest_and_read_back_redacted() {
    let app = App::start().await;
    let server = |auth: Value| json!({ "id": "s", "url": "https://mcp.example.com", "auth": auth });
    let sent = agent_with(json!({
        "contextGathering": { "strategies": ["rest-api"], "endpoints": [{
            "url": "https://api.example.com", "headers": { "x-key": "hunter2-d" },
            "auth": { "type": "header", "headerName": "x-key", "headerValue": "hunter2-c" },
        }] },
        "execution": { "mcpServers": [
            server(json!({ "type": "bearer", "token": "hunter2-a" })),
            server(json!({ "type": "basic", "username": "ada", "password": "hunter2-b" })),
            server(json!({ "type": "none" })),
        ] },
    }));
    let id = create(&app, sent).await;
    assert!(!format!("{:?}", stored(&app)).contains("hunter2"));
    let mut shown = vec![agent(&app, &id).await];
    shown.extend(versions(&app, &id).await);
    for shown in shown {
        assert!(!shown.to_string().contains("hunter2"), "{shown}");
        let servers = &shown["execution"]["mcpServers"];
        assert_eq!(servers[0]["auth"], json!({ "type": "bearer", "token": "__redacted__" }));
        let basic = json!({ "type": "basic", "username": "ada", "password": "__redacted__" });
        assert_eq!(servers[1]["auth"], basic);
        assert_eq!(servers[2]["auth"], json!({ "type": "none" }));
        let endpoint = &shown["contextGathering"]["endpoints"][0];
        assert_eq!(endpoint["headers"], json!({ "x-key": "__redacted__" }));
        assert_eq!(endpoint["auth"]["headerName"], "x-key");
        assert_eq!(endpoint["auth"]["headerValue"], "__redacted__");
    }
}

#[tokio::test]
async fn an_agent_above_400_kib_is_refused() {
    let app = App::start().await;
    let sent = agent_with(json!({ "instructions": "x".repeat(410_000) }));
    let error = app.call("agents.create", sent).await.error("INVALID_ARGUMENT");
    assert!(error["message"].as_str().unwrap().contains("409600"), "{error}");
    assert_eq!((stored(&app).len(), counted(&app)), (0, json!(null)));
}

#[tokio::test]
async fn simultaneous_creations_never_exceed_100_agents() {
    let app = App::start().await;
    let count = json!({
        "PK": { "S": format!("key#{}", app.key.api_key) }, "SK": { "S": "agent-count" },
        "agents": { "N": "90" },
    });
    at_store(&app, "PutItem", json!({ "Item": count })).await;
    let replies = join_all((0..20).map(|_| app.call("agents.create", smallest()))).await;
    let created = replies.iter().filter(|reply| reply.status() == 200).count();
    assert_eq!((created, counted(&app)), (10, json!("100")));
    for reply in replies.iter().filter(|reply| reply.status() != 200) {
        reply.error("RESOURCE_EXHAUSTED");
    }
    let custom = list(&app, json!("customOnly")).await;
    assert_eq!(custom.len(), 10);
    // A deleted agent makes room for another; another tenant has its own hundred.
    app.call("agents.delete", json!({ "agentId": custom[0]["id"] })).await.ok();
    create(&app, smallest()).await;
    app.call("agents.create", smallest()).await.error("RESOURCE_EXHAUSTED");
    let second = app.second_key().await;
    app.call_as(&second, "agents.create", smallest()).await.ok();
}
