//! Values under keys: which one comes back.

use crdt::{
    Kind, State, check_update,
    history::{Authors, Entry, Past},
};
use serde_json::{Value, json};
use yrs::{
    Array, ArrayPrelim, Doc, Map, MapPrelim, MapRef, Out, ReadTxn, Transact, TransactionMut,
    WriteTxn, Xml, XmlElementPrelim, XmlFragment, XmlOut, XmlTextPrelim,
};

use super::world::{apply, doc};
use crate::samples::{KEY, SERVER};

const MAP: &str = "map";

/// Users who take turns, each with what all others did.
struct Turns {
    doc: Doc,
    log: Vec<Entry>,
}

impl Turns {
    fn new() -> Self {
        Self { doc: doc(1), log: Vec::new() }
    }

    fn by(&mut self, user: &str, edit: impl FnOnce(&mut TransactionMut<'_>, &MapRef)) {
        let client = user.bytes().map(u64::from).sum::<u64>() + self.log.len() as u64 * 1_000;
        let own = doc(client);
        apply(&own, &super::world::whole(&self.doc));
        let map = own.get_or_insert_map(MAP);
        let mut txn = own.transact_mut();
        edit(&mut txn, &map);
        let update = txn.encode_update_v1();
        drop(txn);
        apply(&self.doc, &update);
        let at = self.log.len() as u64;
        self.log.push(Entry { at, by: Some(user.to_owned()), updates: vec![update] });
    }

    fn state(&self, more: &[u8]) -> State {
        let all = self.log.iter().flat_map(|entry| &entry.updates).map(Vec::as_slice);
        let more = [more].into_iter().filter(|update| !update.is_empty());
        State::load(SERVER, None, all.chain(more)).expect("a document")
    }

    fn reverted(&self, user: &str, from: usize) -> State {
        let past = Past::load(SERVER, None, Authors::default(), &self.log).expect("a past");
        let update = past.revert(user, from..self.log.len()).expect("reverted").update;
        self.state(&update)
    }

    /// The map after what a user did from a position on is taken back.
    fn without(&self, user: &str, from: usize) -> Value {
        self.reverted(user, from).value(Kind::Map, MAP).expect("a map")
    }

    /// The XML after all that a user did is taken back.
    fn shown(&self, user: &str) -> Value {
        self.reverted(user, 0).value(Kind::Xml, KEY).expect("XML")
    }
}

fn set(value: i32) -> impl FnOnce(&mut TransactionMut<'_>, &MapRef) {
    move |txn, map| {
        map.insert(txn, "k", value);
    }
}

fn remove(txn: &mut TransactionMut<'_>, map: &MapRef) {
    map.remove(txn, "k");
}

/// The design left open which value a revert brings back, when others wrote under the key as well.
/// It is that of the last change by others, also if that took the value away.
#[test]
fn a_key_has_what_others_last_made_of_it() {
    let mut turns = Turns::new();
    turns.by("ada", set(1));
    turns.by("eve", set(2));
    assert_eq!(turns.without("eve", 0), json!({ "k": 1 }));
    turns.by("bob", set(3));
    turns.by("eve", set(4));
    turns.by("eve", set(5));
    assert_eq!(turns.without("eve", 0), json!({ "k": 3 }));
    assert_eq!(turns.without("eve", 4), json!({ "k": 4 }), "only the last one is taken back");
    assert_eq!(turns.without("bob", 0), json!({ "k": 5 }), "the value of another one stays");
    turns.by("bob", remove);
    assert_eq!(turns.without("eve", 0), json!({}), "bob took it away");
    assert_eq!(turns.without("bob", 0), json!({ "k": 5 }));
    turns.by("eve", set(6));
    assert_eq!(turns.without("eve", 0), json!({}));
    turns.by("eve", remove);
    assert_eq!(turns.without("eve", 0), json!({}));
    assert_eq!(turns.without("eve", 7), json!({ "k": 6 }));
}

#[test]
fn what_is_under_a_key_comes_back_whole() {
    let mut turns = Turns::new();
    turns.by("ada", |txn, map| {
        let list = map.insert(txn, "k", ArrayPrelim::from([1, 2]));
        list.push_back(txn, MapPrelim::from([("a", "b")]));
    });
    turns.by("bob", |txn, map| {
        let Some(Out::YArray(list)) = map.get(txn, "k") else { panic!("a list") };
        list.insert(txn, 1, 7);
    });
    let whole = json!({ "k": [1, 7, 2, { "a": "b" }] });
    turns.by("eve", set(9));
    assert_eq!(turns.without("eve", 0), whole);
    turns.by("eve", remove);
    assert_eq!(turns.without("eve", 0), whole);
    assert_eq!(turns.without("eve", 3), json!({ "k": 9 }));
}

/// The library has no BigInt and no negative zero.
#[test]
fn values_come_back_as_they_were_written() {
    for value in [&[122, 0, 0, 0, 0, 0, 0, 0, 9][..], &[125, 0x40]] {
        let mut written = vec![1, 1, 7, 0, 0x28, 1, 3];
        written.extend(MAP.bytes());
        written.extend([1, b'k', 1]);
        written.extend(value);
        written.push(0);
        check_update(&written).expect("an update");
        let removed = vec![0, 1, 7, 1, 0, 1];
        let entry = |update: Vec<u8>| Entry { updates: vec![update], ..Entry::default() };
        let log = [entry(written), entry(removed)];
        let past = Past::load(SERVER, None, Authors::default(), &log).expect("a past");
        let update = past.restore(1).expect("restored").update;
        assert!(update.windows(value.len()).any(|part| part == value), "{update:?}");
    }
}

/// An attribute says what an element is: without content of others, it goes with its attributes.
#[test]
fn an_attribute_of_others_keeps_no_element() {
    let mut turns = Turns::new();
    turns.by("eve", |txn, _| {
        let root = txn.get_or_insert_xml_fragment(KEY);
        root.push_back(txn, XmlElementPrelim::empty("p")).insert_attribute(txn, "a", "eve");
    });
    let element = |txn: &TransactionMut<'_>| {
        let root = txn.get_xml_fragment(KEY).expect("a root");
        let Some(XmlOut::Element(element)) = root.get(txn, 0) else { panic!("an element") };
        element
    };
    turns.by("bob", |txn, _| {
        element(txn).insert_attribute(txn, "b", "bob");
    });
    assert_eq!(turns.shown("eve"), json!(""));
    assert_eq!(turns.shown("bob"), json!("<p a=\"eve\"></p>"));
    turns.by("bob", |txn, _| {
        element(txn).push_back(txn, XmlTextPrelim::new("words"));
    });
    assert_eq!(turns.shown("eve"), json!("<p a=\"eve\" b=\"bob\">words</p>"));
    turns.by("eve", |txn, _| txn.get_xml_fragment(KEY).expect("a root").remove_range(txn, 0, 1));
    assert_eq!(turns.shown("eve"), json!("<p a=\"eve\" b=\"bob\">words</p>"));
}

/// A map of the user stays with what others put there, and only with that.
#[test]
fn a_map_of_the_user_stays_for_the_values_of_others() {
    let mut turns = Turns::new();
    turns.by("eve", |txn, map| {
        map.insert(txn, "k", MapPrelim::from([("of", "eve"), ("also", "eve")]));
    });
    assert_eq!(turns.without("eve", 0), json!({}));
    turns.by("bob", |txn, map| {
        let Some(Out::YMap(inner)) = map.get(txn, "k") else { panic!("a map") };
        inner.insert(txn, "of", "bob");
    });
    assert_eq!(turns.without("eve", 0), json!({ "k": { "of": "bob" } }));
    assert_eq!(turns.without("bob", 0), json!({ "k": { "of": "eve", "also": "eve" } }));
    turns.by("eve", remove);
    assert_eq!(turns.without("eve", 0), json!({ "k": { "of": "bob" } }));
}
