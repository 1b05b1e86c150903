//! The outcome of a mail, reported to a queue.
//!
//! In the cloud SES sends an event to an event bus, where a rule makes a message of it with the
//! tags `k`, `d` and `a`. Events of mails without a configuration set or the tag `k` do not arrive.

use serde_json::{Value, json};

use super::request::bare;
use super::sent::SentMail;
use crate::sqs::{self, Sqs};

/// Addresses of the simulator of SES; they may have a label, as in `bounce+1@…`.
const SIMULATOR: &str = "simulator.amazonses.com";

/// The kinds of event in their order, each with the type of bounce.
fn events(recipient: &str) -> &'static [(&'static str, Option<&'static str>)] {
    let simulated = recipient.rsplit_once('@').filter(|(_, domain)| *domain == SIMULATOR);
    let name = simulated.and_then(|(local, _)| local.split('+').next());
    match name {
        Some("bounce" | "suppressionlist") => &[("Send", None), ("Bounce", Some("Permanent"))],
        Some("complaint") => &[("Send", None), ("Delivery", None), ("Complaint", None)],
        _ => &[("Send", None), ("Delivery", None)],
    }
}

fn bodies(mail: &SentMail) -> Vec<Value> {
    let (Some(tenant), Some(_)) = (mail.tag("k"), &mail.configuration_set) else { return vec![] };
    let recipient = mail.to.first().map_or("", |to| bare(to));
    let body = |(kind, bounce_type): &(&str, Option<&str>)| {
        let mut message = json!({
            "kind": kind,
            "mail": mail.tag("d").unwrap_or_default(),
            "attempt": mail.tag("a").unwrap_or_default(),
            "messageId": mail.id,
            "recipient": recipient,
        });
        if let Some(bounce_type) = bounce_type {
            message["bounceType"] = json!(bounce_type);
        }
        json!({ "tenant": tenant, "message": message })
    };
    events(recipient).iter().map(body).collect()
}

/// Sends a report to the queue, if it exists. As in the cloud, a mail counts as sent even if that
/// fails.
pub(super) async fn tell(sqs: &Sqs, queue: &str, mail: &SentMail) {
    let url = format!("http://localhost{}", sqs::path(queue));
    for body in bodies(mail) {
        let request = json!({ "QueueUrl": url, "MessageBody": body.to_string() });
        if let Err(error) = sqs.call("SendMessage", request, "localhost", false).await {
            tracing::warn!(%error, queue, "The outcome of a mail could not be reported.");
            return;
        }
    }
}
