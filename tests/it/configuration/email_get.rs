//! `/v2/workspace/emailconfig/get`.

use serde_json::json;

use super::{get, key_with, update};
use crate::app::App;

#[tokio::test]
async fn members_that_were_never_set_are_empty_and_the_type_is_default() {
    let app = App::start().await;
    let nothing = json!({
        "useEmailService": false,
        "emailServiceConfig": {
            "type": "default", "apiKey": "", "fromEmail": "", "fromCompany": "",
            "commentTemplateId": "", "tagTemplateId": "", "triggers": {},
        },
    });
    assert_eq!(get(&app, "email").await, nothing);
    let sent = json!({ "emailServiceConfig": { "fromCompany": "Acme" } });
    update(&app, "email", sent).await;
    let mut expected = nothing;
    expected["emailServiceConfig"]["fromCompany"] = json!("Acme");
    assert_eq!(get(&app, "email").await, expected);
}

/// Contract `workspace.api_key_create`.
#[tokio::test]
async fn the_configuration_given_when_the_key_was_created_is_returned() {
    let app = App::start().await;
    let config = json!({
        "type": "thirdparty", "apiKey": "SG.x", "fromEmail": "a@example.com", "fromCompany": "Acme",
        "commentTemplateId": "c", "tagTemplateId": "t",
    });
    let sent = json!({ "useEmailService": true, "emailServiceConfig": config });
    let key = key_with(&app, sent.clone()).await;
    let mut shown = app.call_as(&key, "configuration.email_get", json!({})).await.data();
    assert_eq!(shown["emailServiceConfig"]["triggers"].take(), json!({}));
    shown["emailServiceConfig"].as_object_mut().unwrap().remove("triggers");
    assert_eq!(shown, sent);
}
