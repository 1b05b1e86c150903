//! Messages with variables: headlines of notifications (spec 2.14) and display messages of activity
//! logs. No logic, no nesting, no filters, and one pass: a value is never scanned again, so nothing
//! that a user wrote can stand for something else.
//!
//! ```text
//! name = [A-Za-z_][A-Za-z0-9_]*, parts joined by dots, spaces inside the brackets allowed
//! ```
//! What does not match stays as it is written, and so does a variable nobody gave a value: a message
//! with a gap is better than a delivery that fails.

mod sink;
mod value;

pub use sink::{ELLIPSIS, Sink, excerpt, one_line, shorten};

use serde_json::Value;

use crate::Metadata;

/// Most variables that are replaced in one message; later ones stay as written.
pub const MAX_PLACEHOLDERS: usize = 64;

/// Longest message, in bytes, as the sink gets it.
pub const MAX_BYTES: usize = 8 * 1024;

/// How variables are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `{name}`, as in notifications; `{{name}}` is the same, for it occurs there too.
    Braces,
    /// `{{name}}` alone, as in activity logs.
    DoubleBraces,
}

/// The values of variables in layers: the first one that knows a name gives its value.
#[derive(Clone, Debug, Default)]
pub struct Values<'a> {
    layers: Vec<&'a Metadata>,
}

impl<'a> Values<'a> {
    /// No value at all.
    pub const fn new() -> Self {
        Self { layers: Vec::new() }
    }

    /// Adds values that count where no earlier layer has one.
    #[must_use]
    pub fn then(mut self, layer: &'a Metadata) -> Self {
        self.layers.push(layer);
        self
    }

    /// The value at `a.b.c`, of the first layer in which the whole path leads somewhere.
    fn at(&self, path: &str) -> Option<&'a Value> {
        self.layers.iter().find_map(|layer| {
            let mut names = path.split('.');
            let first = layer.get(names.next()?)?;
            names.try_fold(first, |value, name| value.as_object()?.get(name))
        })
    }
}

/// `template` with its variables replaced, as `sink` may show it: at most [`MAX_BYTES`], cut with an
/// ellipsis where a reader sees the end of a character.
pub fn render(template: &str, dialect: Dialect, values: &Values<'_>, sink: Sink) -> String {
    let mut text = sink::Line::new(MAX_BYTES);
    let mut rest = template;
    let mut replaced = 0;
    while let Some(open) = rest.find('{') {
        text.push(&rest[..open]);
        rest = &rest[open..];
        let found = if replaced < MAX_PLACEHOLDERS { placeholder(rest, dialect) } else { None };
        let value =
            found.and_then(|found| Some((found.len, value::shown(values.at(found.path)?)?)));
        // A bracket that starts nothing is a character like any other.
        let (len, shown) = value.map_or((1, None), |(len, shown)| (len, Some(shown)));
        replaced += usize::from(shown.is_some());
        text.push(shown.as_deref().unwrap_or("{"));
        rest = &rest[len..];
        if text.is_full() {
            break;
        }
    }
    text.push(rest);
    sink.finish(text, MAX_BYTES)
}

/// A variable at the start of a text.
struct Placeholder<'a> {
    /// Its name, dots included.
    path: &'a str,
    /// How many bytes it takes with its brackets.
    len: usize,
}

fn placeholder(text: &str, dialect: Dialect) -> Option<Placeholder<'_>> {
    let double = bracketed(text, "{{", "}}");
    match dialect {
        Dialect::Braces => double.or_else(|| bracketed(text, "{", "}")),
        Dialect::DoubleBraces => double,
    }
}

fn bracketed<'a>(text: &'a str, open: &str, close: &str) -> Option<Placeholder<'a>> {
    let inner = text.strip_prefix(open)?.trim_start_matches(' ');
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    let (path, rest) = inner.split_at(inner.find(|c| !is_part(c))?);
    let rest = rest.trim_start_matches(' ').strip_prefix(close)?;
    path.split('.').all(is_name).then(|| Placeholder { path, len: text.len() - rest.len() })
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

#[cfg(test)]
mod tests;
