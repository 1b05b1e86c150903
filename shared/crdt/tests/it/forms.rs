//! Other forms of content: what was read writes nothing, what was sent is read again, and another
//! word changes this word alone.

mod html;
mod lost;
mod markdown;

use crdt::{Content, Format, Kind, Replacement, State, replace};
use proptest::{collection, prelude::*};
use serde_json::{Value, json};
use yrs::{
    Any, Out, Text, Transact, Update, Xml, XmlElementPrelim, XmlFragment, XmlTextPrelim,
    types::Attrs, types::text::YChange, updates::decoder::Decode,
};

use crate::{
    cursors::{everything, peer, receive},
    samples::{self, Dice, KEY, empty, get, loaded, put},
};

/// Items that marks around a word may add to the change.
const MARKS: usize = 8;

/// The forms of an editor of this kind that hold all of it.
const fn whole(kind: Kind) -> &'static [Format] {
    match kind {
        Kind::Xml => &[Format::Json, Format::Html, Format::Markdown],
        Kind::Text => &[Format::Json],
        Kind::Map | Kind::Array => &[],
    }
}

fn form(state: &State, kind: Kind, format: Format) -> Value {
    state.formed(kind, KEY, format).expect("a form").data
}

fn lost(state: &State, kind: Kind, format: Format) -> Vec<String> {
    state.formed(kind, KEY, format).expect("a form").lost
}

fn replaced(state: &mut State, kind: Kind, format: Format, data: &Value) -> Replacement {
    let content = Content::formed(kind, format, data.clone());
    let content = content.unwrap_or_else(|e| panic!("{e}: {data}"));
    replace(state, KEY, &content).unwrap_or_else(|e| panic!("{e}: {data}"))
}

fn send(state: &mut State, kind: Kind, format: Format, data: &Value) -> Vec<u8> {
    replaced(state, kind, format, data).update
}

fn refusal(kind: Kind, format: Format, data: Value) -> String {
    let formed = Content::formed(kind, format, data).map(drop);
    formed.expect_err("refused").message.into_owned()
}

/// The numbers of new and of deleted items.
fn count(update: &[u8]) -> (usize, usize) {
    if update.is_empty() {
        return (0, 0);
    }
    let update = Update::decode_v1(update).expect("an update");
    let count = |set: &yrs::IdSet| -> usize {
        let ranges = set.iter().flat_map(|(_, ranges)| ranges.iter());
        ranges.map(|range| (range.end - range.start) as usize).sum()
    };
    (count(&update.insertions(true)), count(update.delete_set()))
}

/// The first text that has this word, with another one in its place.
fn with_another_word(data: &Value, word: &str) -> Value {
    match data {
        Value::String(text) => json!(text.replacen(word, "delta", 1)),
        Value::Array(items) => {
            let mut items = items.clone();
            for item in &mut items {
                let changed = with_another_word(item, word);
                if changed != *item {
                    *item = changed;
                    break;
                }
            }
            Value::Array(items)
        }
        Value::Object(entries) => {
            let mut entries = entries.clone();
            for key in ["text", "insert", "ops", "content"] {
                if let Some(entry) = entries.get_mut(key) {
                    *entry = with_another_word(entry, word);
                }
            }
            Value::Object(entries)
        }
        other => other.clone(),
    }
}

/// Reads and writes a document in a form.
fn check(state: &State, kind: Kind, format: Format) {
    let before = state.encode();
    let data = form(state, kind, format);
    let again = send(&mut loaded(&before), kind, format, &data);
    assert!(again.is_empty(), "written twice: {data}");
    // A new document has all of it.
    let mut copy = empty();
    assert_eq!(replaced(&mut copy, kind, format, &data).lost, Vec::<String>::new(), "{data}");
    assert_eq!(form(&copy, kind, format), data);
    if kind == Kind::Xml {
        assert_eq!(unhashed(&get(&copy, kind)), unhashed(&get(state, kind)), "{data}");
    }
    for word in ["quick", "lazy", "漢字"] {
        let changed = with_another_word(&data, word);
        if changed == data {
            continue;
        }
        let mut copy = loaded(&before);
        let update = send(&mut copy, kind, format, &changed);
        assert_eq!(form(&copy, kind, format), changed, "{data}");
        let (added, deleted) = count(&update);
        // The marks around a word may be written anew.
        let most = MARKS + word.encode_utf16().count();
        assert!(
            added <= MARKS + "delta".len() && deleted <= most,
            "+{added} -{deleted}: {word} in {data}"
        );
    }
}

/// XML without the hashes of marks.
fn unhashed(xml: &Value) -> String {
    let xml = xml.as_str().expect("XML");
    let mut parts = xml.split("--");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |xml, part| xml + part.get(8..).unwrap_or(part))
}

fn rich(dice: &mut Dice) -> State {
    let mut state = empty();
    let mut data = samples::content(dice, Kind::Xml);
    put(&mut state, Kind::Xml, &data);
    for _ in 0..dice.below(3) {
        data = samples::edited(dice, Kind::Xml, &data);
        put(&mut state, Kind::Xml, &data);
    }
    state
}

fn formats(dice: &mut Dice) -> Attrs {
    let of = |at| match at {
        0 => Some(("bold", json!(true))),
        1 => Some(("color", json!("#a0b0c0"))),
        2 => Some(("header", json!(2))),
        3 => Some(("link", json!({ "href": "https://a.example/?b&c", "n": [1, 0.5] }))),
        _ => None,
    };
    let formats = (0..dice.below(3)).filter_map(|_| of(dice.below(5)));
    formats.map(|(key, value)| (key.into(), plain(&value))).collect()
}

fn plain(value: &Value) -> Any {
    Any::from_json(&value.to_string()).expect("JSON")
}

/// A text as Quill keeps it.
fn quill(dice: &mut Dice) -> State {
    let doc = peer(9, &[0, 0]);
    let shared = doc.get_or_insert_text(KEY);
    for _ in 0..1 + dice.below(12) {
        let mut txn = doc.transact_mut();
        let at = shared.len(&txn);
        match dice.below(5) {
            0 => {
                let image = plain(&json!({ "image": dice.pick(&["a", "b"]) }));
                shared.insert_embed_with_attributes(&mut txn, at, image, formats(dice));
            }
            1 => shared.insert_with_attributes(&mut txn, at, "\n", formats(dice)),
            _ => {
                let words = samples::words(dice, 5) + "x";
                shared.insert_with_attributes(&mut txn, at, &words, formats(dice));
            }
        }
    }
    loaded(&everything(&doc))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_rich_texts(seed: u64) {
        let state = rich(&mut Dice::new(seed));
        whole(Kind::Xml).iter().for_each(|format| check(&state, Kind::Xml, *format));
    }

    #[test]
    fn of_texts(seed: u64) {
        let state = quill(&mut Dice::new(seed));
        whole(Kind::Text).iter().for_each(|format| check(&state, Kind::Text, *format));
    }

    /// From any document to any other one.
    #[test]
    fn of_other_documents(seeds in collection::vec(any::<u64>(), 2..4)) {
        for (kind, made) in [(Kind::Xml, rich as fn(&mut Dice) -> State), (Kind::Text, quill)] {
            let mut state = made(&mut Dice::new(seeds[0]));
            for seed in &seeds[1..] {
                for format in whole(kind) {
                    let data = form(&made(&mut Dice::new(*seed)), kind, *format);
                    send(&mut state, kind, *format, &data);
                    assert_eq!(form(&state, kind, *format), data);
                    assert!(send(&mut state, kind, *format, &data).is_empty(), "{data}");
                }
            }
        }
    }
}

/// A document with values that XML shows as strings.
fn typed() -> yrs::Doc {
    let doc = peer(9, &[0, 0]);
    let root = doc.get_or_insert_xml_fragment(KEY);
    let mut txn = doc.transact_mut();
    let heading = root.push_back(&mut txn, XmlElementPrelim::empty("heading"));
    heading.insert_attribute(&mut txn, "level", 2);
    heading.insert_attribute(&mut txn, "textAlign", Any::Null);
    let text = heading.push_back(&mut txn, XmlTextPrelim::new("A word of two"));
    text.format(&mut txn, 2, 4, Attrs::from([("bold".into(), plain(&json!({})))]));
    let note = |id: &str| plain(&json!({ "id": id, "at": 1, "done": null }));
    text.format(&mut txn, 0, 4, Attrs::from([("note--aaaaaaaa".into(), note("one"))]));
    text.format(&mut txn, 2, 6, Attrs::from([("note--bbbbbbbb".into(), note("two"))]));
    let table = root.push_back(&mut txn, XmlElementPrelim::empty("tableCell"));
    table.insert_attribute(&mut txn, "colwidth", plain(&json!([120, 80])));
    drop(txn);
    doc
}

#[test]
fn json_is_that_of_prosemirror() {
    let state = loaded(&everything(&typed()));
    let note = |id: &str| json!({ "type": "note", "attrs": { "at": 1, "done": null, "id": id } });
    let expected = json!({ "type": "doc", "content": [
        { "type": "heading", "attrs": { "level": 2 }, "content": [
            { "type": "text", "text": "A ", "marks": [note("one")] },
            { "type": "text", "text": "wo", "marks": [{ "type": "bold" }, note("one"), note("two")] },
            { "type": "text", "text": "rd", "marks": [{ "type": "bold" }, note("two")] },
            { "type": "text", "text": " o", "marks": [note("two")] },
            { "type": "text", "text": "f two" },
        ] },
        { "type": "tableCell", "attrs": { "colwidth": [120, 80] } },
    ] });
    assert_eq!(form(&state, Kind::Xml, Format::Json), expected);
    check(&state, Kind::Xml, Format::Json);
    assert_eq!(lost(&state, Kind::Xml, Format::Json), Vec::<String>::new());
}

#[test]
fn json_changes_the_type_of_an_attribute_and_the_capitals_of_a_name() {
    let doc = typed();
    let mut state = loaded(&everything(&doc));
    let mut data = form(&state, Kind::Xml, Format::Json);
    data["content"][0]["attrs"]["level"] = json!("2");
    data["content"][1]["type"] = json!("tablecell");
    data["content"][1]["attrs"]["colwidth"] = json!(null);
    receive(&doc, &send(&mut state, Kind::Xml, Format::Json, &data));
    data["content"][1] = json!({ "type": "tablecell" });
    assert_eq!(form(&state, Kind::Xml, Format::Json), data);
}

#[test]
fn a_mark_beside_another_one_of_its_type_is_stored_beside_it() {
    let mut state = empty();
    let marks = json!([{ "type": "note", "attrs": { "id": "one" } }, { "type": "note", "attrs": { "id": "two" } }]);
    let text = json!({ "type": "text", "text": "a", "marks": marks });
    let data = json!({ "type": "doc", "content": [{ "type": "paragraph", "content": [text] }] });
    send(&mut state, Kind::Xml, Format::Json, &data);
    assert_eq!(form(&state, Kind::Xml, Format::Json), data);
}

#[test]
fn what_an_editor_cannot_hold_is_refused_by_name() {
    let doc = |node: Value| json!({ "type": "doc", "content": [node] });
    for (data, named) in [
        (json!("text"), "it is no object"),
        (json!([]), "it is no object"),
        (json!({ "type": "paragraph" }), "its type is not doc"),
        (json!({ "type": "doc", "attrs": {} }), "the document cannot have the member attrs"),
        (json!({ "type": "doc", "content": {} }), "content is no list"),
        (doc(json!("text")), "a node is no object"),
        (doc(json!({ "type": 1 })), "a node has no type"),
        (doc(json!({ "type": "text", "text": "" })), "the text of a node is no text, or is empty"),
        (doc(json!({ "type": "p", "text": "a" })), "the text of a node is no text, or is empty"),
        (
            doc(json!({ "type": "text", "text": "a", "attrs": {} })),
            "a text cannot have the member attrs",
        ),
        (
            doc(json!({ "type": "image", "marks": [] })),
            "a node of type image cannot have the member marks",
        ),
        (
            doc(json!({ "type": "image", "attrs": [] })),
            "attrs of a node of type image are no object",
        ),
        (doc(json!({ "type": "text", "text": "a", "marks": {} })), "marks are no list"),
        (doc(json!({ "type": "text", "text": "a", "marks": [{}] })), "a mark has no type"),
        (doc(json!({ "type": "text", "text": "a", "marks": ["bold"] })), "a mark is no object"),
        (
            doc(json!({ "type": "text", "text": "a", "marks": [{ "type": "bold", "of": 1 }] })),
            "a mark of type bold cannot have the member of",
        ),
    ] {
        let message = refusal(Kind::Xml, Format::Json, data);
        assert_eq!(message, format!("Data cannot be read as JSON of ProseMirror: {named}."));
    }
    for (data, named) in [
        (json!([]), "it is no object with the member ops alone"),
        (json!({ "ops": {} }), "it is no object with the member ops alone"),
        (json!({ "ops": [], "v": 1 }), "it is no object with the member ops alone"),
        (json!({ "ops": ["a"] }), "an operation is no object"),
        (json!({ "ops": [{ "delete": 1 }] }), "an operation cannot have the member delete"),
        (json!({ "ops": [{ "attributes": {} }] }), "an operation inserts nothing"),
        (json!({ "ops": [{ "insert": "" }] }), "an insertion is empty"),
        (json!({ "ops": [{ "insert": "a", "attributes": [] }] }), "attributes are no object"),
    ] {
        let message = refusal(Kind::Text, Format::Json, data);
        assert_eq!(message, format!("Data cannot be read as a delta: {named}."));
    }
    for kind in [Kind::Map, Kind::Array, Kind::Text, Kind::Xml] {
        let message = refusal(kind, Format::Text, json!("x"));
        assert_eq!(message, format!("Content of type {} has no form text.", kind.as_str()));
    }
}

#[test]
fn depth_and_size_of_json_are_limited() {
    let nested = |depth| {
        let inner = (1..depth)
            .fold(json!({ "type": "p" }), |node, _| json!({ "type": "p", "content": [node] }));
        json!({ "type": "doc", "content": [inner] })
    };
    assert!(Content::formed(Kind::Xml, Format::Json, nested(crdt::MAX_DEPTH)).is_ok());
    let message = refusal(Kind::Xml, Format::Json, nested(crdt::MAX_DEPTH + 1));
    assert!(message.contains("100 levels"), "{message}");
    let value = (0..=crdt::MAX_DEPTH).fold(json!(1), |value, _| json!([value]));
    let node = json!({ "type": "p", "attrs": { "a": value } });
    let message = refusal(Kind::Xml, Format::Json, json!({ "type": "doc", "content": [node] }));
    assert!(message.contains("100 levels"), "{message}");
    let message = refusal(Kind::Text, Format::Json, json!({ "ops": [{ "insert": value }] }));
    assert!(message.contains("100 levels"), "{message}");
    let wide = |len| json!({ "type": "doc", "content": vec![json!({ "type": "p" }); len] });
    assert!(Content::formed(Kind::Xml, Format::Json, wide(crdt::MAX_NODES)).is_ok());
    let message = refusal(Kind::Xml, Format::Json, wide(crdt::MAX_NODES + 1));
    assert!(message.contains("50000 values"), "{message}");
    let ops = vec![json!({ "insert": "a" }); crdt::MAX_NODES + 1];
    let message = refusal(Kind::Text, Format::Json, json!({ "ops": ops }));
    assert!(message.contains("50000 values"), "{message}");
}

#[test]
fn a_mark_that_is_long_and_often_there_is_refused_in_every_form() {
    let mut state = empty();
    let mark = json!({ "type": "note", "attrs": { "text": "x".repeat(20_000) } });
    let text = |at: usize| {
        let marks =
            if at.is_multiple_of(2) { json!([mark]) } else { json!([mark, { "type": "bold" }]) };
        json!({ "type": "text", "text": "a", "marks": marks })
    };
    let data = |count: usize| {
        let texts: Vec<Value> = (0..count).map(text).collect();
        json!({ "type": "doc", "content": [{ "type": "p", "content": texts }] })
    };
    send(&mut state, Kind::Xml, Format::Json, &data(100));
    assert!(form(&state, Kind::Xml, Format::Html).as_str().expect("HTML").len() > 2_000_000);
    let content = Content::formed(Kind::Xml, Format::Json, data(1000)).expect("read");
    let error = replace(&mut state, KEY, &content).expect_err("refused");
    assert!(error.message.contains("16777216 bytes"), "{}", error.message);
}

#[test]
fn embedded_objects_of_a_delta_come_and_go() {
    let doc = peer(9, &[0, 0]);
    let shared = doc.get_or_insert_text(KEY);
    shared.insert(&mut doc.transact_mut(), 0, "a \u{e000}\n");
    let mut state = loaded(&everything(&doc));
    let image = |of: &str| json!({ "insert": { "image": of } });
    for ops in [
        json!([{ "insert": "a" }, image("one"), { "insert": " \u{e000}\n" }]),
        json!([{ "insert": "a" }, image("two"), image("one"), { "insert": " \u{e000}\n" }]),
        json!([{ "insert": "a" }, image("one"), image("one"), { "insert": " \u{e000}\n", "attributes": { "bold": true } }]),
        json!([{ "insert": { "image": "two" }, "attributes": { "width": 5 } }, { "insert": "\n" }]),
    ] {
        let data = json!({ "ops": ops });
        receive(&doc, &send(&mut state, Kind::Text, Format::Json, &data));
        assert_eq!(form(&state, Kind::Text, Format::Json), data);
    }
    let diff = shared.diff(&doc.transact(), YChange::identity);
    let embeds = diff.iter().filter(|piece| matches!(piece.insert, Out::Any(Any::Map(_))));
    assert_eq!(embeds.count(), 1);
    assert_eq!(form(&state, Kind::Text, Format::Text), json!("\n"));
    assert_eq!(lost(&state, Kind::Text, Format::Text), ["format width", "value Embed"]);
}

#[test]
fn text_has_a_line_for_each_block_and_names_the_rest() {
    let mut state = empty();
    let xml = "<heading level=\"2\">Title</heading><paragraph>one <bold>two</bold><hardBreak></hardBreak>\
        three</paragraph><paragraph></paragraph><bulletList><listItem><paragraph>four</paragraph></listItem>\
        </bulletList>";
    put(&mut state, Kind::Xml, &json!(xml));
    let formed = state.formed(Kind::Xml, KEY, Format::Text).expect("text");
    assert_eq!(formed.data, json!("Title\none two\nthree\n\nfour\n"));
    let lost = [
        "attribute level of heading",
        "mark bold",
        "node bulletList",
        "node heading",
        "node listItem",
    ];
    assert_eq!(formed.lost, lost);
}

#[test]
fn what_is_beside_elements_stays_and_is_named() {
    let doc = typed();
    {
        let root = doc.get_or_insert_xml_fragment(KEY);
        let mut txn = doc.transact_mut();
        let Some(yrs::XmlOut::Element(heading)) = root.get(&txn, 0) else { panic!("a heading") };
        let Some(yrs::XmlOut::Text(text)) = heading.get(&txn, 0) else { panic!("a text") };
        text.insert_embed(&mut txn, 3, plain(&json!({ "image": "a" })));
    }
    let mut state = loaded(&everything(&doc));
    assert_eq!(lost(&state, Kind::Xml, Format::Json), ["value Embed"]);
    let mut data = form(&state, Kind::Xml, Format::Json);
    assert!(send(&mut state, Kind::Xml, Format::Json, &data).is_empty());
    data["content"][0]["content"][0]["text"] = json!("The ");
    send(&mut state, Kind::Xml, Format::Json, &data);
    assert_eq!(form(&state, Kind::Xml, Format::Json), data);
    assert_eq!(lost(&state, Kind::Xml, Format::Json), ["value Embed"]);
}
