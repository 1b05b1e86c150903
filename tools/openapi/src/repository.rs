//! The files that the generator reads.

use serde_json::Value;

/// Parts of the repository that the generator reads.
pub struct Repository<'a> {
    /// Reads a file, if it is there; its name is relative to the root.
    pub read: &'a dyn Fn(&str) -> Result<Option<String>, String>,
    /// Makes the references of a text links to the documentation.
    pub link: &'a dyn Fn(&str) -> String,
}

impl Repository<'_> {
    pub(crate) fn json(&self, file: &str) -> Result<Option<Value>, String> {
        let text = (self.read)(file)?;
        let value = text.map(|text| serde_json::from_str(&text)).transpose();
        value.map_err(|e| format!("{file}: {e}"))
    }
}
