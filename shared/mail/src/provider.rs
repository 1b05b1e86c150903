//! The request of an HTTP provider: the body of the common v3 interface (`POST /v3/mail/send`), and
//! the meaning of its reply.

use mail_builder::headers::Header;
use model::Metadata;
use notification::SendOutcome;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    Address, Letter, Unsendable,
    headers::{headers, plain_id, subject},
    mime::check,
    page::Page,
    sender,
};

/// Options of one attempt.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The number of the attempt, for the tag in events of the provider.
    pub attempt: u32,
    /// Whether the provider only checks the request.
    pub sandbox: bool,
}

/// The request body of one mail. With a template of the provider, `properties` are its data (and
/// `subject`, already escaped); otherwise the mail has its own pages.
///
/// # Errors
/// The letter can never be sent.
pub fn request(
    letter: &Letter,
    options: Options,
    template_id: Option<&str>,
    properties: Metadata,
) -> Result<Value, Unsendable> {
    check(letter)?;
    let subject = subject(letter);
    let mut personalization = json!({
        "to": [mailbox(&letter.to)],
        "headers": headers_of(letter),
        // Only strings: other types are refused.
        "custom_args": {
            "delivery": plain_id(&letter.id),
            "attempt": options.attempt.to_string(),
        },
    });
    let mut body = json!({
        "from": mailbox(&letter.from),
        "categories": ["roundtable", letter.kind.word()],
        // Without link rewriting and tracking.
        "tracking_settings": {
            "click_tracking": { "enable": false, "enable_text": false },
            "open_tracking": { "enable": false },
        },
    });
    if let Some(reply_to) = &letter.reply_to {
        body["reply_to"] = mailbox(reply_to);
    }
    if options.sandbox {
        body["mail_settings"] = json!({ "sandbox_mode": { "enable": true } });
    }
    match template_id.filter(|id| !id.is_empty()) {
        Some(id) => {
            let mut data = properties;
            data.insert("subject".to_owned(), subject.into());
            personalization["dynamic_template_data"] = data.into();
            body["template_id"] = id.into();
        }
        None => {
            let page = Page::from_letter(letter);
            body["subject"] = subject.into();
            body["content"] = json!([
                { "type": "text/plain", "value": page.text()? },
                { "type": "text/html", "value": page.html()? },
            ]);
        }
    }
    body["personalizations"] = json!([personalization]);
    Ok(body)
}

fn mailbox(address: &Address) -> Value {
    let email = address.email.as_str();
    let name = address.name.as_deref().map(sender::display_name).filter(|name| !name.is_empty());
    name.map_or_else(|| json!({ "email": email }), |name| json!({ "email": email, "name": name }))
}

/// The headers of the MIME form, unfolded.
fn headers_of(letter: &Letter) -> Metadata {
    let text = |value: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = Vec::new();
        value(&mut bytes);
        String::from_utf8_lossy(&bytes).replace("\r\n", "").trim().to_owned()
    };
    headers(letter)
        .into_iter()
        .map(|(name, value)| {
            (name.to_owned(), text(&|bytes| value.write_header(bytes, name.len() + 2)).into())
        })
        .collect()
}

/// A comment in templates of the provider.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BriefComment {
    /// Id of the comment in the thread.
    pub comment_id: u64,
    /// Plain text.
    pub comment_text: String,
    /// The author, a user.
    pub from: Value,
}

/// The properties for templates of the provider, for a thread of `count` comments: some of them,
/// oldest first (contract `emails.templates`).
pub fn thread_properties(comments: &[BriefComment], count: u64) -> Metadata {
    let mut properties = Metadata::new();
    let last = comments.len().wrapping_sub(1);
    for (name, at) in
        [("firstComment", 0), ("latestComment", last), ("prevComment", last.wrapping_sub(1))]
    {
        if let Some(comment) = comments.get(at) {
            properties.insert(name.to_owned(), json!(comment));
        }
    }
    properties.insert("commentsCount".to_owned(), count.into());
    properties.insert("commentsCountMoreThanThree".to_owned(), (count > 3).into());
    properties
}

/// The meaning of a reply: its HTTP status, none without a reply to a sent request, and the seconds
/// of its `Retry-After`. A failed connection is a [`SendOutcome::Retry`].
pub fn judge(status: Option<u16>, retry_after: Option<u64>) -> SendOutcome {
    let rejected = |why: &str| SendOutcome::Rejected(why.to_owned());
    match status {
        None => SendOutcome::Ambiguous,
        Some(200..=299) => SendOutcome::Accepted,
        Some(408 | 425 | 429 | 500..) => {
            SendOutcome::Retry { after: retry_after.map(|seconds| seconds.saturating_mul(1000)) }
        }
        Some(400) => rejected("the provider finds the request invalid"),
        Some(401 | 403) => rejected("the provider refuses the key or the sender"),
        Some(413) => rejected("the mail is too large for the provider"),
        Some(_) => rejected("the provider refuses the request"),
    }
}

#[cfg(test)]
mod tests;
