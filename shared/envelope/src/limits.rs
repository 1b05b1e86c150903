//! Limits of a body, checked before it is parsed.

use error::{Error, Result};

/// Largest request body in bytes (contract `conventions.sizes`).
pub const MAX_BODY_BYTES: usize = 5_500_000;
/// Deepest nesting of arrays and objects.
pub const MAX_DEPTH: usize = 64;
/// Maximum number of values (members, elements and containers) in one body. A parsed value takes up
/// to a kilobyte, so this bounds the memory of a call, which the size of the body does not.
pub const MAX_NODES: usize = 50_000;

/// Scans the bytes once, without allocating. The parser checks whether they are JSON.
pub(crate) fn check(body: &[u8]) -> Result<()> {
    if body.len() > MAX_BODY_BYTES {
        return Err(Error::invalid(format!("The body exceeds {MAX_BODY_BYTES} bytes.")));
    }
    let (mut depth, mut nodes, mut in_string, mut escaped) = (0_usize, 1_usize, false, false);
    for byte in body {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => {
                depth += 1;
                nodes += 1;
            }
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' => nodes += 1,
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(Error::invalid(format!("The body is nested deeper than {MAX_DEPTH}.")));
        }
        if nodes > MAX_NODES {
            return Err(Error::invalid(format!("The body holds more than {MAX_NODES} values.")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{MAX_BODY_BYTES, MAX_DEPTH, MAX_NODES, check};

    #[test]
    fn the_limits_themselves_are_allowed_and_one_more_is_not() {
        let deep = |n: usize| [vec![b'['; n], vec![b']'; n]].concat();
        assert!(check(&deep(MAX_DEPTH)).is_ok());
        assert!(check(&deep(MAX_DEPTH + 1)).is_err());

        let wide = |n: usize| format!("[{}0]", "0,".repeat(n - 2)).into_bytes();
        assert!(check(&wide(MAX_NODES - 1)).is_ok());
        assert!(check(&wide(MAX_NODES + 1)).is_err());

        assert!(check(&vec![b' '; MAX_BODY_BYTES]).is_ok());
        assert!(check(&vec![b' '; MAX_BODY_BYTES + 1]).is_err());
    }

    #[test]
    fn brackets_and_commas_in_strings_do_not_count() {
        let text = format!(r#"{{"data":"{}\"[[["}}"#, "[{,".repeat(MAX_NODES));
        assert!(check(text.as_bytes()).is_ok());
    }
}
