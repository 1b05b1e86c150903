//! Markdown as the document of an editor, by way of HTML, which it may have in it.

use std::collections::HashSet;

use error::Result;
use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, Options, Parser, Tag, TagEnd, html as rendered,
};
use serde_json::Value;

use crate::{
    forms::{
        html,
        lost::{Lost, MARKDOWN},
    },
    limits::{MAX_DEPTH, too_deep},
};

/// Maximum size of a source, in bytes: the parser takes a hundred times as much memory.
pub(super) const MAX_MARKDOWN: usize = 1_000_000;

/// The document that a source is, as JSON of ProseMirror.
///
/// # Errors
/// INVALID_ARGUMENT, when it has what an editor cannot hold, or is too large or too deep.
pub(crate) fn read(source: &str, lost: &mut Lost) -> Result<Value> {
    if source.len() > MAX_MARKDOWN {
        return Err(MARKDOWN.refuses(&format!("it has more than {MAX_MARKDOWN} bytes")));
    }
    if source.lines().any(|line| signs(line) > MAX_DEPTH) {
        return Err(too_deep());
    }
    parse(source, lost)
}

/// The number of quotes and items that a line begins.
fn signs(line: &str) -> usize {
    let is_sign =
        |c: char| c.is_ascii_digit() || matches!(c, '>' | ' ' | '\t' | '+' | '-' | '*' | '.' | ')');
    let prefix = &line.as_bytes()[..line.find(|c| !is_sign(c)).unwrap_or(line.len())];
    let is_item = |two: &[u8]| matches!(two, [b'+' | b'-' | b'*' | b'.' | b')', b' ' | b'\t']);
    prefix.iter().filter(|byte| **byte == b'>').count()
        + prefix.windows(2).filter(|two| is_item(two)).count()
}

/// Reads a source within the bounds.
pub(super) fn parse(source: &str, lost: &mut Lost) -> Result<Value> {
    let options =
        Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let parser = Parser::new_ext(source, options);
    let defined = parser.reference_definitions().iter();
    let defined = defined.map(|(label, it)| (label.to_owned(), it.dest.to_string())).collect();
    let events: Vec<Event<'_>> = parser.collect();
    lose_unused(defined, &events, lost);
    let mut mapped = Vec::with_capacity(events.len());
    let mut is_head = false;
    let mut is_code = false;
    let mut is_alone = false;
    for (at, event) in events.iter().enumerate() {
        let tag = |tag: &'static str| Event::Html(CowStr::Borrowed(tag));
        mapped.push(match event {
            // Editors have the number of the first item, and the spans of cells, in any case.
            Event::Start(Tag::List(Some(start))) => {
                Event::Html(format!("<ol start=\"{start}\">").into())
            }
            Event::End(TagEnd::List(true)) => tag("</ol>"),
            Event::Start(Tag::Item) => match task(&events[at + 1..]) {
                Some(checked) => Event::Html(format!("<li data-checked=\"{checked}\">").into()),
                None => tag("<li>"),
            },
            Event::End(TagEnd::Item) => tag("</li>"),
            Event::TaskListMarker(_) => continue,
            Event::Start(Tag::Paragraph) if is_picture(&events[at + 1..]) => {
                is_alone = true;
                continue;
            }
            Event::End(TagEnd::Paragraph) if std::mem::take(&mut is_alone) => continue,
            Event::Start(Tag::Table(aligned)) => {
                if aligned.iter().any(|it| *it != pulldown_cmark::Alignment::None) {
                    return Err(MARKDOWN.refuses("an editor cannot hold the alignment of a column"));
                }
                tag("<table>")
            }
            Event::End(TagEnd::Table) => tag("</table>"),
            Event::Start(row @ (Tag::TableHead | Tag::TableRow)) => {
                is_head = *row == Tag::TableHead;
                tag("<tr>")
            }
            Event::End(TagEnd::TableHead | TagEnd::TableRow) => tag("</tr>"),
            Event::Start(Tag::TableCell) if is_head => tag("<th colspan=\"1\" rowspan=\"1\"><p>"),
            Event::Start(Tag::TableCell) => tag("<td colspan=\"1\" rowspan=\"1\"><p>"),
            Event::End(TagEnd::TableCell) => tag(if is_head { "</p></th>" } else { "</p></td>" }),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(language)))
                if !language.is_empty() =>
            {
                is_code = true;
                let mut html = String::from("<pre><code class=\"language-");
                html::escape(language, &mut html);
                Event::Html((html + "\">").into())
            }
            Event::Start(Tag::CodeBlock(_)) => {
                is_code = true;
                tag("<pre><code>")
            }
            Event::End(TagEnd::CodeBlock) => {
                is_code = false;
                tag("</code></pre>")
            }
            // The line break at the end belongs to the fence.
            Event::Text(text) if is_code && matches!(events.get(at + 1), Some(Event::End(_))) => {
                Event::Text(text.strip_suffix('\n').unwrap_or(text).to_owned().into())
            }
            other => other.clone(),
        });
    }
    let mut html = String::new();
    rendered::push_html(&mut html, mapped.into_iter());
    html::read(&html, lost)
}

/// Notes the definitions of addresses, by label, to which no link leads: some are comments.
fn lose_unused(mut defined: Vec<(String, String)>, events: &[Event<'_>], lost: &mut Lost) {
    let addresses = events.iter().filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(&**dest_url),
        _ => None,
    });
    let used: HashSet<&str> = addresses.collect();
    defined.sort();
    for (label, address) in defined {
        if !used.contains(&*address) {
            lost.add("definition", label);
        }
    }
}

/// Whether an item begins with a box, and what is in it.
fn task(events: &[Event<'_>]) -> Option<bool> {
    match events {
        [Event::TaskListMarker(checked), ..]
        | [Event::Start(Tag::Paragraph), Event::TaskListMarker(checked), ..] => Some(*checked),
        _ => None,
    }
}

/// Whether a paragraph, which these events follow the begin of, is a picture alone: most editors have
/// pictures as blocks. A paragraph of one in HTML stays.
fn is_picture(events: &[Event<'_>]) -> bool {
    let mut open = 0;
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Image { .. }) => open += 1,
            Event::End(TagEnd::Image) => open -= 1,
            _ => {}
        }
        if open == 0 {
            return at > 0 && matches!(events.get(at + 1), Some(Event::End(TagEnd::Paragraph)));
        }
    }
    false
}
