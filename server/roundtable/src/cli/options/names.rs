use std::path::PathBuf;

use clap::Args;
use service::{Config, Names};

/// Names of a compatible vendor.
#[derive(Debug, Args)]
pub(crate) struct NamesOptions {
    /// File with the names that a compatible vendor has for our words, as JSON, for callers whose code
    /// stays as it is (docs/COMPATIBLE.md).
    #[arg(long, env, value_name = "FILE", conflicts_with = "names")]
    names_file: Option<PathBuf>,
    /// The content of that file.
    #[arg(long, env, value_name = "JSON")]
    names: Option<String>,
}

impl NamesOptions {
    /// The names, if there are some.
    ///
    /// # Errors
    /// A sentence: the file cannot be read, or what it says cannot be used.
    pub(crate) fn read(&self) -> Result<Option<Names>, String> {
        let text = match (&self.names, &self.names_file) {
            (Some(names), _) => names.clone(),
            (None, Some(file)) => std::fs::read_to_string(file)
                .map_err(|error| format!("{} cannot be read: {error}", file.display()))?,
            (None, None) => return Ok(None),
        };
        Names::parse(&text, &Config::parse_regions(None)).map(Some)
    }
}
