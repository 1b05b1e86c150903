//! A rich text as HTML. What has no tag of its own is an element that names it, so that all of it is
//! read back.

mod dom;
mod marks;
mod read;
mod tags;

use std::fmt::Write;

use error::Result;
use serde_json::{Map, Value};

use super::lost::Lost;
use crate::limits::{MAX_MARKS, too_many_marks};
pub(crate) use read::read;
use tags::{CODE_BLOCKS, HEADING, MARKS, NODES, Tag};

/// A place, by the elements that may stand there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Flow,
    Phrasing,
    Code,
    List,
    Table,
    Row,
}

/// The HTML of a document.
///
/// # Errors
/// RESOURCE_EXHAUSTED when marks exceed their bound.
pub(crate) fn write(document: &Value, lost: &mut Lost) -> Result<String> {
    let mut writer = Writer { out: String::new(), marks: 0, is_line: false, lost };
    let content = content(document);
    if content.iter().any(is_phrase) {
        writer.lost.add("text", "outside of blocks");
    }
    content.iter().for_each(|node| writer.node(node, Place::Flow));
    if writer.marks > MAX_MARKS {
        return Err(too_many_marks());
    }
    Ok(writer.out)
}

/// A block in one line.
pub(super) fn block(node: &Value, lost: &mut Lost) -> String {
    in_line(node, Place::Flow, lost)
}

/// An element among words.
pub(super) fn phrase(node: &Value, lost: &mut Lost) -> String {
    in_line(node, Place::Phrasing, lost)
}

fn in_line(node: &Value, place: Place, lost: &mut Lost) -> String {
    let mut writer = Writer { out: String::new(), marks: 0, is_line: true, lost };
    writer.node(node, place);
    writer.out
}

/// The tags before and behind words with these marks.
pub(super) fn tags_of(marks: &[&Value]) -> (String, String) {
    let mut lost = Lost::default();
    let mut writer = Writer { out: String::new(), marks: 0, is_line: true, lost: &mut lost };
    let open = writer.open(marks.iter().copied());
    let close = open.into_iter().rev().map(|name| format!("</{name}>")).collect();
    (writer.out, close)
}

/// Adds a text that is no markup.
pub(super) fn escape(text: &str, out: &mut String) {
    let mut lost = Lost::default();
    let mut writer = Writer { out: String::new(), marks: 0, is_line: true, lost: &mut lost };
    writer.escape(text, Place::Code);
    out.push_str(&writer.out);
}

pub(super) fn content(node: &Value) -> &[Value] {
    node["content"].as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn name(node: &Value) -> &str {
    node["type"].as_str().unwrap_or_default()
}

/// Whether a reader would put the node into a paragraph, if it stood between blocks.
pub(super) fn is_phrase(node: &Value) -> bool {
    node["text"].is_string() || tags::of(NODES, name(node)).is_some_and(|tag| tag.name == "br")
}

struct Writer<'a> {
    out: String,
    marks: usize,
    /// Whether line breaks are references.
    is_line: bool,
    lost: &'a mut Lost,
}

impl Writer<'_> {
    fn node(&mut self, node: &Value, place: Place) {
        // Content beyond the bound is refused, not written.
        if self.marks > MAX_MARKS {
            return;
        }
        if let Some(text) = node["text"].as_str() {
            return self.text(text, &node["marks"], place);
        }
        let attributes = node["attrs"].as_object();
        let level = attributes.and_then(|it| it.get("level")?.as_i64());
        match (name(node), level) {
            (HEADING, Some(level @ 1..=6)) if place == Place::Flow => {
                let skipped = Skipped { default: true, key: Some("level") };
                self.element(&format!("h{level}"), None, node, skipped, Place::Phrasing);
            }
            (kind, _) if CODE_BLOCKS.contains(&kind) && place == Place::Flow && is_code(node) => {
                self.code_block(node);
            }
            (kind, _) => {
                let tag = tags::of(NODES, kind).filter(|tag| fits(tag, node, place));
                let inner = match (tag.map(|tag| tag.name), place) {
                    (Some("p"), _) | (None, Place::Phrasing | Place::Code) => Place::Phrasing,
                    (Some("ul" | "ol"), _) => Place::List,
                    (Some("table"), _) => Place::Table,
                    (Some("tr"), _) => Place::Row,
                    _ => Place::Flow,
                };
                let is_inline = matches!(place, Place::Phrasing | Place::Code);
                let other = if is_inline { "span" } else { "div" };
                // A reader puts words between blocks into a paragraph, unless the tag is named.
                let is_tasks = |child: &Value| name(child) == "taskItem";
                let is_named = (inner == Place::Flow && content(node).iter().any(is_phrase))
                    || (kind == "bulletList" && content(node).iter().any(is_tasks));
                let default = tag.is_some_and(|tag| tag.kinds[0] == kind) && !is_named;
                let skipped = Skipped { default, key: None };
                self.element(tag.map_or(other, |tag| tag.name), tag, node, skipped, inner);
            }
        }
    }

    fn element(&mut self, name: &str, tag: Option<&Tag>, node: &Value, of: Skipped, inner: Place) {
        let _ = write!(self.out, "<{name}");
        let kind = self::name(node);
        if !of.default {
            self.attribute("data-type", kind);
        }
        self.attributes(tag, node["attrs"].as_object(), of.key);
        let label = label(node);
        if let Some(label) = &label {
            self.attribute("data-label", label);
        }
        self.out.push('>');
        if matches!(name, "br" | "hr" | "img") {
            return;
        }
        if let Some(label) = label {
            self.escape(&label, Place::Code);
        }
        content(node).iter().for_each(|child| self.node(child, inner));
        let _ = write!(self.out, "</{name}>");
    }

    fn code_block(&mut self, node: &Value) {
        let language = node["attrs"]["language"].as_str();
        let language = language.filter(|it| !it.is_empty() && !it.contains(char::is_whitespace));
        self.out.push_str("<pre");
        if name(node) != CODE_BLOCKS[0] {
            self.attribute("data-type", name(node));
        }
        self.attributes(None, node["attrs"].as_object(), language.map(|_| "language"));
        self.out.push_str("><code");
        if let Some(language) = language {
            self.attribute("class", &format!("language-{language}"));
        }
        self.out.push('>');
        content(node).iter().for_each(|child| self.node(child, Place::Code));
        self.out.push_str("</code></pre>");
    }

    /// Writes attributes, except one: those of the tag, and the rest as JSON.
    fn attributes(
        &mut self,
        tag: Option<&Tag>,
        all: Option<&Map<String, Value>>,
        without: Option<&str>,
    ) {
        let mut rest = Map::new();
        for (key, value) in
            all.into_iter().flatten().filter(|(key, _)| Some(key.as_str()) != without)
        {
            let own = tag.and_then(|tag| tag.attributes.iter().find(|(own, ..)| own == key));
            match own.and_then(|(_, attribute, of)| Some((attribute, of.written(value)?))) {
                Some((attribute, value)) => self.attribute(attribute, &value),
                None => drop(rest.insert(key.clone(), value.clone())),
            }
        }
        if !rest.is_empty() {
            let json = Value::Object(rest).to_string();
            let json = json.replace('&', "&amp;").replace('\'', "&#39;").replace('<', "&lt;");
            let _ = write!(self.out, " data-attrs='{json}'");
        }
    }

    fn attribute(&mut self, key: &str, value: &str) {
        let _ = write!(self.out, " {key}=\"");
        self.escape(value, Place::Code);
        self.out.push('"');
    }

    fn text(&mut self, text: &str, marks: &Value, place: Place) {
        let start = self.out.len();
        let open = self.open(marks.as_array().into_iter().flatten());
        self.marks += self.out.len() - start;
        self.escape(text, place);
        for name in open.into_iter().rev() {
            let _ = write!(self.out, "</{name}>");
        }
    }

    /// Opens the tags of marks, and returns their names.
    fn open<'a>(&mut self, marks: impl Iterator<Item = &'a Value>) -> Vec<&'static str> {
        let mut open = Vec::new();
        for mark in marks {
            let kind = name(mark);
            // An element within one of the same tag would end it.
            let tag = tags::of(MARKS, kind).filter(|tag| !open.contains(&tag.name));
            let _ = write!(self.out, "<{}", tag.map_or("span", |tag| tag.name));
            if tag.is_none_or(|tag| tag.kinds[0] != kind) {
                self.attribute("data-mark", kind);
            }
            self.attributes(tag, mark["attrs"].as_object(), None);
            self.out.push('>');
            open.push(tag.map_or("span", |tag| tag.name));
        }
        open
    }

    fn escape(&mut self, text: &str, place: Place) {
        for c in text.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                // Between words, HTML takes a line break for a space.
                '\n' if place != Place::Code => self.out.push_str("<br data-text=\"lf\">"),
                '\r' if place != Place::Code => self.out.push_str("<br data-text=\"cr\">"),
                '\r' => self.out.push_str("&#13;"),
                '\n' if self.is_line => self.out.push_str("&#10;"),
                '\0' => self.lost.add("character", "U+0000"),
                other => self.out.push(other),
            }
        }
    }
}

/// The parts of a node that its tag says without an attribute.
struct Skipped {
    /// Whether the tag names the node.
    default: bool,
    key: Option<&'static str>,
}

/// Whether the tag can stand at the place, and hold what is in the node.
fn fits(tag: &Tag, node: &Value, place: Place) -> bool {
    let all = |names: &[&str]| {
        let is_one = |child: &Value| {
            let tag = tags::of(NODES, name(child)).map(|tag| tag.name);
            tag.is_some_and(|tag| names.contains(&tag))
        };
        content(node).iter().all(is_one)
    };
    match (tag.name, place) {
        ("br" | "img", Place::Flow | Place::Phrasing) | ("hr", Place::Flow) => {
            content(node).is_empty()
        }
        ("p" | "blockquote", Place::Flow) | ("li", Place::List) | ("tr", Place::Table) => true,
        ("td" | "th", Place::Row) => true,
        ("ul" | "ol", Place::Flow) => all(&["li"]),
        ("table", Place::Flow) => {
            let is_row = |row: &Value| {
                content(row).iter().all(|cell| {
                    tags::of(NODES, name(cell)).is_some_and(|tag| matches!(tag.name, "td" | "th"))
                })
            };
            all(&["tr"]) && content(node).iter().all(is_row)
        }
        _ => false,
    }
}

/// Whether a block has nothing but words.
fn is_code(node: &Value) -> bool {
    content(node).iter().all(|child| child["text"].is_string())
}

/// The words that are shown of a mention, which has no content.
fn label(node: &Value) -> Option<String> {
    let is_mention = name(node) == "mention" && content(node).is_empty();
    let label = ["label", "id"].into_iter().find_map(|key| node["attrs"][key].as_str());
    label.filter(|label| is_mention && !label.is_empty()).map(|label| format!("@{label}"))
}
