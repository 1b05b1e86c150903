//! A stored fragment as a string.

use std::fmt::Write;

use yrs::{Any, Out, ReadTxn, XmlFragmentRef};

use super::stored::{self, Element, Piece, Stored, StoredText, shown_by_javascript, shown_out};

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

/// The same for one node elsewhere.
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
            Stored::Other => (),
        }
    }
    out
}

fn element(txn: &impl ReadTxn, node: &Element, form: Form, out: &mut String) {
    let name = if form == Form::Browser { node.name.to_lowercase() } else { node.name.clone() };
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

fn text(node: &StoredText, form: Form, out: &mut String) {
    let pieces: Vec<&Piece> = node.pieces.iter().filter(|piece| !piece.bytes.is_empty()).collect();
    // Peers write each run separately, even if the next one has the same format.
    let same = |a: &&Piece, b: &&Piece| form == Form::Escaped && a.marks == b.marks;
    for group in pieces.chunk_by(same) {
        let [piece, ..] = group else { continue };
        for (name, attributes) in &piece.marks {
            let _ = write!(out, "<{name}");
            if form == Form::Browser {
                by_javascript(piece, name, out);
            } else {
                attributes.iter().for_each(|(key, value)| attribute(key, value, form, out));
            }
            out.push('>');
        }
        for piece in group {
            escape(&node.text[piece.bytes.clone()], form, out);
        }
        for name in piece.marks.keys().rev() {
            let _ = write!(out, "</{name}>");
        }
    }
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
