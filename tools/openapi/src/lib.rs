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
mod repository;
mod schema;

pub use released::breaks;
pub use repository::Repository;

/// The expected openapi.json.
pub fn render(repository: &Repository<'_>) -> Result<String, String> {
    document::render(repository)
}
