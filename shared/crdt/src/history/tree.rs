//! The items of a document in their order, as Yjs puts them.
//!
//! The library does not tell the ids of what it shows. They are read from the encoded document,
//! which has everything, and integrated once more: `Item.integrate` in the source of Yjs. Items are
//! first cut wherever another one refers into them, and at the ids that the caller names, so that
//! none has to be cut later.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    ops::Range,
};

use super::{IdRange, cut::Slice};
use crate::wire::{self, Id, Item, Parent, Reader, Struct};

/// An item or a part of one.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) id: Id,
    pub(super) len: u32,
    /// The kind of the content.
    pub(super) tag: u8,
    /// Content of the whole item, and the clock in it at which the node begins.
    pub(super) content: &'a [u8],
    pub(super) offset: u32,
    /// The list in which it is; none for collected content.
    pub(super) list: Option<usize>,
    /// The type that it is.
    pub(super) is: Option<usize>,
    pub(super) right: Option<usize>,
    origin: Option<Id>,
    right_origin: Option<Id>,
    parent: Option<Parent<'a>>,
    key: Option<&'a str>,
}

impl Node<'_> {
    /// The id of its last clock.
    pub(super) fn last(&self) -> Id {
        Id { clock: self.id.clock + self.len - 1, ..self.id }
    }

    pub(super) fn slice(&self) -> Slice<'_> {
        Slice { tag: self.tag, item: self.content, offset: self.offset, len: self.len }
    }

    pub(super) fn range(&self) -> IdRange {
        IdRange { client: self.id.client, clock: self.id.clock, length: self.len }
    }

    fn needs(&self) -> impl Iterator<Item = Id> {
        let parent = match self.parent {
            Some(Parent::Item(id)) => Some(id),
            _ => None,
        };
        [self.origin, self.right_origin, parent].into_iter().flatten()
    }
}

/// Items side by side: a sequence, or the values under a key, of which the last one counts.
#[derive(Debug)]
pub(super) struct List<'a> {
    /// The type whose they are.
    pub(super) of: usize,
    pub(super) key: Option<&'a str>,
    pub(super) first: Option<usize>,
    pub(super) last: Option<usize>,
}

/// A shared type.
#[derive(Debug, Default)]
pub(super) struct Type {
    /// The item that it is; none for a root.
    pub(super) node: Option<usize>,
    pub(super) sequence: Option<usize>,
    /// The lists of its keys.
    pub(super) keys: Vec<usize>,
}

#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    /// By client and clock.
    pub(super) nodes: Vec<Node<'a>>,
    /// The nodes in an order in which each comes after what it is in.
    pub(super) order: Vec<usize>,
    pub(super) lists: Vec<List<'a>>,
    pub(super) types: Vec<Type>,
    /// Everything that is deleted.
    pub(super) deleted: Vec<IdRange>,
    clients: Vec<(u64, Range<usize>)>,
    roots: HashMap<&'a str, usize>,
    keyed: HashMap<(usize, &'a str), usize>,
}

impl<'a> Tree<'a> {
    /// The tree of an encoded document, whose nodes are cut at the ends of ranges.
    pub(super) fn of<'r>(
        document: &'a [u8],
        ranges: impl IntoIterator<Item = &'r IdRange>,
    ) -> Result<Self, &'static str> {
        let read = wire::read(document, document.len())?;
        let mut cuts: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut cut = |client: u64, clock: u32| cuts.entry(client).or_default().push(clock);
        for range in ranges {
            cut(range.client, range.clock);
            cut(range.client, range.end());
        }
        let mut sections = BTreeMap::new();
        for section in &read.sections {
            let (mut reader, mut clock) = (Reader::new(section.bytes), section.clock);
            let mut structs = Vec::new();
            for _ in 0..section.count {
                let (len, what) = reader.structure()?;
                if let Struct::Item(item) = &what {
                    item.origin.iter().for_each(|id| cut(id.client, id.clock + 1));
                    item.right_origin.iter().for_each(|id| cut(id.client, id.clock));
                }
                structs.push((clock, len, what));
                clock = wire::within(clock, len)?;
            }
            sections.insert(section.client, structs);
        }
        for clocks in cuts.values_mut() {
            clocks.sort_unstable();
            clocks.dedup();
        }
        let range = |(client, from, to)| IdRange { client, clock: from, length: to - from };
        let deleted = read.deletions.into_iter().map(range).collect();
        let mut tree = Self { deleted, ..Self::default() };
        for (client, structs) in sections {
            let start = tree.nodes.len();
            let cuts = cuts.get(&client).map_or(&[][..], Vec::as_slice);
            for (clock, len, what) in structs {
                // The document has no gaps, and what is collected is in no list.
                if let Struct::Item(item) = what {
                    tree.add(Id { client, clock }, len, &item, cuts);
                }
            }
            tree.clients.push((client, start..tree.nodes.len()));
        }
        tree.integrate_all();
        Ok(tree)
    }

    /// Adds the parts of an item.
    fn add(&mut self, id: Id, len: u32, item: &Item<'a>, cuts: &[u32]) {
        let end = id.clock + len;
        let first = cuts.partition_point(|cut| *cut <= id.clock);
        let inner = cuts[first..].iter().copied().take_while(|cut| *cut < end);
        let mut start = id.clock;
        for stop in inner.chain([end]) {
            let is_first = start == id.clock;
            self.nodes.push(Node {
                id: Id { clock: start, ..id },
                len: stop - start,
                tag: item.tag(),
                content: item.content,
                offset: start - id.clock,
                list: None,
                is: None,
                right: None,
                origin: if is_first { item.origin } else { Some(Id { clock: start - 1, ..id }) },
                right_origin: item.right_origin,
                parent: item.parent.filter(|_| is_first),
                key: item.key.filter(|_| is_first),
            });
            start = stop;
        }
    }

    /// The node with an id, and the position of its client.
    fn find(&self, id: Id) -> Option<(usize, usize)> {
        let of = self.clients.binary_search_by_key(&id.client, |(client, _)| *client).ok()?;
        let nodes = &self.nodes[self.clients[of].1.clone()];
        let at = nodes.partition_point(|node| node.last().clock < id.clock);
        let node = nodes.get(at).filter(|node| node.id.clock <= id.clock)?;
        debug_assert!(node.last().clock >= id.clock);
        Some((of, self.clients[of].1.start + at))
    }

    /// The nodes of a range of ids.
    pub(super) fn nodes_of(&self, range: IdRange) -> Range<usize> {
        let of = self.clients.binary_search_by_key(&range.client, |(client, _)| *client);
        let Ok(of) = of else { return 0..0 };
        let all = &self.clients[of].1;
        let nodes = &self.nodes[all.clone()];
        let first = nodes.partition_point(|node| node.id.clock < range.clock);
        let end = nodes.partition_point(|node| node.id.clock < range.end());
        all.start + first..all.start + end.max(first)
    }

    /// Integrates all nodes: those of a client one after the other, each after what it needs.
    fn integrate_all(&mut self) {
        let mut next: Vec<usize> = self.clients.iter().map(|(_, nodes)| nodes.start).collect();
        let mut waits = vec![false; next.len()];
        // The highest client first: the others then find their places sooner.
        for first in (0..next.len()).rev() {
            let mut stack = vec![(first, usize::MAX)];
            while let Some(&(of, until)) = stack.last() {
                let node = next[of];
                if node >= self.clients[of].1.end || node > until {
                    waits[of] = false;
                    stack.pop();
                    continue;
                }
                let found = self.nodes[node].needs().filter_map(|id| self.find(id));
                let lacking = found.into_iter().find(|(other, needed)| {
                    *other != of && !waits[*other] && next[*other] <= *needed
                });
                if let Some(needed) = lacking {
                    waits[of] = true;
                    stack.push(needed);
                    continue;
                }
                self.integrate(node);
                next[of] += 1;
            }
        }
    }

    /// The position of the list that a node belongs to; none if it depends on collected content.
    fn list_of(&mut self, node: usize) -> Option<usize> {
        let Node { origin, right_origin, parent, key, .. } = self.nodes[node];
        let mut beside = None;
        for id in [origin, right_origin].into_iter().flatten() {
            let list = self.find(id).and_then(|(_, at)| self.nodes[at].list)?;
            beside = beside.or(Some(list));
        }
        if beside.is_some() {
            return beside;
        }
        let of = match parent? {
            Parent::Root(name) => *self.roots.entry(name).or_insert_with(|| {
                self.types.push(Type::default());
                self.types.len() - 1
            }),
            Parent::Item(id) => self.find(id).and_then(|(_, at)| self.nodes[at].is)?,
        };
        let known = match key {
            Some(key) => self.keyed.get(&(of, key)).copied(),
            None => self.types[of].sequence,
        };
        if known.is_some() {
            return known;
        }
        let list = self.lists.len();
        self.lists.push(List { of, key, first: None, last: None });
        match key {
            Some(key) => {
                self.keyed.insert((of, key), list);
                self.types[of].keys.push(list);
            }
            None => self.types[of].sequence = Some(list),
        }
        Some(list)
    }

    fn integrate(&mut self, node: usize) {
        let Some(list) = self.list_of(node) else { return };
        let at = |id: Option<Id>| id.and_then(|id| self.find(id)).map(|(_, at)| at);
        let (origin, right) = (at(self.nodes[node].origin), at(self.nodes[node].right_origin));
        let left = self.place(node, list, origin, right);
        let right = match left {
            Some(left) => self.nodes[left].right.replace(node),
            None => self.lists[list].first.replace(node),
        };
        if right.is_none() {
            self.lists[list].last = Some(node);
        }
        let is_type = self.nodes[node].tag == 7;
        if is_type {
            self.types.push(Type { node: Some(node), ..Type::default() });
        }
        let placed = &mut self.nodes[node];
        (placed.list, placed.right) = (Some(list), right);
        placed.is = is_type.then(|| self.types.len() - 1);
        self.order.push(node);
    }

    /// The left neighbour of a node among others that were written at the same place.
    fn place(
        &self,
        node: usize,
        list: usize,
        origin: Option<usize>,
        right: Option<usize>,
    ) -> Option<usize> {
        let nodes = &self.nodes;
        let mut left = origin;
        let mut other = origin.map_or(self.lists[list].first, |left| nodes[left].right);
        let (mut before, mut conflicting) = (HashSet::new(), HashSet::new());
        while let Some(at) = other.filter(|at| Some(*at) != right) {
            before.insert(at);
            conflicting.insert(at);
            if nodes[at].origin == nodes[node].origin {
                if nodes[at].id.client < nodes[node].id.client {
                    left = Some(at);
                    conflicting.clear();
                } else if nodes[at].right_origin == nodes[node].right_origin {
                    break;
                }
            } else {
                let origin = nodes[at].origin.and_then(|id| self.find(id));
                let Some((_, origin)) = origin.filter(|(_, at)| before.contains(at)) else { break };
                if !conflicting.contains(&origin) {
                    left = Some(at);
                    conflicting.clear();
                }
            }
            other = nodes[at].right;
        }
        left
    }

    /// The nodes of a list, from left to right.
    pub(super) fn walk(&self, list: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let first = list.and_then(|list| self.lists[list].first);
        std::iter::successors(first, |node| self.nodes[*node].right)
    }
}
