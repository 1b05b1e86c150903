//! The anchors and links of a page.

use std::collections::{BTreeMap, BTreeSet};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A place of a page that a link may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Anchor {
    /// Line of the anchor, from 1.
    pub line: usize,
    /// Fragment behind `#` in a link.
    pub id: String,
    /// Whether the page names it by `<a id="…">`, apart from its headings.
    pub is_explicit: bool,
}

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// Line of the link, from 1.
    pub line: usize,
    /// Where it leads, as it is written.
    pub to: String,
}

pub(crate) fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// All anchors of a page: those of its headings, and those it names.
pub fn anchors(text: &str) -> Vec<Anchor> {
    let mut slugs = Slugs::default();
    let named = named(text).into_iter();
    let named = named.map(|(line, id)| Anchor { line, id, is_explicit: true });
    let headings = headings(text).into_iter();
    let headings =
        headings.map(|(line, title)| Anchor { line, id: slugs.next(&title), is_explicit: false });
    named.chain(headings).collect()
}

/// The headings of a page, with their lines.
pub fn headings(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut title = None;
    for (event, range) in parser(text).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { .. }) => title = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                found.extend(title.take().map(|title| (line(text, range.start), title)));
            }
            Event::Text(words) | Event::Code(words) => {
                title.iter_mut().for_each(|title| *title += &words);
            }
            _ => {}
        }
    }
    found
}

/// All links of a page, without those in its code.
pub fn links(text: &str) -> Vec<Link> {
    let events = parser(text).into_offset_iter();
    let links = events.filter_map(|(event, range)| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
            Some(Link { line: line(text, range.start), to: dest_url.into_string() })
        }
        _ => None,
    });
    links.collect()
}

/// The ids of `<a id="…">`.
fn named(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (event, range) in parser(text).into_offset_iter() {
        if let Event::InlineHtml(tag) | Event::Html(tag) = event {
            let ids = tag.split("<a id=\"").skip(1).filter_map(|rest| rest.split_once('"'));
            found.extend(ids.map(|(id, _)| (line(text, range.start), id.to_owned())));
        }
    }
    found
}

fn line(text: &str, offset: usize) -> usize {
    text[..offset].matches('\n').count() + 1
}

/// The anchors that GitHub gives to headings.
#[derive(Debug, Default)]
pub(crate) struct Slugs {
    counts: BTreeMap<String, usize>,
    used: BTreeSet<String>,
}

impl Slugs {
    /// The anchor of the next heading; the second of the same title ends with `-1`.
    pub(crate) fn next(&mut self, title: &str) -> String {
        let kept = title.chars().filter(|char| char.is_alphanumeric() || " -_".contains(*char));
        let slug: String = kept.collect::<String>().to_lowercase().replace(' ', "-");
        let count = self.counts.entry(slug.clone()).or_default();
        loop {
            let unique = if *count == 0 { slug.clone() } else { format!("{slug}-{count}") };
            *count += 1;
            if self.used.insert(unique.clone()) {
                return unique;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{anchors, headings, links};

    #[test]
    fn headings_have_the_anchors_of_github() {
        let text = "# Before end users come\n\n## `recordings.get` (4.7)\n\n## A\n\n## A\n\n```sh\n# no heading\n```\n";
        let ids: Vec<_> =
            anchors(text).into_iter().map(|anchor| (anchor.line, anchor.id)).collect();
        let wanted = [(1, "before-end-users-come"), (3, "recordingsget-47"), (5, "a"), (7, "a-1")];
        assert_eq!(ids, wanted.map(|(line, id)| (line, id.to_owned())));
        assert_eq!(headings(text)[1], (3, "recordings.get (4.7)".to_owned()));
    }

    #[test]
    fn a_page_names_anchors_of_its_own() {
        let text = "<a id=\"users.add\"></a>\n## users.add\n\n<a id=\"N8\"></a>**N8.** It is so.\n\n`<a id=\"no\"></a>`\n";
        let named = anchors(text).into_iter().filter(|anchor| anchor.is_explicit);
        let named: Vec<_> = named.map(|anchor| (anchor.line, anchor.id)).collect();
        assert_eq!(named, [(1, "users.add".to_owned()), (4, "N8".to_owned())]);
    }

    #[test]
    fn links_in_code_are_none() {
        let text = "a [b](c.md#d)\nand `[no](no.md)`\n![e](f.png)\n\n    [no](no.md)\n";
        let found: Vec<_> = links(text).into_iter().map(|link| (link.line, link.to)).collect();
        assert_eq!(found, [(1, "c.md#d".to_owned()), (3, "f.png".to_owned())]);
    }
}
