//! The SDK of SES has a hundred operations and takes longer to compile than that of DynamoDB. This
//! is the only operation we need.

use std::{error::Error as StdError, time::Duration};

use aws_smithy_runtime_api::client::{
    http::HttpConnector, orchestrator::HttpRequest, result::ConnectorError,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use hyper_util::client::legacy::Error as HttpError;
use serde_json::{Value, json};

use crate::{
    Boxed, Settings,
    signed::{self, Answer},
};

const PATH: &str = "/v2/email/outbound-emails";
/// Long enough that few mails have an unknown outcome.
const TIMEOUT: Duration = Duration::from_secs(10);
/// A reply is an id or an error.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// A mail.
#[derive(Clone, Debug)]
pub struct Mail {
    /// The sender: an address of a verified identity, with or without a name.
    pub from: String,
    /// The address of its one recipient.
    pub to: String,
    /// Header and body; SES replaces `Message-ID` and `Date`.
    pub raw: Vec<u8>,
    /// The configuration set, required for reports of the outcome.
    pub configuration_set: Option<String>,
    /// Names and values that reports contain: letters, digits, `_` and `-`, at most 256 of them.
    pub tags: Vec<(String, String)>,
}

/// Reason for a failed or unknown mail. The texts begin with the code of SES, if it replied; they
/// may contain addresses, so they are not for the log.
#[derive(Debug)]
pub enum MailFailure {
    /// Not sent: throttled, or the daily quota is used up.
    Throttled(String),
    /// Permanently refused: the mail, the sender or the account.
    Rejected(String),
    /// Unknown: no reply, or an inconclusive one.
    Ambiguous(String),
    /// Not sent: SES is unreachable, fails or refuses this caller.
    Unavailable(String),
}

/// The part of SES that functions use.
#[derive(Clone)]
pub struct Ses {
    settings: Settings,
}

impl Ses {
    /// A client, whose connector is created with the first mail: most functions never send one.
    pub fn new(settings: &Settings) -> Self {
        Self { settings: settings.clone() }
    }

    /// Sends a mail, in one attempt of at most ten seconds; returns its id at SES, without the
    /// brackets of `Message-ID`.
    ///
    /// SES has no idempotency key: after a lost reply, a retry would be a second mail.
    ///
    /// # Errors
    /// See [`MailFailure`]; all but [`MailFailure::Ambiguous`] may be retried safely.
    pub fn send(&self, mail: Mail) -> Boxed<'_, Result<String, MailFailure>> {
        Box::pin(async move {
            let request = self.request(body(&mail)).map_err(|error| {
                MailFailure::Unavailable(format!("the request cannot be made: {error}"))
            })?;
            let connector = self.settings.connections.single_connector();
            let call = async {
                let response = connector.call(request).await.map_err(|e| unsent(&e))?;
                let answer = signed::read(response, MAX_ANSWER_BYTES).await;
                id(answer.map_err(MailFailure::Ambiguous)?)
            };
            let late = |_| MailFailure::Ambiguous("SES did not answer in time".to_owned());
            tokio::time::timeout(TIMEOUT, call).await.map_err(late)?
        })
    }

    fn request(&self, body: String) -> Result<HttpRequest, Box<dyn StdError + Send + Sync>> {
        let settings = &self.settings;
        let url = signed::endpoint(settings, "email", settings.ses_endpoint.as_deref()) + PATH;
        let headers = [("content-type", "application/json")];
        signed::request(settings, "ses", "POST", &url, &headers, body.into_bytes())
    }
}

fn body(mail: &Mail) -> String {
    let tag = |(name, value): &(String, String)| json!({ "Name": name, "Value": value });
    let tags: Vec<Value> = mail.tags.iter().map(tag).collect();
    let mut body = json!({
        "FromEmailAddress": mail.from,
        "Destination": { "ToAddresses": [mail.to] },
        "Content": { "Raw": { "Data": STANDARD.encode(&mail.raw) } },
        "EmailTags": tags,
    });
    if let Some(set) = &mail.configuration_set {
        body["ConfigurationSetName"] = json!(set);
    }
    body.to_string()
}

/// The id of the mail in a reply of SES.
fn id(Answer { status, code, json }: Answer) -> Result<String, MailFailure> {
    if status == 200 {
        let id = json["MessageId"].as_str().map(str::to_owned);
        return id.ok_or_else(|| MailFailure::Ambiguous("an answer without an id".to_owned()));
    }
    let message = json["message"].as_str().or(json["Message"].as_str());
    Err(sort(status, &code, format!("{code}: {}", message.unwrap_or("no message"))))
}

fn sort(status: u16, code: &str, text: String) -> MailFailure {
    match (code, status) {
        ("TooManyRequestsException" | "LimitExceededException" | "ThrottlingException", _)
        | (_, 429) => MailFailure::Throttled(text),
        (
            "MessageRejected"
            | "MailFromDomainNotVerifiedException"
            | "AccountSuspendedException"
            | "SendingPausedException"
            | "BadRequestException"
            | "NotFoundException",
            _,
        ) => MailFailure::Rejected(text),
        (_, 400..=499 | 503) => MailFailure::Unavailable(text),
        _ => MailFailure::Ambiguous(text),
    }
}

/// Whether the request may have been sent: the HTTP client knows if it had a connection.
fn unsent(error: &ConnectorError) -> MailFailure {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    let mut causes = Vec::new();
    let mut was_connected = true;
    while let Some(error) = cause {
        let http = error.downcast_ref::<HttpError>();
        was_connected &= !http.is_some_and(HttpError::is_connect);
        causes.push(error.to_string());
        cause = error.source();
    }
    let text = causes.join(": ");
    if was_connected { MailFailure::Ambiguous(text) } else { MailFailure::Unavailable(text) }
}
