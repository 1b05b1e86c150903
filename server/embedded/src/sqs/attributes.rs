//! Queue attributes: validation and display.

use std::collections::BTreeMap;

use rusqlite::Connection;
use serde_json::{Map, Value, json};

use super::queue::{Queue, Redrive};
use super::wire::SqsError;

/// Numbers with their lowest, highest and default values.
const NUMBERS: &[(&str, i64, i64, &str)] = &[
    ("DelaySeconds", 0, 900, "0"),
    ("KmsDataKeyReusePeriodSeconds", 60, 86_400, "300"),
    ("MaximumMessageSize", 1024, 1_048_576, "1048576"),
    ("MessageRetentionPeriod", 60, 1_209_600, "345600"),
    ("ReceiveMessageWaitTimeSeconds", 0, 20, "0"),
    ("VisibilityTimeout", 0, 43_200, "30"),
];

/// Whether queues encrypt their messages; they do so by default.
const ENCRYPTION: &str = "SqsManagedSseEnabled";

/// Accepted and returned, without effect.
const INERT: &[&str] = &["KmsMasterKeyId", "Policy", "RedriveAllowPolicy"];

const TOLD: &[&str] = &[
    "ApproximateNumberOfMessages",
    "ApproximateNumberOfMessagesDelayed",
    "ApproximateNumberOfMessagesNotVisible",
    "CreatedTimestamp",
    "LastModifiedTimestamp",
    "QueueArn",
];

pub(super) fn default(attribute: &str) -> Option<&'static str> {
    NUMBERS.iter().find(|(name, ..)| *name == attribute).map(|(.., default)| *default)
}

pub(super) fn redrive(policy: &str) -> Option<Redrive> {
    let policy: Value = serde_json::from_str(policy).ok()?;
    let count = &policy["maxReceiveCount"];
    let count = count.as_i64().or_else(|| count.as_str()?.parse().ok())?;
    let target_arn = policy["deadLetterTargetArn"].as_str()?.to_owned();
    Some(Redrive { target_arn, max_receive_count: count }).filter(|_| (1..=1000).contains(&count))
}

pub(super) fn check(db: &Connection, given: &BTreeMap<String, String>) -> Result<(), SqsError> {
    for (name, value) in given.iter().filter(|(_, value)| !value.is_empty()) {
        if let Some((_, low, high, _)) = NUMBERS.iter().find(|(number, ..)| number == name) {
            let number = value.parse::<i64>().ok();
            if !number.is_some_and(|number| (*low..=*high).contains(&number)) {
                return Err(invalid(name, value, "it is out of range"));
            }
        } else if name == ENCRYPTION {
            if !["true", "false"].contains(&value.as_str()) {
                return Err(invalid(name, value, "it is none of the possible values"));
            }
        } else if name == "RedrivePolicy" {
            check_redrive(db, value)?;
        } else if !INERT.contains(&name.as_str()) {
            return Err(unknown(name));
        }
    }
    Ok(())
}

fn check_redrive(db: &Connection, policy: &str) -> Result<(), SqsError> {
    let name = "RedrivePolicy";
    let redrive =
        redrive(policy).ok_or_else(|| invalid(name, policy, "it is not a redrive policy"))?;
    match Queue::with_arn(db, &redrive.target_arn)? {
        None => Err(invalid(name, policy, "dead letter target does not exist")),
        Some(_) => Ok(()),
    }
}

/// The attributes of a queue, restricted to the wanted names.
pub(super) fn shown(
    db: &Connection,
    queue: &Queue,
    wanted: &[String],
    now: i64,
) -> Result<Map<String, Value>, SqsError> {
    let known = |name: &str| {
        name == "All"
            || name == "RedrivePolicy"
            || NUMBERS.iter().any(|(number, ..)| *number == name)
            || name == ENCRYPTION
            || INERT.contains(&name)
            || TOLD.contains(&name)
    };
    if let Some(name) = wanted.iter().find(|name| !known(name)) {
        return Err(unknown(name));
    }
    let mut all = effective(queue);
    let depth = queue.depth(db, now)?;
    for (name, value) in [
        ("ApproximateNumberOfMessages", depth.visible.to_string()),
        ("ApproximateNumberOfMessagesDelayed", depth.delayed.to_string()),
        ("ApproximateNumberOfMessagesNotVisible", depth.in_flight.to_string()),
        ("CreatedTimestamp", (queue.created_at / 1000).to_string()),
        ("LastModifiedTimestamp", (queue.modified_at / 1000).to_string()),
        ("QueueArn", queue.arn()),
    ] {
        all.insert(name.to_owned(), value);
    }
    let every = wanted.iter().any(|name| name == "All");
    let shown = all.into_iter().filter(|(name, _)| every || wanted.contains(name));
    Ok(shown.map(|(name, value)| (name, json!(value))).collect())
}

/// The set attributes, and the defaults of the rest.
pub(super) fn effective(queue: &Queue) -> BTreeMap<String, String> {
    let mut all = queue.attributes.clone();
    let defaults = NUMBERS.iter().filter(|(name, ..)| !name.starts_with("Kms"));
    for (name, _, _, default) in defaults {
        all.entry((*name).to_owned()).or_insert_with(|| (*default).to_owned());
    }
    all.entry(ENCRYPTION.to_owned()).or_insert_with(|| "true".to_owned());
    all
}

fn invalid(name: &str, value: &str, reason: &str) -> SqsError {
    let message = format!("Invalid value for the parameter {name}. Reason: {value}: {reason}.");
    SqsError::sender("InvalidAttributeValue", message)
}

fn unknown(name: &str) -> SqsError {
    SqsError::sender("InvalidAttributeName", format!("Unknown Attribute {name}."))
}
