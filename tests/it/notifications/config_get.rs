//! `notifications.config_get`.

use serde_json::{Value, json};

use super::{merge, start, wrong};
use crate::app::App;

async fn get(app: &App, members: Value) -> Value {
    let mut sent = json!({ "organizationId": "acme", "userId": "ada" });
    merge(&mut sent, members);
    app.call("notifications.config_get", sent).await.data()
}

#[tokio::test]
async fn the_defaults_are_returned_when_no_preference_is_stored() {
    let app = start().await;
    let config = json!({ "inbox": "ALL", "email": "MINE", "chat": "MINE" });
    let about = json!({ "organizationId": "acme", "apiKey": app.key.api_key, "userId": "ada" });
    let mut of_document = about.clone();
    of_document["documentId"] = json!("d");
    let data = get(&app, json!({ "documentIds": ["d"], "getOrganizationConfig": true })).await;
    let expected = json!([
        { "config": config, "metadata": of_document }, { "config": config, "metadata": about },
    ]);
    assert_eq!(data, expected);
}

#[tokio::test]
async fn documents_are_returned_once_each_in_the_order_of_the_request() {
    let app = start().await;
    let sent = json!({
        "organizationId": "acme", "userIds": ["ada"], "documentIds": ["e"],
        "config": { "inbox": "NONE" },
    });
    app.call("notifications.config_set", sent).await.ok();
    let data = get(&app, json!({ "documentIds": ["x", "e", "x", "d"] })).await;
    let shown: Vec<(&str, &str)> = data
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let id = it["metadata"]["documentId"].as_str().unwrap();
            (id, it["config"]["inbox"].as_str().unwrap())
        })
        .collect();
    assert_eq!(shown, [("x", "ALL"), ("e", "NONE"), ("d", "ALL")]);
    let other = json!({ "userId": "bob", "documentIds": ["e"] });
    assert_eq!(get(&app, other).await[0]["config"]["inbox"], "ALL", "it is ada's alone");
}

#[tokio::test]
async fn an_unknown_organization_has_an_empty_list() {
    let app = start().await;
    let sent = json!({ "organizationId": "x", "documentIds": ["d"] });
    assert_eq!(get(&app, sent).await, json!([]));
}

#[tokio::test]
async fn documents_are_required_unless_the_organization_is_asked_for() {
    let app = start().await;
    assert_eq!(
        get(&app, json!({ "getOrganizationConfig": true })).await[0]["config"]["inbox"],
        "ALL"
    );
    let ids = |n: usize| (0..n).map(|n| format!("d{n}")).collect::<Vec<_>>();
    assert_eq!(get(&app, json!({ "documentIds": ids(30) })).await.as_array().unwrap().len(), 30);
    for sent in
        [json!({}), json!({ "getOrganizationConfig": false }), json!({ "documentIds": ids(31) })]
    {
        let mut all = json!({ "organizationId": "acme", "userId": "ada" });
        merge(&mut all, sent);
        let path = wrong(&app, "notifications.config_get", all).await;
        assert_eq!(path, json!(["data", "documentIds"]));
    }
}

#[tokio::test]
async fn the_older_path_needs_documents() {
    let app = start().await;
    let path = "/v1/notifications/config/get";
    let sent = json!({ "organizationId": "acme", "userId": "ada", "getOrganizationConfig": true });
    app.call_at(path, sent.clone()).await.error("INVALID_ARGUMENT");
    let mut sent = sent;
    sent["documentIds"] = json!(["d"]);
    let data = app.call_at(path, sent).await.data();
    assert_eq!(data.as_array().unwrap().len(), 1);
    assert_eq!(data[0]["metadata"]["documentId"], "d");
}
