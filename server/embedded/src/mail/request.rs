//! Parsing of requests, and errors in the format of the SDKs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::mime::{self, Defect};
use super::sent::SentMail;
use crate::base::Refusal;

const NAMESPACE: &str = "com.amazonaws.sesv2";
const MAX_RECIPIENTS: usize = 50;
const MAX_TAGS: usize = 50;
const MAX_TAG_LEN: usize = 256;

pub(super) fn bad_request(message: &str) -> Refusal {
    Refusal::new(400, NAMESPACE, "BadRequestException", message)
}

pub(super) fn rejected(message: &str) -> Refusal {
    Refusal::new(400, NAMESPACE, "MessageRejected", message)
}

pub(super) fn unavailable(message: &str) -> Refusal {
    Refusal::new(503, NAMESPACE, "ServiceUnavailable", message)
}

pub(crate) fn throttled() -> Refusal {
    let message = "Maximum sending rate exceeded.";
    Refusal::new(429, NAMESPACE, "TooManyRequestsException", message)
}

pub(crate) fn internal_failure() -> Refusal {
    let message = "The request processing has failed because of an internal error.";
    Refusal::new(500, NAMESPACE, "InternalFailure", message)
}

/// The mail of a request, without id and time.
pub(super) fn read(request: &Value) -> Result<SentMail, Refusal> {
    let raw = request["Content"]["Raw"]["Data"].as_str().filter(|data| !data.is_empty());
    let raw = raw.ok_or_else(|| bad_request("Raw message data is missing."))?;
    let raw = STANDARD.decode(raw).map_err(|_| bad_request("Raw message data is not base64."))?;
    mime::check(&raw).map_err(|defect| match defect {
        Defect::Malformed(message) => bad_request(&message),
        Defect::Unwanted(message) => rejected(&message),
    })?;

    let from = request["FromEmailAddress"].as_str().map(str::to_owned);
    let from = from.or_else(|| mime::header(&raw, "From")).unwrap_or_default();
    check_address(&from)?;
    let lists = ["ToAddresses", "CcAddresses", "BccAddresses"];
    let lists = lists.iter().flat_map(|list| request["Destination"][list].as_array());
    let to: Vec<String> = lists.flatten().filter_map(Value::as_str).map(str::to_owned).collect();
    if to.is_empty() {
        return Err(bad_request("Missing required header 'To'."));
    }
    if to.len() > MAX_RECIPIENTS {
        return Err(bad_request("Recipient count exceeds 50."));
    }
    to.iter().try_for_each(|address| check_address(address))?;

    Ok(SentMail {
        id: String::new(),
        at: 0,
        from,
        to,
        raw,
        tags: tags(request)?,
        configuration_set: request["ConfigurationSetName"].as_str().map(str::to_owned),
    })
}

fn tags(request: &Value) -> Result<Vec<(String, String)>, Refusal> {
    let sent = request["EmailTags"].as_array().map(Vec::as_slice).unwrap_or_default();
    if sent.len() > MAX_TAGS {
        return Err(bad_request("Too many message tags."));
    }
    let text = |tag: &Value, member: &str| {
        let text = tag[member].as_str().unwrap_or_default();
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if text.is_empty() || text.len() > MAX_TAG_LEN || !text.chars().all(allowed) {
            let message = format!("Invalid message tag {}: <{text}>.", member.to_lowercase());
            return Err(bad_request(&message));
        }
        Ok(text.to_owned())
    };
    sent.iter().map(|tag| Ok((text(tag, "Name")?, text(tag, "Value")?))).collect()
}

/// The address in `Name <address>`, or all of it.
pub(super) fn bare(address: &str) -> &str {
    let bracketed = address.rsplit_once('<').and_then(|(_, rest)| rest.split_once('>'));
    bracketed.map_or(address, |(within, _)| within).trim()
}

fn check_address(address: &str) -> Result<(), Refusal> {
    let bare = bare(address);
    let parts = bare.rsplit_once('@').filter(|(local, domain)| {
        !local.is_empty() && !domain.is_empty() && !domain.starts_with('.')
    });
    let plain = bare.chars().all(|c| c.is_ascii_graphic());
    match parts {
        Some(_) if plain && !address.contains(['\r', '\n']) => Ok(()),
        _ => Err(bad_request(&format!("Illegal address: {address}"))),
    }
}
