//! Forms of content in requests.

use crdt::{Content, Format};
use model::editor::EditorType;
use serde_json::Value;
use service::{prelude::*, store};

use crate::state::of_member;

/// A form in which content is shown.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "EditorFormat")]
pub(crate) enum ShownFormat {
    /// Elements and marks; a plain string for `text`.
    Xml,
    /// ProseMirror JSON for `xml`; a delta for `text`.
    Json,
    /// The words.
    Text,
    /// HTML.
    Html,
    /// Markdown, with HTML for what it does not have.
    Markdown,
}

/// A form in which content is sent.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "SentEditorFormat")]
pub(crate) enum SentFormat {
    /// Elements and marks; a plain string for `text`.
    Xml,
    /// ProseMirror JSON for `xml`; a delta for `text`.
    Json,
    /// HTML, for `xml`.
    Html,
    /// Markdown, for `xml`.
    Markdown,
}

impl From<ShownFormat> for Format {
    fn from(format: ShownFormat) -> Self {
        match format {
            ShownFormat::Xml => Self::Xml,
            ShownFormat::Json => Self::Json,
            ShownFormat::Text => Self::Text,
            ShownFormat::Html => Self::Html,
            ShownFormat::Markdown => Self::Markdown,
        }
    }
}

impl From<SentFormat> for Format {
    fn from(format: SentFormat) -> Self {
        match format {
            SentFormat::Xml => Self::Xml,
            SentFormat::Json => Self::Json,
            SentFormat::Html => Self::Html,
            SentFormat::Markdown => Self::Markdown,
        }
    }
}

/// The reply to content.
#[derive(Serialize, JsonSchema)]
pub struct Taken {
    /// The parts of `data` that were left out, such as `comment draft`, and those that went with others
    /// and that `format` does not show, such as `value Embed`; at most 50. Absent without `format`.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<Vec<String>>,
}

impl Taken {
    /// The reply for content in a form.
    pub(crate) fn new(format: Option<SentFormat>, lost: Vec<String>) -> Self {
        Self { lost: format.map(|_| lost) }
    }
}

/// The content that a caller sends; as XML without a form. Others do not wait for large content.
///
/// # Errors
/// INVALID_ARGUMENT when the type has no such form, or the data is not of the form.
pub(crate) fn content(
    sent: EditorType,
    format: Option<SentFormat>,
    data: Value,
) -> Result<Content> {
    let format = format.map_or(Format::Xml, Format::from);
    if !format.takes(sent) {
        let message =
            format!("content of type {} cannot be sent as {}", sent.as_str(), format.as_str());
        return Err(issue(&["format"], &message));
    }
    // JSON that was not measured counts as large.
    let size = data.as_str().map_or(usize::MAX, str::len);
    let content = store::aside(size, || Content::formed(sent, format, data));
    content.map_err(|error| of_member("data", error))
}
