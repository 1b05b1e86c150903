//! The update that makes a document have what it is to have.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Range,
};

use super::{
    cut::{Content, Cutter},
    tree::{Node, Tree},
};
use crate::{
    Replacement,
    merge::{Part, number, written},
    wire::Id,
};

/// The nodes of a tree that are there, and those that are to be there.
#[derive(Debug)]
pub(super) struct Wanted {
    /// By node: whether it is there.
    pub(super) now: Vec<bool>,
    /// By node: whether it is to be there. What is in something that is not to be there does not
    /// count.
    pub(super) then: Vec<bool>,
}

/// Where copies go.
#[derive(Clone, Copy, Debug)]
enum Place<'a> {
    /// Between two items of the document.
    Between(Option<Id>, Id),
    /// After the last value under a key, or the last item of a copy.
    After { last: Id, has_key: bool },
    /// Into an empty copy of a type, under a key or as its sequence.
    In(Id, Option<&'a str>),
}

/// An update of a client in the making.
struct Emit<'t, 'a> {
    tree: &'t Tree<'a>,
    wanted: &'t Wanted,
    cutter: Cutter,
    client: u64,
    clock: u32,
    count: u64,
    bytes: Vec<u8>,
    deletions: BTreeMap<u64, Vec<Range<u32>>>,
    /// Types whose content is to be copied, and the ids of their copies.
    copied: VecDeque<(usize, Id)>,
}

/// The update by a client, whose next clock is `clock`.
pub(super) fn update(tree: &Tree<'_>, wanted: &Wanted, client: u32, clock: u32) -> Replacement {
    let mut emit = Emit {
        tree,
        wanted,
        cutter: Cutter::default(),
        client: u64::from(client),
        clock,
        count: 0,
        bytes: Vec::new(),
        deletions: BTreeMap::new(),
        copied: VecDeque::new(),
    };
    for of in &tree.types {
        if of.node.is_none_or(|node| wanted.now[node] && wanted.then[node]) {
            emit.sequence(of.sequence);
            of.keys.iter().for_each(|list| emit.key(*list));
        }
    }
    while let Some((of, copy)) = emit.copied.pop_front() {
        emit.copy_type(of, copy);
    }
    emit.finish(clock)
}

impl<'t, 'a> Emit<'t, 'a> {
    fn is_there(&self, node: usize) -> bool {
        self.wanted.now[node]
    }

    fn is_wanted(&self, node: usize) -> bool {
        self.wanted.then[node]
    }

    /// Changes a sequence that is there and stays.
    fn sequence(&mut self, list: Option<usize>) {
        let tree = self.tree;
        let mut left: Option<Id> = None;
        let mut next = list.and_then(|list| tree.lists[list].first);
        while let Some(node) = next {
            if self.is_there(node) && !self.is_wanted(node) {
                self.delete(node);
            }
            if self.is_there(node) || !self.is_wanted(node) {
                left = Some(tree.nodes[node].last());
                next = tree.nodes[node].right;
                continue;
            }
            // Everything that comes back up to the next item that is there goes to one place.
            let place = Place::Between(left, tree.nodes[node].id);
            let mut run = Vec::new();
            while let Some(gone) = next.filter(|gone| !self.is_there(*gone)) {
                if self.is_wanted(gone) {
                    run.push(gone);
                }
                next = tree.nodes[gone].right;
            }
            self.copy(place, &run);
        }
    }

    /// Changes the value under a key of a type that is there and stays.
    fn key(&mut self, list: usize) {
        let tree = self.tree;
        let there = tree.walk(Some(list)).find(|node| self.is_there(*node));
        if there.is_some_and(|there| self.is_wanted(there)) {
            return;
        }
        there.into_iter().for_each(|there| self.delete(there));
        let wanted = tree.walk(Some(list)).filter(|node| self.is_wanted(*node)).last();
        if let (Some(wanted), Some(last)) = (wanted, tree.lists[list].last) {
            let last = tree.nodes[last].last();
            self.copy(Place::After { last, has_key: true }, &[wanted]);
        }
    }

    /// Copies the content of a type into a copy of it.
    fn copy_type(&mut self, of: usize, copy: Id) {
        let tree = self.tree;
        let sequence = tree.walk(tree.types[of].sequence);
        let sequence: Vec<usize> = sequence.filter(|node| self.is_wanted(*node)).collect();
        self.copy(Place::In(copy, None), &sequence);
        for list in &tree.types[of].keys {
            let wanted = tree.walk(Some(*list)).filter(|node| self.is_wanted(*node)).last();
            if let Some(wanted) = wanted {
                self.copy(Place::In(copy, tree.lists[*list].key), &[wanted]);
            }
        }
    }

    fn delete(&mut self, node: usize) {
        let Node { id, len, .. } = self.tree.nodes[node];
        self.deletions.entry(id.client).or_default().push(id.clock..id.clock + len);
    }

    /// Writes copies of nodes, one after the other.
    fn copy(&mut self, mut place: Place<'a>, nodes: &[usize]) {
        let tree = self.tree;
        let mut pending: Option<(Content, Option<usize>)> = None;
        for node in nodes {
            let node = &tree.nodes[*node];
            let content = pending.as_mut().map(|(content, _)| content);
            let Some(next) = self.cutter.add(content, node.slice()) else { continue };
            if let Some((content, is)) = pending.replace((next, node.is)) {
                place = self.write(place, &content, is);
            }
        }
        if let Some((content, is)) = pending {
            self.write(place, &content, is);
        }
    }

    /// Writes an item, which is the copy of a type or not; returns the place behind it.
    fn write(&mut self, place: Place<'a>, content: &Content, is: Option<usize>) -> Place<'a> {
        let (origin, right) = match place {
            Place::Between(left, right) => (left, Some(right)),
            Place::After { last, .. } => (Some(last), None),
            Place::In(..) => (None, None),
        };
        let has_key = match place {
            Place::Between(..) => false,
            Place::After { has_key, .. } => has_key,
            Place::In(_, key) => key.is_some(),
        };
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        self.bytes.push(
            content.tag
                | flag(origin.is_some(), 0x80)
                | flag(right.is_some(), 0x40)
                | flag(has_key, 0x20),
        );
        for id in [origin, right].into_iter().flatten() {
            self.id(id);
        }
        if let Place::In(parent, key) = place {
            self.bytes.push(0);
            self.id(parent);
            if let Some(key) = key {
                number(&mut self.bytes, key.len() as u64);
                self.bytes.extend_from_slice(key.as_bytes());
            }
        }
        content.write(&mut self.bytes);
        let id = Id { client: self.client, clock: self.clock };
        self.copied.extend(is.map(|of| (of, id)));
        self.count += 1;
        self.clock += content.len;
        let last = Id { clock: self.clock - 1, ..id };
        match place {
            Place::Between(_, right) => Place::Between(Some(last), right),
            Place::After { .. } | Place::In(..) => Place::After { last, has_key },
        }
    }

    fn id(&mut self, id: Id) {
        number(&mut self.bytes, id.client);
        number(&mut self.bytes, u64::from(id.clock));
    }

    fn finish(self, start: u32) -> Replacement {
        let Self { client, clock, count, bytes, deletions, .. } = self;
        let part = Part { start, count, bytes };
        let structs: BTreeMap<u64, Part> =
            if count > 0 { [(client, part)].into() } else { BTreeMap::new() };
        let is_same = structs.is_empty() && deletions.is_empty();
        let update = if is_same { Vec::new() } else { written(structs, deletions) };
        Replacement { update, clock, lost: Vec::new() }
    }
}
