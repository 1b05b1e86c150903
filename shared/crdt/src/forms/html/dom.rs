//! A tree of HTML, built by the parser of browsers.

use std::{
    borrow::Cow,
    cell::{Cell, RefCell},
    rc::{Rc, Weak},
    time::{Duration, Instant},
};

use error::{Error, Result};
use html5ever::{
    Attribute, ParseOpts, QualName, local_name, ns, parse_fragment,
    tendril::{StrTendril, TendrilSink},
    tree_builder::{ElementFlags, NodeOrText, QuirksMode, TreeBuilderOpts, TreeSink},
};

use crate::{
    forms::lost::HTML,
    limits::{MAX_DEPTH, MAX_NODES, too_deep, too_many},
};

/// Bytes that are parsed at once. Bounds are checked between them.
const PIECE: usize = 4096;

/// Maximum number of elements around each other. Marks and layout are elements, too.
const MAX_AROUND: usize = 3 * MAX_DEPTH;

/// Maximum number of elements and texts.
const MAX_PARTS: usize = 8 * MAX_NODES;

/// Maximum time. The parser takes it for a tag with hundreds of thousands of attributes.
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

/// The parts of a source.
///
/// # Errors
/// INVALID_ARGUMENT, when it is too large or too deep.
pub(super) fn parse(source: &str) -> Result<Rc<Part>> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() },
        ..ParseOpts::default()
    };
    let around = QualName::new(None, ns!(html), local_name!("div"));
    let mut parser = parse_fragment(Tree::new(), options, around, Vec::new(), false);
    let end = Instant::now() + TIME;
    let mut rest = source;
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(rest.floor_char_boundary(PIECE).max(1));
        parser.process(StrTendril::from_slice(piece));
        parser.tokenizer.sink.sink.check()?;
        if Instant::now() > end {
            return Err(HTML.refuses("it takes too long"));
        }
        rest = after;
    }
    let tree = parser.finish();
    tree.check()?;
    // The parser puts a fragment into an element of its own.
    let root = tree.document.children.borrow().first().cloned();
    Ok(root.unwrap_or(tree.document))
}

struct Tree {
    document: Rc<Part>,
    /// The name of what has none.
    nothing: QualName,
    parts: Cell<usize>,
    deepest: Cell<usize>,
}

impl Tree {
    fn new() -> Self {
        Self {
            document: part(Data::Nothing),
            nothing: QualName::new(None, ns!(), local_name!("")),
            parts: Cell::new(0),
            deepest: Cell::new(0),
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
        _: ElementFlags,
    ) -> Rc<Part> {
        self.make(Data::Element { name, attributes: RefCell::new(attributes) })
    }

    fn create_comment(&self, _: StrTendril) -> Rc<Part> {
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

    fn add_attrs_if_missing(&self, target: &Rc<Part>, sent: Vec<Attribute>) {
        if let Data::Element { attributes, .. } = &target.data {
            let mut attributes = attributes.borrow_mut();
            for new in sent {
                if attributes.iter().all(|known| known.name != new.name) {
                    attributes.push(new);
                }
            }
        }
    }

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
