use mail_parser::{HeaderValue, Message, MessageParser, MimeHeaders};
use proptest::prelude::*;

use super::{Unsendable, compose};
use crate::{Kind, Letter, Reason, sample};

/// All header lines, unfolded: (name, value as it is on the wire).
fn wire(bytes: &[u8]) -> Vec<(String, String)> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let (head, _) = text.split_once("\r\n\r\n").unwrap();
    let unfolded = head.replace("\r\n ", " ").replace("\r\n\t", " ");
    let lines = unfolded.split("\r\n").map(|line| line.split_once(": ").unwrap());
    lines.map(|(name, value)| (name.to_owned(), value.trim().to_owned())).collect()
}

fn header(letter: &Letter, name: &str) -> Option<String> {
    let bytes = compose(letter).unwrap();
    let mut found = wire(&bytes).into_iter().filter(|(other, _)| other == name);
    let value = found.next().map(|(_, value)| value);
    assert!(found.next().is_none(), "{name} twice");
    value
}

fn with_parsed<R>(letter: &Letter, read: impl FnOnce(&Message<'_>) -> R) -> R {
    let bytes = compose(letter).unwrap();
    assert!(bytes.is_ascii(), "8-bit in {}", String::from_utf8_lossy(&bytes));
    assert!(bytes.split(|b| *b == b'\n').all(|line| line.len() <= 998), "a line is too long");
    read(&MessageParser::default().parse(&bytes).unwrap())
}

fn text(letter: &Letter) -> String {
    with_parsed(letter, |mail| mail.body_text(0).unwrap().replace("\r\n", "\n"))
}

fn html(letter: &Letter) -> String {
    with_parsed(letter, |mail| mail.body_html(0).unwrap().into_owned())
}

#[test]
fn a_mail_has_both_parts_in_one_alternative() {
    with_parsed(&sample::thread(), |mail| {
        let kind = mail.content_type().unwrap();
        assert_eq!((kind.ctype(), kind.subtype()), ("multipart", Some("alternative")));
        assert_eq!((mail.text_body_count(), mail.html_body_count()), (1, 1));
        assert_eq!((mail.parts.len(), mail.attachment_count()), (3, 0));
        for (part, subtype) in mail.parts[1..].iter().zip(["plain", "html"]) {
            let kind = part.content_type().unwrap();
            assert_eq!((kind.ctype(), kind.subtype()), ("text", Some(subtype)));
            assert_eq!(kind.attribute("charset"), Some("utf-8"));
        }
    });
    assert_eq!(
        text(&sample::thread()),
        "Comment thread in Plan

== Plan
   https://app.test/d

* Ann Lee commented (2026-11-20 08:00 UTC)
  > quote 1.
  https://app.test/d?c=1&x=2

-- 
You get this because you were mentioned.
Unsubscribe: https://rt.acme.test/u/k1.abc.def"
    );
}

#[test]
fn a_mail_of_a_thread_carries_the_headers_of_its_conversation() {
    let letter = sample::thread();
    let bytes = compose(&letter).unwrap();
    let names: Vec<_> = wire(&bytes).into_iter().map(|(name, _)| name).collect();
    assert_eq!(
        names,
        [
            "Message-ID",
            "Date",
            "From",
            "To",
            "Subject",
            "List-Id",
            "List-Unsubscribe",
            "List-Unsubscribe-Post",
            "Auto-Submitted",
            "X-Auto-Response-Suppress",
            "Feedback-ID",
            "X-Service-Reason",
            "References",
            "In-Reply-To",
            "Thread-Topic",
            "Thread-Index",
            "MIME-Version",
            "Content-Type"
        ]
    );
    for (name, value) in [
        ("Message-ID", "<01JD0000000000000000000000@rt.acme.test>"),
        ("Date", "Fri, 20 Nov 2026 08:00:00 +0000"),
        ("List-Unsubscribe", "<https://rt.acme.test/u/k1.abc.def>"),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("Auto-Submitted", "auto-generated"),
        ("X-Auto-Response-Suppress", "All"),
        ("X-Service-Reason", "mention"),
        ("Subject", "Comment thread in Plan"),
        ("Thread-Topic", "Comment thread in Plan"),
    ] {
        assert_eq!(header(&letter, name).as_deref(), Some(value), "{name}");
    }
    let feedback = header(&letter, "Feedback-ID").unwrap();
    assert!(feedback.starts_with("thread:mention:") && feedback.ends_with(":roundtable"));
    assert!(!feedback.contains("key"), "{feedback}");
}

#[test]
fn all_mails_of_a_thread_and_no_others_share_its_root() {
    let one = sample::thread();
    let mut next = Letter { id: "01JE".to_owned(), at: one.at + 3_600_000, ..sample::thread() };
    next.documents[0].name = "Renamed".to_owned();
    let mut other = sample::thread();
    let Kind::Thread { annotation_id, .. } = &mut other.kind else { panic!() };
    *annotation_id = "a2".to_owned().try_into().unwrap();
    let of_tenant = Letter { api_key: "key 2".to_owned().try_into().unwrap(), ..sample::thread() };
    for name in ["References", "In-Reply-To"] {
        let root = header(&one, name).unwrap();
        assert!(root.starts_with("<t.") && root.ends_with("@rt.acme.test>"), "{root}");
        assert_eq!(header(&next, name).unwrap(), root);
        assert_ne!(header(&other, name).unwrap(), root);
        assert_ne!(header(&of_tenant, name).unwrap(), root);
    }
    let index = |letter: &Letter| header(letter, "Thread-Index").unwrap();
    // 20 characters of base64 are 15 bytes; 28 are 21 of the 22 that a thread shares.
    assert_eq!(index(&one).len(), 36);
    assert_eq!(index(&one)[..28], index(&next)[..28]);
    assert_ne!(index(&one)[28..], index(&next)[28..]);
    assert_ne!(index(&one)[..28], index(&other)[..28]);
    assert!(index(&one).starts_with("AdXAN"), "the start of 2020: {}", index(&one));
    assert_eq!(header(&one, "Subject"), header(&next, "Subject"));
}

#[test]
fn a_digest_belongs_to_no_conversation() {
    let letter = sample::digest(&[("Plan", 2), ("Notes", 1)]);
    for name in ["References", "In-Reply-To", "Thread-Topic", "Thread-Index"] {
        assert_eq!(header(&letter, name), None, "{name}");
    }
    assert_eq!(header(&letter, "X-Entity-Ref-ID").as_deref(), Some(letter.id.as_str()));
    let list = header(&letter, "List-Id").unwrap();
    assert!(list.starts_with("<o-") && list.ends_with(".rt.acme.test>"), "{list}");
    let list = header(&sample::digest(&[("Plän", 2)]), "List-Id").unwrap();
    assert!(list.starts_with("=?utf-8?") && list.contains(" <d-"), "{list}");
    let custom = Kind::Custom { subject: "Hi".to_owned(), body: None };
    assert_eq!(header(&Letter { kind: custom, ..letter }, "X-Entity-Ref-ID"), None);
}

#[test]
fn names_of_any_script_arrive_as_they_were() {
    for name in
        ["Zoë Müller", "שלום עולם", "محمد", "安倍 太郎", "👩‍👩‍👧 Family", "\"Q\", (c) <x@y>; \\ ="]
    {
        let mut letter = sample::thread();
        letter.from.name = Some(format!("{name} via Acme"));
        letter.to.name = Some(name.to_owned());
        letter.reply_to = Some(sample::address("reply@acme.test", name));
        let Kind::Thread { document_name, .. } = &mut letter.kind else { panic!() };
        *document_name = name.to_owned();
        letter.documents[0].items[0].actor_name = name.to_owned();
        with_parsed(&letter, |mail| {
            let from = mail.from().unwrap().first().unwrap();
            assert_eq!(from.name(), Some(format!("{name} via Acme").as_str()));
            assert_eq!(from.address(), Some("noreply@acme.test"));
            let to = mail.to().unwrap();
            assert_eq!((to.iter().count(), to.first().unwrap().name()), (1, Some(name)));
            assert_eq!(mail.reply_to().unwrap().first().unwrap().name(), Some(name));
            assert_eq!(mail.subject(), Some(format!("Comment thread in {name}").as_str()));
            let list = mail.header("List-Id").unwrap();
            assert!(
                matches!(list, HeaderValue::Address(list)
                if list.first().unwrap().name() == Some(name)),
                "{list:?}"
            );
            assert!(mail.body_text(0).unwrap().contains(name));
        });
    }
}

#[test]
fn no_name_adds_a_header_or_ends_the_head() {
    let clean: Vec<_> = wire(&compose(&sample::thread()).unwrap());
    let clean: Vec<_> = clean.into_iter().map(|(name, _)| name).collect();
    for evil in [
        "x\r\nBcc: victim@evil.test",
        "x\nBcc: victim@evil.test\n\nbody",
        "x\rBcc: y\r\r",
        "x\u{2028}Bcc: y\u{85}\u{0}",
        "=?utf-8?Q?x=0D=0ABcc:_victim@evil.test?=",
        "\u{202E}txt.exe\u{2066}",
    ] {
        let mut letter = sample::thread();
        letter.from.name = Some(evil.to_owned());
        letter.to.name = Some(evil.to_owned());
        letter.id = evil.to_owned();
        letter.preheader = evil.to_owned();
        letter.unsubscribe_url = format!("https://x.test/{evil}");
        letter.documents[0].name = evil.to_owned();
        letter.documents[0].link = Some(evil.to_owned());
        let Kind::Thread { document_name, .. } = &mut letter.kind else { panic!() };
        *document_name = evil.to_owned();
        let item = &mut letter.documents[0].items[0];
        item.actor_name = evil.to_owned();
        item.action = evil.to_owned();
        item.link = Some(format!("javascript:{evil}"));
        let bytes = compose(&letter).unwrap();
        let names: Vec<_> = wire(&bytes).into_iter().map(|(name, _)| name).collect();
        let wanted: Vec<_> = clean.iter().filter(|name| names.contains(name)).collect();
        assert_eq!(names.iter().collect::<Vec<_>>(), wanted, "{evil:?}");
        assert!(names.contains(&"X-Service-Reason".to_owned()));
        with_parsed(&letter, |mail| {
            assert!(mail.bcc().is_none());
            let unwanted = |c: char| c.is_control() || matches!(c, '\u{202A}'..='\u{202E}');
            let name = mail.from().unwrap().first().unwrap().name().unwrap();
            let list = mail.header("List-Id").unwrap().as_address().unwrap();
            let list = list.first().unwrap().name().unwrap();
            let topic = mail.header("Thread-Topic").unwrap().as_text().unwrap();
            for shown in [name, list, topic, mail.subject().unwrap()] {
                assert!(!shown.contains(unwanted), "{shown:?}");
            }
            assert_eq!(mail.parts.len(), 3);
        });
    }
}

#[test]
fn html_shows_what_users_wrote_as_text() {
    let mut letter = sample::thread();
    let evil = "<script>alert(1)</script>\"'&<a href=x onclick=y>";
    letter.preheader = evil.to_owned();
    letter.documents[0].name = evil.to_owned();
    letter.documents[0].items[0] = crate::Item {
        actor_name: evil.to_owned(),
        action: evil.to_owned(),
        link: Some("https://x.test/\"onmouseover=\"alert(1)".to_owned()),
        ..sample::item(evil)
    };
    let html = html(&letter);
    assert!(!html.contains("<script") && !html.contains("<a href=x"), "{html}");
    assert!(!html.contains("\"onmouseover"), "{html}");
    assert_eq!(html.matches("<a ").count(), 3, "{html}");
    assert!(text(&letter).contains(evil), "plain text is not escaped");
}

#[test]
fn only_web_links_are_links() {
    let mut letter = sample::thread();
    letter.documents[0].link = Some("javascript:alert(1)".to_owned());
    letter.documents[0].items[0].link = Some("data:text/html,x".to_owned());
    let (html, text) = (html(&letter), text(&letter));
    assert_eq!(html.matches("<a ").count(), 1, "unsubscribe alone: {html}");
    assert!(!html.contains("javascript:") && !html.contains("data:"), "{html}");
    assert!(!text.contains("javascript:") && !text.contains("data:"), "{text}");
    let links = html.contains(r#"<a href="https://rt.acme.test/u/k1.abc.def">Unsubscribe</a>"#);
    assert!(links, "{html}");
}

#[test]
fn a_digest_shows_ten_items_of_a_document_and_counts_the_rest() {
    let mut letter = sample::digest(&[("Plan", 50), ("Notes", 2)]);
    letter.documents[0].more = 5;
    let (html, text) = (html(&letter), text(&letter));
    for page in [&html, &text] {
        assert_eq!(page.matches("Ann Lee").count(), 12 + usize::from(page == &html), "{page}");
        assert!(page.contains("and 45 more"), "{page}");
        let at = |what: &str| page.find(what).unwrap_or_else(|| panic!("no {what} in {page}"));
        assert!(at("quote 1.") < at("quote 2.") && at("quote 10.") < at("Notes"), "{page}");
        assert!(!page.contains("quote 11."), "{page}");
    }
    let many: Vec<_> = (0..60).map(|_| ("Plan", 1)).collect();
    let page = self::text(&sample::digest(&many));
    assert_eq!(page.matches("== Plan").count(), 50);
    assert!(page.contains("and 10 more documents"), "{page}");
}

#[test]
fn a_quote_is_one_short_line_or_nothing() {
    let mut letter = sample::thread();
    letter.documents[0].items[0].quote = Some("a\r\n\tb\u{202E}\0".to_owned());
    assert!(text(&letter).contains("  > a b\n"), "{}", text(&letter));
    letter.documents[0].items[0].quote = Some("👩‍👩‍👧".repeat(200));
    let page = text(&letter);
    let quote = page.lines().find_map(|line| line.strip_prefix("  > ")).unwrap();
    assert_eq!(quote, format!("{}…", "👩‍👩‍👧".repeat(55)), "275 characters and the ellipsis");
    for empty in [None, Some(String::new()), Some(" \n\u{7}".to_owned())] {
        letter.documents[0].items[0].quote = empty;
        assert!(!text(&letter).contains("  >"), "{}", text(&letter));
        assert!(!html(&letter).contains("blockquote"));
    }
}

#[test]
fn contents_can_be_left_out() {
    let body = Some("the body".to_owned());
    let kind = Kind::Custom { subject: "Build done".to_owned(), body };
    let mut letter = Letter { kind, reason: Reason::Custom, ..sample::thread() };
    letter.preheader = "the preheader".to_owned();
    let secrets = ["the body", "the preheader", "quote 1."];
    assert!(secrets.iter().all(|secret| html(&letter).contains(secret)));
    letter.include_contents = false;
    for page in [html(&letter), text(&letter)] {
        assert!(secrets.iter().all(|secret| !page.contains(secret)), "{page}");
        assert!(page.contains("Ann Lee") && page.contains("Build done"), "{page}");
    }
}

#[test]
fn a_link_too_long_for_a_header_stays_in_the_body() {
    let mut letter = sample::thread();
    letter.unsubscribe_url = format!("https://rt.acme.test/u/{}", "a".repeat(1500));
    assert_eq!(header(&letter, "List-Unsubscribe"), None);
    assert_eq!(header(&letter, "List-Unsubscribe-Post"), None);
    assert!(text(&letter).contains(&letter.unsubscribe_url));
}

#[test]
fn what_no_relay_takes_is_not_composed() {
    let mut letter = sample::thread();
    letter.to = sample::address("ßob@x.test", "Bob");
    assert_eq!(compose(&letter), Err(Unsendable::Address));
    letter.to = sample::address("\"a b\"@x.test", "Bob");
    assert_eq!(compose(&letter), Err(Unsendable::Address));
    for host in ["", "a b", "x.test>\r\nBcc: y", "x.test:80"] {
        let letter = Letter { host: host.to_owned(), ..sample::thread() };
        assert_eq!(compose(&letter), Err(Unsendable::Host), "{host}");
    }
}

#[test]
fn equal_letters_make_equal_mails() {
    assert_eq!(compose(&sample::thread()), compose(&sample::thread()));
}

proptest! {
    #[test]
    fn any_text_makes_a_mail_that_parses(
        name in "\\PC{0,80}|[\r\n\t\\PC]{0,40}",
        quote in "[\r\n\\PC<>&-]{0,400}",
    ) {
        let mut letter = sample::digest(&[("Plan", 1)]);
        letter.to.name = Some(name.clone());
        letter.documents[0].name = name.clone();
        letter.documents[0].items[0].actor_name = name;
        letter.documents[0].items[0].quote = Some(quote);
        let plain = sample::digest(&[("Plan", 1)]);
        let names = |letter: &Letter| -> Vec<_> {
            wire(&compose(letter).unwrap()).into_iter().map(|(name, _)| name).collect()
        };
        prop_assert_eq!(names(&letter), names(&plain));
        with_parsed(&letter, |mail| {
            assert_eq!(mail.parts.len(), 3);
            let tags = |html: &str| html.matches('<').count();
            let expected = tags(&mail.body_html(0).unwrap());
            // A blank quote has no <blockquote>.
            assert!([tags(&html(&plain)), tags(&html(&plain)) - 2].contains(&expected));
        });
    }
}
