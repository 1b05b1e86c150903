//! The words of a rich text.

use serde_json::Value;

use super::lost::Lost;

/// Nodes that are line breaks.
const BREAKS: [&str; 3] = ["hardBreak", "hard_break", "linebreak"];

/// Blocks that say nothing but that they are one.
const PLAIN: [&str; 6] = ["doc", "paragraph", "text", "hardBreak", "hard_break", "linebreak"];

/// The words of a document: each block with text is a line.
pub(crate) fn write(document: &Value, lost: &mut Lost) -> String {
    let mut text = String::new();
    add(document, &mut text, lost);
    text
}

fn add(node: &Value, out: &mut String, lost: &mut Lost) {
    let name = node["type"].as_str().unwrap_or_default();
    if !PLAIN.contains(&name) {
        lost.add("node", name);
    }
    for key in node["attrs"].as_object().into_iter().flat_map(|attributes| attributes.keys()) {
        lost.add("attribute", format_args!("{key} of {name}"));
    }
    for child in node["content"].as_array().into_iter().flatten() {
        let kind = child["type"].as_str().unwrap_or_default();
        if let Some(words) = child["text"].as_str() {
            for mark in child["marks"].as_array().into_iter().flatten() {
                lost.add("mark", mark["type"].as_str().unwrap_or_default());
            }
            out.push_str(words);
        } else if BREAKS.contains(&kind) && child["content"].is_null() {
            out.push('\n');
        } else {
            add(child, out, lost);
        }
    }
    // A block ends its line; a block around others adds none.
    if is_line(node) {
        out.push('\n');
    }
}

/// Whether a node has words, and is none of those within them.
fn is_line(node: &Value) -> bool {
    let content = node["content"].as_array();
    content.is_some_and(|content| content.iter().any(|child| child["text"].is_string()))
        || node["type"] == "paragraph"
}
