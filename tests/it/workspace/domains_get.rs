//! `/v2/workspace/domains/get`.

use serde_json::json;

use crate::app::App;

#[tokio::test]
async fn a_new_key_has_no_domains() {
    let app = App::start().await;
    for body in ["", "{}", r#"{"data":null}"#, r#"{"data":{}}"#] {
        let listed = app.caller().body_at("/v2/workspace/domains/get", body).await.data();
        assert_eq!(listed, json!({ "allowedDomains": [] }));
    }
}

#[tokio::test]
async fn each_key_has_its_own_domains() {
    let app = App::start().await;
    let second = app.second_key().await;
    let sent = json!({ "domains": ["example.com"] });
    app.call_as(&second, "workspace.domains_add", sent).await.ok();
    let own = app.call("workspace.domains_get", json!({})).await.data();
    assert_eq!(own["allowedDomains"], json!([]));
    let other = app.call_as(&second, "workspace.domains_get", json!({})).await.data();
    assert_eq!(other["allowedDomains"], json!(["example.com"]));
}
