//! HTML as the document of an editor. What an editor cannot hold is refused by name; what browsers and
//! editors leave out is noted.

use std::{cell::Cell, rc::Rc};

use error::{Error, Result};
use html5ever::ns;
use serde_json::{Map, Value, json};

use super::{
    dom::{self, Data, Part},
    marks::Marks,
    tags::{self, CODE_BLOCKS, HEADING, MARKS, NODES, SECTIONS, SYNONYMS, THROUGH, Tag},
};
use crate::{
    forms::lost::{HTML, Lost},
    limits::{MAX_MARKS, too_many_marks},
};

/// Stands for white space with a line break, which is one space, and none at the ends of a block. No
/// text that was parsed has the character.
const SPACE: char = '\0';

/// How the content of an element is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Blocks; words between them are in paragraphs.
    Flow,
    /// All as it is.
    Exact,
    /// Blocks alone.
    Blocks,
    /// Words.
    Words,
    /// Words with all of their white space.
    Code,
}

/// The document that a source is, as JSON of ProseMirror.
///
/// # Errors
/// INVALID_ARGUMENT, when it has what an editor cannot hold, or is too large or too deep;
/// RESOURCE_EXHAUSTED, when its words would repeat the marks around them too often.
pub(crate) fn read(source: &str, lost: &mut Lost) -> Result<Value> {
    let root = dom::parse(source, lost)?;
    let left = Cell::new(MAX_MARKS);
    Ok(json!({ "type": "doc", "content": content(&root, Content::Flow, &left, lost)? }))
}

/// An element with its attributes, of which none is left out.
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    part: Rc<Part>,
}

impl Element {
    fn of(part: &Rc<Part>) -> Result<Option<Self>> {
        let Data::Element { name, attributes } = &part.data else { return Ok(None) };
        if name.ns != ns!(html) {
            return Err(cannot_hold(&format!("<{}>", name.local)));
        }
        let attributes = attributes.borrow();
        let attributes =
            attributes.iter().map(|it| (it.name.local.to_string(), it.value.to_string()));
        let attributes = attributes.collect();
        Ok(Some(Self { name: name.local.to_string(), attributes, part: Rc::clone(part) }))
    }

    fn take(&mut self, key: &str) -> Option<String> {
        let at = self.attributes.iter().position(|(known, _)| known == key)?;
        Some(self.attributes.remove(at).1)
    }

    /// The attributes of a node or mark, once those that name it are taken.
    fn attrs(&mut self, tag: Option<&Tag>) -> Result<Map<String, Value>> {
        let mut attrs = match self.take("data-attrs") {
            None => Map::new(),
            Some(json) => match serde_json::from_str(&json) {
                Ok(Value::Object(attrs)) => attrs,
                _ => return Err(HTML.refuses("data-attrs is no object of JSON")),
            },
        };
        for (key, attribute, of) in tag.into_iter().flat_map(|tag| tag.attributes) {
            if let Some(value) = self.take(attribute) {
                let value = of.read(&value).ok_or_else(|| self.cannot_hold(attribute))?;
                attrs.insert((*key).to_owned(), value);
            }
        }
        match self.attributes.first() {
            Some((key, _)) => Err(self.cannot_hold(key)),
            None => Ok(attrs),
        }
    }

    fn cannot_hold(&self, attribute: &str) -> Error {
        cannot_hold(&format!("the attribute {attribute} of <{}>", self.name))
    }

    fn is_named(&self) -> bool {
        self.attributes.iter().any(|(key, _)| key == "data-type")
    }

    /// The tag of the mark that it is.
    fn mark(&self) -> Option<Option<&'static Tag>> {
        if self.attributes.iter().any(|(key, _)| key == "data-mark") {
            return Some(tags::named(MARKS, &self.name));
        }
        let synonym = SYNONYMS.iter().find(|(name, _)| *name == self.name);
        tags::named(MARKS, synonym.map_or(&self.name, |(_, name)| name)).map(Some)
    }
}

fn cannot_hold(what: &str) -> Error {
    HTML.refuses(&format!("an editor cannot hold {what}"))
}

fn content(
    part: &Rc<Part>,
    how: Content,
    left: &Cell<usize>,
    lost: &mut Lost,
) -> Result<Vec<Value>> {
    let mut nodes = Nodes { how, done: Vec::new(), words: Vec::new(), left, lost };
    nodes.add(part, None)?;
    nodes.flush();
    Ok(nodes.done)
}

/// Nodes in the making.
struct Nodes<'a> {
    how: Content,
    done: Vec<Value>,
    /// Words since the last block.
    words: Vec<Value>,
    /// Bytes of marks that the document may still get.
    left: &'a Cell<usize>,
    lost: &'a mut Lost,
}

impl Nodes<'_> {
    fn add(&mut self, parent: &Rc<Part>, marks: Option<&Marks<'_>>) -> Result<()> {
        for child in parent.children.borrow().iter() {
            match &child.data {
                Data::Nothing => (),
                Data::Text(text) => self.text(&text.borrow(), marks)?,
                Data::Element { .. } => {
                    if let Some(element) = Element::of(child)? {
                        self.element(element, marks)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn text(&mut self, text: &str, marks: Option<&Marks<'_>>) -> Result<()> {
        let is_blank = text.bytes().all(|byte| byte.is_ascii_whitespace());
        match self.how {
            Content::Blocks if is_blank => Ok(()),
            Content::Blocks => Err(cannot_hold("words between the parts of a list or a table")),
            Content::Code => self.push(text.to_owned(), marks),
            Content::Exact if is_blank && text.contains('\n') => Ok(()),
            Content::Flow | Content::Exact | Content::Words => self.push(spaced(text), marks),
        }
    }

    fn push(&mut self, text: String, marks: Option<&Marks<'_>>) -> Result<()> {
        let mut node = Map::from_iter([("type".to_owned(), json!("text"))]);
        node.insert("text".to_owned(), Value::String(text));
        if let Some(marks) = marks {
            let left = self.left.get().checked_sub(marks.size()).ok_or_else(too_many_marks)?;
            self.left.set(left);
            node.insert("marks".to_owned(), marks.each().cloned().collect());
        }
        self.words.push(Value::Object(node));
        Ok(())
    }

    fn element(&mut self, mut element: Element, marks: Option<&Marks<'_>>) -> Result<()> {
        if let Some(tag) = element.mark() {
            let kind = element.take("data-mark");
            let kind = kind.or_else(|| tag.map(|tag| tag.kinds[0].to_owned())).unwrap_or_default();
            let attrs = element.attrs(tag)?;
            if element.part.children.borrow().is_empty() && !attrs.is_empty() {
                self.lost.add("mark", format_args!("{kind} without words"));
            }
            let mark = match attrs.is_empty() {
                true => json!({ "type": kind }),
                false => json!({ "type": kind, "attrs": attrs }),
            };
            return self.add(&element.part, Some(&Marks::new(mark, marks)));
        }
        if element.name == "br"
            && let Some(code) = element.take("data-text")
        {
            element.attrs(None)?;
            let text = match &*code {
                "lf" => "\n",
                "cr" => "\r",
                _ => return Err(cannot_hold("the attribute data-text of <br>")),
            };
            return self.push(text.to_owned(), marks);
        }
        if !element.is_named() && THROUGH.contains(&&*element.name) {
            element.attrs(None)?;
            if SECTIONS.contains(&&*element.name) {
                self.lost.add("tag", format_args!("<{}>", element.name));
            }
            let is_block = element.name != "span";
            if is_block {
                self.flush();
            }
            self.add(&element.part, marks)?;
            if is_block {
                self.flush();
            }
            return Ok(());
        }
        let is_word = matches!(&*element.name, "br" | "img" | "span");
        if !is_word && marks.is_some() {
            return Err(cannot_hold(&format!("marks around <{}>", element.name)));
        }
        if !is_word && matches!(self.how, Content::Words | Content::Code) {
            return Err(cannot_hold(&format!("<{}> among words", element.name)));
        }
        let is_break = element.name == "br";
        if let Some(node) = node(element, self.left, self.lost)? {
            if is_word {
                // Words alone have marks. A line break looks the same without.
                for mark in marks.filter(|_| !is_break).into_iter().flat_map(Marks::each) {
                    let of = format!("{} of {}", super::name(mark), super::name(&node));
                    self.lost.add("mark", of);
                }
                self.words.push(node);
            } else {
                self.flush();
                self.done.push(node);
            }
        }
        Ok(())
    }

    /// Ends the words before a block.
    fn flush(&mut self) {
        let mut words = std::mem::take(&mut self.words);
        if self.how != Content::Code {
            trim(&mut words);
        }
        let is_text = |node: &Value| {
            let text = node["text"].as_str();
            text.map_or(node["type"] == "hardBreak", |text| !text.trim_ascii().is_empty())
        };
        match self.how {
            Content::Flow if words.iter().any(is_text) => {
                self.done.push(json!({ "type": "paragraph", "content": words }));
            }
            Content::Flow => {
                self.done.extend(words.into_iter().filter(|node| node["text"].is_null()))
            }
            _ => self.done.extend(words),
        }
    }
}

/// The node of an element; none, if it says only how a table looks.
fn node(mut element: Element, left: &Cell<usize>, lost: &mut Lost) -> Result<Option<Value>> {
    let kind = element.take("data-type");
    let is_task =
        element.name == "li" && element.attributes.iter().any(|(key, _)| key == "data-checked");
    let name = element.name.clone();
    let flow = if kind.is_some() { Content::Exact } else { Content::Flow };
    let tag = tags::named(NODES, &name);
    let mut attrs = Map::new();
    let (default, how) = match (&*name, name.as_bytes()) {
        ("colgroup", _) => {
            lost.add("tag", "<colgroup>");
            return Ok(None);
        }
        ("pre", _) => {
            attrs = code(&mut element)?;
            (CODE_BLOCKS[0], Content::Code)
        }
        (_, [b'h', level @ b'1'..=b'6']) => {
            attrs.insert("level".to_owned(), json!(level - b'0'));
            (HEADING, Content::Words)
        }
        ("div", _) => ("", Content::Exact),
        ("span", _) => ("", Content::Words),
        ("p", _) => ("paragraph", Content::Words),
        ("ul" | "ol" | "table" | "tr", _) => (tag.map_or("", |tag| tag.kinds[0]), Content::Blocks),
        _ => match tag {
            Some(_) if is_task => ("taskItem", flow),
            Some(tag) => (tag.kinds[0], flow),
            None => return Err(cannot_hold(&format!("<{name}>"))),
        },
    };
    let label = element.take("data-label");
    attrs.extend(element.attrs(tag)?);
    let mut content = match label {
        Some(label) if without_words(&label, &element.part) == Some("") => Vec::new(),
        label => {
            if label.is_some() {
                lost.add("attribute", format_args!("data-label of <{name}>"));
            }
            content(&element.part, how, left, lost)?
        }
    };
    if name == "pre" {
        // HTML ends a block of code with a line break that Markdown writes, and editors do not have.
        content.retain(|node| node["text"] != "");
    }
    let is_tasks = default == "bulletList" && content.iter().any(|item| item["type"] == "taskItem");
    let default = if is_tasks { "taskList" } else { default };
    let mut node = Map::new();
    node.insert("type".to_owned(), json!(kind.as_deref().unwrap_or(default)));
    if !attrs.is_empty() {
        node.insert("attrs".to_owned(), Value::Object(attrs));
    }
    if !content.is_empty() {
        node.insert("content".to_owned(), Value::Array(content));
    }
    Ok(Some(Value::Object(node)))
}

/// The language of a block of code. Its words are in an element of their own.
fn code(element: &mut Element) -> Result<Map<String, Value>> {
    let mut attrs = Map::new();
    let inner = match &element.part.children.borrow()[..] {
        [only] => Element::of(only)?.filter(|it| it.name == "code" && it.mark().is_some()),
        _ => None,
    };
    if let Some(mut inner) = inner {
        if let Some(class) = inner.take("class") {
            let language =
                class.strip_prefix("language-").ok_or_else(|| inner.cannot_hold("class"))?;
            attrs.insert("language".to_owned(), json!(language));
        }
        inner.attrs(None)?;
        element.part = Rc::clone(&inner.part);
    }
    Ok(attrs)
}

/// The rest of a text behind the words of an element; none, if the text begins otherwise.
fn without_words<'a>(text: &'a str, part: &Rc<Part>) -> Option<&'a str> {
    part.children.borrow().iter().try_fold(text, |rest, child| match &child.data {
        Data::Text(text) => rest.strip_prefix(text.borrow().as_str()),
        _ => without_words(rest, child),
    })
}

/// Marks white space with a line break.
fn spaced(text: &str) -> String {
    let mut spaced = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_ascii_whitespace()) {
        spaced.push_str(&rest[..at]);
        let space = &rest[at..];
        let len = space.find(|c: char| !c.is_ascii_whitespace()).unwrap_or(space.len());
        match space[..len].contains('\n') {
            true => spaced.push(SPACE),
            false => spaced.push_str(&space[..len]),
        }
        rest = &space[len..];
    }
    spaced + rest
}

/// Takes layout away at the ends of words, and beside breaks.
fn trim(words: &mut Vec<Value>) {
    let is_text: Vec<bool> = words.iter().map(|node| node["text"].is_string()).collect();
    for (at, node) in words.iter_mut().enumerate() {
        let starts = at == 0 || !is_text[at - 1];
        let ends = at + 1 == is_text.len() || !is_text[at + 1];
        if let Some(Value::String(text)) = node.get_mut("text") {
            let mut rest = text.as_str();
            rest = if starts { rest.trim_start_matches(SPACE) } else { rest };
            rest = if ends { rest.trim_end_matches(SPACE) } else { rest };
            *text = rest.replace(SPACE, " ");
        }
    }
    words.retain(|node| node["text"] != "");
}
