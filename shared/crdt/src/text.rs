//! Replacement of text that keeps formatting and cursors of unchanged parts.

use std::ops::Range;

use yrs::{
    Any, In, Out, Text, TransactionMut,
    types::{Attrs, Delta, text::YChange},
};

use crate::{
    budget::Budget,
    hunks::{self, Hunk},
};

/// The format of a heading in Quill. What follows one is none.
const HEADING: &str = "header";

/// One run of a shared text.
struct Run {
    /// Range of the run in the text, in bytes. Empty for an embedded object.
    bytes: Range<usize>,
    attributes: Option<Box<Attrs>>,
}

/// A shared text by runs.
pub(crate) struct Runs {
    pub(crate) text: String,
    runs: Vec<Run>,
}

impl Runs {
    pub(crate) fn from_shared(txn: &TransactionMut<'_>, shared: &impl Text) -> Self {
        let mut text = String::new();
        let runs = shared
            .diff(txn, YChange::identity)
            .into_iter()
            .map(|piece| {
                let start = text.len();
                if let Out::Any(Any::String(part)) = &piece.insert {
                    text.push_str(part);
                }
                Run { bytes: start..text.len(), attributes: piece.attributes }
            })
            .collect();
        Self { text, runs }
    }

    /// The format of text that replaces `replaced` is that of its beginning; the format of inserted
    /// text is that of the text to its left.
    fn attributes(&self, replaced: &Range<usize>) -> Option<Box<Attrs>> {
        let at = if replaced.is_empty() { replaced.start.checked_sub(1)? } else { replaced.start };
        let index = self.runs.partition_point(|run| run.bytes.end <= at);
        self.runs.get(index).and_then(|run| run.attributes.clone())
    }

    /// The format of the line breaks of new lines, which are like the line before, but no headings;
    /// none within a line. Editors such as Quill keep the format of a line at its end.
    fn line_before(&self, replaced: &Range<usize>) -> Option<Box<Attrs>> {
        if !replaced.is_empty() || !self.text[..replaced.start].ends_with('\n') {
            return None;
        }
        let mut attributes = self.attributes(replaced).unwrap_or_default();
        attributes.remove(HEADING);
        Some(attributes)
    }
}

/// Makes `shared` read `new`.
pub(crate) fn replace(
    txn: &mut TransactionMut<'_>,
    shared: &impl Text,
    new: &str,
    budget: &Budget,
) {
    let old = Runs::from_shared(txn, shared);
    let hunks = hunks::of_texts(&old.text, new, budget);
    steps(&old, new, &hunks).apply(txn, shared);
}

/// The hunks as steps of a traversal, in UTF-16 units, which skips embedded objects.
fn steps(old: &Runs, new: &str, hunks: &[Hunk]) -> Steps {
    let mut steps = Steps::default();
    let mut at = 0;
    let mut run = 0;
    for hunk in hunks {
        walk(old, &mut run, at..hunk.old.start, &mut steps, false);
        walk(old, &mut run, hunk.old.clone(), &mut steps, true);
        if !hunk.new.is_empty() {
            let text = &new[hunk.new.clone()];
            match old.line_before(&hunk.old) {
                None => steps.insert(text, old.attributes(&hunk.old)),
                Some(line) if line.is_empty() => steps.insert(text, None),
                Some(line) => insert_lines(&mut steps, text, &line),
            }
        }
        at = hunk.old.end;
    }
    steps
}

fn insert_lines(steps: &mut Steps, text: &str, line: &Attrs) {
    for part in text.split_inclusive('\n') {
        let words = part.strip_suffix('\n');
        match words.unwrap_or(part) {
            "" => (),
            words => steps.insert(words, None),
        }
        if words.is_some() {
            steps.insert("\n", Some(Box::new(line.clone())));
        }
    }
}

/// Skips `range`; embedded objects within count as one each, and stay. Objects at its end are left
/// to the next step.
fn walk(old: &Runs, run: &mut usize, range: Range<usize>, steps: &mut Steps, deletes: bool) {
    let mut at = range.start;
    while at < range.end {
        let Some(here) = old.runs.get(*run) else { return };
        if here.bytes.is_empty() {
            steps.retain(1);
            *run += 1;
            continue;
        }
        let end = here.bytes.end.min(range.end);
        if at < end {
            let units = units(&old.text[at..end]);
            if deletes { steps.delete(units) } else { steps.retain(units) }
        }
        at = end;
        if at == here.bytes.end {
            *run += 1;
        }
    }
}

/// The length of a text in UTF-16 units.
pub(crate) fn units(text: &str) -> u32 {
    u32::try_from(text.encode_utf16().count()).unwrap_or(u32::MAX)
}

/// The edits of a text, in three traversals: deletions, insertions, formatting.
///
/// In a single traversal the library loses the format after a deletion. Also, new text then follows
/// deleted text, so that the remains of many replacements merge.
#[derive(Default)]
pub(crate) struct Steps {
    deletions: Vec<Delta<In>>,
    insertions: Vec<Delta<In>>,
    formats: Vec<Delta<In>>,
}

impl Steps {
    pub(crate) fn retain(&mut self, units: u32) {
        go(&mut self.deletions, units);
        go(&mut self.insertions, units);
        go(&mut self.formats, units);
    }

    pub(crate) fn delete(&mut self, units: u32) {
        self.deletions.push(Delta::Deleted(units));
    }

    pub(crate) fn insert(&mut self, text: &str, attributes: Option<Box<Attrs>>) {
        self.insertions.push(Delta::Inserted(In::Any(Any::from(text)), attributes));
        go(&mut self.formats, units(text));
    }

    pub(crate) fn embed(&mut self, object: Any, attributes: Option<Box<Attrs>>) {
        self.insertions.push(Delta::Inserted(In::Any(object), attributes));
        go(&mut self.formats, 1);
    }

    pub(crate) fn format(&mut self, units: u32, changes: Box<Attrs>) {
        go(&mut self.deletions, units);
        go(&mut self.insertions, units);
        self.formats.push(Delta::Retain(units, Some(changes)));
    }

    /// Number of formatted positions.
    pub(crate) fn formatted(&self) -> usize {
        self.formats.iter().filter(|step| matches!(step, Delta::Retain(_, Some(_)))).count()
    }

    /// Executes them; one traversal takes the same time for any number of steps.
    pub(crate) fn apply(self, txn: &mut TransactionMut<'_>, shared: &impl Text) {
        for walk in [self.deletions, self.insertions, self.formats] {
            if walk.iter().any(|step| !matches!(step, Delta::Retain(_, None))) {
                shared.apply_delta(txn, walk);
            }
        }
    }
}

fn go(walk: &mut Vec<Delta<In>>, units: u32) {
    match walk.last_mut() {
        Some(Delta::Retain(len, None)) => *len += units,
        _ => walk.push(Delta::Retain(units, None)),
    }
}
