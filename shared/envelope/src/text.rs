//! Marks that clients write around JSON, and no parser reads.

/// The mark of UTF-8 that some clients put first.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A body without a mark of its encoding.
pub(crate) fn unmarked(body: &[u8]) -> &[u8] {
    body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body)
}

#[cfg(test)]
mod tests {
    use super::unmarked;

    #[test]
    fn a_mark_of_the_encoding_is_no_part_of_the_body() {
        assert_eq!(unmarked(b"\xef\xbb\xbf{}"), b"{}");
        assert_eq!(unmarked(b"{}"), b"{}");
    }
}
