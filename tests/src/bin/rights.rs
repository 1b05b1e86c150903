//! `cargo run -p tests --bin rights -- FILE`: what roles allow and nobody used in the test run that
//! wrote the file (`ROUNDTABLE_RIGHTS=FILE cargo test -p tests`), and what was used and denied.

use std::process::ExitCode;

use tests::rights::{Rights, granted, recorded};

/// What no test uses, and why it is allowed.
const UNUSED: [(&str, &str, &str, &str); 0] = [];

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
    let unused: Rights = granted.difference(&used).cloned().collect();
    let reason = |(family, action, resource): &(String, String, String)| {
        let found = UNUSED
            .iter()
            .find(|(of, on, what, _)| of == family && on == action && resource.ends_with(what));
        found.map(|(.., reason)| *reason)
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
