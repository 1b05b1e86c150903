//! Page tokens: encrypted, bound to tenant, operation and filters (decisions 1).

use error::{Error, Result};
use keyring::{Keyring, Purpose};
use model::{PageSize, PageToken};

/// Start and size of a page.
pub struct Page {
    pub(crate) limit: usize,
    pub(crate) cursor: Option<Vec<String>>,
    keyring: std::sync::Arc<Keyring>,
    binding: String,
}

/// One page of a list.
#[derive(Debug)]
pub struct Paged<E> {
    /// The items.
    pub items: Vec<E>,
    /// Start of the next page; none on the last.
    pub next: Option<PageToken>,
}

/// Default page size.
pub const DEFAULT_PAGE_SIZE: u64 = 1000;

/// The message does not reveal whether the token is altered, foreign, of another list or made with
/// a retired key.
pub(crate) fn foreign(member: &str) -> Error {
    let message = "is not a page token of this list";
    let issue = serde_json::json!({ "issues": [
        { "path": ["data", member], "code": "invalid_value", "message": message },
    ] });
    Error::invalid(format!("data.{member}: {message}.")).with_details(issue.to_string())
}

impl Page {
    pub(crate) fn new(
        keyring: std::sync::Arc<Keyring>,
        binding: String,
        size: Option<PageSize>,
        token: Option<&PageToken>,
    ) -> Result<Self> {
        let limit = size.map_or(DEFAULT_PAGE_SIZE, PageSize::get) as usize;
        let cursor = match token {
            None => None,
            Some(token) => {
                let payload =
                    keyring.decrypt(Purpose::PageToken, binding.as_bytes(), token.as_str());
                let cursor = payload.and_then(|payload| serde_json::from_slice(&payload).ok());
                Some(cursor.ok_or_else(|| foreign("pageToken"))?)
            }
        };
        Ok(Self { limit, cursor, keyring, binding })
    }

    /// The token of the page behind `cursor`.
    pub(crate) fn token(&self, cursor: &[&str]) -> Result<PageToken> {
        let payload = serde_json::to_vec(cursor).map_err(Error::internal)?;
        let text = self.keyring.encrypt(Purpose::PageToken, self.binding.as_bytes(), &payload)?;
        Ok(PageToken::made(text))
    }
}
