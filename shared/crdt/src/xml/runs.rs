//! Replacement of formatted text: first characters, then marks, each only where it changes.

use std::{ops::Range, sync::Arc};

use yrs::{Any, TransactionMut, types::Attrs};

use super::{
    marks::{Marks, Run, Shown},
    stored::{Piece, StoredText},
    wanted::Vocabulary,
};
use crate::{
    budget::Budget,
    hunks,
    text::{Steps, units},
};

/// Number of passes over the marks. Overlapping markers of concurrent edits can make the library
/// format more or less than requested.
const LOOKS: usize = 3;

/// Changes adjacent texts into `new`.
pub(super) fn replace(
    txn: &mut TransactionMut<'_>,
    old: &StoredText,
    new: &[Run],
    words: &Vocabulary,
    budget: &Budget,
) {
    let mut done = write(txn, old, new, words, budget);
    for _ in 0..LOOKS {
        if !done {
            break;
        }
        let now = old.read_again(txn);
        if now.runs() == new {
            return;
        }
        done = write(txn, &now, new, words, budget);
    }
    let now = old.read_again(txn);
    if now.runs() != new {
        write(txn, &now, &[], words, budget);
        if let Some(first) = old.members.first() {
            fresh(new, words).apply(txn, first);
        }
    }
}

/// Returns whether it did: many separate formats would take too long.
fn write(
    txn: &mut TransactionMut<'_>,
    old: &StoredText,
    new: &[Run],
    words: &Vocabulary,
    budget: &Budget,
) -> bool {
    let text: String = new.iter().map(|run| run.text.as_str()).collect();
    let new = Runs::new(new);
    let mut writer = Writer { old, new, words, text: &text, piece: 0, steps: Vec::new() };
    writer.steps.resize_with(old.members.len(), Steps::default);
    let mut at = (0, 0);
    for hunk in hunks::of_texts(&old.text, &text, budget) {
        writer.keep(at.0..hunk.old.start, at.1);
        writer.delete(hunk.old.clone());
        writer.insert(&hunk.old, hunk.new.clone());
        at = (hunk.old.end, hunk.new.end);
    }
    writer.keep(at.0..old.text.len(), at.1);
    let steps = std::mem::take(&mut writer.steps);
    if !budget.pay(steps.iter().map(Steps::formatted).sum()) {
        return false;
    }
    for (member, steps) in old.members.iter().zip(steps) {
        steps.apply(txn, member);
    }
    true
}

/// The text of a new node.
pub(super) fn fresh(new: &[Run], words: &Vocabulary) -> Steps {
    let mut steps = Steps::default();
    for run in new {
        insert(&mut steps, &run.text, attributes(&run.marks, None, words), words);
    }
    steps
}

/// Inserts a text, with its embedded objects.
fn insert(steps: &mut Steps, text: &str, attributes: Option<Box<Attrs>>, words: &Vocabulary) {
    let mut rest = text;
    let next = |text: &str| {
        text.char_indices().find_map(|(at, c)| Some((at, c, words.reading.embedded(c)?.clone())))
    };
    while let Some((at, character, object)) = next(rest) {
        if at > 0 {
            steps.insert(&rest[..at], attributes.clone());
        }
        steps.embed(object, attributes.clone());
        rest = &rest[at + character.len_utf8()..];
    }
    if !rest.is_empty() {
        steps.insert(rest, attributes);
    }
}

struct Writer<'a> {
    old: &'a StoredText,
    new: Runs<'a>,
    words: &'a Vocabulary,
    text: &'a str,
    /// Position within the pieces.
    piece: usize,
    /// Edits of each text.
    steps: Vec<Steps>,
}

impl Writer<'_> {
    /// Keeps the characters of `old`, at position `new` of the new text.
    fn keep(&mut self, old: Range<usize>, new: usize) {
        self.walk(old.clone(), |writer, piece, range| {
            let start = new + (range.start - old.start);
            for (run, part) in writer.new.within(start..start + range.len()) {
                let units = units(&writer.text[part]);
                let steps = &mut writer.steps[piece.member];
                match changes(piece, &run.marks, writer.words) {
                    None => steps.retain(units),
                    Some(changes) => steps.format(units, changes),
                }
            }
        });
    }

    fn delete(&mut self, old: Range<usize>) {
        self.walk(old, |writer, piece, range| {
            writer.steps[piece.member].delete(units(&writer.old.text[range]));
        });
    }

    fn insert(&mut self, old: &Range<usize>, new: Range<usize>) {
        let near = near(self.old, old);
        let member = near.map_or(0, |piece| piece.member);
        for (run, part) in self.new.within(new) {
            let attributes = attributes(&run.marks, near, self.words);
            if let Some(steps) = self.steps.get_mut(member) {
                insert(steps, &self.text[part], attributes, self.words);
            }
        }
    }

    /// Skips the pieces of `range`. Embedded objects stay.
    fn walk(&mut self, range: Range<usize>, step: impl Fn(&mut Self, &Piece, Range<usize>)) {
        let old = self.old;
        let mut at = range.start;
        while at < range.end {
            let Some(piece) = old.pieces.get(self.piece) else { return };
            if piece.bytes.is_empty() {
                self.steps[piece.member].retain(1);
                self.piece += 1;
                continue;
            }
            let end = piece.bytes.end.min(range.end);
            if at < end {
                step(self, piece, at..end);
            }
            at = end;
            if at == piece.bytes.end {
                self.piece += 1;
            }
        }
    }
}

/// The piece of new text: the replaced one, or else the one to its left.
fn near<'a>(old: &'a StoredText, replaced: &Range<usize>) -> Option<&'a Piece> {
    let at = if replaced.is_empty() { replaced.start.checked_sub(1)? } else { replaced.start };
    old.pieces.get(old.pieces.partition_point(|piece| piece.bytes.end <= at))
}

/// The runs of a text by position.
struct Runs<'a> {
    runs: &'a [Run],
    ends: Vec<usize>,
}

impl<'a> Runs<'a> {
    fn new(runs: &'a [Run]) -> Self {
        let ends = runs.iter().scan(0, |end, run| {
            *end += run.text.len();
            Some(*end)
        });
        Self { runs, ends: ends.collect() }
    }

    /// The runs of a range of the text, each with its part.
    fn within(&self, range: Range<usize>) -> Vec<(&'a Run, Range<usize>)> {
        let mut at = range.start;
        let first = self.ends.partition_point(|end| *end <= at);
        let mut found = Vec::new();
        for (run, end) in self.runs[first..].iter().zip(&self.ends[first..]) {
            if at >= range.end {
                break;
            }
            found.push((run, at..range.end.min(*end)));
            at = *end;
        }
        found
    }
}

/// The format change that gives `piece` these marks.
fn changes(piece: &Piece, marks: &Marks, words: &Vocabulary) -> Option<Box<Attrs>> {
    if piece.marks == *marks {
        return None;
    }
    let gone = piece.marks.keys().filter(|name| !marks.contains_key(*name));
    let mut changes: Attrs = gone.map(|name| (Arc::clone(name), Any::Null)).collect();
    for (name, wanted) in marks {
        if piece.marks.get(name) != Some(wanted) {
            changes.insert(Arc::clone(name), words.mark_value(name, wanted));
        }
    }
    Some(Box::new(changes))
}

/// The format for these marks; reuses the stored value nearby.
fn attributes(marks: &Marks, near: Option<&Piece>, words: &Vocabulary) -> Option<Box<Attrs>> {
    if marks.is_empty() {
        return None;
    }
    let value = |name: &Arc<str>, wanted: &Arc<Shown>| {
        let same = near.filter(|near| near.marks.get(name) == Some(wanted));
        let stored = same.and_then(|near| near.attributes.get(name));
        stored.cloned().unwrap_or_else(|| words.mark_value(name, wanted))
    };
    let attributes = marks.iter().map(|(name, wanted)| (Arc::clone(name), value(name, wanted)));
    Some(Box::new(attributes.collect()))
}
