//! Page tokens: encrypted, bound to tenant, operation and filters (contract
//! `conventions.paging`).

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
    /// A page of the list with this binding.
    ///
    /// # Errors
    /// INVALID_ARGUMENT for a token of another list.
    pub fn new(
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

    /// Maximum number of items.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Where the previous page ended; none on the first one.
    pub fn cursor(&self) -> Option<&[String]> {
        self.cursor.as_deref()
    }

    /// The token of the page behind `cursor`.
    ///
    /// # Errors
    /// INTERNAL.
    pub fn token(&self, cursor: &[&str]) -> Result<PageToken> {
        let payload = serde_json::to_vec(cursor).map_err(Error::internal)?;
        let text = self.keyring.encrypt(Purpose::PageToken, self.binding.as_bytes(), &payload)?;
        Ok(PageToken::from_store(text))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use keyring::Keyring;
    use model::PageToken;
    use proptest::{collection::vec, prelude::*, sample::Index};

    use super::Page;

    fn page(binding: &str, token: Option<&PageToken>) -> error::Result<Page> {
        let keyring = Keyring::parse("k1=0123456789abcdef0123456789abcdef").unwrap();
        Page::new(Arc::new(keyring), binding.to_owned(), None, token)
    }

    proptest! {
        #[test]
        fn a_token_is_the_cursor_it_was_made_for_and_no_other_text_is_one(
            cursor in vec("\\PC{0,20}", 0..4),
            text in "\\PC{0,40}|[A-Za-z0-9_.-]{0,80}",
            (from, to) in (any::<Index>(), any::<Index>()),
        ) {
            let parts: Vec<&str> = cursor.iter().map(String::as_str).collect();
            let token = page("of this list", None).unwrap().token(&parts).unwrap();
            let read = |token: &PageToken| page("of this list", Some(token)).ok()?.cursor;
            prop_assert_eq!(read(&token), Some(cursor));
            prop_assert!(page("of another", Some(&token)).is_err());
            let own = token.as_str();
            let (from, to) = (from.index(own.len()), to.index(own.len()));
            for sent in [text.clone(), format!("{}{text}{}", &own[..from], &own[to..])] {
                prop_assert!(sent == own || read(&PageToken::from_store(sent)).is_none());
            }
        }
    }
}
