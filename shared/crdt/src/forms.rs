//! Forms of the content of texts: what people and programs outside editors read and write.
//!
//! All but the delta are derived from the JSON of ProseMirror.

mod html;
mod lost;
mod markdown;
mod text;

use error::Result;
use serde_json::{Value, json};

use crate::Kind;

pub(crate) use lost::{DELTA, JSON, Lost};

/// A form of the content of an editor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Elements and marks as XML; a plain string for a text.
    Xml,
    /// JSON of ProseMirror; a delta for a text.
    Json,
    /// The words, with a line for each block.
    Text,
    /// HTML.
    Html,
    /// Markdown, with HTML for what it does not have.
    Markdown,
}

impl Format {
    /// Whether content of this kind can be given in this form.
    pub const fn takes(self, kind: Kind) -> bool {
        match self {
            Self::Xml | Self::Json => true,
            Self::Html | Self::Markdown => matches!(kind, Kind::Xml),
            Self::Text => false,
        }
    }

    /// The form as requests name it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Xml => "xml",
            Self::Json => "json",
            Self::Text => "text",
            Self::Html => "html",
            Self::Markdown => "markdown",
        }
    }
}

/// Content in a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Formed {
    /// A string or, as JSON, an object.
    pub data: Value,
    /// The parts that the form cannot hold, such as `mark bold`: sorted, at most 50 entries.
    pub lost: Vec<String>,
}

/// The JSON of ProseMirror in another form.
///
/// # Errors
/// RESOURCE_EXHAUSTED when marks would be written too often.
pub(crate) fn derived(document: Value, format: Format, mut lost: Lost) -> Result<Formed> {
    let data = match format {
        Format::Json | Format::Xml => document,
        Format::Text => Value::String(text::write(&document, &mut lost)),
        Format::Html => Value::String(html::write(&document, &mut lost)?),
        Format::Markdown => Value::String(markdown::write(document, &mut lost)?),
    };
    Ok(Formed { data, lost: lost.named() })
}

/// The parts of a document in the JSON of ProseMirror that another form cannot hold. Those of Markdown
/// are found without the reading of each block.
///
/// # Errors
/// As of [`derived`].
pub(crate) fn hidden(mut document: Value, format: Format, mut lost: Lost) -> Result<Vec<String>> {
    if format == Format::Markdown {
        markdown::without_opening(&mut document, &mut lost);
        return hidden(document, Format::Html, lost);
    }
    derived(document, format, lost).map(|formed| formed.lost)
}

/// Reads HTML or Markdown as JSON of ProseMirror, and notes what is left out.
///
/// # Errors
/// INVALID_ARGUMENT, when it has what an editor cannot hold, or is too large or too deep.
pub(crate) fn read(source: &str, format: Format, lost: &mut Lost) -> Result<Value> {
    if source.contains('\0') {
        lost.add("character", "U+0000");
    }
    match format {
        Format::Markdown => markdown::read(source, lost),
        _ => html::read(source, lost),
    }
}

/// A plain text as a document of a paragraph for each line.
pub(crate) fn lines(text: &str) -> Value {
    let paragraph = |line: &str| match line.is_empty() {
        true => json!({ "type": "paragraph" }),
        false => json!({ "type": "paragraph", "content": [{ "type": "text", "text": line }] }),
    };
    let lines = text.strip_suffix('\n').unwrap_or(text).split('\n');
    json!({ "type": "doc", "content": lines.map(paragraph).collect::<Vec<_>>() })
}
