//! Bounds of messages of stock providers.

/// Maximum size of a message in either direction, in bytes: that of an editor, with some space.
pub(super) const MAX_MESSAGE: usize = 17 * 1024 * 1024;
/// Maximum length and number of messages in an event of the function.
pub(super) const MAX_CHARS: usize = 32_000;
pub(super) const MAX_MESSAGES: usize = 200;
