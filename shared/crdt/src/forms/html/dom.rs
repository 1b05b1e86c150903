//! A tree of HTML, built by the parser of browsers.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
    time::{Duration, Instant},
};

use error::{Error, Result};
use html5ever::{
    Attribute, QualName, TokenizerResult, local_name, ns,
    tendril::StrTendril,
    tokenizer::{
        BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
    },
    tree_builder::{
        ElementFlags, NodeOrText, QuirksMode, TreeBuilder, TreeBuilderOpts, TreeSink,
        create_element,
    },
};

use crate::{
    forms::lost::{HTML, Lost},
    limits::{MAX_DEPTH, MAX_NODES, too_deep, too_many},
};

/// Bytes that are parsed at once. Bounds are checked between them.
const PIECE: usize = 4096;

/// Maximum number of elements around each other. Marks and layout are elements, too.
const MAX_AROUND: usize = 3 * MAX_DEPTH;

/// Maximum number of elements and texts.
const MAX_PARTS: usize = 8 * MAX_NODES;

/// Maximum time. The parser takes it for a tag with hundreds of thousands of attributes, and says
/// nothing of a tag before its end: there is no work to count.
const TIME: Duration = Duration::from_secs(5);

/// A part of a tree.
pub(super) struct Part {
    pub(super) data: Data,
    pub(super) children: RefCell<Vec<Rc<Part>>>,
    parent: RefCell<Weak<Part>>,
    depth: Cell<usize>,
}

pub(super) enum Data {
    Element { name: QualName, attributes: RefCell<Vec<Attribute>> },
    Text(RefCell<String>),
    Nothing,
}

/// The parts of a source. What the parser leaves out is noted.
///
/// # Errors
/// INVALID_ARGUMENT, when it is too large or too deep.
pub(super) fn parse(source: &str, lost: &mut Lost) -> Result<Rc<Part>> {
    let options = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let tree = Tree::new(std::mem::take(lost));
    let around = QualName::new(None, ns!(html), local_name!("div"));
    let around = create_element(&tree, around, Vec::new());
    let builder = TreeBuilder::new_for_fragment(tree, around, None, options);
    let parser = Tokenizer::new(Tokens(builder), TokenizerOpts::default());
    let input = BufferQueue::default();
    let end = Instant::now() + TIME;
    let mut rest = source;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE).max(1));
        input.push_back(StrTendril::from_slice(piece));
        // The parser stops behind a script.
        while !matches!(parser.feed(&input), TokenizerResult::Done) {}
        parser.sink.0.sink.check()?;
        if Instant::now() > end {
            return Err(HTML.refuses("it takes too long"));
        }
        rest = after;
    }
    parser.end();
    let tree = parser.sink.0.sink;
    tree.check()?;
    *lost = tree.lost.into_inner();
    // The parser puts a fragment into an element of its own.
    let root = tree.document.children.borrow().first().cloned();
    Ok(root.unwrap_or(tree.document))
}

/// Notes the tags that the builder of the tree leaves out.
struct Tokens(TreeBuilder<Rc<Part>, Tree>);

impl TokenSink for Tokens {
    type Handle = Rc<Part>;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Rc<Part>> {
        let tree = &self.0.sink;
        let opened = match &token {
            Token::TagToken(tag) if tag.kind == TagKind::StartTag => Some(tag.clone()),
            Token::ParseError(what) if what.starts_with("Saw EOF") => {
                tree.lost.borrow_mut().add("tag", "without an end");
                None
            }
            _ => None,
        };
        let before = tree.elements.get();
        let result = self.0.process_token(token, line);
        if let Some(tag) = opened.filter(|_| tree.elements.get() == before) {
            tree.leave_out(&tag);
        }
        result
    }

    fn end(&self) {
        self.0.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.adjusted_current_node_present_but_not_in_html_namespace()
    }
}

struct Tree {
    document: Rc<Part>,
    /// The name of what has none.
    nothing: QualName,
    elements: Cell<usize>,
    parts: Cell<usize>,
    deepest: Cell<usize>,
    lost: RefCell<Lost>,
}

impl Tree {
    fn new(lost: Lost) -> Self {
        Self {
            document: part(Data::Nothing),
            nothing: QualName::new(None, ns!(), local_name!("")),
            elements: Cell::new(0),
            parts: Cell::new(0),
            deepest: Cell::new(0),
            lost: RefCell::new(lost),
        }
    }

    /// Notes a tag without an element: one that is out of place, or around the content of a page.
    fn leave_out(&self, tag: &Tag) {
        let mut lost = self.lost.borrow_mut();
        if !matches!(&*tag.name, "html" | "head" | "body") {
            return lost.add("tag", format_args!("<{}>", tag.name));
        }
        for attribute in &tag.attrs {
            let key = &attribute.name.local;
            lost.add("attribute", format_args!("{key} of <{}>", tag.name));
        }
    }

    fn check(&self) -> Result<(), Error> {
        if self.parts.get() > MAX_PARTS {
            return Err(too_many());
        }
        if self.deepest.get() > MAX_AROUND {
            return Err(too_deep());
        }
        Ok(())
    }

    fn make(&self, data: Data) -> Rc<Part> {
        self.parts.set(self.parts.get() + 1);
        part(data)
    }

    /// Puts a part or text into `parent`, before the child at `at`.
    fn insert(&self, parent: &Rc<Part>, at: usize, child: NodeOrText<Rc<Part>>) {
        let part = match child {
            NodeOrText::AppendNode(part) => part,
            NodeOrText::AppendText(text) => {
                let before =
                    at.checked_sub(1).and_then(|at| parent.children.borrow().get(at).cloned());
                if let Some(Data::Text(before)) = before.as_deref().map(|part| &part.data) {
                    before.borrow_mut().push_str(&text);
                    return;
                }
                self.make(Data::Text(RefCell::new(text.to_string())))
            }
        };
        *part.parent.borrow_mut() = Rc::downgrade(parent);
        part.depth.set(parent.depth.get() + 1);
        self.deepest.set(self.deepest.get().max(part.depth.get()));
        parent.children.borrow_mut().insert(at, part);
    }
}

fn part(data: Data) -> Rc<Part> {
    Rc::new(Part {
        data,
        children: RefCell::default(),
        parent: RefCell::default(),
        depth: Cell::new(0),
    })
}

/// The parent of a part, and its place there. Most are near the end.
fn place(of: &Rc<Part>) -> Option<(Rc<Part>, usize)> {
    let parent = of.parent.borrow().upgrade()?;
    let at = parent.children.borrow().iter().rposition(|child| Rc::ptr_eq(child, of))?;
    Some((parent, at))
}

impl TreeSink for Tree {
    type Handle = Rc<Part>;
    type Output = Self;
    type ElemName<'a> = html5ever::ExpandedName<'a>;

    fn finish(self) -> Self {
        self
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Rc<Part> {
        Rc::clone(&self.document)
    }

    fn elem_name<'a>(&'a self, target: &'a Rc<Part>) -> html5ever::ExpandedName<'a> {
        match &target.data {
            Data::Element { name, .. } => name.expanded(),
            Data::Text(_) | Data::Nothing => self.nothing.expanded(),
        }
    }

    fn create_element(
        &self,
        name: QualName,
        attributes: Vec<Attribute>,
        flags: ElementFlags,
    ) -> Rc<Part> {
        self.elements.set(self.elements.get() + 1);
        if flags.had_duplicate_attributes {
            let what = format!("of <{}> that is there twice", name.local);
            self.lost.borrow_mut().add("attribute", what);
        }
        self.make(Data::Element { name, attributes: RefCell::new(attributes) })
    }

    fn create_comment(&self, text: StrTendril) -> Rc<Part> {
        if !text.trim().is_empty() {
            self.lost.borrow_mut().add("comment", text.trim());
        }
        self.make(Data::Nothing)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Rc<Part> {
        self.make(Data::Nothing)
    }

    fn append(&self, parent: &Rc<Part>, child: NodeOrText<Rc<Part>>) {
        let end = parent.children.borrow().len();
        self.insert(parent, end, child);
    }

    fn append_based_on_parent_node(
        &self,
        element: &Rc<Part>,
        previous: &Rc<Part>,
        child: NodeOrText<Rc<Part>>,
    ) {
        match place(element) {
            Some(_) => self.append_before_sibling(element, child),
            None => self.append(previous, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Rc<Part>) -> Rc<Part> {
        Rc::clone(target)
    }

    fn same_node(&self, a: &Rc<Part>, b: &Rc<Part>) -> bool {
        Rc::ptr_eq(a, b)
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Rc<Part>, child: NodeOrText<Rc<Part>>) {
        if let Some((parent, at)) = place(sibling) {
            self.insert(&parent, at, child);
        }
    }

    // Attributes of a page are lost.
    fn add_attrs_if_missing(&self, _: &Rc<Part>, _: Vec<Attribute>) {}

    fn remove_from_parent(&self, target: &Rc<Part>) {
        if let Some((parent, at)) = place(target) {
            parent.children.borrow_mut().remove(at);
            *target.parent.borrow_mut() = Weak::new();
        }
    }

    fn reparent_children(&self, from: &Rc<Part>, to: &Rc<Part>) {
        let children = std::mem::take(&mut *from.children.borrow_mut());
        for child in children {
            self.append(to, NodeOrText::AppendNode(child));
        }
    }
}
