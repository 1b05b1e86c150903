//! A lenient parser: callers often send HTML, or the `toString` of an editor.

pub(super) mod names;

use std::collections::VecDeque;

use error::{Error, Result};

use crate::limits::{MAX_DEPTH, MAX_NODES, too_deep, too_many};

/// A node as it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Node {
    Element(Element),
    Text(String),
    /// White space with a line break, as people lay out XML. A text of white space says so with a
    /// character reference or CDATA.
    Space(String),
}

/// An element as it was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: Vec<(String, String)>,
    pub(crate) children: Vec<Node>,
}

/// Elements that HTML never closes. Editors close them, and may put something into them.
const VOID: [&str; 10] =
    ["area", "br", "col", "embed", "hr", "img", "input", "meta", "source", "wbr"];

/// Parses `source` into a tree.
///
/// # Errors
/// INVALID_ARGUMENT, when it is no tree, or too large or too deep.
pub(crate) fn parse(source: &str) -> Result<Vec<Node>> {
    let mut tree = Tree { open: vec![Element::default()], unclosed: VecDeque::new(), nodes: 0 };
    let mut text = Text::default();
    let mut rest = source;
    while let Some(at) = rest.find('<') {
        let (before, markup) = rest.split_at(at);
        text.add(before);
        let (piece, len) = piece(markup)?;
        rest = &markup[len..];
        match piece {
            Piece::Text(part) => text.add_plain(part),
            Piece::Nothing => (),
            Piece::Open(element, closed) => {
                tree.text(&mut text)?;
                tree.open(element, closed)?;
            }
            Piece::Close(name) => {
                tree.text(&mut text)?;
                tree.close(name)?;
            }
        }
    }
    text.add(rest);
    tree.text(&mut text)?;
    tree.finish()
}

/// A text in the making.
#[derive(Default)]
struct Text {
    text: String,
    /// Whether some of it is no literal white space.
    is_meant: bool,
}

impl Text {
    /// Adds a source without markup.
    fn add(&mut self, source: &str) {
        self.is_meant |= source.contains(|c| !matches!(c, ' ' | '\t' | '\r' | '\n'));
        self.text.push_str(&htmlize::unescape(source));
    }

    fn add_plain(&mut self, text: &str) {
        self.is_meant = true;
        self.text.push_str(text);
    }
}

struct Tree {
    /// The elements that are open; the first one is the fragment.
    open: Vec<Element>,
    /// Void elements that may still be closed and then contain later nodes: the number of open
    /// elements around each, and its index in the innermost.
    unclosed: VecDeque<(usize, usize)>,
    nodes: usize,
}

impl Tree {
    fn count(&mut self) -> Result<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES { Err(too_many()) } else { Ok(()) }
    }

    fn push(&mut self, node: Node) {
        if let Some(parent) = self.open.last_mut() {
            parent.children.push(node);
        }
    }

    fn text(&mut self, text: &mut Text) -> Result<()> {
        let Text { text, is_meant } = std::mem::take(text);
        if text.is_empty() {
            return Ok(());
        }
        self.count()?;
        let is_space = !is_meant && text.contains('\n');
        self.push(if is_space { Node::Space(text) } else { Node::Text(text) });
        Ok(())
    }

    fn open(&mut self, element: Element, closed: bool) -> Result<()> {
        self.count()?;
        if self.open.len() > MAX_DEPTH {
            return Err(too_deep());
        }
        // An opened element may end up in all of them.
        while self.open.len() + self.unclosed.len() > MAX_DEPTH {
            if self.unclosed.pop_front().is_none() {
                break;
            }
        }
        if !closed && !is_void(&element.name) {
            self.open.push(element);
            return Ok(());
        }
        if !closed {
            let at = self.open.last().map_or(0, |parent| parent.children.len());
            self.unclosed.push_back((self.open.len(), at));
        }
        self.push(Node::Element(element));
        Ok(())
    }

    fn close(&mut self, name: &str) -> Result<()> {
        let name = &*names::read(name);
        if self.fill(name) {
            return Ok(());
        }
        if self.open.len() < 2 {
            return Err(no_tree(&format!("</{name}> closes nothing")));
        }
        let Some(element) = self.open.pop() else { return Ok(()) };
        if !element.name.eq_ignore_ascii_case(name) {
            return Err(no_tree(&format!("<{}> is closed by </{name}>", element.name)));
        }
        while self.unclosed.pop_back_if(|(depth, _)| *depth > self.open.len()).is_some() {}
        self.push(Node::Element(element));
        Ok(())
    }

    /// Moves the nodes after a void element into it, if it is closed.
    fn fill(&mut self, name: &str) -> bool {
        if !is_void(name) {
            return false;
        }
        let depth = self.open.len();
        let Some(parent) = self.open.last_mut() else { return false };
        while let Some((_, at)) = self.unclosed.pop_back_if(|(around, _)| *around == depth) {
            let content = parent.children.split_off(at + 1);
            match parent.children.last_mut() {
                Some(Node::Element(void)) if void.name.eq_ignore_ascii_case(name) => {
                    void.children = content;
                    return true;
                }
                _ => parent.children.extend(content),
            }
        }
        false
    }

    fn finish(mut self) -> Result<Vec<Node>> {
        match self.open.pop() {
            Some(fragment) if self.open.is_empty() => Ok(fragment.children),
            Some(element) => Err(no_tree(&format!("<{}> is not closed", element.name))),
            None => Ok(Vec::new()),
        }
    }
}

fn is_void(name: &str) -> bool {
    VOID.iter().any(|void| void.eq_ignore_ascii_case(name))
}

fn no_tree(what: &str) -> Error {
    // Names may be long.
    let what: String = what.chars().take(120).collect();
    Error::invalid(format!("Data cannot be read as XML: {what}."))
}

enum Piece<'a> {
    Text(&'a str),
    Nothing,
    /// An element, and whether it is closed already.
    Open(Element, bool),
    Close(&'a str),
}

/// The token that begins with `<`, and its length in bytes.
fn piece(source: &str) -> Result<(Piece<'_>, usize)> {
    // Anything else that begins with an exclamation or a question mark is a comment for HTML:
    // declarations, and instructions of XML.
    for (start, end) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<!", ">"), ("<?", ">")] {
        if let Some(body) = source.strip_prefix(start) {
            let len = body.find(end).ok_or_else(|| no_tree(&format!("{start} is not closed")))?;
            let piece =
                if start == "<![CDATA[" { Piece::Text(&body[..len]) } else { Piece::Nothing };
            return Ok((piece, start.len() + len + end.len()));
        }
    }
    let strange =
        || no_tree(&format!("{} begins no tag", &source[..source.floor_char_boundary(20)]));
    if let Some(body) = source.strip_prefix("</") {
        let len = body.find(['>', '<']).unwrap_or(body.len());
        let name = body[..len].trim_end();
        return match body[len..].starts_with('>') && starts_name(name) {
            true => Ok((Piece::Close(name), len + 3)),
            false => Err(strange()),
        };
    }
    match starts_name(&source[1..]) {
        true => tag(source)?.ok_or_else(strange),
        false => Ok((Piece::Text("<"), 1)),
    }
}

pub(super) fn starts_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == ':')
}

/// The tag at the start of `source`, if it is one.
fn tag(source: &str) -> Result<Option<(Piece<'_>, usize)>> {
    let name_len = name_len(&source[1..]);
    let name = names::read(&source[1..=name_len]).into_owned();
    let mut element = Element { name, ..Element::default() };
    let mut at = 1 + name_len;
    loop {
        let rest = source[at..].trim_start();
        at = source.len() - rest.len();
        if rest.starts_with('>') {
            return Ok(Some((Piece::Open(element, false), at + 1)));
        }
        if rest.starts_with("/>") {
            return Ok(Some((Piece::Open(element, true), at + 2)));
        }
        let ends = |c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/' | '<' | '"' | '\'');
        let len = rest.find(ends).unwrap_or(rest.len());
        if len == 0 {
            return Ok(None);
        }
        let key = names::read(&rest[..len]).into_owned();
        let after = rest[len..].trim_start();
        let Some(value) = after.strip_prefix('=') else {
            element.attributes.push((key, String::new()));
            at += len;
            continue;
        };
        let value = value.trim_start();
        let start = source.len() - value.len();
        let (value, taken) = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => {
                let body = &value[1..];
                let missing = || no_tree(&format!("the value of {key} is not closed"));
                let len = value_len(body, quote).ok_or_else(missing)?;
                (&body[..len], len + 2)
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || matches!(c, '>' | '<');
                let len = value.find(ends).unwrap_or(value.len());
                (&value[..len], len)
            }
        };
        element.attributes.push((key, htmlize::unescape_attribute(value).into_owned()));
        at = start + taken;
    }
}

/// The length of a quoted value. Peers do not escape quotes within it; the final one is followed by
/// a character that can follow an attribute, or by the next attribute at once.
fn value_len(source: &str, quote: char) -> Option<usize> {
    let ends = |at: &usize| {
        let after = &source[at + 1..];
        let mut bytes = after.bytes();
        // The bound keeps the search in proportion to the source.
        let is_key = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':');
        let key = bytes.by_ref().take(64).take_while(is_key).count();
        let is_attribute =
            key > 0 && (after[key..].starts_with("=\"") || after[key..].starts_with("='"));
        after.starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '/')) || is_attribute
    };
    source.match_indices(quote).map(|(at, _)| at).find(ends)
}

/// The length of a tag's name. Names of overlapping marks contain a hash in base64, whose slash
/// ends no tag, not even as the last of its eight characters.
fn name_len(source: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || matches!(c, '>' | '<');
    let len = source.find(ends).unwrap_or(source.len());
    let name = &source[..len];
    match name.rfind("--") {
        Some(at) if is_hash(&name[at + 2..]) => len,
        Some(at) if name[at + 2..].strip_suffix('/').is_some_and(is_hash) => len - 1,
        _ => name.find('/').unwrap_or(len),
    }
}

/// The eight characters that distinguish marks of one kind.
pub(super) fn is_hash(text: &str) -> bool {
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    text.len() == 8 && text.bytes().all(is_base64)
}

#[cfg(test)]
mod tests;
