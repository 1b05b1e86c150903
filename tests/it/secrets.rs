//! Reading of secrets at the start of a function.

use std::sync::Arc;

use aws::{Connections, Settings, secret};
use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use parking_lot::Mutex;
use serde_json::{Value, json};

const ARN: &str = "arn:aws:secretsmanager:us-east-1:123456789012:secret:roundtable-keyring-abc";

/// A Secrets Manager: its remaining replies, and its requests.
#[derive(Clone, Default)]
struct Manager {
    answers: Arc<Mutex<Vec<(u16, Value)>>>,
    asked: Arc<Mutex<Vec<(HeaderMap, Value)>>>,
}

async fn answer(
    State(manager): State<Manager>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, String) {
    let asked = serde_json::from_slice(&body).unwrap();
    manager.asked.lock().push((headers, asked));
    let (status, json) = manager.answers.lock().remove(0);
    (StatusCode::from_u16(status).unwrap(), json.to_string())
}

/// Reads the secret from a Secrets Manager with these replies; also returns the requests.
async fn read(answers: &[(u16, Value)]) -> (Result<String, String>, Vec<(HeaderMap, Value)>) {
    let manager = Manager::default();
    manager.answers.lock().extend_from_slice(answers);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let app = Router::new().route("/", post(answer)).with_state(manager.clone());
    tokio::spawn(async move { axum::serve(listener, app).await });
    let settings = Settings {
        connections: Connections::default(),
        region: "us-east-1".to_owned(),
        access_key_id: "id".to_owned(),
        secret_access_key: "key".to_owned(),
        session_token: Some("session".to_owned()),
        dynamodb_endpoint: None,
        sqs_endpoint: None,
        ses_endpoint: None,
        secrets_endpoint: Some(endpoint),
        live_endpoint: None,
    };
    let read = secret(&settings, ARN).await;
    let asked = manager.asked.lock().clone();
    (read, asked)
}

fn value() -> (u16, Value) {
    (200, json!({ "ARN": ARN, "SecretString": "k1=0123456789abcdef0123456789abcdef" }))
}

#[tokio::test]
async fn a_secret_is_read_with_one_signed_call() {
    let (read, asked) = read(&[value()]).await;
    assert_eq!(read.unwrap(), "k1=0123456789abcdef0123456789abcdef");
    let [(headers, body)] = asked.as_slice() else { panic!("{asked:?}") };
    assert_eq!(*body, json!({ "SecretId": ARN }));
    assert_eq!(headers["x-amz-target"], "secretsmanager.GetSecretValue");
    assert_eq!(headers["x-amz-security-token"], "session");
    let authorization = headers["authorization"].to_str().unwrap();
    assert!(authorization.contains("/us-east-1/secretsmanager/aws4_request"), "{authorization}");
    assert!(authorization.contains("x-amz-target"), "{authorization}");
}

#[tokio::test]
async fn a_temporary_failure_is_tried_three_times() {
    let throttled = (400, json!({ "__type": "ThrottlingException", "message": "slow" }));
    let down = (500, json!({ "__type": "InternalServiceError" }));
    let (found, asked) = read(&[throttled.clone(), down.clone(), value()]).await;
    assert!(found.is_ok(), "{found:?}");
    assert_eq!(asked.len(), 3);
    let (found, asked) = read(&[throttled, down.clone(), down, value()]).await;
    assert_eq!(found.unwrap_err(), "InternalServiceError: no message");
    assert_eq!(asked.len(), 3);
}

#[tokio::test]
async fn an_access_denied_error_is_not_tried_again() {
    let refused = json!({ "__type": "AccessDeniedException", "Message": "not you" });
    let (read, asked) = read(&[(400, refused), value()]).await;
    assert_eq!(read.unwrap_err(), "AccessDeniedException: not you");
    assert_eq!(asked.len(), 1);
}
