//! `/v2/workspace/advancedwebhook/endpoints/secret/get`.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::json;

use super::{call, create, enabled, id, secret};

#[tokio::test]
async fn a_secret_is_32_bytes_in_base64_and_stays_the_same() {
    let app = enabled().await;
    let id = id(&create(&app, json!({})).await);
    let data = call(&app, "secret_get", json!({ "endpointId": id })).await.data();
    let text = data["secret"].as_str().unwrap();
    let bytes = STANDARD.decode(text.strip_prefix("whsec_").unwrap()).unwrap();
    assert_eq!(bytes.len(), 32);
    assert_eq!(data, json!({ "endpointId": id, "secret": text }));
    assert_eq!(secret(&app, &id).await, text);
}
