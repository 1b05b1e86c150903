//! Losses of a call are named: parts of the content that was sent, and parts of the content before
//! that its form does not show.

use crdt::{Format, Kind, State};
use serde_json::{Value, json};
use yrs::{Any, Text, Transact, XmlElementPrelim, XmlFragment, XmlTextPrelim, types::Attrs};

use super::{form, lost, plain, replaced};
use crate::{
    cursors::{everything, peer},
    samples::{KEY, empty, get, loaded},
};

/// The content of a new document, and what of a source was lost.
fn taken(format: Format, source: &str) -> (Value, Vec<String>) {
    let mut state = empty();
    let lost = replaced(&mut state, Kind::Xml, format, &json!(source)).lost;
    (get(&state, Kind::Xml), lost)
}

#[test]
fn html_that_is_left_out_is_named() {
    for (html, xml, named) in [
        ("<p>a<!-- to do --></p><!-- -->", "<paragraph>a</paragraph>", &["comment to do"][..]),
        (
            "<?xml version=\"1.0\"?><p>a<![CDATA[b]]></p>",
            "<paragraph>a</paragraph>",
            &["comment ?xml version=\"1.0\"?", "comment [CDATA[b]]"],
        ),
        ("<!doctype html><div><p>a</p></div>", "<paragraph>a</paragraph>", &[]),
        ("<section><p>a</p></section>", "<paragraph>a</paragraph>", &["tag <section>"]),
        (
            "<table><colgroup><col></colgroup><tr><td>a</td></tr></table>",
            "<table><tableRow><tableCell><paragraph>a</paragraph></tableCell></tableRow></table>",
            &["tag <colgroup>"],
        ),
        ("<td class=\"x\">a</td> b", "<paragraph>a b</paragraph>", &["tag <td>"]),
        (
            "<html lang=\"en\"><body class=\"x\"><p>a</p></body></html>",
            "<paragraph>a</paragraph>",
            &["attribute class of <body>", "attribute lang of <html>"],
        ),
        (
            "<p><a href=\"b\" href=\"c\">a</a></p>",
            "<paragraph><link href=\"b\">a</link></paragraph>",
            &["attribute of <a> that is there twice"],
        ),
        (
            "<p><a href=\"b\"><b><img src=\"c\"></b></a></p>",
            "<paragraph><image src=\"c\"></image></paragraph>",
            &["mark bold of image", "mark link of image"],
        ),
        ("<p>a<b><br></b>b<i></i></p>", "<paragraph>a<hardBreak></hardBreak>b</paragraph>", &[]),
        ("<p>a<a href=\"b\"></a></p>", "<paragraph>a</paragraph>", &["mark link without words"]),
        (
            "<p><span data-type=\"mention\" data-label=\"@Ada\">@Bob</span></p>",
            "<paragraph><mention>@Bob</mention></paragraph>",
            &["attribute data-label of <span>"],
        ),
        ("<p>a<b", "<paragraph>a</paragraph>", &["tag without an end"]),
        ("<p>a<a href=\"b>c</a></p>", "<paragraph>a</paragraph>", &["tag without an end"]),
        ("<p>a &amp", "<paragraph>a &amp;</paragraph>", &[]),
        ("<p>a\0b</p>", "<paragraph>ab</paragraph>", &["character U+0000"]),
    ] {
        let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(taken(Format::Html, html), (json!(xml), named), "{html}");
    }
}

#[test]
fn markdown_that_is_left_out_is_named() {
    for (markdown, xml, named) in [
        ("a\n\n<!-- to do -->\n", "<paragraph>a</paragraph>", &["comment to do"][..]),
        (
            "- a\n\n<!-- -->\n\nb",
            "<bulletList><listItem><paragraph>a</paragraph></listItem></bulletList><paragraph>b</paragraph>",
            &[],
        ),
        ("[//]: # (to do)\n\na", "<paragraph>a</paragraph>", &["definition //"]),
        (
            "[a][B] ![c][]\n\n[b]: d\n[c]: e\n[f]: g",
            "<paragraph><link href=\"d\">a</link> <image alt=\"c\" src=\"e\"></image></paragraph>",
            &["definition f"],
        ),
        (
            "[![a](b)](c) d",
            "<paragraph><image alt=\"a\" src=\"b\"></image> d</paragraph>",
            &["mark link of image"],
        ),
        ("a\0", "<paragraph>a</paragraph>", &["character U+0000"]),
    ] {
        let named: Vec<String> = named.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(taken(Format::Markdown, markdown), (json!(xml), named), "{markdown}");
    }
}

#[test]
fn at_most_fifty_parts_are_named_and_each_is_cut() {
    let html: String = (0..60).map(|at| format!("<!-- {at:02}{} -->", "x".repeat(200))).collect();
    let (_, lost) = taken(Format::Html, &html);
    assert_eq!((lost.len(), lost[49].as_str()), (50, "others"));
    assert_eq!(lost[0], format!("comment 00{}", "x".repeat(90)));
    let html: String = (0..100_000).map(|at| format!("<html a{at}>")).collect();
    assert_eq!(taken(Format::Html, &html).1.len(), 50);
}

/// A paragraph with an embedded object, and another one.
fn with_object() -> State {
    let doc = peer(9, &[0, 0]);
    let root = doc.get_or_insert_xml_fragment(KEY);
    let mut txn = doc.transact_mut();
    for words in ["one two", "three"] {
        let paragraph = root.push_back(&mut txn, XmlElementPrelim::empty("paragraph"));
        let text = paragraph.push_back(&mut txn, XmlTextPrelim::new(words));
        if words == "one two" {
            text.insert_embed(&mut txn, 4, plain(&json!({ "clip": 1 })));
        }
    }
    drop(txn);
    loaded(&everything(&doc))
}

#[test]
fn what_a_form_does_not_show_is_named_when_it_goes() {
    for (format, paragraphs) in [
        (Format::Html, ["<p>one two</p>", "<p>three</p>", "<p>four</p>"]),
        (Format::Markdown, ["one two\n\n", "three", "four"]),
    ] {
        let mut state = with_object();
        let [first, second, other] = paragraphs;
        assert_eq!(form(&state, Kind::Xml, format), json!(format!("{first}{second}")));
        assert_eq!(lost(&state, Kind::Xml, format), ["value Embed"]);
        let mut taken =
            |source: String| replaced(&mut state, Kind::Xml, format, &json!(source)).lost;
        assert_eq!(taken(format!("{first}{second}")), Vec::<String>::new());
        assert_eq!(taken(format!("{first}{other}")), Vec::<String>::new());
        assert_eq!(taken(other.to_owned()), ["value Embed"]);
        assert_eq!(taken(format!("{first}{other}")), Vec::<String>::new());
    }
}

#[test]
fn a_link_that_leads_elsewhere_loses_how_it_opens() {
    let doc = peer(9, &[0, 0]);
    let root = doc.get_or_insert_xml_fragment(KEY);
    let mut txn = doc.transact_mut();
    let paragraph = root.push_back(&mut txn, XmlElementPrelim::empty("paragraph"));
    let text = paragraph.push_back(&mut txn, XmlTextPrelim::new("a"));
    let link: Any = plain(&json!({ "href": "b", "rel": "c", "target": "d" }));
    text.format(&mut txn, 0, 1, Attrs::from([("link".into(), link)]));
    drop(txn);
    let mut state = loaded(&everything(&doc));
    let mut taken =
        |source: &str| replaced(&mut state, Kind::Xml, Format::Markdown, &json!(source)).lost;
    assert_eq!(taken("e [a](<b>)"), Vec::<String>::new());
    assert_eq!(taken("e [a](<f>)"), ["attribute rel of link", "attribute target of link"]);
}
