//! References in running text, also in that of comments.

use std::{collections::BTreeSet, ops::Range};

use super::{File, contract::Contract};

/// Forms that no page resolves, each with its remedy. `#` is a digit.
const OLD: &[(&str, &str)] = &[
    ("siblings #", "refer to an anchor: contract `comments.add`"),
    ("spec #", "refer to an anchor: contract `comments.add`"),
    ("design note", "refer to a page of docs/, or say it here"),
    ("Design note", "refer to a page of docs/, or say it here"),
    ("Contract: ", "refer to an anchor: contract `comments.add`"),
];

/// The references of a file that lead nowhere.
pub(super) fn faults(file: &File, contract: &Contract, decisions: &BTreeSet<u32>) -> Vec<String> {
    let prose = Prose::of(&file.text);
    let mut faults = Vec::new();
    for (at, reference) in references(&prose.text) {
        let reason = match reference {
            Reference::Contract(id) if contract.has(id) => continue,
            Reference::Contract(id) => {
                format!("there is no contract `{id}`; name an anchor or a page of docs/contract")
            }
            Reference::Rule(rule) if contract.has(rule) => continue,
            Reference::Rule(rule) => {
                format!("there is no rule {rule}; name an anchor of docs/contract/notifications.md")
            }
            Reference::Decision(number) if decisions.contains(&number) => continue,
            Reference::Decision(number) => {
                format!("there is no decision {number}; name a page of docs/decisions")
            }
            Reference::OneOfDecisions => {
                "one page is \"decision\" and its number; what is no page of docs/decisions is \
                 contract `comments.add`"
                    .to_owned()
            }
            Reference::Old(form, remedy) => format!("\"{form}\" is no reference; {remedy}"),
        };
        faults.push(format!("{}:{}: {reason}", file.name, prose.line(at.start)));
    }
    faults
}

/// A reference in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reference<'a> {
    /// An anchor or a page of the contract.
    Contract(&'a str),
    /// A rule of notifications.
    Rule(&'a str),
    /// A page of docs/decisions.
    Decision(u32),
    /// The plural with one number, which has meant sections of another document.
    OneOfDecisions,
    /// A form that is refused, with the remedy.
    Old(&'static str, &'static str),
}

/// All references of a text, each with the place of its id.
pub(super) fn references(text: &str) -> Vec<(Range<usize>, Reference<'_>)> {
    let mut found = Vec::new();
    for at in behind(text, &["contract `", "Contract `"]) {
        if let Some((id, _)) = text[at..].split_once('`') {
            found.push((at - 1..at + id.len() + 1, Reference::Contract(id)));
        }
    }
    for at in behind(text, &["rule ", "Rule ", "rules ", "Rules "]) {
        let rules = list(text, at).into_iter().take_while(|at| is_rule(&text[at.clone()]));
        found.extend(rules.map(|at| (at.clone(), Reference::Rule(&text[at]))));
    }
    for at in behind(text, &["decision ", "Decision "]) {
        found.extend(numbers(text, at).into_iter().take(1));
    }
    for at in behind(text, &["decisions ", "Decisions "]) {
        match numbers(text, at).as_slice() {
            [(at, _)] => found.push((at.clone(), Reference::OneOfDecisions)),
            numbers => found.extend_from_slice(numbers),
        }
    }
    for (form, remedy) in OLD {
        let words = form.trim_end_matches('#');
        let is_digit = |it: char| it.is_ascii_digit();
        let places = behind(text, &[words]).into_iter();
        let places = places.filter(|at| words == *form || text[*at..].starts_with(is_digit));
        found.extend(places.map(|at| (at - words.len()..at, Reference::Old(form, remedy))));
    }
    found.sort_by_key(|(at, _)| at.start);
    found
}

/// The ends of words that begin a word.
fn behind(text: &str, words: &[&str]) -> Vec<usize> {
    let is_inside = |it: char| it.is_alphanumeric() || "_-".contains(it);
    let places = words.iter().flat_map(|words| text.match_indices(words));
    let places = places.filter(|(at, _)| !text[..*at].ends_with(is_inside));
    places.map(|(at, words)| at + words.len()).collect()
}

/// Words that are joined by commas, "and", "or" or "to".
fn list(text: &str, from: usize) -> Vec<Range<usize>> {
    let mut words = Vec::new();
    let mut from = from;
    loop {
        let rest = &text[from..];
        let end = rest.find(|it: char| !it.is_alphanumeric()).unwrap_or(rest.len());
        words.push(from..from + end);
        let joints = [", and ", ", ", " and ", " or ", " to "];
        match joints.iter().find(|joint| rest[end..].starts_with(**joint)) {
            Some(joint) if end > 0 => from += end + joint.len(),
            _ => return words,
        }
    }
}

fn is_rule(word: &str) -> bool {
    word.strip_prefix('N').is_some_and(|number| number.parse::<u32>().is_ok())
}

/// A list of at most three digits each.
fn numbers(text: &str, from: usize) -> Vec<(Range<usize>, Reference<'_>)> {
    let words = list(text, from).into_iter().take_while(|at| at.len() <= 3);
    let numbers = words.map_while(|at| {
        let number = text[at.clone()].parse().ok()?;
        Some((at, Reference::Decision(number)))
    });
    numbers.collect()
}

/// A text as one line, without the marks of comments, so that a reference may be broken.
struct Prose {
    text: String,
    /// Where each line begins.
    lines: Vec<usize>,
}

impl Prose {
    fn of(source: &str) -> Self {
        let (mut text, mut lines) = (String::new(), Vec::new());
        for line in source.lines() {
            let line = line.trim();
            let mark =
                ["//!", "///", "//", "#", "*"].iter().find_map(|mark| line.strip_prefix(mark));
            lines.push(text.len());
            text += mark.unwrap_or(line).trim_start();
            text.push(' ');
        }
        Self { text, lines }
    }

    /// The line of an offset, from 1.
    fn line(&self, at: usize) -> usize {
        self.lines.partition_point(|start| *start <= at)
    }
}

#[cfg(test)]
mod tests {
    use super::{Contract, File, faults};

    fn found(text: &str) -> Vec<String> {
        let pages = [
            ("docs/contract/comments.md", "<a id=\"comments.add\"></a>\n## comments.add\n"),
            ("docs/contract/notifications.md", "<a id=\"N1\"></a>\n<a id=\"N2\"></a>\nText.\n"),
        ];
        let contract = Contract::read(pages.into_iter());
        let file = File { name: "x.rs".to_owned(), text: text.to_owned() };
        let faults = faults(&file, &contract, &[7, 22].into());
        faults
            .into_iter()
            .map(|fault| fault.split(';').next().unwrap_or_default().to_owned())
            .collect()
    }

    #[test]
    fn what_resolves_is_no_fault() {
        for text in [
            "//! Comments (contract `comments.add`).",
            "//! Comments (contract\n//! `comments`).",
            "# Contract `comments` says so.",
            "rule N1, rules N1 and N2, rules N1 to N2",
            "decision 7, Decision 22, decision 007",
            "decisions 7 and 22, or decisions 7, 22 and 7",
            "decision 7, 22 bytes",
            "a decision of 1,000 pages, decisions by others, 22 decisions",
            "the rules of NAT, the rule Nobody knows",
            "openapi-spec 3.1, its siblings, a specification",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn what_leads_nowhere_is_a_fault_with_its_line() {
        assert_eq!(found("\n\n// contract `users`"), ["x.rs:3: there is no contract `users`"]);
        assert_eq!(found("a contract\n// `users`"), ["x.rs:2: there is no contract `users`"]);
        assert_eq!(found("rules N1 to N3"), ["x.rs:1: there is no rule N3"]);
        assert_eq!(found("decision 8"), ["x.rs:1: there is no decision 8"]);
        assert_eq!(found("decisions 7, 8 and 9").len(), 2);
    }

    #[test]
    fn old_forms_are_refused() {
        for text in [
            "(siblings 7.4)",
            "(spec 4.2)",
            "(spec 5)",
            "in the design\n// note on mails",
            "Contract: comments.",
            "(decisions 4)",
            "(decisions 5, \"Ledger\")",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
    }
}
