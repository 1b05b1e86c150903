//! Names that XML cannot hold, as [SQL/XML](https://www.iso.org/standard/76586.html) writes them:
//! each such character is `_xHHHH_`, its code in hexadecimal.

use std::{borrow::Cow, fmt::Write};

use super::{is_hash, starts_name};

/// A name as it is written in a tag.
pub(in crate::xml) fn written(name: &str) -> Cow<'_, str> {
    // The hash of a mark's name is no syntax, whatever it contains.
    let len = match name.rfind("--") {
        Some(at) if is_hash(&name[at + 2..]) => at,
        _ => name.len(),
    };
    let (kind, hash) = name.split_at(len);
    match escaped(kind, true) {
        Cow::Borrowed(_) => Cow::Borrowed(name),
        Cow::Owned(escaped) => Cow::Owned(escaped + hash),
    }
}

/// The key of an attribute as it is written in a tag.
pub(in crate::xml) fn written_key(key: &str) -> Cow<'_, str> {
    escaped(key, false)
}

fn escaped(name: &str, is_start: bool) -> Cow<'_, str> {
    let is_free = |at: usize, c: char| {
        let is_syntax = c.is_whitespace() || matches!(c, '=' | '>' | '<' | '/' | '"' | '\'' | '&');
        let is_escape = c == '_' && escape(&name[at..]).is_some();
        !is_syntax && !is_escape && (at > 0 || !is_start || starts_name(name))
    };
    if name.is_empty() {
        return Cow::Owned("_x_".to_owned());
    }
    if name.char_indices().all(|(at, c)| is_free(at, c)) {
        return Cow::Borrowed(name);
    }
    let mut escaped = String::new();
    for (at, c) in name.char_indices() {
        match is_free(at, c) {
            true => escaped.push(c),
            false => drop(write!(escaped, "_x{:04X}_", u32::from(c))),
        }
    }
    Cow::Owned(escaped)
}

/// The name that a tag means.
pub(in crate::xml) fn read(written: &str) -> Cow<'_, str> {
    if !written.contains("_x") {
        return Cow::Borrowed(written);
    }
    let mut name = String::new();
    let mut rest = written;
    while let Some(at) = rest.find('_') {
        name.push_str(&rest[..at]);
        let (c, len) = escape(&rest[at..]).unwrap_or((Some('_'), 1));
        name.extend(c);
        rest = &rest[at + len..];
    }
    Cow::Owned(name + rest)
}

/// The character of the escape at the start, none for an empty name, and its length.
fn escape(name: &str) -> Option<(Option<char>, usize)> {
    let body = name.strip_prefix("_x")?;
    let len = body.bytes().take(7).position(|byte| byte == b'_')?;
    if len == 0 {
        return Some((None, 3));
    }
    let digits = &body[..len];
    let is_code = len >= 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = is_code.then(|| u32::from_str_radix(digits, 16).ok())??;
    Some((Some(char::from_u32(code)?), len + 3))
}

#[cfg(test)]
mod tests {
    use super::{read, written, written_key};

    #[test]
    fn every_name_is_read_back() {
        for name in [
            "check list",
            "",
            "1",
            "😀",
            "_x0020_",
            "_x_",
            "a_x0041_b",
            "a=b",
            "<",
            "a/",
            "é\"'&>",
            "_",
            "_x",
            "a--b c",
            "comment--a/b+c=d/",
            "my mark--a/b+c=d/",
        ] {
            assert_eq!(read(&written(name)), name);
            assert_eq!(read(&written_key(name)), name);
        }
        assert_eq!(written("check list"), "check_x0020_list");
        assert_eq!((written(""), written_key("")), ("_x_".into(), "_x_".into()));
        for name in ["paragraph", "bulletList", "_a:b-c.d", "comment--a/b+c=d/", "c--abcdefg/"] {
            assert_eq!(written(name), name);
        }
    }
}
