//! `cargo run -p coverage --bin answers -- FILE [operation]`: errors and events that openapi.json lists for an
//! operation and that no test of the run has seen, and the reverse, where the run wrote the file
//! (`ROUNDTABLE_ANSWERS=FILE cargo test -p tests`).

use std::{fs, process::ExitCode};

use serde_json::Value;
use tests::answers::{documented, noted};

/// Errors that every operation may answer; a description lists them where it has more to say.
const GENERAL: [&str; 6] = [
    "INVALID_ARGUMENT",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "ABORTED",
    "INTERNAL",
    "UNAVAILABLE",
];

fn main() -> ExitCode {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("Usage: answers FILE [operation]");
        return ExitCode::from(2);
    };
    let only = std::env::args().nth(2);
    let is_asked = |operation: &str| only.as_ref().is_none_or(|only| only == operation);
    let openapi = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    let read = |file: &str| fs::read_to_string(file).map_err(|error| format!("{file}: {error}"));
    let texts = read(&file).and_then(|seen| Ok((seen, read(openapi)?)));
    let parsed = texts.and_then(|(seen, openapi)| {
        let mut openapi: Value =
            serde_json::from_str(&openapi).map_err(|error| error.to_string())?;
        Ok((noted(&seen), documented(&openapi), openapi["webhooks"].take()))
    });
    let (seen, said, webhooks) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let is_for_callers = |said: &str| match said.contains('.') {
        true => webhooks.get(said).is_some(),
        false => !GENERAL.contains(&said),
    };
    let mut faults = 0;
    for (operation, said) in said.difference(&seen).filter(|(name, _)| is_asked(name)) {
        faults += 1;
        println!("{operation}: openapi.json lists {said}, which no test has seen");
    }
    let unlisted = seen.difference(&said).filter(|(name, _)| is_asked(name));
    for (operation, said) in unlisted.filter(|(_, said)| is_for_callers(said)) {
        faults += 1;
        println!("{operation}: a test has seen {said}, which openapi.json does not list");
    }
    println!("{} errors and events of operations are listed, {faults} wrongly.", said.len());
    if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
