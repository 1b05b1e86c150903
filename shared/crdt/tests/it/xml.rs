//! Features of XML only: names, marks, types of attributes, and the result of `toString`.

use crdt::{Content, Kind, State};
use serde_json::json;
use yrs::{
    Any, Doc, Out, Text, Transact, Xml, XmlElementPrelim, XmlElementRef, XmlFragment, XmlOut,
    XmlTextPrelim, types::Attrs,
};

use crate::{
    cursors::{everything, receive},
    samples::{KEY, empty, get, loaded, put},
};

fn map(entries: &str) -> Any {
    Any::from_json(entries).expect("JSON")
}

/// The document of an editor with headings, lists and comments.
fn editor() -> Doc {
    let doc = Doc::with_client_id(9);
    let root = doc.get_or_insert_xml_fragment(KEY);
    let mut txn = doc.transact_mut();
    let heading = root.push_back(&mut txn, XmlElementPrelim::empty("heading"));
    heading.insert_attribute(&mut txn, "level", 2);
    heading.push_back(&mut txn, XmlTextPrelim::new("Title"));
    let list = root.push_back(&mut txn, XmlElementPrelim::empty("bulletList"));
    let item = list.push_back(&mut txn, XmlElementPrelim::empty("listItem"));
    let paragraph = item.push_back(&mut txn, XmlElementPrelim::empty("paragraph"));
    let text = paragraph.push_back(&mut txn, XmlTextPrelim::new("a < b & c bold commented"));
    text.format(&mut txn, 10, 4, Attrs::from([("bold".into(), map("{}"))]));
    let comment = map(r#"{"id":"c1","resolved":false}"#);
    text.format(&mut txn, 12, 6, Attrs::from([("comment--a/b+c=d/".into(), comment)]));
    paragraph.push_back(&mut txn, XmlElementPrelim::empty("hardBreak"));
    drop(txn);
    doc
}

const ESCAPED: &str = "<heading level=\"2\">Title</heading><bulletList><listItem><paragraph>\
    a &lt; b &amp; c <bold>bo</bold><bold><comment--a/b+c=d/ id=\"c1\" resolved=\"false\">ld\
    </comment--a/b+c=d/></bold><comment--a/b+c=d/ id=\"c1\" resolved=\"false\"> com\
    </comment--a/b+c=d/>mented<hardBreak></hardBreak></paragraph></listItem></bulletList>";

/// The paragraph of the only list.
fn element(doc: &Doc, path: &[u32]) -> XmlElementRef {
    let root = doc.get_or_insert_xml_fragment(KEY);
    let txn = doc.transact();
    let (first, rest) = path.split_first().expect("a path");
    let mut node = root.get(&txn, *first).expect("a node");
    for at in rest {
        let XmlOut::Element(element) = node else { panic!("no element") };
        node = element.get(&txn, *at).expect("a node");
    }
    let XmlOut::Element(element) = node else { panic!("no element") };
    element
}

fn replaced(doc: &Doc, xml: &str) -> State {
    let mut state = loaded(&everything(doc));
    let written = put(&mut state, Kind::Xml, &json!(xml));
    if !written.update.is_empty() {
        receive(doc, &written.update);
    }
    state
}

#[test]
fn it_is_read_so_that_it_can_be_written_back() {
    let state = loaded(&everything(&editor()));
    assert_eq!(get(&state, Kind::Xml), json!(ESCAPED));
}

#[test]
fn every_form_of_the_same_document_changes_nothing() {
    let unescaped = ESCAPED.replace("&lt;", "<").replace("&amp;", "&");
    let in_a_browser = unescaped
        .replace("bulletList", "bulletlist")
        .replace("listItem", "listitem")
        .replace("hardBreak", "hardbreak");
    let void = ESCAPED.replace("<hardBreak></hardBreak>", "<hardbreak/>");
    let indented = ESCAPED
        .replace("<listItem>", "\n  <listItem>")
        .replace("</bulletList>", "\n</bulletList>\n");
    for form in [ESCAPED, &unescaped, &in_a_browser, &void, &indented] {
        let mut state = loaded(&everything(&editor()));
        assert!(put(&mut state, Kind::Xml, &json!(form)).update.is_empty(), "{form}");
    }
}

#[test]
fn capitals_and_types_survive_a_round_trip_through_a_browser() {
    let doc = editor();
    let sent = ESCAPED
        .replace("bulletList", "bulletlist")
        .replace("listItem", "listitem")
        .replace("level=\"2\"", "level=\"3\"")
        .replace("mented", "mented on")
        .replace("<bulletlist>", "<heading level=\"1\">New</heading><bulletlist>");
    replaced(&doc, &sent);
    let level = |at| {
        let heading = element(&doc, &[at]);
        heading.get_attribute(&doc.transact(), "level")
    };
    assert_eq!(level(0), Some(Out::Any(Any::from(3))));
    assert_eq!(level(1), Some(Out::Any(Any::from(1))));
    assert_eq!(&**element(&doc, &[2]).tag(), "bulletList");
    assert_eq!(&**element(&doc, &[2, 0]).tag(), "listItem");
}

/// ProseMirror deletes a cell whose width is no list.
#[test]
fn the_widths_of_columns_are_a_list() {
    for widths in ["[120,80]", "120,80"] {
        let doc = Doc::with_client_id(9);
        let cell = |widths| format!("<table><tableCell colwidth=\"{widths}\"></tableCell></table>");
        let state = replaced(&doc, &cell(widths));
        assert_eq!(get(&state, Kind::Xml), json!(cell("[120,80]")));
        let shared = element(&doc, &[0, 0]);
        let widths = shared.get_attribute(&doc.transact(), "colwidth");
        assert_eq!(widths, Some(Out::Any(map("[120,80]"))));
    }
}

#[test]
fn flags_and_colours_of_blocknote_are_stored_as_it_does_also_where_none_were() {
    let doc = Doc::with_client_id(9);
    let picture = "<image showPreview=\"true\" previewWidth=\"512\"></image>";
    let coloured = "<paragraph>a <textColor stringValue=\"red\">word</textColor></paragraph>";
    let sent = format!("<heading isToggleable=\"false\">H</heading>{picture}{coloured}");
    let state = replaced(&doc, &sent);
    assert_eq!(get(&state, Kind::Xml).as_str().map(|xml| xml.contains(coloured)), Some(true));
    let stored = |at, name| element(&doc, &[at]).get_attribute(&doc.transact(), name);
    assert_eq!(stored(0, "isToggleable"), Some(Out::Any(Any::from(false))));
    assert_eq!(stored(1, "showPreview"), Some(Out::Any(Any::from(true))));
    assert_eq!(stored(1, "previewWidth"), Some(Out::Any(Any::from(512))));
    assert_eq!(element(&doc, &[2]).len(&doc.transact()), 1, "a mark, no element");
}

#[test]
fn marks_change_without_the_text_under_them() {
    let mut state = empty();
    put(&mut state, Kind::Xml, &json!("<p>one two three</p>"));
    let marked = "<p>one <bold>two</bold> three</p>";
    let update = put(&mut state, Kind::Xml, &json!(marked)).update;
    assert!(!String::from_utf8_lossy(&update).contains("two"), "the text was written again");
    assert_eq!(get(&state, Kind::Xml), json!(marked));
    let linked = "<p><link href=\"a\" rel=\"b\">one </link><bold><link href=\"a\" rel=\"b\">two</link></bold> three</p>";
    put(&mut state, Kind::Xml, &json!(linked));
    assert_eq!(get(&state, Kind::Xml), json!(linked));
    put(&mut state, Kind::Xml, &json!("<p>one two three</p>"));
    assert_eq!(get(&state, Kind::Xml), json!("<p>one two three</p>"));
}

#[test]
fn names_of_html_become_those_of_the_document() {
    let doc = editor();
    let sent =
        ESCAPED.replace("<bold>bo</bold>", "<strong>bo</strong>").replace("Title", "<b>T</b>itle");
    let state = replaced(&doc, &sent);
    assert_eq!(get(&state, Kind::Xml), json!(ESCAPED.replace("Title", "<bold>T</bold>itle")));
}

#[test]
fn a_mark_with_elements_in_it_is_an_element() {
    for xml in [
        "<a href=\"x\"><div></div></a>",
        "<code></code>",
        "<p><b>text</b></p>",
        "<a href=\"x\"><div>text</div></a>",
        "text<p></p>text",
        "<p title=\"&quot; a=&quot;b&quot; &amp;lt;\"></p>",
    ] {
        let mut state = empty();
        put(&mut state, Kind::Xml, &json!(xml));
        assert_eq!(get(&state, Kind::Xml), json!(xml));
    }
}

#[test]
fn the_paragraph_that_was_edited_is_the_one_that_changes() {
    let doc = Doc::with_client_id(9);
    let mut state = loaded(&everything(&doc));
    let first =
        "<p>the first paragraph of all</p><p>the second one is here</p><p>third and last</p>";
    put(&mut state, Kind::Xml, &json!(first));
    receive(&doc, &state.encode());
    // A peer types into the second while the first is deleted and the second edited.
    {
        let second = element(&doc, &[1]);
        let mut txn = doc.transact_mut();
        let Some(XmlOut::Text(text)) = second.get(&txn, 0) else { panic!("no text") };
        text.insert(&mut txn, 3, " real");
    }
    put(&mut state, Kind::Xml, &json!("<p>the second one is HERE</p><p>third and last</p>"));
    state.apply(&everything(&doc)).expect("applied");
    assert_eq!(
        get(&state, Kind::Xml),
        json!("<p>the real second one is HERE</p><p>third and last</p>")
    );
}

#[test]
fn elements_that_html_never_closes_do_not_nest() {
    let note = "line<br>".repeat(500);
    let mut state = empty();
    put(&mut state, Kind::Xml, &json!(format!("<p>{note}</p>")));
    assert_eq!(get(&state, Kind::Xml), json!(format!("<p>{}</p>", "line<br></br>".repeat(500))));
    let deep = format!("{}{}", "<p>".repeat(101), "</p>".repeat(101));
    let refusal = Content::new(Kind::Xml, json!(deep)).expect_err("too deep");
    assert!(refusal.to_string().contains("nested deeper"), "{refusal}");
}

#[test]
fn what_is_no_tree_is_refused() {
    for bad in ["<p>", "</p>", "<a><b></a></b>", "<p class=\"a></p>"] {
        let refusal = Content::new(Kind::Xml, json!(bad)).expect_err("no tree");
        assert_eq!(refusal.status, error::Status::InvalidArgument);
    }
}

/// A text of white space alone says that it is no layout, and a name that XML cannot hold is escaped.
#[test]
fn white_space_and_odd_names_are_read_back() {
    let doc = Doc::with_client_id(9);
    let root = doc.get_or_insert_xml_fragment(KEY);
    let mut txn = doc.transact_mut();
    let list = root.push_back(&mut txn, XmlElementPrelim::empty("check list"));
    list.insert_attribute(&mut txn, "is done", "yes");
    for text in ["\n", " EDIT"] {
        list.push_back(&mut txn, XmlElementPrelim::empty("mention"));
        list.push_back(&mut txn, XmlTextPrelim::new(text));
    }
    let marked = root.push_back(&mut txn, XmlTextPrelim::new("marked"));
    marked.format(&mut txn, 0, 6, Attrs::from([("has space".into(), Any::from(true))]));
    drop(txn);
    let shown = "<check_x0020_list is_x0020_done=\"yes\"><mention></mention>&#10;<mention></mention> \
        EDIT</check_x0020_list><has_x0020_space>marked</has_x0020_space>";
    let mut state = loaded(&everything(&doc));
    assert_eq!(get(&state, Kind::Xml), json!(shown));
    assert!(put(&mut state, Kind::Xml, &json!(shown)).update.is_empty());
    let edited = shown.replace("EDIT", "edited").replace("marked", "Marked");
    let update = put(&mut state, Kind::Xml, &json!(edited)).update;
    assert_eq!(get(&state, Kind::Xml), json!(edited));
    assert!(update.len() < 100, "{} bytes change two words", update.len());
}
