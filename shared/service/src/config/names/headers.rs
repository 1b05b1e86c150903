//! Headers with credentials under another prefix.

use aws::{HeaderMap, HeaderName};
use error::{Error, Result};

use super::Names;

/// Our prefix.
pub(crate) const PREFIX: &str = "x-service-";
/// The names of the headers of all levels, behind the prefix.
const CREDENTIALS: [&str; 5] =
    ["api-key", "auth-token", "workspace-id", "workspace-auth-token", "admin-token"];
/// The length of a prefix without its last hyphen.
const LENGTH: std::ops::RangeInclusive<usize> = 2..=40;

/// Whether a text can be the prefix of headers.
pub(super) fn check(prefix: &str) -> Result<(), String> {
    let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let is_prefix = prefix
        .strip_suffix('-')
        .is_some_and(|head| LENGTH.contains(&head.len()) && head.bytes().all(is_plain));
    if !is_prefix {
        return Err(
            "headerPrefix must be 2 to 40 small letters, digits and hyphens, then a hyphen"
                .to_owned(),
        );
    }
    match prefix.starts_with(PREFIX) {
        true => Err(format!("headerPrefix must not begin with {PREFIX}")),
        false => Ok(()),
    }
}

impl Names {
    /// Headers that a page may send besides ours.
    pub fn page_headers(&self) -> Vec<String> {
        let prefix = self.header_prefix.iter();
        prefix.flat_map(|it| [format!("{it}api-key"), format!("{it}auth-token")]).collect()
    }

    /// Adds our headers for those with the other prefix, unless they are there.
    pub fn complete(&self, headers: &mut HeaderMap) {
        for name in CREDENTIALS {
            let (Some(theirs), Ok(ours)) =
                (self.theirs(headers, name), HeaderName::try_from(format!("{PREFIX}{name}")))
            else {
                continue;
            };
            if !headers.contains_key(&ours) {
                let value = theirs.clone();
                headers.insert(ours, value);
            }
        }
    }

    /// The prefix of a request with headers under it.
    pub(crate) fn prefix_of(&self, headers: &HeaderMap) -> Option<&str> {
        let prefix = self.header_prefix.as_deref()?;
        CREDENTIALS.iter().any(|name| self.theirs(headers, name).is_some()).then_some(prefix)
    }

    /// The headers of a call with ours for those with the other prefix. At the level of workspaces,
    /// the auth token beside the id of a workspace is that of the workspace.
    ///
    /// # Errors
    /// PERMISSION_DENIED when both are there and differ.
    pub(crate) fn headers(&self, headers: &HeaderMap, of_workspace: bool) -> Result<HeaderMap> {
        for name in CREDENTIALS {
            let ours = headers.get(format!("{PREFIX}{name}"));
            let theirs = self.theirs(headers, name);
            if let (Some(ours), Some(theirs)) = (ours, theirs)
                && ours != theirs
            {
                let prefix = self.header_prefix.as_deref().unwrap_or_default();
                let message = format!("{PREFIX}{name} and {prefix}{name} differ.");
                return Err(Error::denied(message));
            }
        }
        let mut all = headers.clone();
        self.complete(&mut all);
        let token = "x-service-workspace-auth-token";
        if of_workspace
            && !all.contains_key(token)
            && self.theirs(headers, "workspace-id").is_some()
            && let Some(own) = self.theirs(headers, "auth-token")
        {
            all.insert(token, own.clone());
        }
        Ok(all)
    }

    fn theirs<'h>(&self, headers: &'h HeaderMap, name: &str) -> Option<&'h aws::HeaderValue> {
        headers.get(format!("{}{name}", self.header_prefix.as_deref()?))
    }
}
