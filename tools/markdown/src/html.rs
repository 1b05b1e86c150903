//! A page as HTML.

use pulldown_cmark::{Alignment, CowStr, Event, Tag, TagEnd};

use crate::{
    address,
    outline::{Slugs, headings, parser},
    resolve,
};

/// The content of a page as HTML. Its headings have anchors, and its relative links lead to the
/// addresses of pages; a link to a file that is not served becomes text.
///
/// HTML in the page is taken over: the text is that of the repository.
pub fn html(file: &str, text: &str, is_served: impl Fn(&str) -> bool) -> String {
    let mut slugs = Slugs::default();
    let mut titles = headings(text).into_iter().map(|(_, title)| title);
    let mut events = Vec::new();
    let mut are_links = Vec::new();
    for event in parser(text) {
        match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let id = titles.next().map(|title| CowStr::from(slugs.next(&title)));
                events.push(Event::Start(Tag::Heading { level, id, classes, attrs }));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let target = target(file, &dest_url, &is_served);
                are_links.push(target.is_some());
                events.extend(target.map(|target| {
                    Event::Start(Tag::Link { link_type, dest_url: target.into(), title, id })
                }));
            }
            Event::End(TagEnd::Link) if are_links.pop() == Some(false) => {}
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            // As an attribute `style`, which the policy of the page refuses.
            Event::Start(Tag::Table(columns)) => {
                events.push(Event::Start(Tag::Table(vec![Alignment::None; columns.len()])));
            }
            // A paragraph of anchors alone would be an empty line.
            Event::End(TagEnd::Paragraph) => {
                let is_tag = |event: &Event<'_>| matches!(event, Event::InlineHtml(_));
                match events.iter().rposition(|event| !is_tag(event)) {
                    Some(start) if matches!(events[start], Event::Start(Tag::Paragraph)) => {
                        events.remove(start);
                    }
                    _ => events.push(Event::End(TagEnd::Paragraph)),
                }
            }
            event => events.push(event),
        }
    }
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, events.into_iter());
    html
}

/// Where a link of the served page leads.
fn target(file: &str, link: &str, is_served: impl Fn(&str) -> bool) -> Option<String> {
    let Some((to, fragment)) = resolve(file, link).filter(|_| !link.starts_with('#')) else {
        return Some(link.to_owned());
    };
    let address = address(&to).filter(|_| is_served(&to))?;
    Some(fragment.map_or(address.clone(), |fragment| format!("{address}#{fragment}")))
}

/// A text within HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::html;

    fn rendered(text: &str) -> String {
        html("docs/contract/users.md", text, |file| file == "docs/contract/comments.md")
    }

    #[test]
    fn headings_and_names_are_anchors() {
        let wanted = "<a id=\"users.add\"></a>\n<h2 id=\"usersadd-419\">users.add (4.19)</h2>\n";
        assert_eq!(rendered("<a id=\"users.add\"></a>\n## users.add (4.19)\n"), wanted);
        let wanted = "<p><a id=\"N8\"></a>\nIt is so.</p>\n";
        assert_eq!(rendered("<a id=\"N8\"></a>\nIt is so.\n"), wanted);
    }

    #[test]
    fn links_lead_to_what_is_served() {
        let link = |to| rendered(&format!("[a](<{to}>)\n"));
        let to = |address: &str| format!("<p><a href=\"{address}\">a</a></p>\n");
        assert_eq!(link("comments.md#comments.add"), to("/docs/contract/comments#comments.add"));
        assert_eq!(link("#N8"), to("#N8"));
        assert_eq!(link("https://example.com/"), to("https://example.com/"));
        assert_eq!(link("../../README.md"), "<p>a</p>\n");
    }

    #[test]
    fn nothing_needs_an_inline_style() {
        let table = rendered("| a | b |\n|---|---:|\n| 1 | 2 |\n");
        assert!(table.contains("<td>2</td>") && !table.contains("style"), "{table}");
    }
}
