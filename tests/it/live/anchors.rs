//! Anchors of threads: the service marks a range of a rich text for a user who may not edit it.

use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::Message;
use embedded::{Effect, Fault};
use serde_json::{Value, json};
use yrs::{
    Any, Assoc, Doc, IndexedSequence, Out, ReadTxn, Text, Transact, Update, XmlElementPrelim,
    XmlFragment, XmlOut, XmlTextPrelim, XmlTextRef, types::text::YChange, updates::decoder::Decode,
};

use super::peer::Peer;
use crate::{
    app::{App, Caller},
    end_users::{at, member, with_document},
};

const ROOT: &str = "default";
const PARAGRAPHS: [&str; 2] = ["Hello 🌍 world", "The second one"];

/// A document of two paragraphs in the editor `e`, with its author.
async fn with_paragraphs(mark: &str) -> (App, Peer) {
    let app = with_document().await;
    app.call("workspace.api_key_config_update", json!({ "anchorMark": mark })).await.ok();
    let ada = member(&app, "ada", "editor").await;
    let mut peer = Peer::join(&app, 1, &ada).await;
    let update = {
        let root = peer.doc.get_or_insert_xml_fragment(ROOT);
        let mut txn = peer.doc.transact_mut();
        for text in PARAGRAPHS {
            let paragraph = root.push_back(&mut txn, XmlElementPrelim::empty("paragraph"));
            paragraph.push_back(&mut txn, XmlTextPrelim::new(text));
        }
        txn.encode_update_v1()
    };
    peer.say(&Message::Update(update)).await;
    peer.is_stored().await;
    (app, peer)
}

fn texts(doc: &Doc) -> Vec<XmlTextRef> {
    let txn = doc.transact();
    let root = txn.get_xml_fragment(ROOT).expect("a root");
    let text = |node| match node {
        XmlOut::Element(paragraph) => match paragraph.get(&txn, 0) {
            Some(XmlOut::Text(text)) => text,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    root.children(&txn).map(text).collect()
}

/// The relative position in a paragraph, as `Y.relativePositionToJSON` writes it.
fn position(doc: &Doc, paragraph: usize, index: u32) -> Value {
    let text = &texts(doc)[paragraph];
    let position = text.sticky_index(&doc.transact(), index, Assoc::After).expect("a position");
    serde_json::to_value(position).expect("JSON")
}

/// Each run of the text with the threads of its marks.
fn runs(doc: &Doc) -> Vec<(String, Vec<String>)> {
    let txn = doc.transact();
    let mut runs = Vec::new();
    for text in texts(doc) {
        for piece in text.diff(&txn, YChange::identity) {
            let Out::Any(Any::String(part)) = piece.insert else { panic!("an object") };
            let mut threads = Vec::new();
            for (key, value) in piece.attributes.map(|it| *it).unwrap_or_default() {
                assert!(key.starts_with("comment--") && key.len() == 17, "{key}");
                let Any::Map(members) = value else { panic!("{value:?}") };
                assert_eq!((members.len(), &members["orphan"]), (2, &Any::Bool(false)));
                threads.push(members["threadId"].to_string());
            }
            threads.sort();
            runs.push((part.to_string(), threads));
        }
    }
    runs
}

fn thread(id: &str, from: &Value, to: &Value, more: Value) -> Value {
    let anchor = json!({ "editorId": "e", "from": from, "to": to, "mark": "comment" });
    let comment = json!({ "from": { "userId": "bob" }, "commentText": "Is that so?" });
    let mut thread = json!({ "annotationId": id, "anchor": anchor, "commentData": [comment] });
    for (name, value) in more.as_object().expect("an object") {
        thread[name] = value.clone();
    }
    thread
}

async fn add(caller: &Caller<'_>, thread: &Value) -> Value {
    let sent = at(json!({ "commentAnnotations": [thread] }));
    let entries = caller.call("comments.annotations_add", sent).await.data();
    entries[thread["annotationId"].as_str().expect("an id")].clone()
}

/// Whether an entry failed with this in its message.
fn says(entry: &Value, reason: &str) -> bool {
    entry["success"] == false && entry["message"].as_str().expect("a text").contains(reason)
}

async fn threads(app: &App) -> Value {
    app.call("comments.annotations_get", at(json!({}))).await.data()
}

async fn stored(app: &App) -> Value {
    app.call("editors.state_get", at(json!({ "editorId": "e" }))).await.data()
}

#[tokio::test]
async fn a_mark_reaches_the_document_and_its_peers_and_changes_nothing_else() {
    let (app, mut ada) = with_paragraphs("comment").await;
    let bob = member(&app, "bob", "commenter").await;
    let bob = app.caller().end_user(&bob);
    // From within the first paragraph, and half of the globe, to within the second one.
    let (from, to) = (position(&ada.doc, 0, 7), position(&ada.doc, 1, 3));
    let entry = add(&bob, &thread("t", &from, &to, json!({}))).await;
    assert_eq!(entry["success"], true, "{entry}");
    app.settle().await;
    while runs(&ada.doc).iter().all(|(_, threads)| threads.is_empty()) {
        ada.hear().await;
    }
    let run = |text: &str, threads: &[&str]| {
        (text.to_owned(), threads.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>())
    };
    let marked =
        [run("Hello ", &[]), run("🌍 world", &["t"]), run("The", &["t"]), run(" second one", &[])];
    assert_eq!(runs(&ada.doc), marked);
    let words: Vec<String> = texts(&ada.doc).iter().map(|text| runs_of(&ada.doc, text)).collect();
    assert_eq!(words, PARAGRAPHS);
    // A peer that comes later reads the same, and the thread says where it is.
    let late = member(&app, "eve", "editor").await;
    let late = Peer::join(&app, 3, &late).await;
    assert_eq!(runs(&late.doc), marked);
    let found = threads(&app).await;
    let found = &found[0]["anchor"];
    assert_eq!((&found["from"], &found["mark"]), (&from, &json!("comment")), "{found}");

    // Threads may overlap.
    let (from, to) = (position(&late.doc, 1, 0), json!({ "tname": ROOT, "assoc": 0 }));
    assert_eq!(add(&bob, &thread("s", &from, &to, json!({}))).await["success"], true);
    let later = member(&app, "fay", "editor").await;
    let later = Peer::join(&app, 4, &later).await;
    assert_eq!(runs(&later.doc)[2..], [run("The", &["s", "t"]), run(" second one", &["s"])]);
}

fn runs_of(doc: &Doc, text: &XmlTextRef) -> String {
    let txn = doc.transact();
    let pieces = text.diff(&txn, YChange::identity).into_iter();
    pieces.map(|piece| piece.insert.to_string(&txn)).collect()
}

#[tokio::test]
async fn a_mark_that_the_key_does_not_name_is_refused() {
    for (named, sent) in [("", "comment"), ("", ""), ("comment", "bold"), ("comment", "")] {
        let (app, ada) = with_paragraphs(named).await;
        let before = stored(&app).await;
        let (from, to) = (position(&ada.doc, 0, 0), position(&ada.doc, 0, 5));
        let mut thread = thread("t", &from, &to, json!({}));
        thread["anchor"]["mark"] = json!(sent);
        let entry = add(&app.caller(), &thread).await;
        assert!(says(&entry, "does not name this mark"), "{named} {sent}: {entry}");
        assert_eq!((threads(&app).await, stored(&app).await), (json!([]), before));
    }
}

#[tokio::test]
async fn an_invalid_anchor_is_refused_and_its_thread_is_not_added() {
    let (app, ada) = with_paragraphs("comment").await;
    app.call("editors.add", at(json!({ "editorId": "plain", "type": "text", "data": "Hello" })))
        .await
        .ok();
    let before = stored(&app).await;
    let (from, to) = (position(&ada.doc, 0, 0), position(&ada.doc, 0, 5));
    let unknown = json!({ "item": { "client": 77, "clock": 0 } });
    let wrong = [
        (thread("t", &unknown, &to, json!({})), "beginning"),
        (thread("t", &from, &unknown, json!({})), "end"),
        (thread("t", &from, &json!({ "tname": "other" }), json!({})), "end"),
        (thread("t", &to, &from, json!({})), "no characters"),
        (thread("t", &from, &from, json!({})), "no characters"),
        (
            thread(
                "t",
                &from,
                &to,
                json!({ "visibility": { "type": "restricted", "userIds": ["bob"] } }),
            ),
            "private",
        ),
    ];
    for (thread, reason) in &wrong {
        let entry = add(&app.caller(), thread).await;
        assert!(says(&entry, reason), "{thread}: {entry}");
    }
    for (editor, reason) in [("none", "does not exist"), ("plain", "no rich text")] {
        let mut thread = thread("t", &from, &to, json!({}));
        thread["anchor"]["editorId"] = json!(editor);
        let entry = add(&app.caller(), &thread).await;
        assert!(says(&entry, reason), "{entry}");
    }
    let malformed = [
        json!({ "assoc": 0 }),
        json!({ "item": { "client": 1_u64 << 53, "clock": 0 } }),
        json!({ "item": { "client": 1 } }),
    ];
    for from in malformed {
        let sent = at(json!({ "commentAnnotations": [thread("t", &from, &to, json!({}))] }));
        app.call("comments.annotations_add", sent).await.error("INVALID_ARGUMENT");
    }
    let many: Vec<Value> =
        (0..5).map(|n| thread(&format!("t{n}"), &from, &to, json!({}))).collect();
    let sent = at(json!({ "commentAnnotations": many }));
    app.call("comments.annotations_add", sent).await.error("INVALID_ARGUMENT");
    assert_eq!((threads(&app).await, stored(&app).await), (json!([]), before));
}

#[tokio::test]
async fn repeating_an_interrupted_call_writes_the_missing_mark_once() {
    let (app, ada) = with_paragraphs("comment").await;
    let (from, to) = (position(&ada.doc, 0, 0), position(&ada.doc, 0, 5));
    let thread = thread("t", &from, &to, json!({}));
    let operation = "TransactWriteItems".to_owned();
    let is_one = |it: &&embedded::Call| it.operation == operation;
    let mut plain = thread.clone();
    plain["annotationId"] = json!("plain");
    plain.as_object_mut().expect("an object").remove("anchor");
    app.forget_calls();
    assert_eq!(add(&app.caller(), &plain).await["success"], true);
    let skip = app.calls().iter().filter(is_one).count();
    let before = stored(&app).await;
    app.fault(Fault {
        operation: operation.clone(),
        skip,
        times: 100,
        effect: Effect::InternalError,
    });
    let entry = add(&app.caller(), &thread).await;
    assert!(says(&entry, "temporarily unavailable"), "{entry}");
    app.embedded().clear_faults();
    assert_eq!(threads(&app).await.as_array().expect("a list").len(), 2, "the thread is kept");
    assert_eq!(stored(&app).await, before);

    let mut of_another = thread.clone();
    of_another["commentData"][0]["from"]["userId"] = json!("eve");
    assert!(says(&add(&app.caller(), &of_another).await, "already"));
    assert_eq!(stored(&app).await, before, "the thread of somebody else");
    let entry = add(&app.caller(), &thread).await;
    assert_eq!(
        (&entry["success"], &entry["commentIds"].as_array().map(Vec::len)),
        (&json!(true), &Some(1))
    );
    let marked = stored(&app).await;
    assert_ne!(marked["stateHash"], before["stateHash"]);
    assert!(says(&add(&app.caller(), &thread).await, "already"));
    // Members of a mark have no order in the bytes of an update.
    assert_eq!(stored(&app).await["stateHash"], marked["stateHash"], "once");
}

#[tokio::test]
async fn an_anchor_in_a_compacted_editor_is_marked() {
    let (app, ada) = with_paragraphs("comment").await;
    let long = crate::editors::noise(70_000);
    let update = {
        let text = texts(&ada.doc)[1].clone();
        let mut txn = ada.doc.transact_mut();
        text.push(&mut txn, &long);
        txn.encode_update_v1()
    };
    let sent = at(json!({ "editorId": "e", "updates": [STANDARD.encode(update)] }));
    app.call("editors.updates_add", sent).await.ok();
    let task =
        json!({ "organizationId": "acme", "documentId": "d", "editorId": "e", "task": "merge" });
    let body = json!({ "tenant": app.key.api_key, "message": task }).to_string();
    let event = json!({ "Records": [{ "messageId": "1", "body": body }] });
    let done = app.stack().run_worker("editors.compact", event).await.expect("the worker");
    assert_eq!(done["batchItemFailures"], json!([]));
    let (from, to) = (position(&ada.doc, 0, 0), position(&ada.doc, 0, 5));
    let entry = add(&app.caller(), &thread("t", &from, &to, json!({}))).await;
    assert_eq!(entry["success"], true, "{entry}");
    let state = STANDARD.decode(stored(&app).await["update"].as_str().expect("a text"));
    let doc = Doc::new();
    let update = Update::decode_v1(&state.expect("base64")).expect("an update");
    doc.transact_mut().apply_update(update).expect("an update that fits");
    assert_eq!(runs(&doc)[0], ("Hello".to_owned(), vec!["t".to_owned()]));
}
