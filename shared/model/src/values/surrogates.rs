//! Halves of surrogate pairs in JSON, as `JSON.stringify` writes of a text that was cut inside an emoji.
//! No parser of Rust reads them. They become U+FFFD, as they do in every encoder of UTF-8.

use serde::de::DeserializeOwned;

/// Parses JSON, with each lone half replaced.
///
/// # Errors
/// When it is no JSON, or not of this type.
pub fn parse<T: DeserializeOwned>(json: &[u8]) -> serde_json::Result<T> {
    serde_json::from_slice(json).or_else(|refused| match whole(json) {
        Some(json) => serde_json::from_slice(&json),
        None => Err(refused),
    })
}

/// JSON with each lone half replaced; none when there is none.
pub fn whole(json: &[u8]) -> Option<Vec<u8>> {
    let (mut out, mut rest, mut found) = (Vec::with_capacity(json.len()), json, false);
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
    use serde_json::{Value, json};

    use super::{parse, whole};

    #[test]
    fn half_of_a_pair_is_a_replacement_character() {
        let read = |text: &str| parse::<Value>(text.as_bytes()).unwrap();
        assert_eq!(read(r#""well \ud83d""#), json!("well \u{fffd}"));
        assert_eq!(read(r#""\udc4f\ud83d\ud83d\udc4f!""#), json!("\u{fffd}\u{fffd}👏!"));
        for wrong in [r#""\ud83"#, r#""\ud83d"#, "\"\\", r#"{"a": \ud83d}"#] {
            assert!(parse::<Value>(wrong.as_bytes()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn halves_are_replaced_and_pairs_stay() {
        let replaced = |json: &str| whole(json.as_bytes()).map(|it| String::from_utf8(it).unwrap());
        for (sent, read) in [
            (r#"{"a":"Well done \ud83d"}"#, r#"{"a":"Well done \ufffd"}"#),
            (r#""\udc4f\ud83d\ud83d\udc4f!""#, r#""\ufffd\ufffd\ud83d\udc4f!""#),
            (r#"["\\ud83d", "\ud83d\\n"]"#, r#"["\\ud83d", "\ufffd\\n"]"#),
        ] {
            assert_eq!(replaced(sent).as_deref(), Some(read));
        }
        for json in [r#""\ud83d\udc4f \" \n é 👏""#, r#""\u12"#, r#""\"#, r#""\ud83"#, "null", ""]
        {
            assert_eq!(replaced(json), None, "{json}");
        }
    }
}
