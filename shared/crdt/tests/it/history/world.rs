//! Several users of one editor, and a model of who did what.
//!
//! Each typed character is another one, so that a text tells which characters are there. The author
//! of a character is who first delivered it, and so it is with deletions.

use std::collections::{BTreeMap, BTreeSet};

use crdt::{
    Format, Kind, State,
    history::{Authors, Entry, IdRange, Past},
};
use serde_json::{Value, json};
use yrs::{
    ClientID, Doc, OffsetKind, Options, ReadTxn, StateVector, Transact, Update,
    updates::{decoder::Decode, encoder::Encode},
};

use super::edits::{self, Edit};
use crate::samples::{Dice, SERVER};

pub(crate) const USERS: [&str; 5] = ["ada", "bob", "cid", "dan", "eve"];

/// A document of a peer. It does not clean up formats, which is an edit that nobody made.
pub(crate) fn doc(client: u64) -> Doc {
    Doc::with_options(Options {
        client_id: ClientID::new(client),
        offset_kind: OffsetKind::Utf16,
        cleanup_formatting: false,
        ..Options::default()
    })
}

pub(crate) fn apply(doc: &Doc, update: &[u8]) {
    doc.transact_mut()
        .apply_update(Update::decode_v1(update).expect("an update"))
        .expect("applied");
}

pub(crate) fn whole(doc: &Doc) -> Vec<u8> {
    doc.transact().encode_state_as_update_v1(&StateVector::default())
}

struct Person {
    name: &'static str,
    doc: Doc,
    /// The edits in the document.
    edits: BTreeSet<usize>,
    /// Own updates that are not sent, and their edits.
    outbox: Vec<(Vec<u8>, usize)>,
    /// How many entries of the log it has.
    seen: usize,
}

impl Person {
    /// Whether something in the document waits for what it needs.
    fn waits(&self) -> bool {
        self.doc.transact().has_missing_updates()
    }
}

/// The life in a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Life {
    /// People type into one text, and nothing else.
    Text,
    /// People also use maps, lists and XML, nested in each other.
    All,
}

pub(crate) struct World {
    pub(crate) dice: Dice,
    pub(crate) log: Vec<Entry>,
    pub(crate) edits: Vec<Edit>,
    /// By character: the entry that brought it, and its user.
    pub(crate) authors: BTreeMap<char, (usize, &'static str)>,
    pub(crate) deleters: BTreeMap<char, (usize, &'static str)>,
    life: Life,
    people: Vec<Person>,
    /// By entry.
    log_edits: Vec<Vec<usize>>,
    clients: u64,
}

impl World {
    /// A world after some steps. Unless all is `orderly`, updates are relayed, repeated and forged,
    /// and come before others that they need.
    pub(crate) fn lived(seed: u64, life: Life, orderly: bool, steps: usize) -> Self {
        let people = USERS.iter().zip(1..).map(|(name, client): (&&'static str, u64)| Person {
            name,
            doc: doc(client),
            edits: BTreeSet::new(),
            outbox: Vec::new(),
            seen: 0,
        });
        let mut world = Self {
            dice: Dice::new(seed),
            log: Vec::new(),
            edits: Vec::new(),
            authors: BTreeMap::new(),
            deleters: BTreeMap::new(),
            life,
            people: people.collect(),
            log_edits: Vec::new(),
            clients: USERS.len() as u64,
        };
        for _ in 0..steps {
            world.step(orderly);
        }
        for person in 0..USERS.len() {
            world.send(person);
        }
        world
    }

    fn step(&mut self, orderly: bool) {
        let person = self.dice.below(USERS.len());
        match self.dice.below(if orderly { 14 } else { 24 }) {
            0..6 => self.edit(person),
            6..9 => self.send(person),
            9..13 => self.receive(person),
            13 => self.reload(person),
            // Peers exchange what they have, past the service.
            14..16 => {
                let other = &self.people[self.dice.below(USERS.len())];
                if !other.waits() {
                    let (update, edits) = (whole(&other.doc), other.edits.clone());
                    apply(&self.people[person].doc, &update);
                    self.people[person].edits.extend(edits);
                }
            }
            16..18 => self.relay(person),
            18 => self.repeat(person),
            19 => self.repeat_deletions(person),
            20 => self.forge(),
            // Something comes before what it needs.
            _ => {
                let outbox = &mut self.people[person].outbox;
                if outbox.len() > 1 {
                    outbox.reverse();
                    self.send(person);
                }
            }
        }
    }

    /// A person edits what they have.
    pub(crate) fn edit(&mut self, person: usize) {
        let at = self.edits.len();
        let person = &mut self.people[person];
        let (update, edit) = edits::edit(&mut self.dice, &person.doc, self.life == Life::All, at);
        self.edits.push(edit);
        person.edits.insert(at);
        person.outbox.push((update, at));
    }

    fn send(&mut self, person: usize) {
        let name = self.people[person].name;
        let outbox = std::mem::take(&mut self.people[person].outbox);
        // Some at once, as one entry or several.
        let mut outbox = outbox.into_iter().peekable();
        while outbox.peek().is_some() {
            let some = outbox.by_ref().take(1 + self.dice.below(3));
            let (updates, edits): (Vec<_>, Vec<_>) = some.unzip();
            self.deliver(name, updates, edits, false);
        }
    }

    fn deliver(
        &mut self,
        by: &'static str,
        updates: Vec<Vec<u8>>,
        edits: Vec<usize>,
        deletes_only: bool,
    ) {
        let entry = self.log.len();
        for edit in edits.iter().map(|edit| &self.edits[*edit]) {
            edit.letters.iter().filter(|_| !deletes_only).for_each(|letter| {
                self.authors.entry(*letter).or_insert((entry, by));
            });
            edit.deleted.iter().for_each(|letter| {
                self.deleters.entry(*letter).or_insert((entry, by));
            });
        }
        let at = 1_000 + self.log.len() as u64 * 10;
        self.log.push(Entry { at, by: Some(by.to_owned()), updates });
        self.log_edits.push(if deletes_only { vec![] } else { edits });
    }

    pub(crate) fn receive(&mut self, person: usize) {
        let person = &mut self.people[person];
        for at in person.seen..self.log.len() {
            self.log[at].updates.iter().for_each(|update| apply(&person.doc, update));
            person.edits.extend(&self.log_edits[at]);
        }
        person.seen = self.log.len();
    }

    /// A page is loaded again: the same content in a document of another client.
    fn reload(&mut self, person: usize) {
        let person = &mut self.people[person];
        if person.waits() {
            return;
        }
        self.clients += 1;
        let fresh = doc(self.clients);
        apply(&fresh, &whole(&person.doc));
        person.doc = fresh;
    }

    /// A person sends all that they have, also of others.
    fn relay(&mut self, person: usize) {
        let Person { name, doc, edits, .. } = &self.people[person];
        if !self.people[person].waits() {
            let (name, update, edits) = (*name, whole(doc), edits.iter().copied().collect());
            self.deliver(name, vec![update], edits, false);
        }
    }

    /// A person sends once more what others sent.
    fn repeat(&mut self, person: usize) {
        if !self.log.is_empty() {
            let at = self.dice.below(self.log.len());
            let (updates, edits) = (self.log[at].updates.clone(), self.log_edits[at].clone());
            self.deliver(USERS[person], updates, edits, false);
        }
    }

    fn repeat_deletions(&mut self, person: usize) {
        let Person { name, doc, edits, .. } = &self.people[person];
        if self.people[person].waits() {
            return;
        }
        let deletions = doc.transact().snapshot().delete_set.encode_v1();
        let (name, edits) = (*name, edits.iter().copied().collect());
        self.deliver(name, vec![[vec![0], deletions].concat()], edits, true);
    }

    /// Eve sends other text under the ids of others. Before theirs come she cannot: clients belong
    /// to their users.
    fn forge(&mut self) {
        if self.log.is_empty() || after(self, &[]).has_pending() {
            return;
        }
        let at = self.dice.below(self.log.len());
        let edits = self.log_edits[at].clone();
        let mut updates = self.log[at].updates.clone();
        for update in &mut updates {
            for at in 0..update.len().saturating_sub(2) {
                let is_more = |byte: u8| (0x80..0xc0).contains(&byte);
                if (0xe4..=0xe9).contains(&update[at])
                    && is_more(update[at + 1])
                    && is_more(update[at + 2])
                {
                    update[at..at + 3].copy_from_slice("\u{e000}".as_bytes());
                }
            }
        }
        self.deliver("eve", updates, edits, false);
    }

    /// A person who edited and did not send: the document, and the updates.
    pub(crate) fn offline(&mut self, person: usize) -> (Doc, Vec<Vec<u8>>) {
        self.receive(person);
        (0..1 + self.dice.below(3)).for_each(|_| self.edit(person));
        let copy = doc(9_999);
        apply(&copy, &whole(&self.people[person].doc));
        (copy, self.people[person].outbox.iter().map(|(update, _)| update.clone()).collect())
    }

    /// The log up to a position, as compaction keeps it: a snapshot, what is kept of the authors,
    /// and what waits.
    pub(crate) fn compacted(&self, to: usize) -> (Vec<u8>, Vec<u8>, Vec<Vec<u8>>) {
        let mut authors = Authors::default();
        let mut updates: Vec<&[u8]> = Vec::new();
        for entry in &self.log[..to] {
            for update in &entry.updates {
                authors.take(update, entry.by.as_deref()).expect("readable");
                updates.push(update);
            }
        }
        let state = State::load(SERVER, None, updates.iter().copied()).expect("a document");
        let aside = state.waiting().keys().map(|at| updates[*at].to_vec()).collect();
        (state.encode(), authors.write(), aside)
    }

    /// Entries behind a snapshot at a position: first what was put aside.
    pub(crate) fn entries(&self, from: usize, aside: Vec<Vec<u8>>) -> Vec<Entry> {
        let aside = Entry { at: 0, by: None, updates: aside };
        [aside].into_iter().chain(self.log[from..].iter().cloned()).collect()
    }

    /// The character at an id.
    pub(crate) fn letters(&self) -> BTreeMap<(u64, u32), char> {
        let typed = self.edits.iter().flat_map(|edit| &edit.typed);
        typed.map(|(letter, client, clock)| ((*client, *clock), *letter)).collect()
    }

    pub(crate) fn letters_of(&self, ranges: &[IdRange]) -> Vec<char> {
        let letters = self.letters();
        let ids = ranges.iter().flat_map(|range| {
            (range.clock..range.clock + range.length).map(|clock| (range.client, clock))
        });
        ids.filter_map(|id| letters.get(&id).copied()).collect()
    }
}

/// A past from its parts.
pub(crate) fn past<'a>(base: &'a [u8], authors: &[u8], entries: &'a [Entry]) -> Past<'a> {
    let authors = Authors::load(Some(authors), Some(base)).expect("kept authors");
    Past::load(SERVER, Some(base), authors, entries).expect("a past")
}

/// All content that can be read, in all forms.
pub(crate) fn content(state: &State) -> Value {
    let roots = state.roots().expect("roots");
    let all = roots.iter().map(|root| {
        let values = Kind::ALL.map(|kind| state.value(kind, &root.key).expect("a value"));
        let formed = [Kind::Xml, Kind::Text]
            .map(|kind| state.formed(kind, &root.key, Format::Json).map(|formed| formed.data).ok());
        json!([root.key, root.kind, values, formed])
    });
    let mut all: Vec<Value> = all.collect();
    all.sort_by_key(ToString::to_string);
    Value::Array(all)
}

/// The letters in all content.
pub(crate) fn letters(state: &State) -> BTreeSet<char> {
    content(state).to_string().chars().filter(|letter| *letter >= '\u{4e00}').collect()
}

/// The text of a world of text.
pub(crate) fn text(state: &State) -> String {
    state.value(Kind::Text, edits::TEXT).expect("a text").as_str().expect("a string").to_owned()
}

/// Several updates in this order.
pub(crate) fn both<'a>(first: &[&'a [u8]], last: &[&'a [u8]]) -> Vec<&'a [u8]> {
    [first, last].concat()
}

/// The document after the log of a world and more updates.
pub(crate) fn after(world: &World, more: &[&[u8]]) -> State {
    let updates = world.log.iter().flat_map(|entry| &entry.updates).map(Vec::as_slice);
    State::load(SERVER, None, updates.chain(more.iter().copied())).expect("a document")
}
