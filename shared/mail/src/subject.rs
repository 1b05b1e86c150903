use model::template::shorten;

use crate::{DocumentPart, Kind, Letter, sender::header_text};

/// Longest name of a document in a subject, in characters.
const MAX_NAME: usize = 120;

/// Longest subject, in characters.
const MAX_SUBJECT: usize = 255;

/// The name of a document without one.
pub(crate) const NO_NAME: &str = "Untitled document";

/// The subject: it never begins with user input, so that it cannot imitate another mail.
pub(crate) fn subject(letter: &Letter) -> String {
    match &letter.kind {
        Kind::Thread { document_name, .. } => {
            format!("Comment thread in {}", document(document_name, MAX_NAME))
        }
        Kind::Digest => digest(&letter.documents),
        Kind::Custom { subject, .. } => {
            let subject = shorten(header_text(subject).trim(), MAX_SUBJECT);
            if subject.is_empty() { "Notification".to_owned() } else { subject }
        }
    }
}

/// "3 new comments in Plan", "5 updates in 2 documents".
fn digest(documents: &[DocumentPart]) -> String {
    let count: usize = documents.iter().map(|part| part.items.len() + part.more).sum();
    let mut items = documents.iter().flat_map(|part| &part.items);
    let what = match (items.all(|item| item.is_comment), count) {
        (true, 1) => "new comment",
        (true, _) => "new comments",
        (false, 1) => "update",
        (false, _) => "updates",
    };
    match documents {
        [part] => format!("{count} {what} in {}", document(&part.name, MAX_NAME)),
        several => format!("{count} {what} in {} documents", several.len()),
    }
}

/// The name of a document on one line.
pub(crate) fn document(name: &str, max: usize) -> String {
    let name = header_text(name);
    let name = name.trim();
    if name.is_empty() { NO_NAME.to_owned() } else { shorten(name, max) }
}

#[cfg(test)]
mod tests {
    use super::subject;
    use crate::{Kind, sample};

    #[test]
    fn a_digest_says_how_much_happened_where() {
        let mut letter = sample::digest(&[("Plan", 3)]);
        assert_eq!(subject(&letter), "3 new comments in Plan");
        letter.documents[0].items[1].is_comment = false;
        letter.documents[0].more = 4;
        assert_eq!(subject(&letter), "7 updates in Plan");
        assert_eq!(subject(&sample::digest(&[("", 1)])), "1 new comment in Untitled document");
        let letter = sample::digest(&[("Plan", 3), ("Notes", 2)]);
        assert_eq!(subject(&letter), "5 new comments in 2 documents");
    }

    #[test]
    fn the_subject_of_a_thread_does_not_follow_the_name_of_the_document() {
        let mut letter = sample::thread();
        let before = subject(&letter);
        assert_eq!(before, "Comment thread in Plan");
        letter.documents[0].name = "Renamed".to_owned();
        letter.documents[0].items[0].quote = Some("other".to_owned());
        assert_eq!(subject(&letter), before);
    }

    #[test]
    fn a_subject_is_one_line_of_bounded_length() {
        let mut letter = sample::digest(&[("Plan\r\nBcc: x@evil.test\u{202E}\0", 1)]);
        assert_eq!(subject(&letter), "1 new comment in Plan Bcc: x@evil.test");
        letter.kind = Kind::Custom { subject: format!("a\nb{}", "ß".repeat(900)), body: None };
        let custom = subject(&letter);
        assert!(custom.starts_with("a bß") && custom.chars().count() == 255, "{custom}");
        letter.kind = Kind::Custom { subject: "\u{1}".to_owned(), body: None };
        assert_eq!(subject(&letter), "Notification");
    }
}
