//! Changing stored children into requested ones.

use std::collections::BTreeMap;

use yrs::{
    Out, Text, TextRef, TransactionMut, Xml, XmlElementRef, XmlTextRef,
    block::{ItemContent, Prelim, Unused},
    branch::{Branch, BranchPtr},
    types::{Delta, TypeRef},
};

use super::{
    align::{self, Pair},
    runs,
    stored::{self, Element, Stored},
    wanted::{Vocabulary, Wanted},
};
use crate::budget::Budget;

/// Changes the children of `parent`, currently `old`, into `new`.
pub(super) fn children(
    txn: &mut TransactionMut<'_>,
    parent: &Branch,
    old: &[Stored],
    new: &[Wanted],
    words: &Vocabulary,
    budget: &Budget,
) {
    let pairs = align::pairs(txn, old, new, words, budget);
    let mut steps = Vec::new();
    let (mut old_start, mut new_start) = (0, 0);
    let end = Pair { old: old.len(), new: new.len(), is_equal: true };
    for pair in pairs.iter().copied().chain([end]) {
        let added = new[new_start..pair.new].iter();
        steps.extend(added.map(|node| Delta::Inserted(New { node, words }, None)));
        old[old_start..pair.old].iter().for_each(|node| leave(node, &mut steps));
        if let Some(node) = old.get(pair.old) {
            keep(node.places(), &mut steps);
        }
        (old_start, new_start) = (pair.old + 1, pair.new + 1);
    }
    if steps.iter().any(|step| !matches!(step, Delta::Retain(..))) {
        // A list of children is traversed like a text: once, for any number of steps.
        TextRef::from(BranchPtr::from(parent)).apply_delta(txn, steps);
    }
    for pair in pairs {
        match (&old[pair.old], &new[pair.new]) {
            _ if pair.is_equal => (),
            (Stored::Element(old), Wanted::Element { attributes, children: new, .. }) => {
                self::attributes(txn, old, attributes, words);
                children(txn, old.shared.as_ref(), &old.children, new, words, budget);
            }
            (Stored::Text(old), Wanted::Text(new)) => {
                runs::replace(txn, old, new, words, budget);
            }
            _ => (),
        }
    }
}

fn keep(places: usize, steps: &mut Vec<Delta<New<'_>>>) {
    let places = u32::try_from(places).unwrap_or(u32::MAX);
    match steps.last_mut() {
        Some(Delta::Retain(len, _)) => *len += places,
        _ => steps.push(Delta::Retain(places, None)),
    }
}

/// Deletes a node, unless it is invisible.
fn leave(node: &Stored, steps: &mut Vec<Delta<New<'_>>>) {
    let places = u32::try_from(node.places()).unwrap_or(u32::MAX);
    let stays = match node {
        Stored::Element(_) => false,
        Stored::Text(text) => text.pieces.is_empty(),
        Stored::Nested(_) | Stored::Other(_) => true,
    };
    if stays {
        keep(node.places(), steps);
    } else {
        match steps.last_mut() {
            Some(Delta::Deleted(len)) => *len += places,
            _ => steps.push(Delta::Deleted(places)),
        }
    }
}

fn attributes(
    txn: &mut TransactionMut<'_>,
    old: &Element,
    new: &BTreeMap<String, String>,
    words: &Vocabulary,
) {
    for (key, value) in &old.attributes {
        if !new.contains_key(key) && stored::attribute(&words.reading, txn, value).is_some() {
            old.shared.remove_attribute(txn, key);
        }
    }
    for (key, value) in new {
        let stored = old.attributes.get(key);
        let same = stored.is_some_and(|stored| words.says(txn, stored, value));
        if !same {
            let stored = match stored {
                Some(Out::Any(any)) => Some(any),
                _ => None,
            };
            let value = words.attribute(&old.name, key, value, stored);
            old.shared.insert_attribute(txn, key.as_str(), value);
        }
    }
}

/// A new node.
#[derive(Clone, Copy)]
struct New<'a> {
    node: &'a Wanted,
    words: &'a Vocabulary,
}

impl Prelim for New<'_> {
    type Return = Unused;

    fn into_content(self, _: &mut TransactionMut<'_>) -> (ItemContent, Option<Self>) {
        let type_ref = match self.node {
            Wanted::Element { name, .. } => TypeRef::XmlElement(name.as_str().into()),
            Wanted::Text(_) => TypeRef::XmlText,
        };
        (ItemContent::Type(Branch::new(type_ref)), Some(self))
    }

    fn integrate(self, txn: &mut TransactionMut<'_>, shared: BranchPtr) {
        let words = self.words;
        match self.node {
            Wanted::Element { name, attributes, children } => {
                let element = XmlElementRef::from(shared);
                for (key, value) in attributes {
                    let value = words.attribute(name, key, value, None);
                    element.insert_attribute(txn, key.as_str(), value);
                }
                let steps = children.iter().map(|node| Delta::Inserted(New { node, words }, None));
                TextRef::from(shared).apply_delta(txn, steps);
            }
            Wanted::Text(new) => {
                runs::fresh(new, words).apply(txn, &XmlTextRef::from(shared));
            }
        }
    }
}
