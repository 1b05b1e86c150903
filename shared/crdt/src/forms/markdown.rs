//! A rich text as Markdown. Each block is read back before it is taken; one that reads otherwise is
//! HTML, which Markdown may have in it.

mod inline;
mod read;

use error::Result;
use serde_json::{Map, Value, json};

use super::{html, lost::Lost};
use crate::limits::{MAX_MARKS, too_many_marks};
use inline::Marks;
pub(crate) use read::read;

/// The attributes of a link that say how it opens. Markdown has no place for them.
pub(crate) const OPENING: [&str; 3] = ["class", "rel", "target"];

/// Bytes that are read back for one document, of blocks and again of those in them. What is left then
/// is HTML.
const MAX_TRIED: usize = 4 * read::MAX_MARKDOWN;

/// The Markdown of a document.
///
/// # Errors
/// RESOURCE_EXHAUSTED when marks exceed their bound, or the text is larger than can be sent.
pub(crate) fn write(mut document: Value, lost: &mut Lost) -> Result<String> {
    without_opening(&mut document, lost);
    let mut writer = Writer { marks: 0, tried: 0, lost };
    let content = html::content(&document);
    let text = writer.blocks(content);
    if writer.marks > MAX_MARKS {
        return Err(too_many_marks());
    }
    if content.iter().any(html::is_phrase) {
        writer.lost.add("text", "outside of blocks");
    }
    Ok(text)
}

/// Takes away what links say about their opening.
pub(super) fn without_opening(node: &mut Value, lost: &mut Lost) {
    for mark in node.get_mut("marks").and_then(Value::as_array_mut).into_iter().flatten() {
        let is_link = mark["type"] == "link" && mark["attrs"]["href"].is_string();
        if let Some(attrs) = mark.get_mut("attrs").and_then(Value::as_object_mut)
            && is_link
        {
            for key in OPENING {
                if attrs.remove(key).is_some() {
                    lost.add("attribute", format_args!("{key} of link"));
                }
            }
            attrs.retain(|_, value| !value.is_null());
        }
    }
    let children = node.get_mut("content").and_then(Value::as_array_mut);
    children.into_iter().flatten().for_each(|child| without_opening(child, lost));
}

struct Writer<'a> {
    marks: usize,
    /// Bytes that were read back.
    tried: usize,
    lost: &'a mut Lost,
}

impl Writer<'_> {
    /// Blocks, with an empty line between them.
    fn blocks(&mut self, nodes: &[Value]) -> String {
        let mut text = String::new();
        let mut before = None;
        for node in nodes {
            let block = self.block(node);
            // Two lists beside each other would be one.
            let is_list =
                block.starts_with(['-', '*']) || block.starts_with(|c: char| c.is_ascii_digit());
            if before == Some(true) && is_list {
                text.push_str("\n\n<!-- -->");
            }
            if before.is_some() {
                text.push_str("\n\n");
            }
            text.push_str(&block);
            before = Some(is_list);
        }
        text
    }

    fn block(&mut self, node: &Value) -> String {
        if self.marks > MAX_MARKS {
            return String::new();
        }
        for marks in [Marks::Signs, Marks::Tags] {
            if self.tried > MAX_TRIED {
                break;
            }
            let Some(text) = natural(node, marks) else {
                break;
            };
            self.marks += text.len();
            self.tried += text.len();
            if text.len() <= read::MAX_MARKDOWN && reads_as(&text, node) {
                return text;
            }
        }
        let members = node.as_object().into_iter().flatten();
        let own = members.filter(|(key, _)| *key != "content");
        let shell = own.map(|(key, value)| (key.clone(), value.clone())).collect();
        let html = html::block(&Value::Object(shell), &mut Lost::default());
        let has_children = node["content"].is_array();
        let is_around = has_children && !html::content(node).iter().any(html::is_phrase);
        if let Some(open) = html.strip_suffix("</div>").filter(|_| is_around) {
            return format!("{open}\n\n{}\n\n</div>", self.blocks(html::content(node)));
        }
        let html = html::block(node, self.lost);
        self.marks += html.len();
        html
    }
}

/// A block as Markdown has it; none of one that it does not have.
fn natural(node: &Value, marks: Marks) -> Option<String> {
    let attrs = node["attrs"].as_object();
    let content = html::content(node);
    let has =
        |expected: Value| attrs.map_or(expected == json!({}), |attrs| json!(attrs) == expected);
    match html::name(node) {
        "paragraph" if has(json!({})) && !content.is_empty() => inline::write(content, marks, true),
        "heading" => {
            let level = attrs?.get("level")?.as_u64().filter(|level| (1..=6).contains(level))?;
            let words = inline::write(content, marks, false)?;
            let is_whole = has(json!({ "level": level })) && !words.is_empty();
            is_whole.then(|| format!("{} {words}", "#".repeat(usize::try_from(level).unwrap_or(1))))
        }
        "image" if has_image_alone(attrs) => {
            inline::write(std::slice::from_ref(node), marks, false)
        }
        "blockquote" if has(json!({})) && !content.is_empty() => {
            let blocks = around(content, marks)?;
            Some(prefixed(&blocks, "> ", "> "))
        }
        "bulletList" if has(json!({})) => items(content, "listItem", |_| "- ".to_owned(), marks),
        "orderedList" => {
            let start = attrs?.get("start")?.as_u64().filter(|start| *start < 1_000_000)?;
            let sign = |at: usize| format!("{}. ", start + at as u64);
            has(json!({ "start": start })).then(|| items(content, "listItem", sign, marks))?
        }
        "taskList" if has(json!({})) => items(content, "taskItem", |_| "- ".to_owned(), marks),
        "codeBlock" => code(node, attrs),
        "horizontalRule" if has(json!({})) => Some("***".to_owned()),
        "table" if has(json!({})) => table(content, marks),
        _ => None,
    }
}

fn has_image_alone(attrs: Option<&Map<String, Value>>) -> bool {
    attrs.is_some_and(|attrs| {
        attrs.keys().all(|key| ["alt", "src", "title"].contains(&key.as_str()))
    })
}

/// Blocks within another one. One that is HTML makes all of it HTML.
fn around(content: &[Value], marks: Marks) -> Option<String> {
    let blocks: Option<Vec<String>> = content.iter().map(|child| natural(child, marks)).collect();
    Some(blocks?.join("\n\n"))
}

fn items(
    content: &[Value],
    kind: &str,
    sign: impl Fn(usize) -> String,
    marks: Marks,
) -> Option<String> {
    let mut items = Vec::new();
    for (at, item) in content.iter().enumerate() {
        let checked = item["attrs"]["checked"].as_bool();
        let task = match (kind, checked) {
            ("taskItem", Some(true)) => "[x] ",
            ("taskItem", Some(false)) => "[ ] ",
            ("listItem", None) if item["attrs"].is_null() => "",
            _ => return None,
        };
        let blocks = around(html::content(item), marks)?;
        if html::name(item) != kind || blocks.is_empty() {
            return None;
        }
        let sign = sign(at);
        let indent = " ".repeat(sign.len());
        items.push(prefixed(&format!("{task}{blocks}"), &sign, &indent));
    }
    (!items.is_empty()).then(|| items.join("\n"))
}

/// The lines of a text, each behind a prefix.
fn prefixed(text: &str, first: &str, others: &str) -> String {
    let mut prefixed = String::new();
    for (at, line) in text.split('\n').enumerate() {
        if at > 0 {
            prefixed.push('\n');
        }
        let prefix = if at == 0 { first } else { others };
        prefixed.push_str(if line.is_empty() { prefix.trim_end() } else { prefix });
        prefixed.push_str(line);
    }
    prefixed
}

fn code(node: &Value, attrs: Option<&Map<String, Value>>) -> Option<String> {
    let language = match attrs {
        None => "",
        Some(attrs) if attrs.len() == 1 => attrs.get("language")?.as_str()?,
        Some(_) => return None,
    };
    let mut words = String::new();
    for child in html::content(node) {
        if !child["marks"].is_null() {
            return None;
        }
        words.push_str(child["text"].as_str()?);
    }
    let longest = words.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    Some(format!("{fence}{language}\n{words}\n{fence}"))
}

/// A table with one row of headers and cells of one paragraph.
fn table(rows: &[Value], marks: Marks) -> Option<String> {
    let one = json!({ "colspan": 1, "rowspan": 1 });
    let mut lines = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let kind = if at == 0 { "tableHeader" } else { "tableCell" };
        let mut line = "|".to_owned();
        for cell in html::content(row) {
            let [paragraph] = html::content(cell) else { return None };
            let is_plain = paragraph["type"] == "paragraph" && paragraph["attrs"].is_null();
            if cell["type"] != kind || cell["attrs"] != one || !is_plain {
                return None;
            }
            let words = inline::write(html::content(paragraph), marks, false)?;
            line += &format!(" {} |", words.replace('|', "\\|"));
        }
        lines.push(line);
        if at == 0 {
            lines.push(format!("|{}", " --- |".repeat(html::content(row).len())));
        }
    }
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Whether a text is read as this node.
fn reads_as(text: &str, node: &Value) -> bool {
    let read = read::parse(text, &mut Lost::default());
    read.is_ok_and(
        |document| matches!(html::content(&document), [only] if merged(only) == merged(node)),
    )
}

/// The node with texts of the same marks joined, and marks in one order.
fn merged(node: &Value) -> Value {
    let Value::Object(members) = node else { return node.clone() };
    let member = |(key, value): (&String, &Value)| {
        let value = match (key.as_str(), value) {
            ("marks", Value::Array(marks)) => {
                let mut marks = marks.clone();
                marks.sort_by_cached_key(Value::to_string);
                Value::Array(marks)
            }
            ("content", Value::Array(children)) => Value::Array(joined(children)),
            _ => value.clone(),
        };
        (key.clone(), value)
    };
    Value::Object(members.iter().map(member).collect())
}

/// The merged nodes, with texts of the same marks joined.
fn joined(nodes: &[Value]) -> Vec<Value> {
    let mut joined: Vec<Value> = Vec::new();
    for node in nodes.iter().map(merged) {
        if let Some(words) = node["text"].as_str()
            && let Some(last) = joined.last_mut()
            && last["text"].is_string()
            && last["marks"] == node["marks"]
            && let Some(Value::String(before)) = last.get_mut("text")
        {
            before.push_str(words);
            continue;
        }
        joined.push(node);
    }
    joined
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{MAX_TRIED, Writer, html, read};
    use crate::forms::lost::Lost;

    #[test]
    fn blocks_in_blocks_are_read_back_up_to_a_bound() {
        // Markdown takes the space at the begin of a paragraph away.
        let words = format!(" {}", "word ".repeat(60_000));
        let paragraph =
            json!({ "type": "paragraph", "content": [{ "type": "text", "text": words }] });
        let around = |inner, _| json!({ "type": "blockquote", "content": [inner] });
        let quotes = (0..60).fold(paragraph, around);
        let mut lost = Lost::default();
        let mut writer = Writer { marks: 0, tried: 0, lost: &mut lost };
        let text = writer.blocks(std::slice::from_ref(&quotes));
        assert!(writer.tried < MAX_TRIED + 2 * words.len(), "{}", writer.tried);
        let again = read(&text, &mut Lost::default()).expect("readable");
        assert_eq!(html::content(&again), [quotes]);
    }
}
