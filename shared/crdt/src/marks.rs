//! A mark on a range of a rich text, in the name of the service.

use std::{
    ops::{Range, RangeInclusive},
    sync::Arc,
};

use error::Result;
use model::comment::{ItemId, RelativePosition};
use yrs::{
    Any, Assoc, BranchID, ClientID, ID, IndexScope, Out, ReadTxn, StickyIndex, Text, Transact,
    Update, XmlFragmentRef, XmlTextRef,
    branch::Branch,
    types::{Attrs, text::YChange},
};

use crate::{
    Kind, MAX_DEPTH, Replacement, State,
    guard::contain,
    value::{items, to_any},
};

/// Maximum number of texts in a range, such as paragraphs.
const MAX_TEXTS: usize = 200;

/// A format that is written to characters.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The name of the format in the document.
    pub key: String,
    /// Value of the format.
    pub value: serde_json::Value,
}

/// The reason why a range cannot be marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRange {
    /// The content is no rich text.
    NoRichText,
    /// The beginning is not in the text.
    NoBeginning,
    /// The end is not in the text.
    NoEnd,
    /// There are no characters between both.
    NoCharacters,
    /// The range has more than 200 texts.
    TooLong,
}

/// Writes `mark` to the characters between two positions of the rich text under `key`, and nothing
/// else. Characters that have it stay untouched: if all have it, the update is empty.
///
/// # Errors
/// INVALID_ARGUMENT for content that only connected editors can edit. INTERNAL, when the library
/// fails; then the state must not be used.
pub fn mark(
    state: &mut State,
    key: &str,
    range: [&RelativePosition; 2],
    mark: &Mark,
) -> Result<Result<Replacement, NoRange>> {
    if state.kind(key)? != Some(Kind::Xml) {
        return Ok(Err(NoRange::NoRichText));
    }
    let update = contain(state.bytes, || {
        let mut txn = state.doc.transact_mut();
        let Some(root) = txn.get_xml_fragment(key) else { return Ok(Err(NoRange::NoRichText)) };
        let parts = match parts(&txn, &root, range) {
            Ok(parts) => parts,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let value = to_any(&mark.value);
        for (text, range) in parts {
            for part in unmarked(&txn, &text, range, &mark.key, &value) {
                let format = Attrs::from([(Arc::from(mark.key.as_str()), value.clone())]);
                text.format(&mut txn, part.start, part.end - part.start, format);
            }
        }
        let update = txn.encode_update_v1();
        Ok(Ok(if update == Update::EMPTY_V1 { Vec::new() } else { update }))
    })?;
    Ok(update.map(|update| {
        state.bytes += update.len();
        state.known = None;
        Replacement { update, clock: state.clock_of(state.client()), lost: Vec::new() }
    }))
}

/// The texts between two positions, each with its part in UTF-16 units.
fn parts(
    txn: &impl ReadTxn,
    root: &XmlFragmentRef,
    [from, to]: [&RelativePosition; 2],
) -> Result<Vec<(XmlTextRef, Range<u32>)>, NoRange> {
    let from = NodePosition::of(txn, from).ok_or(NoRange::NoBeginning)?;
    let to = NodePosition::of(txn, to).ok_or(NoRange::NoEnd)?;
    let mut walk = Walk { wanted: [from, to], found: [None; 2], at: 0, texts: Vec::new() };
    let children = items(txn, root.as_ref()).unwrap_or_default();
    let branch: &Branch = root.as_ref();
    walk.node(txn, branch.id(), &children, 0);
    let [from, to] = walk.found;
    let (from, to) = (from.ok_or(NoRange::NoBeginning)?, to.ok_or(NoRange::NoEnd)?);
    let part = |(text, start, len): (XmlTextRef, u64, u32)| {
        let within = |at: u64| u32::try_from(at.saturating_sub(start)).unwrap_or(len).min(len);
        let range = whole_characters(txn, &text, within(from)..within(to));
        (range.start < range.end).then_some((text, range))
    };
    let parts: Vec<_> = walk.texts.into_iter().filter_map(part).collect();
    match parts.len() {
        0 => Err(NoRange::NoCharacters),
        1..=MAX_TEXTS => Ok(parts),
        _ => Err(NoRange::TooLong),
    }
}

/// A position within one node.
struct NodePosition {
    node: BranchID,
    index: u32,
}

impl NodePosition {
    fn of(txn: &impl ReadTxn, position: &RelativePosition) -> Option<Self> {
        position.check().ok()?;
        let id = |id: ItemId| ID::new(ClientID::new(id.client), id.clock);
        let scope = match (position.item, &position.tname, position.node) {
            (Some(item), _, _) => IndexScope::Relative(id(item)),
            (None, Some(name), _) => IndexScope::Root(name.as_str().into()),
            (None, None, node) => IndexScope::Nested(id(node?)),
        };
        let is_before = position.assoc.is_some_and(|assoc| assoc < 0);
        let assoc = if is_before { Assoc::Before } else { Assoc::After };
        let offset = StickyIndex::new(scope, assoc).get_offset(txn)?;
        Some(Self { node: offset.branch.id(), index: offset.index })
    }
}

/// A walk through the nodes in their order, which counts characters and borders of nodes.
struct Walk {
    wanted: [NodePosition; 2],
    /// Where the positions are.
    found: [Option<u64>; 2],
    at: u64,
    /// Each text, with where it begins, and its length.
    texts: Vec<(XmlTextRef, u64, u32)>,
}

impl Walk {
    fn node(&mut self, txn: &impl ReadTxn, id: BranchID, children: &[Out], depth: usize) {
        for (n, child) in (0..).zip(children) {
            self.meet(&id, n..=n);
            match child {
                Out::YXmlText(text) => self.text(txn, text),
                Out::YXmlElement(element) if depth <= 2 * MAX_DEPTH => {
                    self.at += 1;
                    let children = items(txn, element.as_ref()).unwrap_or_default();
                    let branch: &Branch = element.as_ref();
                    self.node(txn, branch.id(), &children, depth + 1);
                }
                _ => {}
            }
            self.at += 1;
        }
        let len = u32::try_from(children.len()).unwrap_or(u32::MAX);
        self.meet(&id, len..=u32::MAX);
    }

    fn text(&mut self, txn: &impl ReadTxn, text: &XmlTextRef) {
        let (len, branch): (u32, &Branch) = (text.len(txn), text.as_ref());
        let id = branch.id();
        for (wanted, found) in self.wanted.iter().zip(&mut self.found) {
            if wanted.node == id {
                *found = Some(self.at + u64::from(wanted.index.min(len)));
            }
        }
        self.texts.push((text.clone(), self.at, len));
        self.at += u64::from(len);
    }

    fn meet(&mut self, id: &BranchID, indexes: RangeInclusive<u32>) {
        for (wanted, found) in self.wanted.iter().zip(&mut self.found) {
            if wanted.node == *id && indexes.contains(&wanted.index) {
                *found = Some(self.at);
            }
        }
    }
}

/// The pieces of a text: the UTF-16 lengths of their characters, and their format. An embedded
/// object counts as one.
fn pieces(txn: &impl ReadTxn, text: &XmlTextRef) -> Vec<(Vec<u32>, Option<Box<Attrs>>)> {
    let pieces = text.diff(txn, YChange::identity).into_iter();
    let pieces = pieces.map(|piece| match &piece.insert {
        Out::Any(Any::String(part)) => {
            let units = part.chars().map(|c| if c.len_utf16() == 1 { 1 } else { 2 });
            (units.collect(), piece.attributes)
        }
        _ => (vec![1], piece.attributes),
    });
    pieces.collect()
}

/// The range with the whole of each character in it: half of one would be destroyed by a cut.
fn whole_characters(txn: &impl ReadTxn, text: &XmlTextRef, range: Range<u32>) -> Range<u32> {
    if range.is_empty() {
        return range;
    }
    let (mut whole, mut at) = (range.clone(), 0);
    for units in pieces(txn, text).into_iter().flat_map(|(units, _)| units) {
        let next = at + units;
        if at < range.start && range.start < next {
            whole.start = at;
        }
        if at < range.end && range.end < next {
            whole.end = next;
        }
        at = next;
    }
    whole
}

/// The parts of a range that do not have the format.
fn unmarked(
    txn: &impl ReadTxn,
    text: &XmlTextRef,
    range: Range<u32>,
    key: &str,
    value: &Any,
) -> Vec<Range<u32>> {
    let (mut parts, mut at): (Vec<Range<u32>>, u32) = (Vec::new(), 0);
    for (units, attributes) in pieces(txn, text) {
        let next = at + units.iter().sum::<u32>();
        let part = at.max(range.start)..next.min(range.end);
        at = next;
        let has_it = attributes.is_some_and(|attributes| attributes.get(key) == Some(value));
        if part.is_empty() || has_it {
            continue;
        }
        match parts.last_mut() {
            Some(last) if last.end == part.start => last.end = part.end,
            _ => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use model::comment::RelativePosition;
    use serde_json::{Value, from_value, json};
    use yrs::{
        ClientID, Doc, OffsetKind, Options, ReadTxn, StateVector, Transact, WriteTxn, XmlFragment,
    };
    use yrs::{XmlElementPrelim, XmlTextPrelim};

    use super::{Mark, NoRange, mark};
    use crate::State;

    /// Paragraphs by client 1, one after the other: a node, its text, and its characters.
    fn stored(paragraphs: &[&str]) -> Vec<u8> {
        let options = Options {
            client_id: ClientID::new(1),
            offset_kind: OffsetKind::Utf16,
            ..Options::default()
        };
        let doc = Doc::with_options(options);
        let mut txn = doc.transact_mut();
        let root = txn.get_or_insert_xml_fragment("default");
        for text in paragraphs {
            let paragraph = root.push_back(&mut txn, XmlElementPrelim::empty("p"));
            paragraph.push_back(&mut txn, XmlTextPrelim::new(*text));
        }
        txn.encode_state_as_update_v1(&StateVector::default())
    }

    /// The content after a mark, or why there is none.
    fn marked(paragraphs: &[&str], from: Value, to: Value) -> Result<String, NoRange> {
        let update = stored(paragraphs);
        let mut state = State::load(2, None, [update.as_slice()]).unwrap();
        let [from, to] = [from, to].map(|it| from_value::<RelativePosition>(it).unwrap());
        let with = Mark { key: "c".to_owned(), value: json!({ "t": "1" }) };
        let written = mark(&mut state, "default", [&from, &to], &with).unwrap()?;
        let again = mark(&mut state, "default", [&from, &to], &with).unwrap()?;
        assert_eq!((again.update.len(), again.clock), (0, written.clock), "once");
        let mut peer = State::load(3, None, [update.as_slice()]).unwrap();
        peer.apply(&written.update).unwrap();
        let shown = |state: &State| state.value(crate::Kind::Xml, "default").unwrap();
        assert_eq!(shown(&peer), shown(&state));
        Ok(shown(&peer).as_str().unwrap().to_owned())
    }

    fn item(clock: u32) -> Value {
        json!({ "item": { "client": 1, "clock": clock } })
    }

    #[test]
    fn a_range_is_marked_and_no_character_is_cut() {
        // Clocks: 0 node, 1 text, 2 a, 3 and 4 the globe, 5 b.
        let one = |from, to| marked(&["a🌍b"], from, to);
        let globe = Ok("<p>a<c t=\"1\">🌍</c>b</p>".to_owned());
        assert_eq!(one(item(3), item(5)), globe);
        assert_eq!(one(item(3), item(4)), globe);
        assert_eq!(one(item(4), item(5)), globe);
        let end = json!({ "type": { "client": 1, "clock": 1 }, "assoc": 0 });
        assert_eq!(one(item(5), end), Ok("<p>a🌍<c t=\"1\">b</c></p>".to_owned()));
        let begin = json!({ "tname": "default", "assoc": -1 });
        assert_eq!(one(begin, item(3)), Ok("<p><c t=\"1\">a</c>🌍b</p>".to_owned()));
    }

    #[test]
    fn a_range_may_span_paragraphs_and_their_borders() {
        // Clocks of the second paragraph: 4 node, 5 text, 6 c, 7 d.
        let two = |from, to| marked(&["ab", "cd"], from, to);
        let both = "<p>a<c t=\"1\">b</c></p><p><c t=\"1\">c</c>d</p>";
        assert_eq!(two(item(3), item(7)), Ok(both.to_owned()));
        let all = "<p><c t=\"1\">ab</c></p><p><c t=\"1\">cd</c></p>";
        assert_eq!(two(item(0), json!({ "tname": "default" })), Ok(all.to_owned()));
        assert_eq!(two(item(0), item(4)), Ok("<p><c t=\"1\">ab</c></p><p>cd</p>".to_owned()));
    }

    #[test]
    fn what_is_nowhere_is_refused() {
        let one = |from, to| marked(&["ab", "cd"], from, to);
        let other = json!({ "item": { "client": 9, "clock": 0 } });
        assert_eq!(one(other.clone(), item(3)), Err(NoRange::NoBeginning));
        assert_eq!(one(item(2), item(99)), Err(NoRange::NoEnd));
        assert_eq!(one(item(2), json!({ "tname": "content" })), Err(NoRange::NoEnd));
        assert_eq!(one(item(3), item(3)), Err(NoRange::NoCharacters));
        assert_eq!(one(item(7), item(3)), Err(NoRange::NoCharacters));
        let many: Vec<&str> = vec!["x"; 201];
        let all = |texts: &[&str]| marked(texts, item(0), json!({ "tname": "default" }));
        assert_eq!(all(&many), Err(NoRange::TooLong));
        assert!(all(&many[..200]).is_ok());
        assert_eq!(marked(&[], item(0), item(1)), Err(NoRange::NoRichText));
    }
}
