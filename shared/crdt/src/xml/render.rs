//! A stored fragment as a string.

use std::{borrow::Cow, cell::Cell, fmt::Write};

use error::Result;
use yrs::{Any, Out, ReadTxn, XmlFragmentRef};

use super::{
    marks::size_of,
    parse::names,
    stored::{self, Element, Nested, Piece, Stored, StoredText, shown_out},
    values::shown_by_javascript,
};
use crate::limits::{MAX_MARKS, too_many_marks};

thread_local! {
    /// How many bytes of marks the bounded rendering of this thread may have yet.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// A bounded rendering; also one that panics ends.
struct Bounded;

impl Drop for Bounded {
    fn drop(&mut self) {
        LEFT.set(usize::MAX);
    }
}

/// Renders within the bound.
///
/// # Errors
/// RESOURCE_EXHAUSTED when marks exceed it.
pub(crate) fn bounded<T>(rendering: impl FnOnce() -> T) -> Result<T> {
    LEFT.set(MAX_MARKS);
    let _bounded = Bounded;
    let rendered = rendering();
    match LEFT.get() {
        0 => Err(too_many_marks()),
        _ => Ok(rendered),
    }
}

/// Escaping of rendered text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Parseable.
    Escaped,
    /// Like the library: without escaping.
    Plain,
    /// Like `toString` in a browser: without escaping, and with lower-case names.
    Browser,
}

impl Form {
    pub(super) const ALL: [Self; 3] = [Self::Escaped, Self::Plain, Self::Browser];
}

/// The fragment as a string that [`super::parse`] reads back.
pub(crate) fn escaped(txn: &impl ReadTxn, root: &XmlFragmentRef) -> String {
    render(txn, &stored::read(txn, root), Form::Escaped)
}

/// One node elsewhere as such a string.
pub(crate) fn escaped_node(txn: &impl ReadTxn, node: &Out) -> String {
    render(txn, &stored::read_one(txn, node), Form::Escaped)
}

/// The string of `nodes`.
pub(super) fn render(txn: &impl ReadTxn, nodes: &[Stored], form: Form) -> String {
    let mut out = String::new();
    for node in nodes {
        match node {
            Stored::Element(node) => element(txn, node, form, &mut out),
            Stored::Text(node) => text(node, form, &mut out),
            Stored::Nested(node) => block(txn, node, form, &mut out),
            Stored::Other(what) => comment(what, form, &mut out),
        }
    }
    out
}

fn element(txn: &impl ReadTxn, node: &Element, form: Form, out: &mut String) {
    let name = tag(&node.name, form);
    let _ = write!(out, "<{name}");
    for (key, value) in &node.attributes {
        let value = match (form, value) {
            (Form::Browser, Out::Any(any)) => Some(shown_by_javascript(any)),
            _ => shown_out(txn, value),
        };
        if let Some(value) = value {
            attribute(key, &value, form, out);
        }
    }
    let _ = write!(out, ">{}</{name}>", render(txn, &node.children, form));
}

fn block(txn: &impl ReadTxn, node: &Nested, form: Form, out: &mut String) {
    let name = tag(&node.name, form);
    let _ = write!(out, "<{name}");
    node.attributes.iter().for_each(|(key, value)| attribute(key, value, form, out));
    let _ = write!(out, ">{}</{name}>", render(txn, &node.children, form));
}

/// Writes a comment for a node that the library leaves out. The comment is read as nothing.
fn comment(what: &str, form: Form, out: &mut String) {
    if form == Form::Escaped {
        let _ = write!(out, "<!-- {what} -->");
    }
}

/// The name of an element or a mark.
fn tag(name: &str, form: Form) -> Cow<'_, str> {
    match form {
        Form::Escaped => names::written(name),
        Form::Plain => Cow::Borrowed(name),
        Form::Browser => Cow::Owned(name.to_lowercase()),
    }
}

fn text(node: &StoredText, form: Form, out: &mut String) {
    // Alone between elements it would be read as layout.
    let is_space = node.text.chars().all(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
    // Peers write each run separately, even if the next one has the same format.
    let same = |a: &Piece, b: &Piece| {
        let is_text = !a.bytes.is_empty() && !b.bytes.is_empty();
        form == Form::Escaped && is_text && a.marks == b.marks
    };
    for group in node.pieces.chunk_by(same) {
        let [piece, ..] = group else { continue };
        if let Some(what) = &piece.embedded {
            comment(what, form, out);
        }
        if piece.bytes.is_empty() {
            continue;
        }
        if !pay(size_of(&piece.marks)) {
            return;
        }
        for (name, attributes) in &piece.marks {
            let _ = write!(out, "<{}", mark(name, form));
            if form == Form::Browser {
                by_javascript(piece, name, out);
            } else {
                attributes.iter().for_each(|(key, value)| attribute(key, value, form, out));
            }
            out.push('>');
        }
        for piece in group {
            let start = out.len();
            escape(&node.text[piece.bytes.clone()], form, out);
            if is_space && form == Form::Escaped {
                let space = out.split_off(start).replace('\n', "&#10;");
                out.push_str(&space);
            }
        }
        for name in piece.marks.keys().rev() {
            let _ = write!(out, "</{}>", mark(name, form));
        }
    }
}

/// Whether the marks of a run, of this size in bytes, are within the bound.
pub(super) fn pay(size: usize) -> bool {
    LEFT.set(LEFT.get().saturating_sub(size));
    LEFT.get() > 0
}

/// The name of a mark. A browser writes it as it is.
fn mark(name: &str, form: Form) -> Cow<'_, str> {
    if form == Form::Escaped { names::written(name) } else { Cow::Borrowed(name) }
}

fn by_javascript(piece: &Piece, name: &str, out: &mut String) {
    if let Some(Any::Map(entries)) = piece.attributes.get(name) {
        let mut entries: Vec<_> = entries.iter().collect();
        entries.sort_by_key(|(key, _)| key.as_str());
        for (key, value) in entries {
            attribute(key, &shown_by_javascript(value), Form::Browser, out);
        }
    }
}

fn attribute(key: &str, value: &str, form: Form, out: &mut String) {
    let key = if form == Form::Escaped { names::written_key(key) } else { Cow::Borrowed(key) };
    let _ = write!(out, " {key}=\"");
    escape(value, form, out);
    out.push('"');
}

fn escape(text: &str, form: Form, out: &mut String) {
    if form != Form::Escaped {
        out.push_str(text);
        return;
    }
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
}
