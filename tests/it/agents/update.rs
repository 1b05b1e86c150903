//! `/v2/agents/update`.

use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{agent, at_store, create, next_version, smallest, stored, versions};
use crate::{app::App, workspace::field};

async fn update(app: &App, id: &str, members: Value) -> Value {
    let mut sent = members;
    sent["agentId"] = json!(id);
    app.call("agents.update", sent).await.data()
}

#[tokio::test]
async fn omitted_members_keep_their_values_and_no_version_is_created() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    let mut expected = agent(&app, &id).await;
    for members in [
        json!({ "name": "Editor" }),
        json!({ "description": "Edits." }),
        json!({ "enabled": false }),
        json!({ "name": "x", "description": ".", "enabled": true }),
        json!({ "name": null, "description": null, "enabled": false }),
        json!({ "name": "é".repeat(1000), "description": "é".repeat(4000) }),
    ] {
        app.advance(Duration::from_secs(1));
        assert_eq!(update(&app, &id, members.clone()).await, json!({ "agentId": id }));
        for (name, value) in
            members.as_object().unwrap().iter().filter(|(_, value)| !value.is_null())
        {
            expected[name] = value.clone();
        }
        let found = agent(&app, &id).await;
        assert!(found["lastUpdated"].as_u64() > expected["lastUpdated"].as_u64());
        expected["lastUpdated"] = found["lastUpdated"].clone();
        assert_eq!(found, expected);
    }
    assert_eq!(versions(&app, &id).await.len(), 1);
}

#[tokio::test]
async fn a_request_with_none_of_its_members_changes_nothing_and_succeeds() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    let before = stored(&app);
    app.advance(Duration::from_secs(1));
    assert_eq!(update(&app, &id, json!({})).await, json!({ "agentId": id }));
    assert_eq!(stored(&app), before);
}

#[tokio::test]
async fn members_of_a_version_and_unknown_members_are_ignored() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    let before = stored(&app);
    let members = json!({
        "instructions": "Other.", "execution": "not even an object", "contextGathering": 1,
        "version": 7, "managedBy": "x", "metadata": { "type": "x" }, "scope": null,
    });
    assert_eq!(update(&app, &id, members).await, json!({ "agentId": id }));
    assert_eq!(stored(&app), before);
}

#[tokio::test]
async fn an_invalid_name_description_or_enabled_is_refused() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    let before = stored(&app);
    for (members, path) in [
        (json!({ "name": "" }), "data.name"),
        (json!({ "name": " \t\n\u{3000}" }), "data.name"),
        (json!({ "name": "x".repeat(1001) }), "data.name"),
        (json!({ "name": 1 }), "data.name"),
        (json!({ "name": "", "enabled": false }), "data.name"),
        (json!({ "description": "x".repeat(4001) }), "data.description"),
        (json!({ "description": "" }), "data.description"),
        (json!({ "description": " \n" }), "data.description"),
        (json!({ "enabled": "false" }), "data.enabled"),
    ] {
        let mut sent = members.clone();
        sent["agentId"] = json!(id);
        let error = app.call("agents.update", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), path, "{members}");
    }
    // A bad name comes before the question who it would be given to.
    let sent = json!({ "agentId": "nobody", "name": " " });
    app.call("agents.update", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(stored(&app), before);
}

#[tokio::test]
async fn a_missing_id_is_refused() {
    let app = App::start().await;
    for sent in [json!({}), json!({ "agentId": "" }), json!({ "agentId": null, "name": "x" })] {
        let error = app.call("agents.update", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), "data.agentId");
    }
}

#[tokio::test]
async fn an_unknown_agent_is_an_internal_error() {
    let app = App::start().await;
    for sent in [
        json!({ "agentId": "nobody" }),
        json!({ "agentId": "nobody", "name": "x", "description": "x", "enabled": true }),
        json!({ "agentId": "spell-check#built-in", "enabled": true }),
    ] {
        let reply = app.call("agents.update", sent).await;
        let error = reply.error("INTERNAL");
        assert_eq!(reply.status(), 500);
        assert!(error["message"].as_str().unwrap().contains("agent"), "{error}");
    }
}

#[tokio::test]
async fn an_update_of_a_built_in_agent_needs_enabled_and_changes_only_enabled() {
    let app = App::start().await;
    let before = agent(&app, "lorem-ipsum").await;
    for members in [
        json!({}),
        json!({ "name": "x" }),
        json!({ "name": "", "description": "x", "enabled": null }),
    ] {
        let mut sent = members;
        sent["agentId"] = json!("lorem-ipsum");
        let error = app.call("agents.update", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), "data.enabled");
    }
    assert_eq!(stored(&app), [] as [Value; 0]);
    update(&app, "lorem-ipsum", json!({ "enabled": true })).await;
    assert_eq!(stored(&app), [] as [Value; 0], "it is enabled anyway");
    for name in ["Mine", "", " "] {
        for enabled in [false, true] {
            let members =
                json!({ "enabled": enabled, "name": name, "description": "x".repeat(5000) });
            assert_eq!(
                update(&app, "lorem-ipsum", members).await,
                json!({ "agentId": "lorem-ipsum" })
            );
            let mut expected = before.clone();
            expected["enabled"] = json!(enabled);
            assert_eq!(agent(&app, "lorem-ipsum").await, expected);
            let listed = super::list(&app, json!("defaultOnly")).await;
            let off: Vec<_> = listed.iter().filter(|agent| agent["enabled"] == false).collect();
            assert_eq!(off.len(), usize::from(!enabled));
        }
    }
    assert_eq!(stored(&app).len(), 1, "what was said, and nothing else");
    let second = app.second_key().await;
    update(&app, "lorem-ipsum", json!({ "enabled": false })).await;
    let theirs = app.call_as(&second, "agents.get", json!({ "agentId": "lorem-ipsum" })).await;
    assert_eq!(theirs.data()["agent"]["enabled"], true);
}

#[tokio::test]
async fn when_the_record_of_the_workspace_is_missing_every_agent_is_not_found() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    let partition = format!("workspace#{}", app.workspace.id);
    let key = json!({ "PK": { "S": partition }, "SK": { "S": "workspace" } });
    at_store(&app, "DeleteItem", json!({ "Key": key })).await;
    let before = stored(&app);
    for sent in [
        json!({ "agentId": id, "name": "x" }),
        json!({ "agentId": id }),
        json!({ "agentId": "nobody" }),
        json!({ "agentId": "spell-check", "enabled": false }),
    ] {
        app.call("agents.update", sent).await.error("NOT_FOUND");
    }
    // A malformed request is reported first.
    let sent = json!({ "agentId": "spell-check" });
    app.call("agents.update", sent).await.error("INVALID_ARGUMENT");
    let sent = json!({ "agentId": id, "name": "" });
    app.call("agents.update", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(stored(&app), before);
}

#[tokio::test]
async fn changes_of_identity_and_of_behavior_at_once_are_all_kept() {
    let app = App::start().await;
    let id = create(&app, smallest()).await;
    let (a, b) = (&app, id.as_str());
    let renamed = async { update(a, b, json!({ "name": "Editor" })).await };
    let disabled = async { update(a, b, json!({ "enabled": false })).await };
    let versions =
        join_all((0..3).map(|n| async move { next_version(a, b, &format!("{n}")).await }));
    futures_util::join!(renamed, disabled, versions);
    let found = agent(&app, &id).await;
    assert_eq!(
        (&found["name"], &found["enabled"], &found["version"]),
        (&json!("Editor"), &json!(false), &json!(4))
    );
}
