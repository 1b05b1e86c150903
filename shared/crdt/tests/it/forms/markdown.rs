//! Markdown: its signs, that of others, and what is refused.

use crdt::{Format, Kind};
use serde_json::{Value, json};

use super::{check, form, lost, refusal, send};
use crate::samples::{empty, get, put};

fn markdown(xml: &str) -> String {
    let mut state = empty();
    put(&mut state, Kind::Xml, &json!(xml));
    check(&state, Kind::Xml, Format::Markdown);
    form(&state, Kind::Xml, Format::Markdown).as_str().expect("Markdown").to_owned()
}

#[test]
fn markdown_has_its_signs_where_they_say_the_same() {
    for (xml, expected) in [
        ("<heading level=\"2\">Title</heading><paragraph>words</paragraph>", "## Title\n\nwords"),
        (
            "<paragraph>a <bold>b</bold> <italic>c</italic><strike>d</strike> <code>e</code></paragraph>",
            "a **b** *c*~~d~~ `e`",
        ),
        ("<paragraph>a<bold> b</bold></paragraph>", "a<strong> b</strong>"),
        ("<paragraph><underline>a</underline></paragraph>", "<u>a</u>"),
        ("<paragraph>1. a *b* [c] &lt;d&gt; \\</paragraph>", "1\\. a \\*b\\* \\[c\\] \\<d\\> \\\\"),
        ("<paragraph># a</paragraph><paragraph>- b</paragraph>", "\\# a\n\n\\- b"),
        ("<paragraph>a<hardBreak></hardBreak>b</paragraph>", "a\\\nb"),
        ("<paragraph> a</paragraph><paragraph></paragraph>", "<p> a</p>\n\n<p></p>"),
        ("<paragraph><link href=\"b\">a</link></paragraph>", "[a](<b>)"),
        (
            "<bulletList><listItem><paragraph>a</paragraph><bulletList><listItem><paragraph>b</paragraph></listItem>\
            </bulletList></listItem><listItem><paragraph>c</paragraph></listItem></bulletList>",
            "- a\n\n  - b\n- c",
        ),
        (
            "<orderedList start=\"3\"><listItem><paragraph>a</paragraph></listItem></orderedList>\
            <bulletList><listItem><paragraph>b</paragraph></listItem></bulletList>",
            "3. a\n\n<!-- -->\n\n- b",
        ),
        (
            "<taskList><taskItem checked=\"true\"><paragraph>a</paragraph></taskItem>\
            <taskItem checked=\"false\"><paragraph>b</paragraph></taskItem></taskList>",
            "- [x] a\n- [ ] b",
        ),
        (
            "<blockquote><paragraph>a</paragraph><paragraph>b</paragraph></blockquote>",
            "> a\n>\n> b",
        ),
        ("<codeBlock language=\"rust\">a\n\n```\n</codeBlock>", "````rust\na\n\n```\n\n````"),
        (
            "<image src=\"a\" alt=\"b\"></image><horizontalRule></horizontalRule>",
            "![b](<a>)\n\n***",
        ),
        (
            "<table><tableRow><tableHeader colspan=\"1\" rowspan=\"1\"><paragraph>a|b</paragraph></tableHeader></tableRow>\
            <tableRow><tableCell colspan=\"1\" rowspan=\"1\"><paragraph><bold>c</bold></paragraph></tableCell></tableRow></table>",
            "| a\\|b |\n| --- |\n| **c** |",
        ),
        (
            "<blockContainer id=\"x\"><paragraph>a</paragraph></blockContainer>",
            "<div data-type=\"blockContainer\" data-attrs='{\"id\":\"x\"}'>\n\na\n\n</div>",
        ),
        (
            "<paragraph>a <mention id=\"ada\"></mention></paragraph>",
            "a <span data-type=\"mention\" data-attrs='{\"id\":\"ada\"}' data-label=\"@ada\">@ada</span>",
        ),
        (
            "<bulletList><listItem>a</listItem></bulletList>",
            "<ul><li data-type=\"listItem\">a</li></ul>",
        ),
    ] {
        assert_eq!(markdown(xml), expected);
    }
}

#[test]
fn markdown_of_others_is_read() {
    for (markdown, xml) in [
        ("# A\nb\nc\n", "<heading level=\"1\">A</heading><paragraph>b c</paragraph>"),
        (
            "A\n===\n\n* b\n* c\n",
            "<heading level=\"1\">A</heading><bulletList><listItem><paragraph>b</paragraph></listItem>\
            <listItem><paragraph>c</paragraph></listItem></bulletList>",
        ),
        (
            "__a__ _b_  \n`c`",
            "<paragraph><bold>a</bold> <italic>b</italic><hardBreak></hardBreak><code>c</code></paragraph>",
        ),
        (
            "[a](b \"c\") <https://d.example>",
            "<paragraph><link href=\"b\" title=\"c\">a</link> \
            <link href=\"https://d.example\">https://d.example</link></paragraph>",
        ),
        ("    a\n    b\n", "<codeBlock>a\nb</codeBlock>"),
        (
            "- [x] a\n- [ ] b\n",
            "<taskList><taskItem checked=\"true\"><paragraph>a</paragraph></taskItem>\
            <taskItem checked=\"false\"><paragraph>b</paragraph></taskItem></taskList>",
        ),
        ("a <b>b</b> &amp; &copy;", "<paragraph>a <bold>b</bold> &amp; ©</paragraph>"),
        ("<!-- no -->\n\na", "<paragraph>a</paragraph>"),
        ("", ""),
    ] {
        let mut state = empty();
        send(&mut state, Kind::Xml, Format::Markdown, &json!(markdown));
        assert_eq!(get(&state, Kind::Xml), json!(xml), "{markdown}");
    }
}

#[test]
fn links_keep_how_they_open() {
    let mut state = empty();
    let link = |href: &str| {
        let attrs = json!({ "href": href, "target": "_blank", "rel": "noopener", "class": null });
        json!({ "type": "text", "text": href, "marks": [{ "type": "link", "attrs": attrs }] })
    };
    let text = |text: &str| json!({ "type": "text", "text": text });
    let document = |words: &str| {
        let content = json!([text(words), link("b"), text(" "), link("c")]);
        json!({ "type": "doc", "content": [{ "type": "paragraph", "content": content }] })
    };
    send(&mut state, Kind::Xml, Format::Json, &document("a "));
    assert_eq!(form(&state, Kind::Xml, Format::Markdown), json!("a [b](<b>) [c](<c>)"));
    let named = ["attribute class of link", "attribute rel of link", "attribute target of link"];
    assert_eq!(lost(&state, Kind::Xml, Format::Markdown), named);
    send(&mut state, Kind::Xml, Format::Markdown, &json!("other [b](<b>) [c](<c>)"));
    assert_eq!(form(&state, Kind::Xml, Format::Json), document("other "));
}

#[test]
fn markdown_that_an_editor_cannot_hold_is_refused_by_name() {
    for (markdown, named) in [
        ("<script>x</script>", "HTML: an editor cannot hold <script>"),
        ("<p style=\"x\">a</p>", "HTML: an editor cannot hold the attribute style of <p>"),
        ("|a|\n|--:|\n|b|", "Markdown: an editor cannot hold the alignment of a column"),
    ] {
        let message = refusal(Kind::Xml, Format::Markdown, json!(markdown));
        assert_eq!(message, format!("Data cannot be read as {named}."));
    }
    let message = refusal(Kind::Text, Format::Markdown, json!("x"));
    assert_eq!(message, "Content of type text has no form markdown.");
}

#[test]
fn hostile_markdown_is_refused_soon() {
    let repeated = |part: &str| part.repeat(400_000 / part.len());
    for (markdown, cause) in [
        (">".repeat(500), "100 levels"),
        ("+ ".repeat(500), "100 levels"),
        ((0..300).map(|at| format!("{}- a\n", "  ".repeat(at))).collect(), "100 levels"),
        (repeated("a\n\n"), "50000 values"),
        (repeated("- a\n"), "50000 values"),
        (repeated("*a*b "), "50000 values"),
        ("x".repeat(1_000_001), "it has more than 1000000 bytes"),
    ] {
        let begin = std::time::Instant::now();
        let message = refusal(Kind::Xml, Format::Markdown, json!(markdown));
        let is_refused = message.contains(cause) || message.contains("takes too long");
        assert!(is_refused, "{message}: {}", &markdown[..40]);
        assert!(begin.elapsed().as_secs() < 300, "{}", &markdown[..40]);
    }
    for part in
        ["[", "![", "*", "**a", "`", "<", "&", "\\", "~~", "|", "[a](", "a_", "\"", "<a ", "<!--"]
    {
        let begin = std::time::Instant::now();
        let _: Result<_, _> =
            crdt::Content::formed(Kind::Xml, Format::Markdown, Value::from(repeated(part)));
        assert!(begin.elapsed().as_secs() < 300, "{part}");
    }
}
