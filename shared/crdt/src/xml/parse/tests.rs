use super::{Element, Node, parse};
use crate::{MAX_DEPTH, MAX_NODES};

fn element(name: &str, attributes: &[(&str, &str)], children: Vec<Node>) -> Node {
    let attributes = attributes.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
    Node::Element(Element { name: name.to_owned(), attributes: attributes.collect(), children })
}

fn text(text: &str) -> Node {
    Node::Text(text.to_owned())
}

fn tree(source: &str) -> Vec<Node> {
    parse(source).expect("a tree")
}

fn refusal(source: &str) -> String {
    parse(source).expect_err("no tree").message.into_owned()
}

#[test]
fn text_that_was_not_escaped_is_text() {
    for source in ["a < b & c", "1<2", "&", "&unknown;", "<", "a <3", "a << b"] {
        assert_eq!(tree(source), [text(source)], "{source}");
    }
    assert_eq!(tree("&lt;b&gt; &amp;&#65;&#x1F600;"), [text("<b> &A😀")]);
    assert_eq!(tree("<![CDATA[<b>]]> <!-- gone -->c"), [text("<b> c")]);
}

/// Text in somebody's document is what a caller meant as text.
#[test]
fn what_begins_like_a_tag_and_is_none_is_refused() {
    for source in ["</", "</3", "</>", "<b<c", "x <y", "<a \"b\">"] {
        assert!(refusal(source).contains("begins no tag"), "{source}");
    }
}

#[test]
fn character_references_are_those_of_html() {
    let sent = "caf&eacute; &mdash; 5&nbsp;&euro; &ampy &lt &#150; &#55357; &#x110000; &notit;";
    assert_eq!(tree(sent), [text("café — 5\u{a0}€ &y < – \u{fffd} \u{fffd} ¬it;")]);
    let expected = [element("a", &[("href", "?a=b&copy=1&lt=2"), ("b", "é")], vec![])];
    assert_eq!(tree("<a href='?a=b&copy=1&lt=2' b=&eacute;></a>"), expected);
}

#[test]
fn declarations_and_instructions_are_comments() {
    for source in
        ["<!doctype html>", "<!DOCTYPE html>", "<?xml version='1.0'?>", "<!ELEMENT p>", "<?php ?>"]
    {
        assert_eq!(tree(&format!("{source}<p>Hi</p>")), [element("p", &[], vec![text("Hi")])]);
    }
}

#[test]
fn white_space_is_layout_unless_it_says_that_it_is_text() {
    let space = Node::Space("\n  ".to_owned());
    assert_eq!(tree("<a/>\n  <b/>")[1], space);
    assert_eq!(tree("<a/>\n<!-- c -->  <b/>")[1], space);
    for source in ["<a/>&#10;  <b/>", "<a/><![CDATA[\n]]>  <b/>"] {
        assert_eq!(tree(source)[1], text("\n  "), "{source}");
    }
    assert_eq!(tree("<a/> <b/>")[1], text(" "));
}

#[test]
fn attributes_come_quoted_or_not() {
    let expected = [element("a", &[("b", "1 > 0"), ("c", "2"), ("d", "<&"), ("e", "")], vec![])];
    assert_eq!(tree("<a b='1 > 0' c=2 d = \"&lt;&amp;\" e/>"), expected);
    let quotes = [element("a", &[("b", "\""), ("c", "say \"hi\"!")], vec![])];
    assert_eq!(tree("<a b=\"\"\" c=\"say \"hi\"!\"/>"), quotes);
    assert_eq!(tree("<a b=\"1 > 0\" c=\"2\" d='<&' e></a>"), expected);
    let joined = [element("a", &[("b", "x"), ("c", "{\"d\":\"e\"}")], vec![])];
    assert_eq!(tree("<a b=\"x\"c=\"{\"d\":\"e\"}\"/>"), joined);
}

#[test]
fn hashes_in_names_of_marks_are_no_syntax() {
    for name in ["comment--Afz55Xrl", "comment--IX6o+prB", "c--a/b+c=d/", "c--abcdefg/"] {
        let source = format!("<{name}>x</{name}>");
        assert_eq!(tree(&source), [element(name, &[], vec![text("x")])], "{name}");
        assert_eq!(tree(&format!("<{name}/>")), [element(name, &[], vec![])], "{name}");
    }
    assert_eq!(tree("<a/><b-c/>"), [element("a", &[], vec![]), element("b-c", &[], vec![])]);
}

#[test]
fn elements_that_html_never_closes_are_closed() {
    let br = || element("br", &[], vec![]);
    assert_eq!(tree("<p>a<br>b</p>"), [element("p", &[], vec![text("a"), br(), text("b")])]);
    assert_eq!(tree("a<br>b"), [text("a"), br(), text("b")]);
    assert_eq!(tree("<br></br>"), [br()]);
    let input = |children| element("input", &[], children);
    assert_eq!(tree("<input>a<br></input>b"), [input(vec![text("a"), br()]), text("b")]);
    assert_eq!(tree("<input><b>a<br></b></input>").len(), 1);
    assert!(refusal("<br></img>").contains("</img> closes nothing"));
    assert!(refusal("<b><br></b></br>").contains("</br> closes nothing"));
}

#[test]
fn elements_that_are_never_closed_do_not_nest() {
    let lines = "a<br>b<img src='x'>".repeat(1000);
    assert_eq!(tree(&lines).len(), 4000);
    let deep = "<b>".repeat(MAX_DEPTH - 1) + &lines + &"</b>".repeat(MAX_DEPTH - 1);
    assert_eq!(tree(&deep).len(), 1);
    let paragraphs = "<p>a<br>b</p><hr>".repeat(1000);
    assert_eq!(tree(&paragraphs).len(), 2000);
}

#[test]
fn no_order_of_tags_nests_deeper_than_allowed() {
    fn depth(nodes: &[Node]) -> usize {
        let below = nodes.iter().map(|node| match node {
            Node::Element(element) => 1 + depth(&element.children),
            Node::Text(_) | Node::Space(_) => 0,
        });
        below.max().unwrap_or(0)
    }
    for (open, close) in [("<br>", "</br>"), ("<br><b>", "</b></br>"), ("<b><br>", "</br></b>")] {
        for times in 1..3 * MAX_DEPTH {
            for inner in ["", "<hr>", "<hr/>", "<br><br>"] {
                let source = open.repeat(times) + inner + &close.repeat(times);
                assert!(parse(&source).map_or(0, |nodes| depth(&nodes)) <= MAX_DEPTH);
            }
        }
    }
}

#[test]
fn what_is_no_tree_is_refused() {
    assert!(refusal("<a><b></a></b>").contains("<b> is closed by </a>"));
    assert!(refusal("<a>").contains("<a> is not closed"));
    assert!(refusal("a</a>").contains("</a> closes nothing"));
    assert!(refusal("<a b=\"c>").contains("value of b"));
    assert!(refusal("<!-- a").contains("<!-- is not closed"));
    assert!(refusal(&format!("<{}>", "a".repeat(1000))).len() < 200);
}

#[test]
fn depth_and_number_of_nodes_are_limited() {
    let nested = |depth| "<a>".repeat(depth) + &"</a>".repeat(depth);
    assert!(parse(&nested(MAX_DEPTH)).is_ok());
    assert!(refusal(&nested(MAX_DEPTH + 1)).contains("levels"));
    assert!(parse(&"<a/>".repeat(MAX_NODES)).is_ok());
    assert!(refusal(&"<a/>".repeat(MAX_NODES + 1)).contains("values"));
}

#[test]
fn every_source_takes_a_time_in_proportion_to_its_length() {
    for part in ["<a \"", "<a b='", "<!-", "</a", "<", "&", "<a b", "<?", "&#", "<br>"] {
        let _ = parse(&part.repeat(200_000));
    }
}
