use std::time::Duration;

use serde_json::json;

use super::{add, all, find};
use crate::{app::App, end_users::token};

#[tokio::test]
async fn an_organization_is_disabled_and_enabled_again() {
    let app = App::start().await;
    let sent = json!({ "organizationId": "a", "organizationName": "A", "tier": "gold" });
    app.call("organizations.add", json!({ "organizations": [sent] })).await.ok();
    add(&app, &["b"]).await;
    for disabled in [true, true, false] {
        let before = find(&app, "a").await;
        app.advance(Duration::from_secs(1));
        let sent = json!({ "organizationIds": ["a"], "disabled": disabled });
        let updated = app.call("organizations.disable", sent).await.data();
        assert_eq!(updated["a"]["success"], true);
        assert_eq!(updated["a"]["disabled"], disabled);
        assert_eq!(updated["a"]["id"], "a");
        assert!(updated["a"]["message"].is_string());
        let after = find(&app, "a").await;
        assert_eq!(after["disabled"], disabled);
        assert_eq!(after["organizationName"], "A");
        assert_eq!(after["tier"], "gold");
        assert!(after["lastUpdated"].as_u64() > before["lastUpdated"].as_u64());
    }
    assert_eq!(find(&app, "b").await["disabled"], false);
}

#[tokio::test]
async fn a_disabled_organization_is_still_open_to_the_server_api() {
    let app = App::start().await;
    add(&app, &["a"]).await;
    app.call("organizations.disable", json!({ "organizationIds": ["a"], "disabled": true }))
        .await
        .ok();
    let sent = json!({ "organizationId": "a", "documents": [{ "documentId": "d" }] });
    assert_eq!(app.call("documents.add", sent).await.data()["d"]["success"], true);
}

#[tokio::test]
async fn an_unknown_organization_fails_without_failing_the_others_and_is_not_added() {
    let app = App::start().await;
    add(&app, &["a"]).await;
    let sent = json!({ "organizationIds": ["nobody", "a", "a"], "disabled": true });
    let updated = app.call("organizations.disable", sent).await.data();
    assert_eq!(updated.as_object().map(serde_json::Map::len), Some(2));
    assert_eq!(updated["nobody"]["success"], false);
    assert_eq!(updated["nobody"]["code"], "not-found");
    assert_eq!(updated["a"]["success"], true);
    assert_eq!(all(&app).await, ["a"]);
}

#[tokio::test]
async fn both_members_are_required() {
    let app = App::start().await;
    add(&app, &["a"]).await;
    for (sent, member) in [
        (json!({ "organizationIds": ["a"] }), "disabled"),
        (json!({ "organizationIds": ["a"], "disabled": null }), "disabled"),
        (json!({ "organizationIds": ["a"], "disabled": "true" }), "disabled"),
        (json!({ "disabled": true }), "organizationIds"),
        (json!({ "organizationIds": [], "disabled": true }), "organizationIds"),
        (json!({ "organizationIds": "a", "disabled": true }), "organizationIds"),
    ] {
        let refused = app.call("organizations.disable", sent.clone()).await;
        let error = refused.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", member]), "{sent}");
    }
    assert_eq!(find(&app, "a").await["disabled"], false);
}

#[tokio::test]
async fn a_batch_holds_at_most_500_ids() {
    let app = App::start().await;
    let batch = |n: usize| {
        let ids: Vec<String> = (0..n).map(|n| format!("o{n}")).collect();
        app.call("organizations.disable", json!({ "organizationIds": ids, "disabled": true }))
    };
    add(&app, &["o499"]).await;
    batch(501).await.error("INVALID_ARGUMENT");
    assert_eq!(find(&app, "o499").await["disabled"], false);
    assert_eq!(batch(500).await.data()["o499"]["success"], true);
    assert_eq!(find(&app, "o499").await["disabled"], true);
}

/// A nightly synchronization adds what it knows.
#[tokio::test]
async fn an_implied_organization_that_is_disabled_stays_so_when_it_is_added() {
    let app = App::start().await;
    let at = json!({ "organizationId": "a", "documentId": "d" });
    let mut presence = at.clone();
    presence["users"] = json!([{ "userId": "ada" }]);
    app.call("presence.add", presence).await.ok();
    let resource =
        json!({ "type": "document", "id": "d", "organizationId": "a", "accessRole": "editor" });
    let ada = token(&app, "ada", json!([resource])).await;
    let read = async || app.caller().end_user(&ada).call("live-state.get", at.clone()).await;
    read().await.ok();
    let disabled = json!({ "organizationIds": ["a"], "disabled": true });
    app.call("organizations.disable", disabled).await.ok();
    read().await.error("PERMISSION_DENIED");
    let added = json!({ "organizations": [{ "organizationId": "a", "organizationName": "A" }] });
    assert_eq!(app.call("organizations.add", added).await.data()["a"]["success"], true);
    let found = find(&app, "a").await;
    assert_eq!((&found["disabled"], &found["organizationName"]), (&json!(true), &json!("A")));
    read().await.error("PERMISSION_DENIED");
    let enabled = json!({ "organizationIds": ["a"], "disabled": false });
    app.call("organizations.disable", enabled).await.ok();
    read().await.ok();
}
