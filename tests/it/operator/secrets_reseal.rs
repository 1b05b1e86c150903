//! `/v2/workspace/secrets/reseal`, and secrets that do not open.

use keyring::Keyring;
use roundtable::table_name;
use serde_json::{Value, json};
use service::Table;

use crate::{
    app::{App, Options},
    schedule::put,
};

const OLD: &str = "old=0123456789abcdef0123456789abcdef";
const BOTH: &str = "new=fedcba9876543210fedcba9876543210,old=0123456789abcdef0123456789abcdef";
const GONE: &str = "gone=00000000000000000000000000000000";

/// A tenant with a secret of every kind.
async fn world() -> App {
    let app = App::start_with(Options { keyring: BOTH, ..Options::default() }).await;
    for (operation, sent) in [
        (
            "configuration.email_update",
            json!({ "useEmailService": true, "emailServiceConfig": { "apiKey": "mail" } }),
        ),
        // The configuration remembers what it was, with its secret.
        ("configuration.email_update", json!({ "useEmailService": false })),
        (
            "configuration.webhooks_update",
            json!({ "useWebhookService": true, "webhookServiceConfig": { "authToken": "basic" } }),
        ),
        ("configuration.advanced_webhooks_update", json!({ "isEnabled": true })),
        ("webhook-endpoints.create", json!({ "url": "https://hooks.example.com/x" })),
        (
            "workspace.api_key_config_update",
            json!({ "aiModelApiKey": [
            { "provider": "openai", "customerApiKey": "sk-0123456789abcdef012345" },
        ] }),
        ),
    ] {
        app.call(operation, sent).await.ok();
    }
    let endpoint = json!({ "endpointId": endpoint(&app).await });
    app.call("webhook-endpoints.secret_rotate", endpoint).await.ok();
    app
}

async fn endpoint(app: &App) -> String {
    let listed = app.call("webhook-endpoints.get", json!({})).await.data();
    listed["endpoints"][0]["id"].as_str().expect("an endpoint").to_owned()
}

fn sealed_in<'a>(value: &'a mut Value, kid: &str, found: &mut Vec<&'a mut String>) {
    match value {
        Value::String(text) if text.starts_with(&format!("{kid}.")) => found.push(text),
        Value::Object(members) => {
            members.values_mut().for_each(|value| sealed_in(value, kid, found));
        }
        Value::Array(elements) => {
            elements.iter_mut().for_each(|value| sealed_in(value, kid, found));
        }
        _ => {}
    }
}

/// Number of secrets sealed with a key.
fn sealed_with(app: &App, kid: &str) -> usize {
    let items = app.embedded().dump(&table_name(Table::Resources)).unwrap();
    let count = |mut item: Value| {
        let mut found = Vec::new();
        sealed_in(&mut item, kid, &mut found);
        found.len()
    };
    items.into_iter().map(count).sum()
}

/// As if all secrets had been sealed with another keyring.
async fn seal_with(app: &App, ring: &str) -> usize {
    let (both, ring) = (Keyring::parse(BOTH).unwrap(), Keyring::parse(ring).unwrap());
    let mut count = 0;
    for mut item in app.embedded().dump(&table_name(Table::Resources)).unwrap() {
        let place =
            ["PK", "SK"].map(|name| item[name]["S"].as_str().unwrap().to_owned()).join("\n");
        let mut found = Vec::new();
        sealed_in(&mut item, "new", &mut found);
        for text in &mut found {
            **text = ring.seal(&place, &both.open(&place, text).unwrap()).unwrap();
        }
        count += found.len();
        if !found.is_empty() {
            put(app, Table::Resources, &item).await;
        }
    }
    app.advance(std::time::Duration::from_secs(11));
    count
}

async fn shown(app: &App) -> Vec<Value> {
    let endpoint = json!({ "endpointId": endpoint(app).await });
    vec![
        app.call("configuration.email_get", json!({})).await.data(),
        app.call("configuration.webhooks_get", json!({})).await.data(),
        app.call("webhook-endpoints.secret_get", endpoint).await.data(),
        app.call("workspace.api_key_config_get", json!({})).await.data(),
    ]
}

#[tokio::test]
async fn secrets_sealed_with_an_older_key_are_sealed_with_the_current_key() {
    let app = world().await;
    let before = shown(&app).await;
    let count = seal_with(&app, OLD).await;
    assert!(count >= 6, "{count}: two of the endpoint, and what configurations were before");
    assert_eq!((sealed_with(&app, "old"), sealed_with(&app, "new")), (count, 0));
    assert_eq!(shown(&app).await, before);
    let done = app.call("operator.secrets_reseal", json!({})).await.data();
    assert_eq!(done, json!({ "resealed": count, "unopened": 0, "next": null }));
    assert_eq!((sealed_with(&app, "old"), sealed_with(&app, "new")), (0, count));
    assert_eq!(shown(&app).await, before);
    let again = app.call("operator.secrets_reseal", json!({})).await.data();
    assert_eq!(again["resealed"], 0);
}

#[tokio::test]
async fn a_secret_that_does_not_open_reads_as_unset_and_can_be_set_again() {
    let app = world().await;
    let count = seal_with(&app, GONE).await;
    let done = app.call("operator.secrets_reseal", json!({})).await.data();
    assert_eq!(done, json!({ "resealed": 0, "unopened": count, "next": null }));
    let endpoint = json!({ "endpointId": endpoint(&app).await });
    let [email, webhook, secret, config] = shown(&app).await.try_into().unwrap();
    assert_eq!(email["emailServiceConfig"]["apiKey"], "", "{email}");
    assert_eq!(webhook["webhookServiceConfig"]["authToken"], "", "{webhook}");
    assert_eq!(secret["secret"], "", "{secret}");
    assert!(config.get("aiModelsConfig").is_none(), "{config}");
    let own = json!({ "apiKey": app.key.api_key });
    app.call("workspace.get", json!({})).await.ok();
    app.call("workspace.auth_tokens_get", own.clone()).await.ok();
    let mail = json!({ "emailServiceConfig": { "apiKey": "again" } });
    app.call("configuration.email_update", mail).await.ok();
    let email = app.call("configuration.email_get", json!({})).await.data();
    assert_eq!(email["emailServiceConfig"]["apiKey"], "again", "{email}");
    app.call("webhook-endpoints.secret_rotate", endpoint.clone()).await.ok();
    let secret = app.call("webhook-endpoints.secret_get", endpoint).await.data();
    assert_ne!(secret["secret"], "");
    app.call("workspace.auth_token_reset", own).await.ok();
}

#[tokio::test]
async fn an_invalid_start_token_is_refused() {
    let app = App::start().await;
    let sent = json!({ "start": "x" });
    app.call("operator.secrets_reseal", sent).await.error("INVALID_ARGUMENT");
}
