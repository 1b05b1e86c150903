//! Sending through the HTTP provider of a tenant. The operator configures its address.

use model::Secret;
use notification::Sent;
use serde_json::Value;
use service::{HeaderValue, header};
use webhook::{Attempt, Failure, Sender};

/// One mail for the provider.
pub(crate) struct Request {
    /// Base URL.
    pub(crate) base: String,
    /// The tenant's API key.
    pub(crate) key: Secret,
    /// The request body.
    pub(crate) body: Value,
}

const PATH: &str = "/v3/mail/send";

/// Sends it once; returns the outcome, and the provider's message id if it has one.
pub(crate) async fn post(sender: &Sender, request: Request) -> (Sent, Option<String>) {
    let Ok(mut bearer) = HeaderValue::try_from(format!("Bearer {}", request.key.expose())) else {
        return (Sent::Rejected("the key of the provider is not valid".to_owned()), None);
    };
    bearer.set_sensitive(true);
    let url = format!("{}{PATH}", request.base.trim_end_matches('/'));
    let body = request.body.to_string().into();
    let attempt = sender.post_once(&url, vec![(header::AUTHORIZATION, bearer)], body).await;
    let id = attempt.message_id.clone().filter(|id| !id.trim().is_empty());
    (judge(&attempt), id)
}

fn judge(attempt: &Attempt) -> Sent {
    if let (None, Some(failure)) = (attempt.status, attempt.failure) {
        match failure {
            Failure::Timeout | Failure::Protocol => {}
            Failure::Dns | Failure::Connect | Failure::Tls | Failure::NoRoots => {
                return Sent::Retry { after: None };
            }
            Failure::Address(_) | Failure::Url => {
                return Sent::Rejected("the address of the provider is not valid".to_owned());
            }
        }
    }
    let after = attempt.retry_after.as_deref().and_then(|text| text.trim().parse().ok());
    mail::provider::judge(attempt.status, after)
}
