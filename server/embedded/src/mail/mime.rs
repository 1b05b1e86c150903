//! The header of a mail: checks and replacements of SES.

use std::collections::BTreeSet;

use time::OffsetDateTime;

/// Bytes in a line without its end (RFC 5322, 2.1.1).
const MAX_LINE: usize = 998;

/// Headers that may occur only once.
const ONCE: &[&str] = &[
    "bcc",
    "cc",
    "content-transfer-encoding",
    "content-type",
    "date",
    "from",
    "in-reply-to",
    "list-id",
    "list-unsubscribe",
    "list-unsubscribe-post",
    "message-id",
    "mime-version",
    "references",
    "reply-to",
    "return-path",
    "sender",
    "subject",
    "to",
];

/// Reason for refusing a mail.
#[derive(Debug, PartialEq)]
pub(super) enum Defect {
    /// Not a mail.
    Malformed(String),
    /// A mail that SES rejects.
    Unwanted(String),
}

/// A header field: its name in lower case, and its lines with their ends.
struct Field<'a> {
    name: String,
    lines: &'a [u8],
}

/// The fields, and their end: the empty line or the end of the mail.
fn fields(raw: &[u8]) -> (Vec<Field<'_>>, usize) {
    let (mut fields, mut at) = (Vec::new(), 0);
    let line_end = |from: usize| {
        raw[from..].iter().position(|byte| *byte == b'\n').map_or(raw.len(), |n| from + n + 1)
    };
    while at < raw.len() && !matches!(raw[at], b'\r' | b'\n') {
        let start = at;
        at = line_end(at);
        // A line that begins with a space continues the previous one.
        while at < raw.len() && matches!(raw[at], b' ' | b'\t') {
            at = line_end(at);
        }
        let lines = &raw[start..at];
        let name = lines.split(|byte| *byte == b':').next().unwrap_or_default();
        let name = String::from_utf8_lossy(name).trim().to_ascii_lowercase();
        fields.push(Field { name, lines });
    }
    (fields, at)
}

pub(super) fn check(raw: &[u8]) -> Result<(), Defect> {
    let (fields, end) = fields(raw);
    let long = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).len() > MAX_LINE;
    if raw[..end].split(|byte| *byte == b'\n').any(long) {
        return Err(Defect::Malformed("Header line is longer than 998 bytes.".into()));
    }
    let mut seen = BTreeSet::new();
    for field in &fields {
        if !field.lines.contains(&b':') {
            return Err(Defect::Malformed("Expected ':' in a header line.".into()));
        }
        if ONCE.contains(&field.name.as_str()) && !seen.insert(field.name.as_str()) {
            return Err(Defect::Malformed(format!("Duplicate header '{}'.", field.name)));
        }
    }
    if !seen.contains("from") {
        return Err(Defect::Malformed("Missing required header 'From'.".into()));
    }
    if end == raw.len() {
        return Err(Defect::Unwanted("The message has no body.".into()));
    }
    Ok(())
}

/// The value of a field on one line.
pub(super) fn header(raw: &[u8], name: &str) -> Option<String> {
    let (fields, _) = fields(raw);
    let field = fields.into_iter().find(|field| field.name.eq_ignore_ascii_case(name))?;
    let text = String::from_utf8_lossy(field.lines).into_owned();
    Some(text.split_once(':')?.1.replace(['\r', '\n'], "").trim().to_owned())
}

/// The mail with an id and a date of SES in place of its own.
pub(super) fn stamp(raw: &[u8], id: &str, at: u64) -> Vec<u8> {
    let (fields, end) = fields(raw);
    let own = format!("Message-ID: <{id}@email.local>\r\nDate: {}\r\n", date(at));
    let mut stamped = own.into_bytes();
    for field in fields.iter().filter(|field| !matches!(&*field.name, "message-id" | "date")) {
        stamped.extend_from_slice(field.lines);
    }
    stamped.extend_from_slice(&raw[end..]);
    stamped
}

/// `Tue, 14 Nov 2023 22:13:20 +0000`
fn date(at: u64) -> String {
    let seconds = i64::try_from(at / 1000).unwrap_or(i64::MAX);
    let at = OffsetDateTime::from_unix_timestamp(seconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (weekday, month) = (at.weekday().to_string(), at.month().to_string());
    let (hour, minute, second) = at.to_hms();
    let (day, year) = (at.day(), at.year());
    format!("{weekday:.3}, {day} {month:.3} {year} {hour:02}:{minute:02}:{second:02} +0000")
}

#[cfg(test)]
mod tests {
    use super::{Defect, check, header, stamp};

    const MAIL: &[u8] = b"From: a@b.example\r\nMessage-ID: <own\r\n @own>\r\nSubject: A\r\n  B\r\n\
        date: yesterday\r\n\r\nDate: in the body\r\n";

    #[test]
    fn id_and_date_are_replaced_with_their_continuations() {
        let stamped = String::from_utf8(stamp(MAIL, "1", 1_700_000_000_000)).unwrap();
        assert_eq!(
            stamped,
            "Message-ID: <1@email.local>\r\nDate: Tue, 14 Nov 2023 22:13:20 +0000\r\n\
             From: a@b.example\r\nSubject: A\r\n  B\r\n\r\nDate: in the body\r\n"
        );
    }

    #[test]
    fn a_header_is_read_over_its_lines() {
        assert_eq!(header(MAIL, "subject").as_deref(), Some("A  B"));
        assert_eq!(header(MAIL, "to"), None);
    }

    #[test]
    fn a_line_of_998_bytes_is_the_longest() {
        let mail = |len: usize| {
            let line = format!("X: {}", "x".repeat(len - 3));
            format!("From: a@b.example\r\n{line}\r\n\r\nbody").into_bytes()
        };
        assert_eq!(check(&mail(998)), Ok(()));
        assert!(matches!(check(&mail(999)), Err(Defect::Malformed(_))));
        let body = format!("From: a@b.example\r\n\r\n{}", "x".repeat(2000));
        assert_eq!(check(body.as_bytes()), Ok(()));
    }

    #[test]
    fn a_mail_without_sender_or_with_two_subjects_is_refused() {
        for (mail, reason) in [
            ("To: a@b.example\r\n\r\nbody", "Missing required header 'From'."),
            (
                "From: a@b.example\r\nSubject: 1\r\nsubject: 2\r\n\r\n.",
                "Duplicate header 'subject'.",
            ),
            ("From: a@b.example\r\nnonsense\r\n\r\n.", "Expected ':' in a header line."),
        ] {
            assert_eq!(check(mail.as_bytes()), Err(Defect::Malformed(reason.into())));
        }
    }
}
