//! Content in other forms (contract `editors.forms`).

use serde_json::{Value, json};

use super::{add, of, update, view, with, with_text};
use crate::{
    app::{App, Reply},
    end_users::{at, member, with_document},
};

const XML: &str = "<heading level=\"2\">Title</heading><bulletList><listItem><paragraph>one \
    <bold>two</bold></paragraph></listItem></bulletList>";

async fn with_xml(xml: &str) -> App {
    let app = App::start().await;
    add(&app, "e", "xml", json!(xml)).await;
    app
}

async fn shown(app: &App, editor: &str, format: &str) -> Value {
    let sent = with(of(editor), json!({ "format": format }));
    app.call("editors.get", sent).await.data()[0].take()
}

async fn send(app: &App, operation: &str, kind: &str, format: &str, data: &Value) -> Reply {
    let sent = json!({ "type": kind, "format": format, "data": data });
    app.call(operation, with(of("e"), sent)).await
}

fn document() -> Value {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let bold = json!({ "type": "text", "text": "two", "marks": [{ "type": "bold" }] });
    let paragraph = json!({ "type": "paragraph", "content": [text("one "), bold] });
    json!({ "type": "doc", "content": [
        { "type": "heading", "attrs": { "level": 2 }, "content": [text("Title")] },
        { "type": "bulletList", "content": [{ "type": "listItem", "content": [paragraph] }] },
    ] })
}

#[tokio::test]
async fn an_editor_is_shown_in_each_form() {
    let app = with_xml(XML).await;
    assert!(view(&app, "e").await.get("lost").is_none());
    for (format, data, lost) in [
        ("xml", json!(XML), json!([])),
        ("json", document(), json!([])),
        (
            "html",
            json!("<h2>Title</h2><ul><li><p>one <strong>two</strong></p></li></ul>"),
            json!([]),
        ),
        ("markdown", json!("## Title\n\n- one **two**"), json!([])),
        (
            "text",
            json!("Title\none two\n"),
            json!([
                "attribute level of heading",
                "mark bold",
                "node bulletList",
                "node heading",
                "node listItem"
            ]),
        ),
    ] {
        let found = shown(&app, "e", format).await;
        assert_eq!((&found["data"], &found["lost"]), (&data, &lost), "{format}");
        assert_eq!(found["type"], "xml");
    }
    let sent = json!({ "organizationId": "o", "documentId": "d", "format": "html" });
    let listed = app.call("editors.get", sent).await.data();
    assert_eq!(listed[0], shown(&app, "e", "html").await);
}

#[tokio::test]
async fn maps_and_arrays_are_json_in_every_form() {
    let app = App::start().await;
    for (kind, data) in [("map", json!({ "a": [1] })), ("array", json!([{ "a": 1 }]))] {
        add(&app, kind, kind, data.clone()).await;
        for format in ["xml", "json", "text", "html", "markdown"] {
            let found = shown(&app, kind, format).await;
            assert_eq!((&found["data"], &found["lost"]), (&data, &json!([])), "{format}");
        }
        let sent = json!({ "type": kind, "format": "json", "data": data });
        app.call("editors.update", with(of(kind), sent)).await.ok();
    }
}

#[tokio::test]
async fn a_text_is_a_delta_and_its_words() {
    let app = with_text("one\ntwo").await;
    let delta = json!({ "ops": [{ "insert": "one\ntwo" }] });
    assert_eq!(shown(&app, "e", "json").await["data"], delta);
    assert_eq!(shown(&app, "e", "text").await["data"], "one\ntwo");
    assert_eq!(shown(&app, "e", "html").await["data"], "<p>one</p><p>two</p>");
    let delta = json!({ "ops": [
        { "insert": "one", "attributes": { "bold": true } },
        { "insert": { "image": "a" } },
        { "insert": "\n", "attributes": { "header": 2 } },
    ] });
    send(&app, "editors.update", "text", "json", &delta).await.ok();
    let found = shown(&app, "e", "json").await;
    assert_eq!((&found["data"], &found["lost"]), (&delta, &json!([])));
    let found = shown(&app, "e", "html").await;
    assert_eq!(found["data"], "<p>one</p>");
    assert_eq!(found["lost"], json!(["format bold", "format header", "value Embed"]));
}

#[tokio::test]
async fn what_was_read_writes_nothing_and_a_word_writes_the_same_in_each_form() {
    for format in ["xml", "json", "html", "markdown"] {
        let app = with_xml(XML).await;
        let data = shown(&app, "e", format).await["data"].take();
        let before = app.call("editors.state_get", of("e")).await.data()["stateHash"].take();
        send(&app, "editors.update", "xml", format, &data).await.ok();
        let after = app.call("editors.state_get", of("e")).await.data()["stateHash"].take();
        assert_eq!(before, after, "{format}");
        let changed = data.to_string().replace("one", "three");
        let changed: Value = serde_json::from_str(&changed).unwrap();
        send(&app, "editors.update", "xml", format, &changed).await.ok();
        assert_eq!(shown(&app, "e", format).await["data"], changed);
        assert_eq!(view(&app, "e").await["data"], XML.replace("one", "three"));
    }
}

#[tokio::test]
async fn an_editor_is_added_in_each_form() {
    for (format, data) in [
        ("xml", json!(XML)),
        ("json", document()),
        ("html", json!("<h2>Title</h2>\n<ul>\n<li>one <b>two</b></li>\n</ul>")),
        ("markdown", json!("Title\n---\n\n* one __two__\n")),
    ] {
        let app = App::start().await;
        send(&app, "editors.add", "xml", format, &data).await.ok();
        assert_eq!(view(&app, "e").await["data"], XML, "{format}");
    }
}

#[tokio::test]
async fn what_an_editor_cannot_hold_is_refused_by_name_and_changes_nothing() {
    let app = with_xml(XML).await;
    for (kind, format, data, member, named) in [
        ("xml", "html", json!("<p onclick=\"x\">x</p>"), "data", "the attribute onclick of <p>"),
        ("xml", "html", json!(document()), "data", "must be a string"),
        (
            "xml",
            "json",
            json!({ "type": "doc", "content": [{ "type": "image", "marks": [] }] }),
            "data",
            "the member marks",
        ),
        ("xml", "markdown", json!("<video></video>"), "data", "<video>"),
        (
            "text",
            "markdown",
            json!("x"),
            "format",
            "content of type text cannot be sent as markdown",
        ),
        ("xml", "json", json!("<p>x</p>"), "data", "it is no object"),
        (
            "text",
            "html",
            json!("<p>x</p>"),
            "format",
            "content of type text cannot be sent as html",
        ),
        ("map", "html", json!({}), "format", "content of type map cannot be sent as html"),
        ("xml", "text", json!("x"), "format", ""),
        ("xml", "rtf", json!("x"), "format", ""),
    ] {
        let error =
            send(&app, "editors.update", kind, format, &data).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", member]), "{error}");
        assert!(error.to_string().contains(named), "{error}");
    }
    let sent = with(of("e"), json!({ "format": "rtf" }));
    app.call("editors.get", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(view(&app, "e").await["data"], XML);
}

#[tokio::test]
async fn replies_name_what_is_lost() {
    let app = App::start().await;
    let markdown = json!("# Title\n\n<!-- draft -->\n\n[![a](<b>)](<c>) words");
    let reply = send(&app, "editors.add", "xml", "markdown", &markdown).await.ok();
    assert_eq!(reply["lost"], json!(["comment draft", "mark link of image"]));
    assert!(reply.get("data").is_none());
    for format in ["xml", "json", "html", "markdown"] {
        let data = shown(&app, "e", format).await["data"].take();
        let reply = send(&app, "editors.update", "xml", format, &data).await.ok();
        assert_eq!(reply["lost"], json!([]), "{format}");
    }
    let html = json!("<section><h1>Title</h1>\n<p>cut <a href=\"b");
    let reply = send(&app, "editors.update", "xml", "html", &html).await.ok();
    assert_eq!(reply["lost"], json!(["tag <section>", "tag without an end"]));
    let xml = json!("<heading level=\"1\">Title</heading><paragraph>cut </paragraph>");
    assert_eq!(view(&app, "e").await["data"], xml);
    // The second call writes nothing, and names the same.
    let again = send(&app, "editors.update", "xml", "html", &html).await.ok();
    assert_eq!(again["lost"], reply["lost"]);
    let reply = update(&app, "e", "xml", json!("<!-- draft --><paragraph>x</paragraph>")).await;
    assert!(reply.ok().get("lost").is_none());
}

#[tokio::test]
async fn the_names_of_what_is_lost_are_few_and_short() {
    let app = with_xml(XML).await;
    let comment = |at: usize| format!("<!-- {at:04} {} -->", "é\n".repeat(500));
    let html: String = (0..200).map(comment).collect();
    let reply = send(&app, "editors.update", "xml", "html", &json!(html + "<p>x</p>")).await.ok();
    let lost: Vec<&str> =
        reply["lost"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
    assert_eq!((lost.len(), lost[49]), (50, "others"));
    assert!(lost[0].starts_with("comment 0000 é") && lost[0].chars().count() == 100);
    // A refused call loses nothing.
    let html = json!("<!-- draft --><p>y</p><script>z</script>");
    let error = send(&app, "editors.update", "xml", "html", &html).await.error("INVALID_ARGUMENT");
    assert!(error.get("lost").is_none());
    assert_eq!(view(&app, "e").await["data"], "<paragraph>x</paragraph>");
}

#[tokio::test]
async fn hostile_content_is_refused() {
    let app = with_xml(XML).await;
    let node = |depth| {
        (0..depth).fold(json!({ "type": "p" }), |node, _| json!({ "type": "p", "content": [node] }))
    };
    let deep = |depth| json!({ "type": "doc", "content": [node(depth)] });
    send(&app, "editors.update", "xml", "json", &deep(20)).await.ok();
    for (format, data) in [
        ("json", deep(100)),
        ("html", json!("<div data-type=\"p\">".repeat(100_000))),
        ("html", json!("<p>".repeat(100_000))),
        ("markdown", json!(">".repeat(100_000))),
        ("html", json!(format!("<p data-attrs='{}'>", "[".repeat(100_000)))),
    ] {
        send(&app, "editors.update", "xml", format, &data).await.error("INVALID_ARGUMENT");
    }
    assert_eq!(shown(&app, "e", "json").await["data"], deep(20));
}

#[tokio::test]
async fn end_users_read_each_form() {
    let app = with_document().await;
    let token = member(&app, "ada", "viewer").await;
    let editor = at(json!({ "editorId": "e", "type": "xml", "data": XML }));
    app.call("editors.add", editor).await.ok();
    let sent = at(json!({ "editorId": "e", "format": "html" }));
    let found = app.caller().end_user(&token).call("editors.get", sent).await.data();
    assert_eq!(found[0]["data"], "<h2>Title</h2><ul><li><p>one <strong>two</strong></p></li></ul>");
}

#[tokio::test]
async fn the_type_of_an_editor_is_not_changed_by_a_form() {
    let app = with_xml(XML).await;
    let delta = json!({ "ops": [{ "insert": "x" }] });
    send(&app, "editors.update", "text", "json", &delta).await.error("INVALID_ARGUMENT");
    update(&app, "e", "xml", json!(XML)).await.ok();
    assert_eq!(view(&app, "e").await["data"], XML);
}
