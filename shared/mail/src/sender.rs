use std::collections::BTreeSet;

use model::template::{one_line, shorten};

/// Longest part of a display name, in characters.
const MAX_NAME: usize = 64;

/// The sender's name without a configured company.
const NO_COMPANY: &str = "Notifications";

/// The display name of a sender: "Ann via Acme", or the company alone for several actors or without
/// a name.
pub fn sender_name<'a>(actors: impl IntoIterator<Item = &'a str>, company: &str) -> String {
    let company = Some(short_name(company)).filter(|name| !name.is_empty());
    let company = company.unwrap_or_else(|| NO_COMPANY.to_owned());
    let actors: BTreeSet<&str> = actors.into_iter().collect();
    let only = if actors.len() == 1 { actors.first() } else { None };
    match only.map(|actor| short_name(actor)) {
        Some(actor) if !actor.is_empty() => format!("{actor} via {company}"),
        _ => company,
    }
}

/// The name of one person or company, on one line.
pub(crate) fn short_name(text: &str) -> String {
    shorten(one_line(text).trim(), MAX_NAME)
}

/// A display name in the form of a header.
pub(crate) fn display_name(text: &str) -> String {
    shorten(header_text(text).trim(), 3 * MAX_NAME)
}

/// A text on one line that does not start an encoded word (RFC 2047): mail clients would decode it
/// in ASCII text, including line breaks.
pub(crate) fn header_text(text: &str) -> String {
    one_line(text).replace("=?", "= ?")
}

#[cfg(test)]
mod tests {
    use super::sender_name;

    #[test]
    fn one_actor_sends_for_the_company_and_several_are_the_company() {
        assert_eq!(sender_name(["Ann"], "Acme"), "Ann via Acme");
        assert_eq!(sender_name(["Ann", "Ann"], "Acme"), "Ann via Acme");
        assert_eq!(sender_name(["Ann", "Bob"], "Acme"), "Acme");
        assert_eq!(sender_name([], "Acme"), "Acme");
        assert_eq!(sender_name([" "], "Acme"), "Acme");
        assert_eq!(sender_name(["Ann"], " "), "Ann via Notifications");
    }

    #[test]
    fn a_name_stays_on_its_line_and_short() {
        assert_eq!(sender_name(["Ann\r\nBcc: x"], "Ac\u{202E}me"), "Ann Bcc: x via Acme");
        assert!(sender_name(["é".repeat(500).as_str()], "Acme").chars().count() < 80);
    }
}
