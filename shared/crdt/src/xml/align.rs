//! Matching of stored and requested children.

use std::{
    collections::{BTreeMap, HashMap},
    time::Instant,
};

use yrs::ReadTxn;

use super::{
    marks::Run,
    stored::{Stored, attribute},
    wanted::{Vocabulary, Wanted},
};
use crate::{budget::Budget, hunks};

/// Maximum number of children on either side for an optimal matching.
const COMPARED: usize = 64;

/// Maximum size of a node's text for the similarity.
const SAMPLE: usize = 64;

/// The shape of a node, with its content.
#[derive(PartialEq, Eq, Hash)]
enum Shape {
    Element(String, BTreeMap<String, String>, Vec<usize>),
    Text(Vec<Run>),
    /// Unequal to all others.
    Unique(usize),
}

/// Numbers for shapes; equal numbers mean equal nodes.
struct Shapes<'a> {
    numbers: HashMap<Shape, usize>,
    words: &'a Vocabulary,
}

impl Shapes<'_> {
    fn number(&mut self, shape: Shape) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(shape).or_insert(next)
    }

    fn stored(&mut self, txn: &impl ReadTxn, node: &Stored) -> usize {
        let shape = match node {
            Stored::Element(node) => {
                let reading = &self.words.reading;
                let shown =
                    |(key, value)| Some((String::clone(key), attribute(reading, txn, value)?));
                let attributes = node.attributes.iter().filter_map(shown).collect();
                let children = node.children.iter().filter(|child| is_visible(child));
                let children = children.map(|child| self.stored(txn, child)).collect();
                Shape::Element(self.words.folded(&node.name), attributes, children)
            }
            Stored::Text(text) if text.pieces.iter().all(|piece| !piece.bytes.is_empty()) => {
                Shape::Text(text.runs())
            }
            Stored::Text(_) | Stored::Nested(_) | Stored::Other(_) => {
                Shape::Unique(self.numbers.len())
            }
        };
        self.number(shape)
    }

    fn wanted(&mut self, node: &Wanted) -> usize {
        let shape = match node {
            Wanted::Element { name, attributes, children } => {
                let children = children.iter().map(|child| self.wanted(child)).collect();
                Shape::Element(self.words.folded(name), attributes.clone(), children)
            }
            Wanted::Text(runs) => Shape::Text(runs.clone()),
        };
        self.number(shape)
    }
}

/// Whether a node is visible: a text may be empty.
fn is_visible(node: &Stored) -> bool {
    match node {
        Stored::Element(_) => true,
        Stored::Text(text) => !text.pieces.is_empty(),
        Stored::Nested(_) | Stored::Other(_) => false,
    }
}

/// The positions of a stored and a requested node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) old: usize,
    pub(super) new: usize,
    pub(super) is_equal: bool,
}

/// The pairs, in order.
pub(super) fn pairs(
    txn: &impl ReadTxn,
    old: &[Stored],
    new: &[Wanted],
    words: &Vocabulary,
    budget: &Budget,
) -> Vec<Pair> {
    let mut shapes = Shapes { numbers: HashMap::new(), words };
    let old_shapes: Vec<usize> = old.iter().map(|node| shapes.stored(txn, node)).collect();
    let new_shapes: Vec<usize> = new.iter().map(|node| shapes.wanted(node)).collect();
    let mut pairs = Vec::new();
    let mut at = (0, 0);
    let same = |from: (usize, usize), to: usize| {
        (from.0..to).zip(from.1..).map(|(old, new)| Pair { old, new, is_equal: true })
    };
    for hunk in hunks::of_lists(&old_shapes, &new_shapes, budget) {
        pairs.extend(same(at, hunk.old.start));
        at = (hunk.old.end, hunk.new.end);
        let (old_range, new_range) = (hunk.old, hunk.new);
        let found = changed(&old[old_range.clone()], &new[new_range.clone()], words, budget);
        let pair = |(old, new)| Pair {
            old: old_range.start + old,
            new: new_range.start + new,
            is_equal: false,
        };
        pairs.extend(found.into_iter().map(pair));
    }
    pairs.extend(same(at, old.len()));
    let is_changed = |pair: &Pair| !pair.is_equal;
    let is_flat = |pair: &Pair| pair.is_equal || flat(&old[pair.old], &new[pair.new]);
    if !budget.pay(pairs.iter().filter(|pair| is_changed(pair)).count())
        && !pairs.iter().all(is_flat)
    {
        // All children from the first to the last changed one are different.
        let first = pairs.iter().position(is_changed).unwrap_or(pairs.len());
        let last = pairs.iter().rposition(is_changed).unwrap_or(first);
        pairs.drain(first..=last);
    }
    pairs
}

/// Whether one becomes the other by changes of attributes and texts alone, which need no cut and
/// delete no child.
fn flat(old: &Stored, new: &Wanted) -> bool {
    match (old, new) {
        (Stored::Element(old), Wanted::Element { children, .. }) => {
            let is_text = |(old, new): (&Stored, &Wanted)| {
                matches!((old, new), (Stored::Text(_), Wanted::Text(_)))
            };
            old.children.len() == children.len() && old.children.iter().zip(children).all(is_text)
        }
        (Stored::Text(_), Wanted::Text(_)) => true,
        _ => false,
    }
}

fn changed(
    old: &[Stored],
    new: &[Wanted],
    words: &Vocabulary,
    budget: &Budget,
) -> Vec<(usize, usize)> {
    if old.len() <= COMPARED && new.len() <= COMPARED && Instant::now() < budget.deadline() {
        best(old, new, words)
    } else {
        in_order(old, new, words, budget)
    }
}

/// The pairs of the same name, one after the other.
fn in_order(
    old: &[Stored],
    new: &[Wanted],
    words: &Vocabulary,
    budget: &Budget,
) -> Vec<(usize, usize)> {
    let old_names: Vec<String> = old.iter().map(|node| stored_name(node, words)).collect();
    let new_names: Vec<String> = new.iter().map(|node| wanted_name(node, words)).collect();
    let mut pairs = Vec::new();
    let mut at = (0, 0);
    let end = hunks::Hunk { old: old.len()..old.len(), new: new.len()..new.len() };
    for hunk in hunks::of_lists(&old_names, &new_names, budget).into_iter().chain([end]) {
        pairs.extend((at.0..hunk.old.start).zip(at.1..hunk.new.start));
        at = (hunk.old.end, hunk.new.end);
    }
    pairs
}

/// The pairs with the highest similarity, in unchanged order.
fn best(old: &[Stored], new: &[Wanted], words: &Vocabulary) -> Vec<(usize, usize)> {
    let old: Vec<_> =
        old.iter().map(|node| (stored_name(node, words), sample_stored(node))).collect();
    let new: Vec<_> =
        new.iter().map(|node| (wanted_name(node, words), sample_wanted(node))).collect();
    let width = new.len() + 1;
    let score = |a: &(String, Vec<String>), b: &(String, Vec<String>)| {
        if a.0 == b.0 { 1 + common(&a.1, &b.1) } else { 0 }
    };
    // The best total from each position on.
    let mut gains = vec![0_u32; (old.len() + 1) * width];
    let mut scores = vec![0_u32; old.len() * new.len()];
    for (i, a) in old.iter().enumerate().rev() {
        for (j, b) in new.iter().enumerate().rev() {
            let score = score(a, b);
            scores[i * new.len() + j] = score;
            let paired = if score > 0 { score + gains[(i + 1) * width + j + 1] } else { 0 };
            gains[i * width + j] =
                paired.max(gains[(i + 1) * width + j]).max(gains[i * width + j + 1]);
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        let score = scores[i * new.len() + j];
        let here = gains[i * width + j];
        if score > 0 && here == score + gains[(i + 1) * width + j + 1] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == gains[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

fn stored_name(node: &Stored, words: &Vocabulary) -> String {
    match node {
        Stored::Element(node) => words.folded(&node.name),
        Stored::Text(_) => "#text".to_owned(),
        Stored::Nested(_) | Stored::Other(_) => "#other".to_owned(),
    }
}

fn wanted_name(node: &Wanted, words: &Vocabulary) -> String {
    match node {
        Wanted::Element { name, .. } => words.folded(name),
        Wanted::Text(_) => "#text".to_owned(),
    }
}

/// Similarity of two sorted samples, in hundredths.
fn common(a: &[String], b: &[String]) -> u32 {
    let (mut i, mut j, mut same) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        match a[i].cmp(&b[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => (i, j, same) = (i + 1, j + 1, same + 1),
        }
    }
    u32::try_from(200 * same / (a.len() + b.len()).max(1)).unwrap_or(0)
}

fn sample_stored(node: &Stored) -> Vec<String> {
    fn collect(node: &Stored, sample: &mut Vec<String>) {
        match node {
            Stored::Element(node) => {
                node.children.iter().take(SAMPLE).for_each(|child| collect(child, sample));
            }
            Stored::Text(text) => words(&text.text, sample),
            Stored::Nested(_) | Stored::Other(_) => (),
        }
    }
    let mut sample = Vec::new();
    collect(node, &mut sample);
    sample.sort_unstable();
    sample
}

fn sample_wanted(node: &Wanted) -> Vec<String> {
    fn collect(node: &Wanted, sample: &mut Vec<String>) {
        match node {
            Wanted::Element { children, .. } => {
                children.iter().take(SAMPLE).for_each(|child| collect(child, sample));
            }
            Wanted::Text(runs) => {
                let text: String = runs.iter().map(|run| run.text.as_str()).collect();
                words(&text, sample);
            }
        }
    }
    let mut sample = Vec::new();
    collect(node, &mut sample);
    sample.sort_unstable();
    sample
}

fn words(text: &str, sample: &mut Vec<String>) {
    let room = SAMPLE.saturating_sub(sample.len());
    sample.extend(text.split_whitespace().take(room).map(|word| word.chars().take(32).collect()));
}
