//! JSON inside updates: formats and embedded objects are stored as text that JavaScript wrote.
//!
//! The library reads it with a stricter parser than the one that it was written for. `JSON.parse`
//! takes half of a surrogate pair, which a cut emoji leaves, and integers of any size.

use std::borrow::Cow;

use model::surrogates::whole;

use super::reader::{Item, Reader, counted};

/// The content of an item as the library reads it.
pub(crate) fn content<'a>(item: &Item<'a>) -> Cow<'a, [u8]> {
    let unchanged = Cow::Borrowed(item.content);
    let mut reader = Reader::new(item.content);
    // A format has a key before its value.
    let has_key = match item.tag() {
        5 => false,
        6 => true,
        _ => return unchanged,
    };
    if has_key && reader.string().is_err() {
        return unchanged;
    }
    let key = &item.content[..item.content.len() - reader.left.len()];
    match reader.string().map(readable) {
        Ok(Cow::Owned(json)) => Cow::Owned([key, &counted(json.len(), json.as_bytes())].concat()),
        _ => unchanged,
    }
}

/// `json` as the library reads it: half of a surrogate pair is a replacement character, as Yjs has
/// it in text, and an integer beyond 64 bits a floating-point number, as it is in JavaScript.
pub(super) fn readable(json: &str) -> Cow<'_, str> {
    match whole(json.as_bytes()).and_then(|whole| String::from_utf8(whole).ok()) {
        Some(whole) => Cow::Owned(with_floats(&whole).into_owned()),
        None => with_floats(json),
    }
}

fn with_floats(json: &str) -> Cow<'_, str> {
    let mut written = String::new();
    // All before this is in `written`.
    let mut done = 0;
    let (mut at, mut is_string) = (0, false);
    let bytes = json.as_bytes();
    while let Some(byte) = bytes.get(at) {
        let (len, other) = match (is_string, byte) {
            (_, b'"') => {
                is_string = !is_string;
                (1, None)
            }
            // The character after it may be a quote; others are no ASCII, or do not matter.
            (true, b'\\') => (2, None),
            (false, b'-' | b'0'..=b'9') => number(&json[at..]),
            _ => (1, None),
        };
        if let Some(other) = other {
            written.push_str(&json[done..at]);
            written.push_str(&other);
            done = at + len;
        }
        at += len;
    }
    if done == 0 { Cow::Borrowed(json) } else { Cow::Owned(written + &json[done..]) }
}

/// The length of the number at the start, and what to write instead.
fn number(json: &str) -> (usize, Option<String>) {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | 'e' | 'E');
    let len = json.find(|c| !is_part(c)).unwrap_or(json.len());
    let number = &json[..len];
    let is_integer = number.bytes().skip(1).all(|byte| byte.is_ascii_digit());
    let is_known = !is_integer || number.len() < 19 || number.parse::<i64>().is_ok();
    let float = number.parse::<f64>().ok().filter(|float| float.is_finite() && !is_known);
    (len, float.map(|float| format!("{float:e}")))
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn what_javascript_writes_is_readable() {
        for (sent, read) in [
            (r#"{"a":"Well done \ud83d"}"#, r#"{"a":"Well done \ufffd"}"#),
            (r#""\udc4f\ud83d\ud83d\udc4f""#, r#""\ufffd\ufffd\ud83d\udc4f""#),
            (r#"{"id":12345678901234567000}"#, r#"{"id":1.2345678901234567e19}"#),
            ("[-9223372036854775809]", "[-9.223372036854776e18]"),
        ] {
            assert_eq!(readable(sent), read);
            let parsed: serde_json::Value = serde_json::from_str(&readable(sent)).expect("JSON");
            assert!(!parsed.is_null());
        }
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        for json in [
            r#"{"a":"\\ud83d 12345678901234567000","b":[1,-2.5e7,9223372036854775807]}"#,
            r#""\ud83d\udc4f \" \n é 👏""#,
            "null",
            "",
            r#""\u12"#,
            r#""\"#,
            "1e400",
        ] {
            assert_eq!(readable(json), json);
        }
    }
}
