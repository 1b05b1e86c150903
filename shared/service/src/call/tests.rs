use aws::{HeaderMap, Incoming, Settings};
use store::{Answer, Clock};

use super::{Handler, answer};
use crate::{Config, Environment, Secrets};

fn environment() -> Environment {
    let aws = Settings {
        region: "us-east-1".to_owned(),
        access_key_id: "local".to_owned(),
        secret_access_key: "local".to_owned(),
        session_token: None,
        dynamodb_endpoint: Some("http://127.0.0.1:9".to_owned()),
        sqs_endpoint: None,
        ses_endpoint: None,
        connections: aws::Connections::default(),
        secrets_endpoint: None,
        live_endpoint: None,
    };
    let config = Config {
        aws,
        table_prefix: String::new(),
        queue_url_prefix: String::new(),
        regions: vec![],
        egress: webhook::Egress::Public,
        mail: crate::MailSettings::default(),
        limits: crate::Limits::default(),
        default_document_access_type: model::permissions::AccessType::OF_NEW_KEYS,
        names: None,
    };
    Environment::new(&config, Secrets::absent(), Clock::default())
}

fn said(body: &str) -> Answer {
    Answer { status: 200, body: body.to_owned() }
}

async fn call(handler: Handler) -> (u16, String) {
    let incoming = Incoming {
        method: "POST".to_owned(),
        path: "/v2/x".to_owned(),
        headers: HeaderMap::new(),
        body: vec![],
        request_id: "r".to_owned(),
    };
    let response = answer(&environment(), "x", handler, incoming).await;
    assert_eq!(response.headers()["x-request-id"], "r");
    let status = response.status().as_u16();
    (status, String::from_utf8(response.into_body().to_vec()).expect("text"))
}

#[tokio::test]
async fn a_panic_is_answered_in_our_envelope_and_the_next_call_is_served() {
    let (status, body) = call(|_| Box::pin(async { panic!("hunter2") })).await;
    assert_eq!(status, 500);
    assert_eq!(body, r#"{"error":{"status":"INTERNAL","message":"Internal error."}}"#);
    assert_eq!(call(|_| Box::pin(async { Ok(said("{}")) })).await, (200, "{}".to_owned()));
}
