//! Parts of content that a form or an editor cannot hold.

use std::{collections::BTreeSet, fmt::Display};

use error::Error;

/// Maximum number of entries.
const MAX_LOST: usize = 50;

/// Maximum length of an entry, in characters.
const MAX_NAME: usize = 100;

/// The parts that a form cannot hold, or a reader leaves out, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost(BTreeSet<String>);

impl Lost {
    /// Notes what is lost: what it is and its name, such as `mark` and `bold`.
    pub(crate) fn add(&mut self, what: &str, name: impl Display) {
        if self.0.len() < MAX_LOST {
            let entry = format!("{what} {name}");
            self.0.insert(entry.chars().take(MAX_NAME).collect());
        }
    }

    /// Notes what is lost elsewhere, too.
    pub(crate) fn join(&mut self, others: impl IntoIterator<Item = String>) {
        self.0.extend(others);
    }

    /// The entries. The last of too many says that there may be others.
    pub(crate) fn named(self) -> Vec<String> {
        let is_full = self.0.len() >= MAX_LOST;
        let mut named: Vec<String> = self.0.into_iter().take(MAX_LOST).collect();
        if is_full {
            named.pop();
            named.push("others".to_owned());
        }
        named
    }
}

/// A form in which content is sent, by its name in errors.
#[derive(Clone, Copy)]
pub(crate) struct Sent(&'static str);

pub(crate) const DELTA: Sent = Sent("a delta");
pub(crate) const HTML: Sent = Sent("HTML");
pub(crate) const JSON: Sent = Sent("JSON of ProseMirror");
pub(crate) const MARKDOWN: Sent = Sent("Markdown");

impl Sent {
    /// The error for a source that cannot be read in the form.
    pub(crate) fn refuses(self, what: &str) -> Error {
        let Self(form) = self;
        // Names may be long.
        let what: String = what.chars().take(120).collect();
        Error::invalid(format!("Data cannot be read as {form}: {what}."))
    }
}
