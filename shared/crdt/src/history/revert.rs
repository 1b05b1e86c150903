//! Taking back what one user did.

use std::{collections::BTreeMap, ops::Range};

use error::Result;

use super::{IdRange, Past, emit::Wanted, tree::Tree};
use crate::Replacement;

/// The formats of text, which are nothing without it.
const FORMAT: u8 = 6;

/// The type of a shared map, whose keys are its content. The keys of others are attributes.
const MAP: u8 = 1;

/// The work of a user in some entries.
struct Own {
    inserts: Vec<IdRange>,
    deletes: Vec<IdRange>,
}

/// The update that takes back what a user did in the entries of a range.
pub(super) fn update(past: &Past<'_>, user: &str, range: Range<usize>) -> Result<Replacement> {
    let end = past.entries.len();
    let to = range.end.min(end);
    let from = range.start.min(to);
    let own = Own::of(past, user, from..to);
    if own.inserts.is_empty() && own.deletes.is_empty() {
        let clock = past.state.clock_of(past.client);
        return Ok(Replacement { update: Vec::new(), clock, lost: Vec::new() });
    }
    let steps = &past.steps;
    // Each node has to come and go at once.
    let later = [steps.inserts.between(from, end), steps.deletes.between(from, end)];
    let cuts = own.inserts.iter().chain(&own.deletes).chain(later.into_iter().flatten());
    past.in_tree(cuts, |tree, now| {
        let then = Revert::of(past, tree, &now, &own, from).wanted();
        Wanted { now, then }
    })
}

impl Own {
    fn of(past: &Past<'_>, user: &str, range: Range<usize>) -> Self {
        let (mut inserts, mut deletes) = (Vec::new(), Vec::new());
        for entry in range {
            for range in past.steps.inserts.of(entry) {
                let parts = past.authors.inserted(*range).into_iter();
                inserts.extend(parts.filter(|(_, by)| *by == Some(user)).map(|(part, _)| part));
            }
            if past.entries[entry].by.as_deref() == Some(user) {
                deletes.extend(past.steps.deletes.of(entry));
            }
        }
        Self { inserts, deletes }
    }
}

/// By node of the tree.
pub(super) struct Revert<'r, 'a> {
    tree: &'r Tree<'a>,
    now: &'r [bool],
    /// Whether the user inserted it, and whether the user deleted it.
    is_own: Vec<bool>,
    is_gone: Vec<bool>,
    /// The position after the entry with which it came, and with which it went; 0 if that was
    /// before, or never.
    came: Vec<usize>,
    went: Vec<usize>,
}

impl<'r, 'a> Revert<'r, 'a> {
    fn of(past: &Past<'_>, tree: &'r Tree<'a>, now: &'r [bool], own: &Own, from: usize) -> Self {
        let (mut came, mut went) = (vec![0; now.len()], vec![0; now.len()]);
        for entry in from..past.entries.len() {
            for range in past.steps.inserts.of(entry) {
                tree.nodes_of(*range).for_each(|node| came[node] = entry + 1);
            }
            for range in past.steps.deletes.of(entry) {
                tree.nodes_of(*range).for_each(|node| went[node] = entry + 1);
            }
        }
        let (is_own, is_gone) = (marked(tree, &own.inserts), marked(tree, &own.deletes));
        Self { tree, now, is_own, is_gone, came, went }
    }

    /// Everything that a user wrote at any time.
    pub(super) fn all(tree: &'r Tree<'a>, now: &'r [bool], own: &[IdRange]) -> Self {
        let nodes = now.len();
        let (is_own, is_gone) = (marked(tree, own), vec![false; nodes]);
        Self { tree, now, is_own, is_gone, came: vec![0; nodes], went: vec![0; nodes] }
    }

    /// Which nodes are to be there when nothing of the user is, and nothing comes back.
    pub(super) fn erased(&self) -> Vec<bool> {
        let is_left = |node: usize| self.now[node] && !self.is_own[node];
        let mut then = (0..self.now.len()).map(is_left).collect::<Vec<bool>>();
        self.keep_containers(&mut then);
        then
    }

    /// Which nodes are to be there.
    fn wanted(&self) -> Vec<bool> {
        let tree = self.tree;
        let wanted = |node: usize| !self.is_own[node] && (self.now[node] || self.is_gone[node]);
        let mut then: Vec<bool> = (0..self.now.len()).map(wanted).collect();
        for (at, list) in tree.lists.iter().enumerate() {
            if list.key.is_none() {
                continue;
            }
            let values: Vec<usize> = tree.walk(Some(at)).collect();
            let is_touched = values.iter().any(|node| self.is_own[*node] || self.is_gone[*node]);
            let value = if is_touched { self.value(&values) } else { None };
            for node in values {
                then[node] = if is_touched { value == Some(node) } else { self.now[node] };
            }
        }
        self.keep_containers(&mut then);
        then
    }

    /// Keeps what the user made, or brings it back, if it has content of others. What is in a type
    /// comes after it.
    fn keep_containers(&self, then: &mut [bool]) {
        let tree = self.tree;
        let mut has_content = vec![false; tree.types.len()];
        for node in tree.order.iter().rev().copied() {
            let is_made = self.is_own[node] && (self.now[node] || self.is_gone[node]);
            if let Some(is) = tree.nodes[node].is.filter(|_| is_made) {
                then[node] = has_content[is];
                if has_content[is] && !self.is_map(Some(node)) {
                    self.keep_attributes(node, &tree.types[is].keys, then);
                }
            }
            let Some(list) = tree.nodes[node].list.map(|list| &tree.lists[list]) else { continue };
            let is_content = match list.key {
                Some(_) => self.is_map(tree.types[list.of].node),
                None => tree.nodes[node].tag != FORMAT,
            };
            has_content[list.of] |= is_content && then[node];
        }
    }

    /// Keeps the attributes that a type has, or had when it was deleted: without them it may be one
    /// that no editor takes.
    fn keep_attributes(&self, node: usize, keys: &[usize], then: &mut [bool]) {
        let ended = self.went[node];
        for value in keys.iter().flat_map(|list| self.tree.walk(Some(*list))) {
            then[value] = match self.now[node] {
                true => self.now[value],
                false => ended > 0 && self.went[value] == ended,
            };
        }
    }

    fn is_map(&self, node: Option<usize>) -> bool {
        node.is_none_or(|node| self.tree.nodes[node].content.first() == Some(&MAP))
    }

    /// The value under a key after the last change that is not the user's: that of the node, or
    /// none.
    fn value(&self, values: &[usize]) -> Option<usize> {
        // One that came and went with the same entry was never there.
        let was_there = |node: &usize| match (self.came[*node], self.went[*node]) {
            (_, 0) => self.now[*node],
            (came, went) => came != went,
        };
        let values: Vec<usize> = values.iter().copied().filter(was_there).collect();
        let mut value = values.iter().copied().find(|node| self.came[*node] == 0);
        let mut by_others = value;
        // By step: the value that came.
        let mut steps: BTreeMap<usize, Option<usize>> =
            values.iter().map(|node| (self.went[*node], None)).collect();
        steps.extend(values.iter().map(|node| (self.came[*node], Some(*node))));
        steps.remove(&0);
        for (step, new) in steps {
            let is_gone = value.is_some_and(|node| self.went[node] == step);
            let is_own = match (new, value) {
                (Some(new), _) => self.is_own[new],
                (None, Some(old)) if is_gone => self.is_gone[old],
                (None, _) => continue,
            };
            value = new;
            if !is_own {
                by_others = value;
            }
        }
        by_others
    }
}

/// By node: whether it is in ranges.
fn marked(tree: &Tree<'_>, ranges: &[IdRange]) -> Vec<bool> {
    let mut marked = vec![false; tree.nodes.len()];
    for range in ranges {
        tree.nodes_of(*range).for_each(|node| marked[node] = true);
    }
    marked
}
