use serde_json::json;

use crate::app::App;

#[tokio::test]
async fn an_unknown_path_or_method_is_answered_with_the_nearest_route() {
    let app = App::start().await;
    for (sent, nearest) in [
        ("/v2/organizations/document/get", "/v2/organizations/documents/get"),
        ("/organizations/documents/get", "/v2/organizations/documents/get"),
        ("/v2/commentannotation/comments/add", "/v2/commentannotations/comments/add"),
    ] {
        let error = app.call_at(sent, json!({})).await.error("NOT_FOUND");
        let wanted = format!("There is no such route. Did you mean POST {nearest}?");
        assert_eq!(error["message"], wanted);
    }
    let answer = reqwest::get(format!("{}/v2/presence/get", app.base)).await.unwrap();
    assert_eq!(answer.status(), 404);
    let answer: serde_json::Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    assert_eq!(answer["error"]["message"], "Operations are called by POST /v2/presence/get.");
}

#[tokio::test]
async fn errors_explain_the_missing_data_envelope_and_the_missing_credential_headers() {
    let app = App::start().await;
    let reply = app.caller().body_at("/v2/presence/get", "{\"documentId\":\"d\"}").await;
    let message = reply.error("INVALID_ARGUMENT")["message"].to_string();
    assert!(message.contains(r#"{\"data\": {…}}"#), "{message}");
    let reply = app.send("/v2/presence/get", "{}", &[]).await;
    let message = reply.error("PERMISSION_DENIED")["message"].to_string();
    assert!(message.contains("x-service-auth-token"), "{message}");
}

#[tokio::test]
async fn load_balancers_learn_that_the_service_answers() {
    let app = App::start().await;
    let answer = reqwest::get(format!("{}/health", app.base)).await.unwrap();
    assert_eq!(answer.status(), 200);
    let answer: serde_json::Value = serde_json::from_slice(&answer.bytes().await.unwrap()).unwrap();
    assert_eq!(answer["result"]["status"], "success");
    app.call_at("/health", json!({})).await.error("NOT_FOUND");
}
