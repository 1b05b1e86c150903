//! Limits of one write of a thread; more comments are added in several.

use model::comment::NewComment;
use service::sha256_hex;

/// Comments per write: each emits an event, and a transaction has room for a hundred writes.
pub(crate) const AT_ONCE: usize = 50;

/// Bytes of comments per write: a thread has room for them beside its newest comment.
const BYTES_AT_ONCE: usize = 150 * 1024;

/// How many of these comments one write adds; the thread archives its older ones before the next.
pub(crate) fn in_one_write<'a>(comments: impl IntoIterator<Item = &'a NewComment>) -> usize {
    let mut bytes = 0;
    let fits = |comment: &&NewComment| {
        let is_first = bytes == 0;
        bytes += 1 + comment.bytes();
        is_first || bytes <= BYTES_AT_ONCE
    };
    comments.into_iter().take(AT_ONCE).take_while(fits).count()
}

/// The key under which a thread notes the progress of a call with several writes.
pub(crate) fn resumption_key(comments: &[NewComment]) -> Option<String> {
    (comments.len() > in_one_write(comments)).then(|| sha256_hex(&format!("{comments:?}")))
}
