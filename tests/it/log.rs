//! No log line contains credentials, not even at DEBUG.

use std::process::Command;

use serde_json::json;
use tests::{ADMIN_TOKEN, KEYRING, receiver::Receiver};

use crate::{
    app::logged,
    emails::{mention, only_mail, start},
    end_users::{at, member},
};

/// A comment causes a webhook, an event of the live channel and a mail; the log has no credential of
/// any of them.
#[tokio::test]
async fn no_credential_is_logged() {
    let app = start().await;
    let receiver = Receiver::start(&app).await;
    app.call("configuration.advanced_webhooks_update", json!({ "isEnabled": true })).await.ok();
    let sent = json!({ "url": receiver.url, "filterTypes": ["comment_annotation.add"] });
    let endpoint = app.call("webhook-endpoints.create", sent).await.data();
    let endpoint = json!({ "endpointId": endpoint["id"] });
    let secret = app.call("webhook-endpoints.secret_get", endpoint).await.data();
    let token = member(&app, "eve", "editor").await;
    let mut socket = app.connect(&format!("protocol=events&token={token}")).await;
    socket.send_json(&at(json!({ "type": "subscribe" }))).await;
    assert_eq!(socket.json().await["type"], "subscribed");
    mention(&app, "d", "t", "x").await;
    app.settle().await;
    assert_eq!(receiver.count(), 1);
    let link = only_mail(&app).unsubscribe(&app);
    let opened = reqwest::get(format!("{}{link}", app.base)).await.expect("an answer");
    assert_eq!(opened.status(), 200);

    let lines = logged();
    assert!(lines.contains("deliveries.send") && lines.contains("emails.send"), "{lines}");
    if tests::rights::variable("LOG_LEVEL").is_some() {
        assert!(lines.contains("\"level\":\"DEBUG\""), "no line is at DEBUG");
    }
    let secret = secret["secret"].as_str().expect("a secret").trim_start_matches("whsec_");
    let keys = KEYRING.split_once('=').expect("an id").1;
    let credentials = [
        ("auth token", app.key.auth_token.as_str()),
        ("workspace token", &app.workspace.token),
        ("admin token", ADMIN_TOKEN),
        ("key", keys),
        ("webhook secret", secret),
        ("user token", &token),
        ("link of a mail", &link),
    ];
    for (what, credential) in credentials {
        let line = lines.lines().find(|line| line.contains(credential));
        assert_eq!(line, None, "the {what} is logged");
    }
}

#[test]
fn no_credential_is_logged_at_debug() {
    let mut again = Command::new(std::env::current_exe().expect("this program"));
    again.args(["--exact", "log::no_credential_is_logged"]).env("LOG_LEVEL", "DEBUG");
    let ran = again.output().expect("its end");
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(said.contains("1 passed"), "{said}");
}
