//! Marks that are long, and have very many runs below them: one mark in the document, and as many as
//! runs where it is shown.

use std::{collections::HashMap, sync::Arc};

use crdt::{Content, Format, Kind, State, replace};
use error::Status;
use serde_json::json;
use yrs::{
    Any, Doc, Text, Transact, WriteTxn, XmlElementPrelim, XmlFragment, XmlTextPrelim, types::Attrs,
};

use crate::{
    cursors::everything,
    samples::{KEY, SERVER, get, put},
};

/// A document with a mark of so many bytes over so many runs.
fn marked(bytes: usize, runs: usize) -> State {
    let doc = Doc::with_client_id(9);
    let mut txn = doc.transact_mut();
    let fragment = txn.get_or_insert_xml_fragment(KEY);
    let paragraph = fragment.push_back(&mut txn, XmlElementPrelim::empty("paragraph"));
    let text = paragraph.push_back(&mut txn, XmlTextPrelim::new(""));
    let long = Any::Map(Arc::new(HashMap::from([("id".to_owned(), Any::from("x".repeat(bytes)))])));
    let marks = |name: &str, value: Any| Attrs::from([(name.into(), value)]);
    text.insert_with_attributes(&mut txn, 0, &"w".repeat(runs), marks("comment", long));
    for at in (1..runs).step_by(2) {
        text.format(&mut txn, at.try_into().expect("few"), 1, marks("bold", Any::Bool(true)));
    }
    drop(txn);
    State::load(SERVER, None, [&*everything(&doc)]).expect("a document")
}

#[test]
fn a_mark_over_few_runs_is_shown_with_each() {
    let state = marked(1_000, 3);
    let shown = get(&state, Kind::Xml);
    assert_eq!(shown.as_str().expect("a text").matches("<comment id=").count(), 3);
}

#[test]
fn content_whose_marks_would_fill_the_memory_is_refused_and_can_be_replaced() {
    let mut state = marked(100_000, 2_000);
    let refused = state.value(Kind::Xml, KEY).expect_err("200 megabytes");
    assert_eq!(refused.status, Status::ResourceExhausted);
    put(&mut state, Kind::Xml, &json!("<paragraph>short</paragraph>"));
    assert_eq!(get(&state, Kind::Xml), json!("<paragraph>short</paragraph>"));
}

#[test]
fn content_whose_marks_would_fill_the_memory_is_not_written() {
    let mut state = State::load(SERVER, None, []).expect("a document");
    let runs = "<bold>w</bold>v".repeat(1_000);
    let long = "x".repeat(100_000);
    let sent = format!("<paragraph><comment id=\"{long}\">{runs}</comment></paragraph>");
    let content = Content::new(Kind::Xml, json!(sent)).expect("an element with marks");
    let refused = replace(&mut state, KEY, &content).expect_err("200 megabytes");
    assert_eq!(refused.status, Status::ResourceExhausted);
    assert_eq!(get(&state, Kind::Xml), json!(""));
}

#[test]
fn html_and_markdown_whose_marks_would_fill_the_memory_are_refused() {
    let long = "x".repeat(100_000);
    for (format, sent) in [
        (Format::Html, format!("<p><a href=\"{long}\">{}</a></p>", "<b>w</b>v".repeat(1_000))),
        (Format::Html, format!("<pre><code><a href=\"{long}\">{}", "<b>w</b>v".repeat(1_000))),
        (Format::Markdown, format!("[{}](<{long}>)", "**w** v ".repeat(1_000))),
    ] {
        let refused = Content::formed(Kind::Xml, format, json!(sent)).expect_err("200 megabytes");
        assert_eq!(refused.status, Status::ResourceExhausted);
    }
    // A mark without words is in no document.
    let sent = format!("<p><a href=\"{long}\">{}v</a></p>", "<b></b>".repeat(10_000));
    let mut state = State::load(SERVER, None, []).expect("a document");
    let content = Content::formed(Kind::Xml, Format::Html, json!(sent)).expect("a link");
    replace(&mut state, KEY, &content).expect("written");
    assert!(
        get(&state, Kind::Xml).as_str().is_some_and(|xml| xml.ends_with("v</link></paragraph>"))
    );
}
