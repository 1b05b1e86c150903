//! Replacement of maps and arrays: nested shared types are kept, plain values are exchanged.

use std::{collections::HashMap, ops::Range};

use serde_json::{Map as Object, Value};
use yrs::{Any, Array, ArrayRef, Map, MapRef, Out, TransactionMut};

use crate::{
    budget::Budget,
    hunks, text,
    value::{items, of_out, to_any},
    xml::bounded,
};

/// Members that identify an object, by precedence.
const IDENTITIES: [&str; 4] = ["id", "_id", "key", "uuid"];

/// Distance of the search for an object with the same identity.
const AHEAD: usize = 256;

/// Makes `map` equal to `new`.
pub(crate) fn replace_map(
    txn: &mut TransactionMut<'_>,
    map: &MapRef,
    new: &Object<String, Value>,
    budget: &Budget,
) {
    // JSON has no `undefined`: a caller cannot say whether it stays.
    let shown = map.iter(txn).filter(|(_, value)| !matches!(value, Out::Any(Any::Undefined)));
    let gone = shown.filter(|(key, _)| !new.contains_key(*key)).map(|(key, _)| key.to_owned());
    let gone: Vec<String> = gone.collect();
    for key in gone {
        map.remove(txn, &key);
    }
    for (key, value) in new {
        let old = map.get(txn, key);
        let is_same = |old: &Out| bounded(|| of_out(txn, old, 0)).is_ok_and(|old| old == *value);
        if old.as_ref().is_some_and(is_same) {
            continue;
        }
        if !old.is_some_and(|old| descend(txn, &old, value, budget)) {
            map.insert(txn, key.as_str(), to_any(value));
        }
    }
}

/// Makes `array` equal to `new`; returns whether that is possible.
pub(crate) fn replace_array(
    txn: &mut TransactionMut<'_>,
    array: &ArrayRef,
    new: &[Value],
    budget: &Budget,
) -> bool {
    let Some(old) = items(txn, array) else { return false };
    let values = bounded(|| old.iter().map(|item| of_out(txn, item, 0)).collect());
    // Items that cannot be shown are replaced.
    let values: Vec<Value> = values.unwrap_or_else(|_| vec![Value::Null; old.len()]);
    let (values, wanted): (Vec<&Value>, Vec<&Value>) =
        (values.iter().collect(), new.iter().collect());
    // From the end, so that earlier positions stay valid.
    for hunk in hunks::of_lists(&values, &wanted, budget).into_iter().rev() {
        let mut pairs = pairs(&old, &values, &wanted, hunk.old.clone(), hunk.new.clone());
        if !budget.pay(gaps(&pairs)) {
            pairs.clear();
        }
        let mut end = Pair { old: hunk.old.end, new: hunk.new.end };
        for pair in pairs.into_iter().rev() {
            exchange(txn, array, pair.old + 1..end.old, &new[pair.new + 1..end.new]);
            descend(txn, &old[pair.old], &new[pair.new], budget);
            end = pair;
        }
        exchange(txn, array, hunk.old.start..end.old, &new[hunk.new.start..end.new]);
    }
    true
}

/// The positions of an old and a new element.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Pair {
    old: usize,
    new: usize,
}

impl Pair {
    const fn next(self) -> Self {
        Self { old: self.old + 1, new: self.new + 1 }
    }
}

/// Number of pairs that are not adjacent to the previous one: the part between is exchanged.
fn gaps(pairs: &[Pair]) -> usize {
    pairs.windows(2).filter(|two| two[1] != two[0].next()).count()
}

fn exchange(txn: &mut TransactionMut<'_>, array: &ArrayRef, old: Range<usize>, new: &[Value]) {
    let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    if !old.is_empty() {
        array.remove_range(txn, index(old.start), index(old.len()));
    }
    if !new.is_empty() {
        array.insert_range(txn, index(old.start), new.iter().map(to_any));
    }
}

/// Changes a shared type in place, if it has the kind of `new`.
fn descend(txn: &mut TransactionMut<'_>, old: &Out, new: &Value, budget: &Budget) -> bool {
    match (old, new) {
        (Out::YMap(map), Value::Object(new)) => replace_map(txn, map, new, budget),
        (Out::YArray(array), Value::Array(new)) => {
            return replace_array(txn, array, new, budget);
        }
        (Out::YText(shared), Value::String(new)) => text::replace(txn, shared, new, budget),
        _ => return false,
    }
    true
}

/// The matches of shared types and values within a hunk: by identity, and between those by
/// position. The order does not change; there is no move.
fn pairs(
    old: &[Out],
    values: &[&Value],
    new: &[&Value],
    old_range: Range<usize>,
    new_range: Range<usize>,
) -> Vec<Pair> {
    let fits = |from: usize, to: usize| {
        matches!(
            (&old[from], new[to]),
            (Out::YMap(_), Value::Object(_))
                | (Out::YArray(_), Value::Array(_))
                | (Out::YText(_), Value::String(_))
        )
    };
    let mut known: HashMap<&Value, Vec<usize>> = HashMap::new();
    for from in old_range.clone() {
        if let Some(identity) = identity(values[from]) {
            known.entry(identity).or_default().push(from);
        }
    }
    let mut pairs = Vec::new();
    let mut start = Pair { old: old_range.start, new: new_range.start };
    for to in new_range.clone() {
        let Some(identity) = identity(new[to]) else { continue };
        let Some(known) = known.get(identity) else { continue };
        let ahead = &known[known.partition_point(|from| *from < start.old)..];
        // A distant match was moved here; deleting all before it would be worse.
        let ahead = ahead.iter().copied().take_while(|from| *from < start.old + AHEAD);
        if let Some(from) = ahead.into_iter().find(|from| fits(*from, to)) {
            between(&fits, values, new, start.old..from, start.new..to, &mut pairs);
            let pair = Pair { old: from, new: to };
            pairs.push(pair);
            start = pair.next();
        }
    }
    let (old_rest, new_rest) = (start.old..old_range.end, start.new..new_range.end);
    between(&fits, values, new, old_rest, new_rest, &mut pairs);
    pairs
}

/// Adds the pairs at the same positions of two ranges, unless both have an identity.
fn between(
    fits: &impl Fn(usize, usize) -> bool,
    values: &[&Value],
    new: &[&Value],
    old_range: Range<usize>,
    new_range: Range<usize>,
    pairs: &mut Vec<Pair>,
) {
    let places = old_range.zip(new_range).map(|(old, new)| Pair { old, new });
    let fitting = places.filter(|pair| fits(pair.old, pair.new));
    let is_anonymous =
        |pair: &Pair| identity(values[pair.old]).is_none() || identity(new[pair.new]).is_none();
    pairs.extend(fitting.filter(is_anonymous));
}

fn identity(value: &Value) -> Option<&Value> {
    let object = value.as_object()?;
    let found = IDENTITIES.iter().find_map(|name| object.get(*name))?;
    (found.is_string() || found.is_number()).then_some(found)
}
