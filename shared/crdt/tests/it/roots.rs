//! A root is what is found in it.

use crdt::{Content, Kind, replace};
use error::Status;
use serde_json::json;
use yrs::{
    Any, Array, ArrayPrelim, Doc, Map, MapPrelim, Text, Transact, Xml, XmlFragment, XmlTextPrelim,
    XmlTextRef, branch::BranchPtr,
};

use crate::{
    cursors::everything,
    samples::{KEY, empty, get, loaded, put},
};

#[test]
fn each_kind_is_recognized_and_no_other_one_replaces_it() {
    let contents = [
        (Kind::Text, json!("text")),
        (Kind::Map, json!({ "a": null })),
        (Kind::Array, json!(["a"])),
        (Kind::Xml, json!("<p></p>")),
    ];
    for (kind, data) in &contents {
        let mut state = empty();
        assert_eq!(state.kind(KEY).expect("no kind"), None);
        put(&mut state, *kind, data);
        let mut state = loaded(&state.encode());
        assert_eq!(state.kind(KEY).expect("a kind"), Some(*kind));
        assert_eq!(state.kind("other").expect("no kind"), None);
        for (other, data) in contents.iter().filter(|(other, _)| other != kind) {
            let content = Content::new(*other, data.clone()).expect("content");
            let refusal = replace(&mut state, KEY, &content).expect_err("another kind");
            assert_eq!(refusal.status, Status::InvalidArgument);
            assert!(refusal.message.contains(other.as_str()), "{}", refusal.message);
        }
        assert_eq!(get(&state, *kind), *data);
    }
}

#[test]
fn what_is_empty_has_no_kind() {
    for (kind, data, nothing) in [
        (Kind::Text, json!("a"), json!("")),
        (Kind::Map, json!({ "a": 1 }), json!({})),
        (Kind::Array, json!([1]), json!([])),
        (Kind::Xml, json!("<p></p>"), json!("")),
    ] {
        let mut state = empty();
        put(&mut state, kind, &data);
        put(&mut state, kind, &nothing);
        assert_eq!(loaded(&state.encode()).kind(KEY).expect("no kind"), None);
        assert_eq!(get(&state, kind), nothing);
    }
}

fn refusal(build: impl FnOnce(&Doc)) -> String {
    let doc = Doc::with_client_id(9);
    build(&doc);
    let state = loaded(&everything(&doc));
    let refusal = state.kind(KEY).expect_err("no kind that is served");
    assert_eq!(refusal.status, Status::InvalidArgument);
    refusal.message.into_owned()
}

#[test]
fn nested_text_is_refused_in_words() {
    // A paragraph of Lexical: a text with attributes, with a map before each run.
    let lexical = refusal(|doc| {
        let root = doc.get_or_insert_xml_fragment(KEY);
        let mut txn = doc.transact_mut();
        let paragraph = root.push_back(&mut txn, XmlTextPrelim::new(""));
        paragraph.insert_attribute(&mut txn, "__type", "paragraph");
        paragraph.insert_embed(&mut txn, 0, MapPrelim::from([("__type", "text")]));
        paragraph.insert(&mut txn, 1, "words");
    });
    assert!(lexical.contains("Lexical"), "{lexical}");
    // A node of Slate: a text in a text, next to characters.
    let slate = refusal(|doc| {
        let root = doc.get_or_insert_text(KEY);
        let mut txn = doc.transact_mut();
        let root = XmlTextRef::from(BranchPtr::from(AsRef::<yrs::branch::Branch>::as_ref(&root)));
        root.insert(&mut txn, 0, "words");
        root.insert_embed(&mut txn, 0, XmlTextPrelim::new("nested"));
    });
    assert!(slate.contains("Slate"), "{slate}");
}

#[test]
fn a_mixture_is_refused() {
    let mixed = refusal(|doc| {
        let (map, array) = (doc.get_or_insert_map(KEY), doc.get_or_insert_array(KEY));
        let mut txn = doc.transact_mut();
        map.insert(&mut txn, "a", 1);
        array.push_back(&mut txn, 1);
    });
    assert!(mixed.contains("mixes"), "{mixed}");
}

#[test]
fn shared_types_of_peers_are_kept_and_plain_values_are_exchanged() {
    let doc = Doc::with_client_id(9);
    {
        let root = doc.get_or_insert_array(KEY);
        let mut txn = doc.transact_mut();
        for id in 1..=3 {
            let item = root.push_back(&mut txn, MapPrelim::from([("id", Any::from(id))]));
            item.insert(&mut txn, "title", yrs::TextPrelim::new(format!("Title {id}")));
            item.insert(&mut txn, "tags", ArrayPrelim::from(["a", "b"]));
        }
    }
    let item = |id: i32, title: &str| json!({ "id": id, "title": title, "tags": ["a", "b"] });
    let mut state = loaded(&everything(&doc));
    assert_eq!(state.kind(KEY).expect("a kind"), Some(Kind::Array));
    let new = json!([item(0, "new"), item(1, "Title 1"), item(3, "Title three")]);
    put(&mut state, Kind::Array, &new);
    assert_eq!(get(&state, Kind::Array), new);

    // A peer that saw nothing of it types into the title of the last item.
    {
        let root = doc.get_or_insert_array(KEY);
        let mut txn = doc.transact_mut();
        let item = root.get(&txn, 2).and_then(|item| item.cast::<yrs::MapRef>().ok()).expect("map");
        let title =
            item.get(&txn, "title").and_then(|t| t.cast::<yrs::TextRef>().ok()).expect("text");
        title.insert(&mut txn, 0, "My ");
    }
    state.apply(&everything(&doc)).expect("applied");
    assert_eq!(get(&state, Kind::Array)[2]["title"], json!("My Title three"));
}
