//! Compression of large replies: Lambda limits their size, and AWS charges for each byte sent.

use std::io::Write;

use aws::{Body, HeaderMap, HeaderValue, header};
use error::{Error, Result};
use flate2::{Compression, write::GzEncoder};

/// Smallest compressed reply, in bytes: sending it costs more than compressing it.
const SMALLEST: usize = 32 * 1024;
/// Largest reply, in bytes as Lambda takes it: 6,291,556 with headers.
const MAX_REPLY_BYTES: usize = 6_000_000;

/// The body of a reply: compressed if it is large and the caller prefers gzip, or if nothing else is small
/// enough and the caller accepts it.
///
/// # Errors
/// RESOURCE_EXHAUSTED when Lambda would not take it; INTERNAL.
pub(crate) fn body(headers: &HeaderMap, text: String) -> Result<Body> {
    let [gzip, identity] = ["gzip", "identity"].map(|coding| weight(headers, coding));
    let (is_accepted, is_preferred) = (gzip > 0.0, gzip > 0.0 && gzip >= identity);
    let body = match is_preferred && text.len() >= SMALLEST {
        true => compressed(&text)?,
        false => Body::Text(text),
    };
    let body = match body {
        body if fits(&body) => return Ok(body),
        Body::Text(text) if is_accepted => compressed(&text)?,
        body => body,
    };
    match fits(&body) {
        true => Ok(body),
        false if is_accepted => {
            Err(Error::exhausted("The reply would be too large; ask for a smaller page."))
        }
        false => Err(Error::exhausted(
            "The reply would be too large; accept gzip, or ask for a smaller page.",
        )),
    }
}

fn fits(body: &Body) -> bool {
    sent(body) <= MAX_REPLY_BYTES
}

fn compressed(text: &str) -> Result<Body> {
    let mut encoder = GzEncoder::new(vec![], Compression::fast());
    encoder.write_all(text.as_bytes()).map_err(Error::internal)?;
    encoder.finish().map(Body::Binary).map_err(Error::internal)
}

/// The size of a body as Lambda takes it: a JSON string, or base64.
fn sent(body: &Body) -> usize {
    match body {
        Body::Text(text) => {
            text.len() + text.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count()
        }
        Body::Binary(bytes) => bytes.len().div_ceil(3) * 4,
        _ => 0,
    }
}

/// The weight of a coding in `Accept-Encoding` (RFC 9110 12.5.3): 0 if it is not named.
fn weight(headers: &HeaderMap, coding: &str) -> f32 {
    let values = headers.get_all(header::ACCEPT_ENCODING).iter();
    let codings = values.filter_map(|value| value.to_str().ok()).flat_map(|it| it.split(','));
    let mut codings = codings.map(|coding| coding.split_once(';').unwrap_or((coding, "")));
    let found = codings.find(|(name, _)| name.trim().eq_ignore_ascii_case(coding));
    found.map_or(0.0, |(_, weight)| match weight.trim().strip_prefix("q=") {
        Some(weight) => weight.parse().unwrap_or(0.0),
        None => 1.0,
    })
}

/// A compressed body would be read as JSON that is wrong at its first character.
pub(crate) fn refuse(headers: &HeaderMap) -> Result<()> {
    let encoding = headers.get(header::CONTENT_ENCODING).map(HeaderValue::as_bytes);
    match encoding.map(<[u8]>::trim_ascii) {
        None | Some(b"") => Ok(()),
        Some(plain) if plain.eq_ignore_ascii_case(b"identity") => Ok(()),
        Some(_) => Err(Error::invalid(
            "The body is encoded, as its header content-encoding says; send it as it is.",
        )),
    }
}

#[cfg(test)]
mod tests {
    use aws::{Body, HeaderMap, HeaderValue, header};

    use super::{MAX_REPLY_BYTES, SMALLEST, body};

    /// As the live channel of one server asks itself.
    const PREFERS_PLAIN: &str = "identity, gzip;q=0.5";

    fn accepting(codings: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(codings));
        headers
    }

    #[test]
    fn large_replies_are_compressed_for_those_who_accept_gzip() {
        let large = || "x".repeat(SMALLEST);
        let is_gzip =
            |codings, text| matches!(body(&accepting(codings), text), Ok(Body::Binary(_)));
        for codings in ["gzip", "br, GZIP;q=0.5", "gzip, deflate", "identity;q=0.5, gzip"] {
            assert!(is_gzip(codings, large()), "{codings}");
        }
        let plain = ["", "br", "gzip;q=0", "gzip;q=0.0, br", "x-gzip", "gzip;q=x", PREFERS_PLAIN];
        for codings in plain {
            assert!(!is_gzip(codings, large()), "{codings}");
        }
        assert!(!is_gzip("gzip", large().split_off(1)));
    }

    #[test]
    fn a_reply_is_at_most_what_lambda_takes() {
        let none = HeaderMap::new();
        assert!(body(&none, "x".repeat(MAX_REPLY_BYTES)).is_ok());
        let error = body(&none, "x".repeat(MAX_REPLY_BYTES + 1)).err().map(|error| error.message);
        let told = "The reply would be too large; accept gzip, or ask for a smaller page.";
        assert_eq!(error.as_deref(), Some(told));
        // Each of these needs a backslash.
        assert!(body(&none, "\"".repeat(MAX_REPLY_BYTES / 2 + 1)).is_err());
        for codings in ["gzip", PREFERS_PLAIN] {
            assert!(body(&accepting(codings), "x".repeat(3 * MAX_REPLY_BYTES)).is_ok());
        }
    }
}
