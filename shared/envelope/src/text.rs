//! What clients write around and within JSON, and no parser reads.

use serde_json::Value;

/// The mark of UTF-8 that some clients put first.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// A body without a mark of its encoding.
pub(crate) fn unmarked(body: &[u8]) -> &[u8] {
    body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body)
}

/// Parses a body. Half of a surrogate pair, as `JSON.stringify` writes of a text that was cut inside
/// an emoji, becomes U+FFFD, as it does in every encoder of UTF-8.
pub(crate) fn parse(body: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(body).or_else(|refused| match whole(body) {
        Some(body) => serde_json::from_slice(&body),
        None => Err(refused),
    })
}

/// The body with each lone half replaced; none when there is none.
fn whole(body: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut rest, mut found) = (Vec::with_capacity(body.len()), body, false);
    while let Some(at) = rest.iter().position(|byte| *byte == b'\\') {
        let (before, escape) = rest.split_at(at);
        out.extend_from_slice(before);
        let len = match (half(escape), half(escape.get(6..).unwrap_or_default())) {
            (Some(Half::High), Some(Half::Low)) => 12,
            (Some(_), _) => {
                out.extend_from_slice(b"\\ufffd");
                found = true;
                rest = &escape[6..];
                continue;
            }
            (None, _) => 2,
        };
        let (kept, after) = escape.split_at(len.min(escape.len()));
        out.extend_from_slice(kept);
        rest = after;
    }
    out.extend_from_slice(rest);
    found.then_some(out)
}

#[derive(Clone, Copy)]
enum Half {
    High,
    Low,
}

/// The half of a pair that an escape at the start of a text stands for.
fn half(text: &[u8]) -> Option<Half> {
    let digits = text.strip_prefix(b"\\u")?.get(..4)?;
    let code = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    match code {
        0xD800..=0xDBFF => Some(Half::High),
        0xDC00..=0xDFFF => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{parse, unmarked};

    #[test]
    fn half_of_a_pair_is_a_replacement_character() {
        let read = |text: &str| parse(text.as_bytes()).unwrap();
        assert_eq!(read(r#""well \ud83d""#), json!("well \u{fffd}"));
        assert_eq!(read(r#""\udc4f\ud83d\ud83d\udc4f!""#), json!("\u{fffd}\u{fffd}👏!"));
        assert_eq!(read(r#"["\\ud83d", "\ud83d\\n"]"#), json!(["\\ud83d", "\u{fffd}\\n"]));
        for wrong in [r#""\ud83"#, r#""\ud83d"#, "\"\\", r#"{"a": \ud83d}"#] {
            assert!(parse(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_mark_of_the_encoding_is_no_part_of_the_body() {
        assert_eq!(unmarked(b"\xef\xbb\xbf{}"), b"{}");
        assert_eq!(unmarked(b"{}"), b"{}");
    }
}
