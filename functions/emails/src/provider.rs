//! Sending through the HTTP provider of a tenant. The operator configures its address.

use model::Secret;
use notification::SendOutcome;
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

/// The reply of the provider.
pub(crate) struct Reply {
    pub(crate) outcome: SendOutcome,
    /// The provider's message id, if it has one.
    pub(crate) message_id: Option<String>,
}

/// Sends it once.
pub(crate) async fn post(sender: &Sender, request: Request) -> Reply {
    let Ok(mut bearer) = HeaderValue::try_from(format!("Bearer {}", request.key.expose())) else {
        let outcome = SendOutcome::Rejected("the key of the provider is not valid".to_owned());
        return Reply { outcome, message_id: None };
    };
    bearer.set_sensitive(true);
    let url = format!("{}{PATH}", request.base.trim_end_matches('/'));
    let body = request.body.to_string().into();
    let attempt = sender.post_once(&url, vec![(header::AUTHORIZATION, bearer)], body).await;
    let message_id = attempt.message_id.clone().filter(|id| !id.trim().is_empty());
    Reply { outcome: judge(&attempt), message_id }
}

fn judge(attempt: &Attempt) -> SendOutcome {
    if let (None, Some(failure)) = (attempt.status, attempt.failure) {
        match failure {
            Failure::Timeout | Failure::Protocol => {}
            Failure::Dns | Failure::Connect | Failure::Tls | Failure::NoRoots => {
                return SendOutcome::Retry { after: None };
            }
            Failure::Address(_) | Failure::Url => {
                return SendOutcome::Rejected(
                    "the address of the provider is not valid".to_owned(),
                );
            }
        }
    }
    let after = attempt.retry_after.as_deref().and_then(|text| text.trim().parse().ok());
    mail::provider::judge(attempt.status, after)
}
