//! Words and marks in a line of Markdown.

use std::fmt::Write;

use serde_json::Value;

use super::super::{html, lost::Lost};

/// How marks are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Marks {
    /// By the signs of Markdown, where there are any.
    Signs,
    /// By tags of HTML: signs say nothing beside some characters.
    Tags,
}

/// The signs of marks without attributes, from the outermost.
const SIGNS: [(&str, &str); 3] = [("bold", "**"), ("italic", "*"), ("strike", "~~")];

/// Words in a line, or in several ones; none of what Markdown does not have.
pub(super) fn write(content: &[Value], how: Marks, has_breaks: bool) -> Option<String> {
    let mut out = String::new();
    for node in content {
        match html::name(node) {
            "text" => text(node, how, &mut out)?,
            "hardBreak" if has_breaks && node["attrs"].is_null() => out.push_str("\\\n"),
            "image" => image(node, &mut out)?,
            // An element of HTML among words.
            _ => out.push_str(&html::phrase(node, &mut Lost::default())),
        }
    }
    Some(started(&out))
}

fn text(node: &Value, how: Marks, out: &mut String) -> Option<()> {
    let words = node["text"].as_str()?;
    if words.contains(['\n', '\r']) {
        return None;
    }
    let mut marks: Vec<&Value> = node["marks"].as_array().into_iter().flatten().collect();
    let mut ends = Vec::new();
    if how == Marks::Signs {
        if let Some(at) = marks.iter().position(|mark| is_link(mark)) {
            let attrs = &marks.remove(at)["attrs"];
            out.push('[');
            ends.push(format!("]({})", target(attrs, "href")?));
        }
        for (name, sign) in SIGNS {
            if let Some(at) =
                marks.iter().position(|mark| mark["type"] == name && mark["attrs"].is_null())
            {
                marks.remove(at);
                out.push_str(sign);
                ends.push(sign.to_owned());
            }
        }
        if let [only] = marks[..]
            && only["type"] == "code"
            && only["attrs"].is_null()
            && !words.contains('`')
        {
            let _ = write!(out, "`{words}`");
            marks.clear();
            ends.into_iter().rev().for_each(|end| out.push_str(&end));
            return Some(());
        }
    }
    let (open, close) = html::tags_of(&marks);
    let _ = write!(out, "{open}{}{close}", escaped(words));
    ends.into_iter().rev().for_each(|end| out.push_str(&end));
    Some(())
}

fn is_link(mark: &Value) -> bool {
    let attrs = mark["attrs"].as_object();
    mark["type"] == "link"
        && attrs.is_some_and(|attrs| attrs.keys().all(|key| key == "href" || key == "title"))
}

fn image(node: &Value, out: &mut String) -> Option<()> {
    let attrs = node["attrs"].as_object()?;
    let is_known = attrs.keys().all(|key| ["alt", "src", "title"].contains(&key.as_str()));
    // Markdown always has the words for a picture.
    let alt = attrs.get("alt").filter(|_| is_known)?.as_str()?;
    let _ = write!(out, "![{}]({})", escaped(alt), target(&node["attrs"], "src")?);
    Some(())
}

/// An address with its title.
fn target(attrs: &Value, key: &str) -> Option<String> {
    let address =
        attrs[key].as_str()?.replace('\\', "\\\\").replace('<', "\\<").replace('>', "\\>");
    let title = match attrs.get("title") {
        None => String::new(),
        Some(title) => format!(" \"{}\"", escaped(title.as_str()?)),
    };
    Some(format!("<{address}>{title}"))
}

/// Words with a backslash before each sign.
fn escaped(words: &str) -> String {
    let mut escaped = String::new();
    for c in words.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '~' | '"') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// A line that begins no block.
fn started(line: &str) -> String {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let at = match line.as_bytes().get(digits) {
        Some(b'.' | b')') if digits > 0 => digits,
        Some(b'#' | b'+' | b'-' | b'=' | b'|' | b':') if digits == 0 => 0,
        _ => return line.to_owned(),
    };
    format!("{}\\{}", &line[..at], &line[at..])
}
