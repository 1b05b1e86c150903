//! How a request proves its sender: by the signature of Standard Webhooks, or by a token.

use std::fmt;

use base64::{Engine, engine::general_purpose::STANDARD};
use error::Error;
use http::{HeaderName, HeaderValue};
use model::{MessageId, Secret};
use ring::hmac;

const PREFIX: &str = "whsec_";
const KEY_BYTES: std::ops::RangeInclusive<usize> = 16..=75;

/// How a receiver authenticates the sender.
pub(crate) enum Proof {
    /// A signature with each of these secrets.
    Secrets(Vec<Secret>),
    /// A plain token.
    Token(Option<Secret>),
}

impl Proof {
    /// The headers of a request; none without a valid secret, because nothing goes to an endpoint
    /// unsigned. `seconds` is the time of this attempt, and `body` the bytes as sent.
    pub(crate) fn headers(
        &self,
        id: &MessageId,
        seconds: u64,
        body: &[u8],
    ) -> Option<Vec<(HeaderName, HeaderValue)>> {
        let id = id.as_str();
        let mut headers =
            vec![("webhook-id", id.to_owned()), ("webhook-timestamp", seconds.to_string())];
        match self {
            Self::Secrets(secrets) => {
                let secrets = secrets.iter().map(Secret::expose);
                headers.push(("webhook-signature", sign(secrets, id, seconds, body).ok()?));
            }
            Self::Token(Some(token)) => {
                headers.push(("authorization", format!("Basic {}", token.expose())));
            }
            Self::Token(None) => {}
        }
        let header = |(name, value): (&'static str, String)| {
            Some((HeaderName::from_static(name), HeaderValue::try_from(value).ok()?))
        };
        headers.into_iter().map(header).collect()
    }
}

/// A signing secret is missing, or not `whsec_` and the base64 of 16 to 75 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InvalidSecret;

impl fmt::Display for InvalidSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a signing secret must be whsec_ followed by the base64 of 16 to 75 bytes")
    }
}

impl std::error::Error for InvalidSecret {}

/// Generates a signing secret.
///
/// # Errors
/// INTERNAL without system randomness.
pub fn new_secret() -> Result<Secret, Error> {
    Ok(format!("{PREFIX}{}", keyring::random_base64::<32>()?).into())
}

/// The value of `webhook-signature`: one signature for each secret, in their order, so that a
/// receiver may verify with any of them during a rotation.
///
/// `id` is the message (without a dot), `timestamp_seconds` the time of this attempt, because
/// receivers refuse old ones, and `body` the bytes as sent.
///
/// # Errors
/// When a secret is missing or malformed: an unverifiable request is not sent.
fn sign<'a>(
    secrets: impl IntoIterator<Item = &'a str>,
    id: &str,
    timestamp_seconds: u64,
    body: &[u8],
) -> Result<String, InvalidSecret> {
    let head = format!("{id}.{timestamp_seconds}.");
    let signatures = secrets.into_iter().map(|secret| {
        let mut context = hmac::Context::with_key(&key(secret)?);
        context.update(head.as_bytes());
        context.update(body);
        Ok(format!("v1,{}", STANDARD.encode(context.sign())))
    });
    let signatures = signatures.collect::<Result<Vec<_>, _>>()?;
    if signatures.is_empty() { Err(InvalidSecret) } else { Ok(signatures.join(" ")) }
}

fn key(secret: &str) -> Result<hmac::Key, InvalidSecret> {
    let text = secret.strip_prefix(PREFIX).ok_or(InvalidSecret)?;
    let bytes = STANDARD.decode(text).map_err(|_| InvalidSecret)?;
    if !KEY_BYTES.contains(&bytes.len()) {
        return Err(InvalidSecret);
    }
    Ok(hmac::Key::new(hmac::HMAC_SHA256, &bytes))
}

#[cfg(test)]
mod tests {
    use std::time::{SystemTime, UNIX_EPOCH};

    use http::HeaderMap;

    use super::*;

    const OLD: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const NEW: &str = "whsec_plJ3nmyCDGBKInavdOK15jsl";

    #[test]
    fn the_published_vectors_come_out() {
        let body = br#"{"email":"test@example.com","username":"test_user"}"#;
        assert_eq!(
            sign([OLD], "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk", 1_649_367_553, body).unwrap(),
            "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw="
        );
        let body = br#"{"event_type":"ping","data":{"success":true}}"#;
        assert_eq!(
            sign([NEW], "msg_loFOjxBNrRLzqYUf", 1_731_705_121, body).unwrap(),
            "v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0="
        );
    }

    fn verifies(secret: &str, headers: &HeaderMap, body: &[u8]) -> bool {
        standardwebhooks::Webhook::new(secret).unwrap().verify(body, headers).is_ok()
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the verifier compares with the real time")]
    fn the_reference_implementation_verifies_with_the_old_and_the_new_secret() {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        let body = "{\"text\":\"Grüße\"}".as_bytes();
        let mut headers = HeaderMap::new();
        headers.insert("webhook-id", "msg_1".parse().unwrap());
        headers.insert("webhook-timestamp", now.to_string().parse().unwrap());
        let signature = sign([NEW, OLD], "msg_1", now, body).unwrap();
        headers.insert("webhook-signature", signature.parse().unwrap());

        assert!(verifies(NEW, &headers, body));
        assert!(verifies(OLD, &headers, body));
        assert!(!verifies(&format!("whsec_{}", STANDARD.encode([7; 32])), &headers, body));
        assert!(!verifies(NEW, &headers, b"{}"));
    }

    #[test]
    fn a_malformed_secret_signs_nothing() {
        let secret = |bytes: &[u8]| format!("whsec_{}", STANDARD.encode(bytes));
        for length in [16, 24, 32, 75] {
            let secret = secret(&vec![1; length]);
            assert!(sign([secret.as_str()], "msg_1", 1, b"").is_ok(), "{length} bytes");
        }
        let bad = [secret(&[1; 15]), secret(&[1; 76]), STANDARD.encode([1; 32]), "whsec_!".into()];
        for secret in &bad {
            assert_eq!(sign([OLD, secret], "msg_1", 1, b""), Err(InvalidSecret), "{secret}");
        }
        assert_eq!(sign([], "msg_1", 1, b""), Err(InvalidSecret));
    }
}
