use std::time::Duration;

use serde_json::json;

use crate::{ApiService, Boxed, Settings, signed};

/// In total less than the ten seconds that Lambda allows for a start.
const ATTEMPTS: u32 = 3;
const TIMEOUT: Duration = Duration::from_millis(2500);
/// Secrets Manager limits secrets to 64 KB.
const MAX_ANSWER_BYTES: usize = 128 * 1024;

/// The current value of a secret, by its ARN, with two retries.
///
/// # Errors
/// A sentence without the value.
pub fn secret<'a>(settings: &'a Settings, arn: &'a str) -> Boxed<'a, Result<String, String>> {
    Box::pin(async move {
        let mut attempt = 1;
        loop {
            match once(settings, arn).await {
                Ok(value) => return Ok(value),
                Err(Failed { again: true, .. }) if attempt < ATTEMPTS => attempt += 1,
                Err(Failed { reason, .. }) => return Err(reason),
            }
        }
    })
}

struct Failed {
    again: bool,
    reason: String,
}

async fn once(settings: &Settings, arn: &str) -> Result<String, Failed> {
    let unreached = |reason: String| Failed { again: true, reason };
    let body = json!({ "SecretId": arn }).to_string().into_bytes();
    let request = ApiService::Secrets.request(settings, "GetSecretValue", body);
    let request = request.map_err(|e| Failed { again: false, reason: e.to_string() })?;
    let answer = signed::send(settings, request, MAX_ANSWER_BYTES, TIMEOUT).await;
    let mut answer = answer.map_err(unreached)?;
    match (answer.status, answer.json["SecretString"].take()) {
        (200, serde_json::Value::String(value)) => Ok(value),
        (200, _) => Err(Failed { again: false, reason: "the secret is no text".to_owned() }),
        (status, _) => {
            let again = status >= 500 || answer.code.contains("Throttl");
            Err(Failed { again, reason: answer.reason() })
        }
    }
}
