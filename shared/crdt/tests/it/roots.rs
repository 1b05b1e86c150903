//! A root is what is found in it.

use crdt::{Content, Kind, check_update, replace};
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
fn text_comes_before_what_lies_beside_it() {
    let doc = Doc::with_client_id(9);
    let state = |doc: &Doc| loaded(&everything(doc)).roots().expect("roots");
    let insert_text = |key: &str| {
        let root = doc.get_or_insert_text(key);
        root.insert(&mut doc.transact_mut(), 0, "words");
    };
    doc.get_or_insert_map("config").insert(&mut doc.transact_mut(), "a", 1);
    doc.get_or_insert_array("beside").push_back(&mut doc.transact_mut(), 1);
    doc.get_or_insert_map("content").insert(&mut doc.transact_mut(), "a", 1);
    let names = |doc: &Doc| -> Vec<(String, bool)> {
        state(doc).into_iter().map(|root| (root.key, root.is_text)).collect()
    };
    let maps = [("content", false), ("beside", false), ("config", false)];
    assert_eq!(names(&doc), maps.map(|(name, is_text)| (name.to_owned(), is_text)));
    insert_text("abstract");
    insert_text("default");
    let body = doc.get_or_insert_xml_fragment("body");
    body.push_back(&mut doc.transact_mut(), yrs::XmlElementPrelim::empty("p"));
    let lexical = doc.get_or_insert_xml_fragment("a");
    let paragraph = lexical.push_back(&mut doc.transact_mut(), XmlTextPrelim::new("words"));
    paragraph.insert_attribute(&mut doc.transact_mut(), "__type", "paragraph");
    let texts = ["default", "body", "abstract", "a"].map(|name| (name.to_owned(), true));
    assert_eq!(names(&doc)[..4], texts);
    assert_eq!(state(&doc)[3].kind, Kind::Xml);
}

#[test]
fn an_update_says_which_text_it_begins() {
    let doc = Doc::with_client_id(9);
    let began = |edit: &dyn Fn(&mut yrs::TransactionMut<'_>)| {
        let mut txn = doc.transact_mut();
        edit(&mut txn);
        let text = check_update(&txn.encode_update_v1()).expect("an update").text;
        text.map(|root| (root.kind, root.key))
    };
    let map = doc.get_or_insert_map("config");
    let array = doc.get_or_insert_array("list");
    assert_eq!(
        began(&|txn| {
            let _ = map.insert(txn, "a", "words");
        }),
        None
    );
    assert_eq!(
        began(&|txn| {
            let _ = array.push_back(txn, "words");
        }),
        None
    );
    assert_eq!(
        began(&|txn| {
            let _ = map.insert(txn, "t", yrs::TextPrelim::new("words"));
        }),
        None
    );
    let (title, body) = (doc.get_or_insert_text("title"), doc.get_or_insert_xml_fragment("body"));
    let begun = began(&|txn| {
        title.insert(txn, 0, "Title");
        body.push_back(txn, yrs::XmlElementPrelim::empty("p"));
    });
    assert_eq!(begun, Some((Kind::Xml, "body".to_owned())));
    assert_eq!(began(&|txn| title.insert(txn, 5, " and more")), None);
    let bold = [("bold".into(), Any::from(true))].into();
    let formatted = doc.get_or_insert_text("default");
    let begun =
        began(&|txn| formatted.insert_with_attributes(txn, 0, "words", Clone::clone(&bold)));
    assert_eq!(begun, Some((Kind::Text, "default".to_owned())));
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
