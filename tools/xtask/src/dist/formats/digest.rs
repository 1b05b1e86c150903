//! SHA-256.

use sha2::{Digest, Sha256};

pub(crate) fn sha256(content: &[u8]) -> [u8; 32] {
    Sha256::digest(content).into()
}

pub(crate) fn hex(content: &[u8]) -> String {
    sha256(content).iter().map(|byte| format!("{byte:02x}")).collect()
}
