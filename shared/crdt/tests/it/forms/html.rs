//! HTML: its tags, that of others, and what is refused.

use crdt::{Format, Kind};
use serde_json::json;

use super::{check, form, refusal, send};
use crate::samples::{empty, get, put};

fn html(xml: &str) -> String {
    let mut state = empty();
    put(&mut state, Kind::Xml, &json!(xml));
    check(&state, Kind::Xml, Format::Html);
    form(&state, Kind::Xml, Format::Html).as_str().expect("HTML").to_owned()
}

#[test]
fn html_has_the_tags_of_html_where_there_are_any() {
    for (xml, expected) in [
        ("<heading level=\"2\">A &lt; b</heading>", "<h2>A &lt; b</h2>"),
        (
            "<heading level=\"7\">x</heading>",
            "<div data-type=\"heading\" data-attrs='{\"level\":7}'>x</div>",
        ),
        (
            "<paragraph textAlign=\"left\">x</paragraph>",
            "<p data-attrs='{\"textAlign\":\"left\"}'>x</p>",
        ),
        (
            "<orderedList start=\"3\"><listItem><paragraph>x</paragraph></listItem></orderedList>",
            "<ol start=\"3\"><li><p>x</p></li></ol>",
        ),
        (
            "<bulletList><listItem>x</listItem></bulletList>",
            "<ul><li data-type=\"listItem\">x</li></ul>",
        ),
        (
            "<bullet_list><list_item><paragraph>x</paragraph></list_item></bullet_list>",
            "<ul data-type=\"bullet_list\"><li data-type=\"list_item\"><p>x</p></li></ul>",
        ),
        (
            "<taskList><taskItem checked=\"true\"><paragraph>x</paragraph></taskItem></taskList>",
            "<ul data-type=\"taskList\"><li data-type=\"taskItem\" data-checked=\"true\"><p>x</p></li></ul>",
        ),
        (
            "<codeBlock language=\"rust\">a\nb</codeBlock>",
            "<pre><code class=\"language-rust\">a\nb</code></pre>",
        ),
        (
            "<paragraph>a\nb<hardBreak></hardBreak>c</paragraph>",
            "<p>a<br data-text=\"lf\">b<br>c</p>",
        ),
        (
            "<paragraph><image src=\"a&amp;b\" alt=\"c\" title=\"d\"></image></paragraph>",
            "<p><img alt=\"c\" src=\"a&amp;b\" title=\"d\"></p>",
        ),
        (
            "<table><tableRow><tableHeader colspan=\"2\"><paragraph>a</paragraph></tableHeader></tableRow></table>",
            "<table><tr><th colspan=\"2\"><p>a</p></th></tr></table>",
        ),
        (
            "<paragraph><bold><italic>a</italic></bold><link href=\"b\">c</link><textStyle color=\"d\">e</textStyle></paragraph>",
            "<p><strong><em>a</em></strong><a href=\"b\">c</a><span data-mark=\"textStyle\" data-attrs='{\"color\":\"d\"}'>e</span></p>",
        ),
        (
            "<paragraph><strong>a</strong></paragraph>",
            "<p><strong data-mark=\"strong\">a</strong></p>",
        ),
        (
            "<paragraph><mention id=\"ada\" label=\"Ada\"></mention></paragraph>",
            "<p><span data-type=\"mention\" data-attrs='{\"id\":\"ada\",\"label\":\"Ada\"}' data-label=\"@Ada\">@Ada</span></p>",
        ),
        (
            "<paragraph><table><x></x></table></paragraph>",
            "<p><span data-type=\"table\"><span data-type=\"x\"></span></span></p>",
        ),
    ] {
        assert_eq!(html(xml), expected);
    }
}

#[test]
fn html_of_others_is_read() {
    for (html, xml) in [
        ("<p>a<p>b", "<paragraph>a</paragraph><paragraph>b</paragraph>"),
        ("a <b>b</b><br>c", "<paragraph>a <bold>b</bold><hardBreak></hardBreak>c</paragraph>"),
        (
            "<!doctype html><html><body>\n<main>\n  <h1>\n  A\n  title </h1>\n  <p>x\n</main>",
            "<heading level=\"1\">A title </heading><paragraph>x</paragraph>",
        ),
        (
            "<ul>\n<li>a\n<li>b<ol><li>c</ol></ul>",
            "<bulletList><listItem><paragraph>a</paragraph></listItem><listItem><paragraph>b</paragraph>\
            <orderedList><listItem><paragraph>c</paragraph></listItem></orderedList></listItem></bulletList>",
        ),
        (
            "<table><thead><tr><th>a<tbody><tr><td>b</table>",
            "<table><tableRow><tableHeader><paragraph>a</paragraph></tableHeader></tableRow><tableRow>\
            <tableCell><paragraph>b</paragraph></tableCell></tableRow></table>",
        ),
        ("<pre>\na\n b</pre>", "<codeBlock>a\n b</codeBlock>"),
        ("<p>a &amp; &eacute; <!-- no --> &#8364;</p>", "<paragraph>a &amp; é  €</paragraph>"),
        ("<img src=\"a\">", "<image src=\"a\"></image>"),
        (
            "<p><i>a<b>b</i>c</b></p>",
            "<paragraph><italic>a</italic><bold><italic>b</italic></bold><bold>c</bold></paragraph>",
        ),
    ] {
        let mut state = empty();
        send(&mut state, Kind::Xml, Format::Html, &json!(html));
        assert_eq!(get(&state, Kind::Xml), json!(xml), "{html}");
    }
}

#[test]
fn html_that_an_editor_cannot_hold_is_refused_by_name() {
    for (html, named) in [
        ("<script>x</script>", "<script>"),
        ("<video src=\"a\"></video>", "<video>"),
        ("<svg></svg>", "<svg>"),
        ("<p style=\"color:red\">x</p>", "the attribute style of <p>"),
        ("<p><a href=\"a\" onclick=\"b\">x</a></p>", "the attribute onclick of <a>"),
        ("<div class=\"a\">x</div>", "the attribute class of <div>"),
        ("<ul>x</ul>", "words between the parts of a list or a table"),
        ("<b><p>x</p></b>", "marks around <p>"),
        ("<h1><ul></ul></h1>", "<ul> among words"),
        ("<ol start=\"x\"></ol>", "the attribute start of <ol>"),
        ("<pre><code class=\"a b\">x</code></pre>", "the attribute class of <code>"),
    ] {
        let message = refusal(Kind::Xml, Format::Html, json!(html));
        assert_eq!(message, format!("Data cannot be read as HTML: an editor cannot hold {named}."));
    }
    let message = refusal(Kind::Xml, Format::Html, json!("<p data-attrs=\"[]\">x</p>"));
    assert_eq!(message, "Data cannot be read as HTML: data-attrs is no object of JSON.");
    assert_eq!(refusal(Kind::Xml, Format::Html, json!({})), "Data must be a string for type xml.");
    let message = refusal(Kind::Text, Format::Html, json!("x"));
    assert_eq!(message, "Content of type text has no form html.");
}

#[test]
fn hostile_html_is_refused_soon() {
    let million = 1_000_000;
    for (html, cause) in [
        ("<div>".repeat(million), "100 levels"),
        ("<b>".repeat(million), "100 levels"),
        ((0..100_000).map(|n| format!("<p><b class={n}>")).collect(), "100 levels"),
        ("<table>".repeat(million), "50000 values"),
        ("<p>".repeat(million), "50000 values"),
        (format!("<table>{}", "<br>x".repeat(500_000)), "50000 values"),
        (
            format!("<p {}>", (0..million).map(|n| format!("a{n} ")).collect::<String>()),
            "HTML: it takes too long",
        ),
        (
            format!("<p {}=\"{}\">x", "a".repeat(million), "b".repeat(million)),
            "cannot hold the attribute aaa",
        ),
        (format!("<p data-attrs='{}'>", "[".repeat(million)), "no object of JSON"),
    ] {
        let begin = std::time::Instant::now();
        let message = refusal(Kind::Xml, Format::Html, json!(html));
        // A slow machine may reach the limit of time first.
        let is_refused = message.contains(cause) || message.contains("takes too long");
        assert!(is_refused, "{message}: {}", &html[..40]);
        assert!(begin.elapsed().as_secs() < 300, "{}", &html[..40]);
    }
}
