//! `/v2/workspace/advancedwebhookconfig/get`.

use serde_json::json;

use super::{get, update};
use crate::app::App;

#[tokio::test]
async fn never_configured_everything_is_off() {
    let app = App::start().await;
    let expected = json!({
        "isEnabled": false, "encryptData": false, "encodeData": false, "publicKey": "",
        "enableDataProtection": false,
    });
    assert_eq!(get(&app, "advanced_webhooks").await, expected);
    let data = update(&app, "advanced_webhooks", json!({ "isEnabled": true })).await;
    assert_eq!(get(&app, "advanced_webhooks").await, data);
}
