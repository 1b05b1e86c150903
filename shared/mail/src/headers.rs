//! The subject, and the headers for mail clients and machines: RFC 2369 (`List-*`), RFC 8058
//! (one-click unsubscribe), RFC 3834 (`Auto-Submitted`), and threading.

use base64::{Engine, engine::general_purpose::STANDARD};
use mail_builder::headers::{
    HeaderType, address::Address, message_id::MessageId, raw::Raw, text::Text, url::URL,
};
use model::{DocumentId, Millis, template::shorten};

use crate::{DocumentPart, Kind, Letter, page::web_link, sender::header_text};

/// Maximum length of a URL in a header line, which has at most 998 bytes (RFC 5322).
const MAX_URL_IN_HEADER: usize = 900;

/// Longest name of a document in a subject, in characters.
const MAX_NAME_IN_SUBJECT: usize = 120;

/// Longest subject, in characters.
const MAX_SUBJECT: usize = 255;

/// The name of a document without one.
pub(crate) const NO_NAME: &str = "Untitled document";

/// The sender in the statistics of mailbox providers: the same for all mails.
const SENDER_ID: &str = "roundtable";

/// Milliseconds from 1601 to 1970, and from 1970 to 2020.
const EPOCH: Millis = 11_644_473_600_000;
const YEAR_2020: Millis = 1_577_836_800_000;

/// The subject: it never begins with user input, so that it cannot imitate another mail.
pub(crate) fn subject(letter: &Letter) -> String {
    match &letter.kind {
        Kind::Thread { document_name, .. } => {
            format!("Comment thread in {}", self::document_name(document_name, MAX_NAME_IN_SUBJECT))
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
        [part] => format!("{count} {what} in {}", document_name(&part.name, MAX_NAME_IN_SUBJECT)),
        several => format!("{count} {what} in {} documents", several.len()),
    }
}

/// The name of a document on one line.
pub(crate) fn document_name(name: &str, max: usize) -> String {
    let name = header_text(name);
    let name = name.trim();
    if name.is_empty() { NO_NAME.to_owned() } else { shorten(name, max) }
}

/// The headers of a mail besides its envelope and body.
pub(crate) fn headers(letter: &Letter) -> Vec<(&'static str, HeaderType<'static>)> {
    let mut headers = vec![("List-Id", list_id(letter))];
    if let Some(url) = unsubscribe_url(letter) {
        headers.push(("List-Unsubscribe", URL::new(url.to_owned()).into()));
        headers.push(("List-Unsubscribe-Post", raw("List-Unsubscribe=One-Click")));
    }
    headers.push(("Auto-Submitted", raw("auto-generated")));
    headers.push(("X-Auto-Response-Suppress", raw("All")));
    headers.push(("Feedback-ID", raw(feedback_id(letter))));
    headers.push(("X-Service-Reason", raw(letter.reason.word())));
    match &letter.kind {
        Kind::Thread { document_id, annotation_id, .. } => {
            let thread = hash(&[
                letter.api_key.as_str(),
                letter.organization_id.as_str(),
                document_id.as_str(),
                annotation_id.as_str(),
            ]);
            headers.extend(conversation(letter, &thread));
        }
        // Gmail would group digests with equal subjects.
        Kind::Digest => headers.push(("X-Entity-Ref-ID", raw(plain_id(&letter.id)))),
        Kind::Custom { .. } => {}
    }
    headers
}

/// A root id without a mail, because relays replace the `Message-ID` of mails.
fn conversation(letter: &Letter, thread: &str) -> [(&'static str, HeaderType<'static>); 4] {
    let root = format!("t.{thread}@{}", letter.host);
    [
        ("References", MessageId::new(root.clone()).into()),
        ("In-Reply-To", MessageId::new(root).into()),
        ("Thread-Topic", Text::new(subject(letter)).into()),
        ("Thread-Index", raw(thread_index(thread, &letter.id, letter.at))),
    ]
}

/// Threading of Outlook: 22 bytes shared by the thread (a time, a GUID), then 5 bytes of the mail
/// (relative time, and random bits).
fn thread_index(thread: &str, id: &str, at: Millis) -> String {
    let mut index = Vec::with_capacity(27);
    // A FILETIME: 100 ns units since 1601; its first byte also marks the format.
    index.extend(&((EPOCH + YEAR_2020) * 10_000).to_be_bytes()[..6]);
    index.extend(&thread.as_bytes()[..16]);
    // In steps of 2^23 times 100 ns, as the top bit states.
    let since = at.saturating_sub(YEAR_2020).saturating_mul(10_000) >> 23;
    index.extend((since as u32 | 0x8000_0000).to_be_bytes());
    index.push(hash(&[id]).as_bytes()[0]);
    STANDARD.encode(index)
}

/// The document of all entries, or else the organization.
fn list_id(letter: &Letter) -> HeaderType<'static> {
    let tenant = letter.api_key.as_str();
    let organization = letter.organization_id.as_str();
    let list = format!("o-{}.{}", hash(&[tenant, organization]), letter.host);
    match document(letter) {
        Some((id, name)) => {
            let document = hash(&[tenant, organization, id.as_str()]);
            Address::new_address(Some(document_name(name, 64)), format!("d-{document}.{list}"))
        }
        None => Address::new_address(None::<String>, list),
    }
    .into()
}

fn document(letter: &Letter) -> Option<(&DocumentId, &str)> {
    match (&letter.kind, letter.documents.as_slice()) {
        (Kind::Thread { document_id, document_name, .. }, _) => Some((document_id, document_name)),
        (_, [part]) => Some((&part.id, &part.name)),
        _ => None,
    }
}

fn unsubscribe_url(letter: &Letter) -> Option<&str> {
    let url = web_link(&letter.unsubscribe_url)?;
    let fits = url.len() <= MAX_URL_IN_HEADER && url.is_ascii() && !url.contains(['<', '>']);
    fits.then_some(url)
}

fn feedback_id(letter: &Letter) -> String {
    let tenant = hash(&[letter.api_key.as_str()]);
    format!("{}:{}:{tenant}:{SENDER_ID}", letter.kind.word(), letter.reason.word())
}

/// An id in the form of a header.
pub(crate) fn plain_id(id: &str) -> String {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    let is_plain = (1..=128).contains(&id.len()) && id.bytes().all(is_plain);
    if is_plain { id.to_owned() } else { hash(&[id]) }
}

/// A digest of ids in 20 hexadecimal digits; lengths separate the ids.
fn hash(parts: &[&str]) -> String {
    let text: String = parts.iter().map(|part| format!("{}:{part}", part.len())).collect();
    let mut hash = keyring::sha256_hex(&text);
    hash.truncate(20);
    hash
}

fn raw(text: impl Into<std::borrow::Cow<'static, str>>) -> HeaderType<'static> {
    Raw::new(text).into()
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
