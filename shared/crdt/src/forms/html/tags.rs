//! Tags of HTML for the nodes and marks of editors.

use serde_json::{Value, json};

/// A tag, and what it stands for.
pub(super) struct Tag {
    pub(super) name: &'static str,
    /// The names of nodes or marks that it stands for. A tag that does not say which is the first.
    pub(super) kinds: &'static [&'static str],
    /// The attributes of HTML that hold those of nodes: key, attribute and type.
    pub(super) attributes: &'static [(&'static str, &'static str, Type)],
}

/// The type of an attribute.
#[derive(Clone, Copy)]
pub(super) enum Type {
    Text,
    Number,
    Flag,
}

impl Type {
    /// The value as HTML has it; none of another type.
    pub(super) fn written(self, value: &Value) -> Option<String> {
        match (self, value) {
            (Self::Text, Value::String(text)) => Some(text.clone()),
            (Self::Number, Value::Number(it)) if it.is_i64() => Some(it.to_string()),
            (Self::Flag, Value::Bool(it)) => Some(it.to_string()),
            _ => None,
        }
    }

    pub(super) fn read(self, written: &str) -> Option<Value> {
        match self {
            Self::Text => Some(json!(written)),
            Self::Number => written.trim().parse::<i64>().ok().map(|number| json!(number)),
            Self::Flag => written.parse::<bool>().ok().map(|flag| json!(flag)),
        }
    }
}

const SPANS: &[(&str, &str, Type)] =
    &[("colspan", "colspan", Type::Number), ("rowspan", "rowspan", Type::Number)];

/// The names of headings; the level is in the tag.
pub(super) const HEADING: &str = "heading";

/// The names of blocks of code; the language is in a class of the tag within.
pub(super) const CODE_BLOCKS: [&str; 2] = ["codeBlock", "code_block"];

pub(super) const NODES: &[Tag] = &[
    Tag { name: "p", kinds: &["paragraph"], attributes: &[] },
    Tag { name: "blockquote", kinds: &["blockquote"], attributes: &[] },
    Tag { name: "ul", kinds: &["bulletList", "bullet_list", "taskList"], attributes: &[] },
    Tag {
        name: "ol",
        kinds: &["orderedList", "ordered_list"],
        attributes: &[("start", "start", Type::Number)],
    },
    Tag {
        name: "li",
        kinds: &["listItem", "list_item", "taskItem"],
        attributes: &[("checked", "data-checked", Type::Flag)],
    },
    Tag { name: "hr", kinds: &["horizontalRule", "horizontal_rule"], attributes: &[] },
    Tag { name: "br", kinds: &["hardBreak", "hard_break"], attributes: &[] },
    Tag {
        name: "img",
        kinds: &["image"],
        attributes: &[
            ("src", "src", Type::Text),
            ("alt", "alt", Type::Text),
            ("title", "title", Type::Text),
        ],
    },
    Tag { name: "table", kinds: &["table"], attributes: &[] },
    Tag { name: "tr", kinds: &["tableRow", "table_row"], attributes: &[] },
    Tag { name: "td", kinds: &["tableCell", "table_cell"], attributes: SPANS },
    Tag { name: "th", kinds: &["tableHeader", "table_header"], attributes: SPANS },
];

const LINK: &[(&str, &str, Type)] = &[
    ("href", "href", Type::Text),
    ("target", "target", Type::Text),
    ("rel", "rel", Type::Text),
    ("class", "class", Type::Text),
    ("title", "title", Type::Text),
];

pub(super) const MARKS: &[Tag] = &[
    Tag { name: "strong", kinds: &["bold", "strong"], attributes: &[] },
    Tag { name: "em", kinds: &["italic", "em"], attributes: &[] },
    Tag { name: "s", kinds: &["strike", "s"], attributes: &[] },
    Tag { name: "u", kinds: &["underline", "u"], attributes: &[] },
    Tag { name: "code", kinds: &["code"], attributes: &[] },
    Tag { name: "a", kinds: &["link", "a"], attributes: LINK },
    Tag { name: "sub", kinds: &["subscript", "sub"], attributes: &[] },
    Tag { name: "sup", kinds: &["superscript", "sup"], attributes: &[] },
    Tag { name: "mark", kinds: &["highlight", "mark"], attributes: &[] },
];

/// Other tags of the same marks.
pub(super) const SYNONYMS: &[(&str, &str)] =
    &[("b", "strong"), ("i", "em"), ("del", "s"), ("strike", "s"), ("ins", "u")];

/// Tags that say where content stands, and are no content.
pub(super) const THROUGH: &[&str] = &[
    "article", "body", "div", "figure", "footer", "header", "html", "main", "section", "span",
    "tbody", "tfoot", "thead",
];

/// Tags among them that also say what the content is.
pub(super) const SECTIONS: &[&str] = &["article", "figure", "footer", "header", "main", "section"];

/// The tag of a node or mark with this name.
pub(super) fn of(tags: &'static [Tag], kind: &str) -> Option<&'static Tag> {
    tags.iter().find(|tag| tag.kinds.contains(&kind))
}

pub(super) fn named(tags: &'static [Tag], name: &str) -> Option<&'static Tag> {
    tags.iter().find(|tag| tag.name == name)
}
