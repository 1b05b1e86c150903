//! The end of a connection of a stock provider.

use std::borrow::Cow;

use dialects::Close;
use embedded::Ended;

/// The reason for a client when the service cannot do its part.
pub(super) const FAILED: &str = "The service is not available just now.";

/// Maximum length of the reason of a close, in bytes: WebSockets take no longer one.
pub(super) const MAX_REASON: usize = 123;

/// Why a connection ends.
pub(super) enum Over {
    /// The client has left.
    Left(Ended),
    /// The service closes it.
    Closed(u16, Cow<'static, str>),
}

impl Over {
    pub(super) fn refused(close: Close, reason: impl Into<Cow<'static, str>>) -> Self {
        let mut reason: Cow<'static, str> = reason.into();
        if reason.len() > MAX_REASON {
            let end = reason.floor_char_boundary(MAX_REASON);
            reason.to_mut().truncate(end);
        }
        Self::Closed(close.code(), reason)
    }
}

impl From<Ended> for Over {
    fn from(ended: Ended) -> Self {
        Self::Closed(ended.code, ended.reason.into())
    }
}
