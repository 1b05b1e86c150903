//! openapi.json: the registry as an OpenAPI document. The description of each operation comes from
//! its types, the head of its file, and its sample.
//!
//! Components are named for generators: `CommentsAddRequest` is the content of `data`, and
//! `CommentsAddResult` that of `result`; a result of several operations is named after its content.
//! The envelopes have no name.

mod document;
mod json;
mod names;
mod released;
mod schema;

pub use released::breaks;
use serde_json::Value;

/// Parts of the repository that the generator reads.
pub struct Repository<'a> {
    /// Reads a file, if it is there; its name is relative to the root.
    pub read: &'a dyn Fn(&str) -> Result<Option<String>, String>,
    /// Makes the references of a text links to the documentation.
    pub link: &'a dyn Fn(&str) -> String,
}

impl Repository<'_> {
    fn json(&self, file: &str) -> Result<Option<Value>, String> {
        let text = (self.read)(file)?;
        let value = text.map(|text| serde_json::from_str(&text)).transpose();
        value.map_err(|e| format!("{file}: {e}"))
    }
}

/// The expected openapi.json.
pub fn render(repository: &Repository<'_>) -> Result<String, String> {
    document::render(repository)
}
