//! Differences of two sequences, in bounded time.

use std::{collections::HashMap, hash::Hash, ops::Range, time::Instant};

use similar::{
    Algorithm, DiffOp,
    algorithms::{Capture, Replace, diff_slices_deadline},
};
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use crate::budget::Budget;

/// Replace `old` of the one by `new` of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hunk {
    pub(crate) old: Range<usize>,
    pub(crate) new: Range<usize>,
}

/// Maximum size of a hunk that is refined by graphemes, in bytes.
const REFINED: usize = 4096;

/// Maximum number of separate changes of one list.
const WALKS: usize = 500;

/// Maximum length of a grapheme in the search for its start. Real ones are far shorter.
const LONGEST_GRAPHEME: usize = 256;

/// The differences of two sequences of comparable items, in order.
pub(crate) fn of_items<T: Eq + Hash>(old: &[T], new: &[T], deadline: Instant) -> Vec<Hunk> {
    // Numbers compare faster, and comparisons are far more frequent.
    let mut known = HashMap::new();
    let mut number = |item| {
        let next = known.len();
        *known.entry(item).or_insert(next)
    };
    let a: Vec<usize> = old.iter().map(&mut number).collect();
    let b: Vec<usize> = new.iter().map(&mut number).collect();
    let mut capture = Replace::new(Capture::new());
    let done = diff_slices_deadline(Algorithm::Myers, &mut capture, &a, &b, Some(deadline));
    match done {
        Ok(()) => capture.into_inner().into_ops().iter().filter_map(hunk).collect(),
        Err(never) => match never {},
    }
}

/// The differences of two lists, where each change takes a traversal.
pub(crate) fn of_lists<T: Eq + Hash>(old: &[T], new: &[T], budget: &Budget) -> Vec<Hunk> {
    let hunks = of_items(old, new, budget.deadline());
    let all = Hunk { old: 0..old.len(), new: 0..new.len() };
    within(hunks, WALKS, all, budget)
}

/// The hunks, if there are at most this many and the budget covers them. Otherwise one hunk from
/// the first to the last; and if nothing is covered, `all`, which needs no cut.
fn within(hunks: Vec<Hunk>, most: usize, all: Hunk, budget: &Budget) -> Vec<Hunk> {
    let [first, .., last] = hunks.as_slice() else {
        return if hunks.is_empty() || budget.pay(1) { hunks } else { vec![all] };
    };
    if hunks.len() <= most && budget.pay(hunks.len()) {
        return hunks;
    }
    let span = Hunk { old: first.old.start..last.old.end, new: first.new.start..last.new.end };
    vec![if budget.pay(1) { span } else { all }]
}

fn hunk(op: &DiffOp) -> Option<Hunk> {
    match op {
        DiffOp::Equal { .. } => None,
        _ => Some(Hunk { old: op.old_range(), new: op.new_range() }),
    }
}

/// The differences of two texts, in bytes, in order, and never within a grapheme.
pub(crate) fn of_texts(old: &str, new: &str, budget: &Budget) -> Vec<Hunk> {
    if old == new {
        return Vec::new();
    }
    let all = Hunk { old: 0..old.len(), new: 0..new.len() };
    if budget.places() == 0 {
        return vec![all];
    }
    let deadline = budget.deadline();
    let prefix = prefix(old, new);
    let suffix = suffix(&old[prefix..], &new[prefix..]);
    let changed = Hunk { old: prefix..old.len() - suffix, new: prefix..new.len() - suffix };
    if changed.old.is_empty() || changed.new.is_empty() {
        return within(by_lines(old, new, vec![changed]), 1, all, budget);
    }
    let hunks = by_tokens(old, new, &changed, words, deadline);
    let hunks = join(old, hunks);
    let hunks = hunks.into_iter().flat_map(|hunk| refine(old, new, hunk, deadline)).collect();
    let hunks = by_lines(old, new, hunks);
    within(hunks, usize::MAX, all, budget)
}

fn by_tokens(
    old: &str,
    new: &str,
    within: &Hunk,
    tokens: fn(&str) -> Vec<&str>,
    deadline: Instant,
) -> Vec<Hunk> {
    let old_tokens = tokens(&old[within.old.clone()]);
    let new_tokens = tokens(&new[within.new.clone()]);
    let (old_ends, new_ends) = (offsets(&old_tokens), offsets(&new_tokens));
    let bytes = |ends: &[usize], range: &Range<usize>, start: usize| {
        start + ends[range.start]..start + ends[range.end]
    };
    of_items(&old_tokens, &new_tokens, deadline)
        .into_iter()
        .map(|hunk| Hunk {
            old: bytes(&old_ends, &hunk.old, within.old.start),
            new: bytes(&new_ends, &hunk.new, within.new.start),
        })
        .collect()
}

fn offsets(tokens: &[&str]) -> Vec<usize> {
    let mut at = 0;
    let ends = tokens.iter().map(|token| {
        at += token.len();
        at
    });
    std::iter::once(0).chain(ends).collect()
}

fn graphemes(text: &str) -> Vec<&str> {
    text.graphemes(true).collect()
}

/// Words and separators, cut only at grapheme boundaries (which the end of a word need not be).
fn words(text: &str) -> Vec<&str> {
    let mut ends = text.grapheme_indices(true).map(|(start, part)| start + part.len()).peekable();
    let mut words = Vec::new();
    let mut start = 0;
    for (at, word) in text.split_word_bound_indices() {
        let end = at + word.len();
        while ends.next_if(|grapheme| *grapheme < end).is_some() {}
        if ends.peek() == Some(&end) {
            words.push(&text[start..end]);
            start = end;
        }
    }
    words
}

/// Moves deletions and insertions to whole lines, where their text allows that: the line behind may
/// begin with the same words, and a line break has the format of its line.
fn by_lines(old: &str, new: &str, mut hunks: Vec<Hunk>) -> Vec<Hunk> {
    for at in 0..hunks.len() {
        let start = at.checked_sub(1).map_or(0, |before| hunks[before].old.end);
        let end = hunks.get(at + 1).map_or(old.len(), |after| after.old.start);
        let hunk = &mut hunks[at];
        let (text, range) = match (hunk.old.is_empty(), hunk.new.is_empty()) {
            (false, true) => (old.as_bytes(), &hunk.old),
            (true, false) => (new.as_bytes(), &hunk.new),
            _ => continue,
        };
        let (back, on) = (hunk.old.start - start, end - hunk.old.end);
        if let Some(by) = back_to_line(text, range, back) {
            hunk.old = hunk.old.start - by..hunk.old.end - by;
            hunk.new = hunk.new.start - by..hunk.new.end - by;
        } else if let Some(by) = on_to_line(text, range, on) {
            hunk.old = hunk.old.start + by..hunk.old.end + by;
            hunk.new = hunk.new.start + by..hunk.new.end + by;
        }
    }
    hunks
}

/// How far back whole lines can be taken in place of the range, with the same remaining text.
fn back_to_line(text: &[u8], range: &Range<usize>, most: usize) -> Option<usize> {
    let is_same = |by: &usize| *by == 0 || text[range.start - by] == text[range.end - by];
    let mut same = (0..=most).take_while(is_same);
    same.find(|by| is_line(text, range.start - by, range.end - by))
}

/// Likewise, further on.
fn on_to_line(text: &[u8], range: &Range<usize>, most: usize) -> Option<usize> {
    let is_same = |by: &usize| text[range.start + by - 1] == text[range.end + by - 1];
    let mut same = (1..=most).take_while(is_same);
    same.find(|by| is_line(text, range.start + by, range.end + by))
}

fn is_line(text: &[u8], start: usize, end: usize) -> bool {
    let is_start = |at: usize| at == 0 || text[at - 1] == b'\n';
    is_start(start) && is_start(end)
}

/// Joins hunks separated by a space only: when the words on both sides change, the space does as
/// well. A line break stays, because it has the format of its line.
fn join(old: &str, hunks: Vec<Hunk>) -> Vec<Hunk> {
    let mut joined: Vec<Hunk> = Vec::with_capacity(hunks.len());
    for hunk in hunks {
        let replaces = |hunk: &Hunk| !hunk.old.is_empty() && !hunk.new.is_empty();
        match joined.last_mut() {
            Some(last)
                if replaces(last)
                    && replaces(&hunk)
                    && matches!(&old[last.old.end..hunk.old.start], " " | "\t") =>
            {
                last.old.end = hunk.old.end;
                last.new.end = hunk.new.end;
            }
            _ => joined.push(hunk),
        }
    }
    joined
}

/// Keeps the common part of a word, if it is at least half of it. A number with a changed digit is
/// replaced as a whole: merging the digits of two numbers would create a third one.
fn refine(old: &str, new: &str, hunk: Hunk, deadline: Instant) -> Vec<Hunk> {
    let (old_len, new_len) = (hunk.old.len(), hunk.new.len());
    let is_small = old_len <= REFINED && new_len <= REFINED;
    let is_number = |text: &str| text.bytes().any(|byte| byte.is_ascii_digit());
    if old_len == 0
        || new_len == 0
        || !is_small
        || is_number(&old[hunk.old.clone()])
        || is_number(&new[hunk.new.clone()])
        || Instant::now() >= deadline
    {
        return vec![hunk];
    }
    let finer = by_tokens(old, new, &hunk, graphemes, deadline);
    let gone: usize = finer.iter().map(|finer| finer.old.len()).sum();
    if 2 * (old_len - gone) >= old_len.max(new_len) { finer } else { vec![hunk] }
}

/// Length of the common prefix in bytes, whole graphemes only.
fn prefix(old: &str, new: &str) -> usize {
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let back = (0..=same).rev().filter(|at| old.is_char_boundary(*at) && new.is_char_boundary(*at));
    let mut best = 0;
    for (steps, at) in back.enumerate() {
        if (is_boundary(old, at) && is_boundary(new, at)) || steps == LONGEST_GRAPHEME {
            best = at;
            break;
        }
    }
    best
}

/// Length of the common suffix in bytes, whole graphemes only.
fn suffix(old: &str, new: &str) -> usize {
    let same = old.bytes().rev().zip(new.bytes().rev()).take_while(|(a, b)| a == b).count();
    let cut = |text: &str, len: usize| text.len() - len;
    let back = (0..=same)
        .rev()
        .filter(|len| old.is_char_boundary(cut(old, *len)) && new.is_char_boundary(cut(new, *len)));
    let mut best = 0;
    for (steps, len) in back.enumerate() {
        if (is_boundary(old, cut(old, len)) && is_boundary(new, cut(new, len)))
            || steps == LONGEST_GRAPHEME
        {
            best = len;
            break;
        }
    }
    best
}

fn is_boundary(text: &str, at: usize) -> bool {
    GraphemeCursor::new(at, text.len(), true).is_boundary(text, 0).unwrap_or(true)
}

#[cfg(test)]
mod tests {
    use super::{Hunk, WALKS, of_lists, of_texts};
    use crate::budget::Budget;

    fn text(from: usize) -> String {
        (0..20).map(|at| format!("w{} same ", at * 2 + from)).collect()
    }

    #[test]
    fn what_the_budget_does_not_cover_is_one_change() {
        let (old, new) = (format!("= {} =", text(0)), format!("= {} =", text(1)));
        assert_eq!(of_texts(&old, &new, &Budget::of_places(20)).len(), 20);
        let span = of_texts(&old, &new, &Budget::of_places(19));
        assert!(
            matches!(span.as_slice(), [hunk] if hunk.old.start > 0 && hunk.old.end < old.len()),
            "{span:?}"
        );
        let all = Hunk { old: 0..old.len(), new: 0..new.len() };
        assert_eq!(of_texts(&old, &new, &Budget::of_places(0)), [all]);
        assert!(of_texts(&old, &old, &Budget::of_places(0)).is_empty());
    }

    #[test]
    fn every_change_is_paid_for() {
        let budget = Budget::of_places(25);
        assert_eq!(of_texts(&text(0), &text(1), &budget).len(), 20);
        assert_eq!(budget.places(), 5);
        assert_eq!(of_texts(&text(0), &text(1), &budget).len(), 1);
        assert_eq!(budget.places(), 4);
    }

    #[test]
    fn a_list_is_changed_in_so_many_places_at_most() {
        let list = |len: usize, odd: usize| -> Vec<usize> {
            (0..2 * len + 1).map(|at| at + at % 2 * odd).collect()
        };
        let hunks = |len| of_lists(&list(len, 0), &list(len, 10_000), &Budget::of_places(4000));
        assert_eq!(hunks(WALKS).len(), WALKS);
        let span = 1..2 * (WALKS + 1);
        assert_eq!(hunks(WALKS + 1), [Hunk { old: span.clone(), new: span }]);
    }
}
