//! Messages with variables: headlines of notifications and display messages of activity logs. There
//! is no logic, nesting or filter, and one pass: values are never scanned again, so user input
//! cannot inject variables.
//!
//! ```text
//! name = [A-Za-z_][A-Za-z0-9_]*, parts joined by dots, spaces inside the brackets allowed
//! ```
//! Text that does not match stays unchanged, and so does a variable without a value: a message with
//! a gap is better than a failed delivery.

mod sink;
mod value;

pub use sink::{ELLIPSIS, NameOf, Sink, excerpt, one_line, shorten, with_names};

use serde_json::Value;

use crate::Metadata;

/// Maximum number of replaced variables in a message; further ones stay unchanged.
pub const MAX_PLACEHOLDERS: usize = 64;

/// Maximum length of a message, in bytes, as written to the sink.
pub const MAX_BYTES: usize = 8 * 1024;

/// Syntax of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `{name}`, as in notifications; also `{{name}}`, which occurs there as well.
    Braces,
    /// Only `{{name}}`, as in activity logs.
    DoubleBraces,
}

/// Values of variables in layers: the first layer with the name wins.
#[derive(Clone, Debug, Default)]
pub struct Values<'a> {
    layers: Vec<&'a Metadata>,
}

impl<'a> Values<'a> {
    /// No values.
    pub const fn new() -> Self {
        Self { layers: Vec::new() }
    }

    /// Adds a layer behind the existing ones.
    #[must_use]
    pub fn then(mut self, layer: &'a Metadata) -> Self {
        self.layers.push(layer);
        self
    }

    /// The value at `a.b.c`, from the first layer with the whole path.
    fn at(&self, path: &str) -> Option<&'a Value> {
        self.layers.iter().find_map(|layer| {
            let mut names = path.split('.');
            let first = layer.get(names.next()?)?;
            names.try_fold(first, |value, name| value.as_object()?.get(name))
        })
    }
}

/// `template` with its variables replaced, written for `sink`: at most [`MAX_BYTES`], cut with an
/// ellipsis at a grapheme boundary.
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
        // A bracket that starts no variable is an ordinary character.
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
    /// Name of the variable, dots included.
    path: &'a str,
    /// Length of the placeholder in bytes, with its brackets.
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
