//! `/v2/workspace/advancedwebhookconfig/get`.

use serde_json::json;

use super::{get, update};
use crate::app::App;

#[tokio::test]
async fn a_key_that_was_never_configured_has_everything_off() {
    let app = App::start().await;
    let expected = json!({
        "isEnabled": false, "encryptData": false, "encodeData": false, "publicKey": "",
        "enableDataProtection": false,
    });
    assert_eq!(get(&app, "advanced_webhooks").await, expected);
    let data = update(&app, "advanced_webhooks", json!({ "isEnabled": true })).await;
    assert_eq!(get(&app, "advanced_webhooks").await, data);
}
