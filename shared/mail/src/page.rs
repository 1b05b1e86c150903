use askama::Template;
use model::{
    Millis, Timestamp, Url,
    template::{one_line, shorten},
};

use crate::{DocumentPart, Item, Kind, Letter, Unsendable, headers, sender};

/// Maximum number of documents in one mail, and of items in each.
const MAX_DOCUMENTS: usize = 50;
const MAX_ITEMS: usize = 10;

/// Longest quotation, and longest body of a custom notification, in characters.
const MAX_QUOTE: usize = 280;
const MAX_BODY: usize = 2000;

/// Longest name of a document, preheader or predicate, in characters.
const MAX_LINE: usize = 200;

/// The displayed content of a mail, for both formats: every text is on one line and of bounded
/// length. The HTML template escapes them.
pub(crate) struct Page {
    title: String,
    preheader: Option<String>,
    body: Option<String>,
    sections: Vec<Section>,
    more_documents: usize,
    why: &'static str,
    unsubscribe: Option<String>,
}

struct Section {
    name: String,
    link: Option<String>,
    rows: Vec<Row>,
    more: usize,
}

struct Row {
    actor: String,
    initials: String,
    action: String,
    quote: Option<String>,
    link: Option<String>,
    at: String,
}

#[derive(Template)]
#[template(path = "mail.html")]
struct Html<'a> {
    page: &'a Page,
}

#[derive(Template)]
#[template(path = "mail.txt", escape = "none")]
struct Text<'a> {
    page: &'a Page,
}

impl Page {
    /// The displayed part of a mail.
    pub(crate) fn from_letter(letter: &Letter) -> Self {
        let contents = letter.include_contents;
        let body = match &letter.kind {
            Kind::Custom { body, .. } if contents => body.as_deref(),
            _ => None,
        };
        let preheader = Some(letter.preheader.as_str()).filter(|_| contents);
        let shown = letter.documents.iter().take(MAX_DOCUMENTS);
        Self {
            title: headers::subject(letter),
            preheader: preheader.and_then(|text| line(text, MAX_LINE)),
            body: body.and_then(|text| line(text, MAX_BODY)),
            sections: shown.map(|part| section(part, contents)).collect(),
            more_documents: letter.documents.len().saturating_sub(MAX_DOCUMENTS),
            why: letter.reason.sentence(),
            unsubscribe: link(&letter.unsubscribe_url),
        }
    }

    /// As a web page.
    pub(crate) fn html(&self) -> Result<String, Unsendable> {
        Html { page: self }.render().map_err(|_| Unsendable::Page)
    }

    /// As plain text.
    pub(crate) fn text(&self) -> Result<String, Unsendable> {
        Text { page: self }.render().map_err(|_| Unsendable::Page)
    }
}

fn section(part: &DocumentPart, contents: bool) -> Section {
    Section {
        name: headers::document_name(&part.name, MAX_LINE),
        link: part.link.as_deref().and_then(link),
        rows: part.items.iter().take(MAX_ITEMS).map(|item| row(item, contents)).collect(),
        more: part.items.len().saturating_sub(MAX_ITEMS).saturating_add(part.more),
    }
}

fn row(item: &Item, contents: bool) -> Row {
    let actor = Some(sender::short_name(&item.actor_name)).filter(|name| !name.is_empty());
    let actor = actor.unwrap_or_else(|| "Somebody".to_owned());
    Row {
        initials: initials(&actor),
        actor,
        action: line(&item.action, MAX_LINE).unwrap_or_default(),
        quote: item.quote.as_deref().filter(|_| contents).and_then(|text| line(text, MAX_QUOTE)),
        link: item.link.as_deref().and_then(link),
        at: minute(item.at),
    }
}

fn line(text: &str, max: usize) -> Option<String> {
    let text = one_line(text);
    Some(text.trim()).filter(|text| !text.is_empty()).map(|text| shorten(text, max))
}

/// The first letters of the first and the last part of a name.
fn initials(name: &str) -> String {
    let mut parts = name.split_whitespace().filter_map(|part| part.chars().next());
    let first = parts.next();
    first.into_iter().chain(parts.next_back()).flat_map(char::to_uppercase).collect()
}

/// "2026-11-20 08:00 UTC".
fn minute(at: Millis) -> String {
    let shown = Timestamp(at).to_string().replace('T', " ");
    format!("{} UTC", shown.get(..16).unwrap_or(&shown))
}

/// A URL for readers: http or https, otherwise none.
pub(crate) fn web_link(url: &str) -> Option<&str> {
    let is_link = !url.is_empty() && Url::try_from(url.to_owned()).is_ok() && one_line(url) == url;
    is_link.then_some(url)
}

fn link(url: &str) -> Option<String> {
    web_link(url).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{initials, minute, web_link};

    #[test]
    fn only_web_links_lead_anywhere() {
        for url in ["https://x.test/a?b=c#d", "http://localhost:3000/u/t"] {
            assert_eq!(web_link(url), Some(url));
        }
        for url in [
            "",
            "javascript:alert(1)",
            "data:text/html,x",
            "//x.test",
            "https://",
            "ftp://x.test",
            "https://x.test/\r\nBcc: y",
            "https://x.test/\u{202E}gpj",
        ] {
            assert_eq!(web_link(url), None, "{url:?}");
        }
    }

    #[test]
    fn initials_are_of_the_first_and_the_last_name() {
        for (name, shown) in [("Ann", "A"), ("ann von bo", "AB"), ("ßa", "SS"), ("🐙 x", "🐙X")]
        {
            assert_eq!(initials(name), shown);
        }
    }

    #[test]
    fn a_time_is_shown_to_the_minute() {
        assert_eq!(minute(1_795_161_600_123), "2026-11-20 08:00 UTC");
    }
}
