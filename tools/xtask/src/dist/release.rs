//! Contents of packages.

use super::{formats::archive::File, platform::Platform};

/// Summary in registries.
pub(super) const SUMMARY: &str =
    "Comments, presence, shared editors, notifications and webhooks on one server.";

/// Contents that all packages of the server have.
pub(super) struct Release {
    pub(super) version: String,
    /// Seconds since 1970.
    pub(super) time: u64,
    /// Empty when the manifest names none.
    pub(super) repository: &'static str,
    pub(super) platform: &'static Platform,
    pub(super) binary: Vec<u8>,
    /// Licences and notices.
    pub(super) documents: Vec<File>,
}

#[cfg(test)]
impl Release {
    /// A small one.
    pub(super) fn sample() -> Self {
        Self {
            version: "1.2.3".to_owned(),
            time: 1_700_000_000,
            repository: "",
            platform: &super::platform::PLATFORMS[0],
            binary: b"\x7fELF".to_vec(),
            documents: vec![File::new("LICENSE-MIT", "Do what you like.")],
        }
    }
}
