//! Sending through the HTTP provider of a tenant. The operator configures its address.

use mail::{Letter, provider::Options};
use model::{Secret, configuration::EmailService, notice::Contents};
use notification::{Reason, SendOutcome};
use serde_json::Value;
use service::{HeaderValue, OrganizationStore, header, prelude::*};
use webhook::{Attempt, Failure, Sender};

use crate::properties;

/// A mail that the provider is to send.
pub(crate) struct Draft<'a> {
    /// The tenant's key at the provider.
    pub(crate) key: Secret,
    pub(crate) service: &'a EmailService,
    pub(crate) contents: &'a Contents,
    pub(crate) letter: &'a Letter,
    /// The number of the attempt.
    pub(crate) attempt: u32,
}

/// One mail for the provider.
pub(crate) struct Request {
    /// Base URL.
    base: String,
    /// The tenant's API key.
    key: Secret,
    /// The request body.
    body: Value,
}

impl Draft<'_> {
    /// The request to the provider, or the reason why there is none and the mail is dropped.
    pub(crate) async fn request(
        self,
        job: &Job,
        organization: &OrganizationStore,
    ) -> Result<Result<Request, Reason>> {
        let Self { key, service, contents, letter, attempt } = self;
        let Some(base) = job.mailing().settings().provider_url.clone() else {
            return Ok(Err(Reason::NoProvider));
        };
        let is_about_them = matches!(letter.reason, mail::Reason::Mention | mail::Reason::Assign);
        let template = match is_about_them {
            true => service.tag_template_id.as_ref(),
            false => service.comment_template_id.as_ref(),
        };
        let template = template.map(|id| id.as_str()).filter(|id| !id.is_empty());
        let properties = match template {
            Some(_) => properties::of(job, organization, contents).await?,
            None => None,
        };
        // A template describes one thread; several threads use our own layout.
        let template = template.filter(|_| properties.is_some());
        let options = Options { attempt, sandbox: false };
        let properties = properties.unwrap_or_default();
        let body = mail::provider::request(letter, options, template, properties);
        Ok(body.map(|body| Request { base, key, body }).map_err(|_| Reason::Unsendable))
    }
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
