//! `cargo run -p coverage --bin rights -- FILE`: rights granted but unused in the test run that wrote
//! the file (`ROUNDTABLE_RIGHTS=FILE cargo test -p tests`), and rights used but denied.

use std::process::ExitCode;

use tests::rights::{Rights, granted, recorded};

/// Rights that not every family uses in a test, because shared code uses them: the action, the end
/// of the resource, and the reason.
const SHARED: [(&str, &str, &str); 3] = [
    ("sqs:SendMessage", "-dead", "a message is given up with the reason of its last failure"),
    ("dynamodb:UpdateItem", "-Schedule", "a tenant near its limits shares what it used of them"),
    ("dynamodb:PutItem", "-Realtime", "the answer to a call that its caller named is kept"),
];

/// Rights used only with more data than tests have: the family, the action, the end of the
/// resource, and the occasion.
const RARE: [(&str, &str, &str, &str); 5] = [
    (
        "deliveries",
        "dynamodb:BatchGetItem",
        "-Crdt",
        "the parts of a large snapshot are read at once",
    ),
    ("live", "dynamodb:BatchGetItem", "-Crdt", "the parts of a large snapshot are read at once"),
    (
        "journal",
        "sqs:SendMessage",
        "-emails",
        "a mail that waits to be tried again is woken by a moved clock",
    ),
    ("user-data", "dynamodb:BatchWriteItem", "-Schedule", "an erasure goes on in several orders"),
    ("user-data", "dynamodb:PutItem", "-Events", "the entry of an erased event is written anew"),
];

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("Usage: rights FILE");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{file} cannot be read: {error}");
            return ExitCode::from(2);
        }
    };
    let (used, denied) = recorded(&text);
    let granted = granted();
    let is_used = |right: &(String, String, String)| match right.2.strip_suffix('*') {
        // Connections have ARNs of their own.
        Some(start) => used.iter().any(|(family, action, resource)| {
            (family, action) == (&right.0, &right.1) && resource.starts_with(start)
        }),
        None => used.contains(right),
    };
    let unused: Rights = granted.iter().filter(|right| !is_used(right)).cloned().collect();
    let reason = |(family, action, resource): &(String, String, String)| {
        let shared = SHARED.iter().find(|(of, end, _)| of == action && resource.ends_with(end));
        let rare = RARE.iter().find(|(by, of, end, _)| {
            (by, of) == (&family.as_str(), &action.as_str()) && resource.ends_with(end)
        });
        shared.map(|(.., reason)| *reason).or_else(|| rare.map(|(.., reason)| *reason))
    };
    println!("{} rights, {} of them used.", granted.len(), granted.len() - unused.len());
    let mut is_clean = denied.is_empty();
    for (family, action, resource) in &denied {
        println!("used and not granted: {family} {action} {resource}");
    }
    for right in &unused {
        let (family, action, resource) = right;
        is_clean &= reason(right).is_some();
        let reason = reason(right).unwrap_or("for no reason that is known");
        println!("granted and not used: {family} {action} {resource}: {reason}");
    }
    if is_clean { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
