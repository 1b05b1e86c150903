use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{
    Peer, add, bytes, count, data, events, noise, of, push, readable, stored, update, view, with,
    with_text, work,
};
use crate::app::App;

#[tokio::test]
async fn an_update_replaces_content_of_each_type() {
    let app = App::start().await;
    for (kind, before, after) in [
        ("text", json!("the quick fox"), json!("the slow 🦀 fox")),
        ("text", json!("x"), json!("")),
        ("map", json!({ "a": 1, "b": { "c": [1] } }), json!({ "b": { "c": [1, 2] }, "d": null })),
        ("array", json!([{ "id": 1 }, { "id": 2 }]), json!([{ "id": 2 }, "x"])),
        ("xml", json!("<paragraph>a</paragraph>"), json!("<heading level=\"2\">b</heading>")),
    ] {
        let id = format!("{kind}{after}");
        add(&app, &id, kind, before).await;
        assert_eq!(update(&app, &id, kind, after.clone()).await.ok()["data"], Value::Null);
        assert_eq!(data(&app, &id).await, after, "{kind}");
    }
}

#[tokio::test]
async fn content_equal_to_the_stored_content_is_not_written() {
    let app = App::start().await;
    for (kind, value) in [
        ("text", json!("same")),
        ("text", json!("")),
        ("map", json!({ "a": [1, { "b": 2.5 }] })),
        ("array", json!([1, "x", null])),
        ("xml", json!("<paragraph>same</paragraph>")),
    ] {
        let id = format!("{kind}{value}");
        add(&app, &id, kind, value.clone()).await;
        let (rows, emitted) = (stored(&app), events(&app).len());
        app.forget_calls();
        update(&app, &id, kind, value).await.ok();
        assert_eq!((stored(&app), events(&app).len()), (rows, emitted), "{kind}");
        let writes = ["PutItem", "UpdateItem", "TransactWriteItems", "BatchWriteItem"];
        assert!(!app.calls().iter().any(|call| writes.contains(&call.operation.as_str())));
    }
}

#[tokio::test]
async fn an_unknown_editor_is_not_found_and_not_added() {
    let app = with_text("x").await;
    let error = update(&app, "f", "text", json!("y")).await.error("NOT_FOUND");
    assert_eq!(error["message"], "There is no CRDT data for editor f.");
    assert_eq!(app.call("editors.get", of("f")).await.data(), json!([]));
}

#[tokio::test]
async fn a_type_or_content_key_other_than_that_of_the_editor_is_refused() {
    let app = App::start().await;
    let sent = json!({ "type": "xml", "data": "<p>x</p>", "contentKey": "default" });
    app.call("editors.add", with(of("e"), sent)).await.ok();
    let error = update(&app, "e", "text", json!("<p>x</p>")).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "type"]));
    let sent = json!({ "type": "xml", "data": "<p>y</p>", "contentKey": "content" });
    let error = app.call("editors.update", with(of("e"), sent)).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "contentKey"]));
    let error = update(&app, "e", "xml", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "data"]));

    update(&app, "e", "xml", json!("<p>left out</p>")).await.ok();
    assert_eq!(data(&app, "e").await, "<p>left out</p>");
    let sent = json!({ "type": "xml", "data": "<p>named</p>", "contentKey": "default" });
    app.call("editors.update", with(of("e"), sent)).await.ok();
    assert_eq!(data(&app, "e").await, "<p>named</p>");
}

#[tokio::test]
async fn xml_that_cannot_be_made_a_tree_is_refused() {
    let app = App::start().await;
    add(&app, "e", "xml", json!("<p>x</p>")).await;
    let deep = format!("{}{}", "<a>".repeat(200), "</a>".repeat(200));
    let error = update(&app, "e", "xml", json!(deep)).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "data"]));
    assert_eq!(data(&app, "e").await, "<p>x</p>");
}

#[tokio::test]
async fn an_offline_edit_of_a_peer_is_merged_with_a_replacement() {
    let app = with_text("the quick fox jumps").await;
    let peer = Peer::new(7);
    peer.pull(&app).await;
    let offline = peer.insert(19, " far");
    update(&app, "e", "text", json!("the slow fox jumps")).await.ok();
    push(&app, &[offline]).await.ok();
    peer.pull(&app).await;
    assert_eq!(peer.text(), "the slow fox jumps far");
    assert_eq!(data(&app, "e").await, "the slow fox jumps far");
}

#[tokio::test]
async fn ten_simultaneous_updates_all_succeed_and_one_of_them_is_kept_whole() {
    let app = with_text("start").await;
    let texts: Vec<String> = (0..10).map(|n| format!("{n}").repeat(20)).collect();
    let calls = texts.iter().map(|text| update(&app, "e", "text", json!(text)));
    for reply in join_all(calls).await {
        reply.ok();
    }
    let last = data(&app, "e").await;
    assert!(texts.iter().any(|text| last == *text), "{last}");
    assert_eq!((events(&app).len(), app.last_number("d").await), (11, 11));
    let peer = Peer::new(7);
    peer.pull(&app).await;
    assert_eq!(peer.text(), last);
}

#[tokio::test]
async fn a_thousand_replacements_leave_one_client_and_a_small_state() {
    let app = with_text("").await;
    for n in 0..1000 {
        update(&app, "e", "text", json!(format!("number {n}"))).await.ok();
        if n % 100 == 0 {
            app.settle().await;
        }
    }
    app.settle().await;
    assert_eq!(data(&app, "e").await, "number 999");
    let state = app.call("editors.state_get", of("e")).await.data();
    assert!(bytes(&state["stateVector"]).len() <= 12, "one client");
    assert!(bytes(&state["update"]).len() < 500, "{}", bytes(&state["update"]).len());
    assert!(count(&app, "log") <= 201, "{} rows", count(&app, "log"));
}

#[tokio::test]
async fn a_document_of_2_mb_is_stored_in_rows_below_400_kib() {
    let app = with_text("").await;
    let large = noise(2_000_000);
    update(&app, "e", "text", json!(large)).await.ok();
    assert!(count(&app, "log") > 1, "the update does not fit one row");
    assert!(data(&app, "e").await == json!(large));
    assert!(work(&app, "merge").await);
    assert!(count(&app, "snapshot") > 1 && count(&app, "log") == 0);
    assert!(data(&app, "e").await == json!(large));
    let changed = format!("{}!{}", &large[..1_000_000], &large[1_000_001..]);
    update(&app, "e", "text", json!(changed)).await.ok();
    assert_eq!(count(&app, "log"), 1, "what changed is small");
    assert!(data(&app, "e").await == json!(changed));
    for item in app.items_of(service::Table::Crdt, &app.key) {
        assert!(item.to_string().len() < 400 * 1024 * 4 / 3);
    }
}

#[tokio::test]
async fn a_document_that_cannot_be_stored_is_refused_with_the_limit_named() {
    let app = with_text("x").await;
    // Letters that are hardly compressed, and none that JSON escapes.
    let letter = |byte: &u8| char::from(b'#' + byte % 92);
    let random = readable::random(1, 5_450_000);
    let text: String =
        random.iter().map(letter).map(|it| if it == '\\' { '!' } else { it }).collect();
    let sent = json!({ "type": "text", "data": text });
    for operation in ["editors.update", "editors.add"] {
        let id = if operation == "editors.add" { "f" } else { "e" };
        let error = app.call(operation, with(of(id), sent.clone())).await;
        let error = error.error("RESOURCE_EXHAUSTED");
        assert!(error["message"].as_str().unwrap().contains("4300000"), "{error}");
    }
    let value = json!({ "type": "map", "data": { "value": "x".repeat(5_000_000) } });
    let error = app.call("editors.add", with(of("f"), value)).await.error("RESOURCE_EXHAUSTED");
    assert_eq!(error["message"], "A value must not be larger than 4100000 bytes.");
    assert_eq!(data(&app, "e").await, "x");
    assert_eq!(app.call("editors.get", of("f")).await.data(), json!([]));
}

#[tokio::test]
async fn the_service_updates_an_editor_after_a_peer_wrote_under_the_client_of_the_service() {
    let app = with_text("").await;
    update(&app, "e", "text", json!("a")).await.ok();
    // The client of the service is the only one in the state vector: one, its number, its clock.
    let vector = bytes(&app.call("editors.state_get", of("e")).await.data()["stateVector"]);
    let client = vector[1..].iter().take(5).enumerate().try_fold(0_u64, |n, (at, byte)| {
        let n = n | (u64::from(byte & 0x7f) << (7 * at));
        if byte & 0x80 == 0 { Err(n) } else { Ok(n) }
    });
    let forger = Peer::new(client.expect_err("a number that ends"));
    forger.pull(&app).await;
    push(&app, &[forger.insert(1, "b")]).await.ok();
    assert_eq!(data(&app, "e").await, "ab");
    update(&app, "e", "text", json!("abc")).await.ok();
    assert_eq!(view(&app, "e").await["data"], "abc");
}

#[tokio::test]
async fn data_that_does_not_match_its_type_is_refused() {
    let app = App::start().await;
    let values = [json!("x"), json!({}), json!([]), json!(1), json!(true)];
    for (kind, held) in
        [("text", json!("x")), ("map", json!({})), ("array", json!([])), ("xml", json!("<p>x</p>"))]
    {
        add(&app, kind, kind, held.clone()).await;
        let matches = |value: &&Value| {
            value.is_object() == held.is_object()
                && value.is_array() == held.is_array()
                && value.is_string() == held.is_string()
        };
        for value in values.iter().filter(|value| !matches(value)) {
            let error = update(&app, kind, kind, value.clone()).await.error("INVALID_ARGUMENT");
            assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "data"]), "{error}");
        }
        assert_eq!(data(&app, kind).await, held, "{kind}");
    }
}

#[tokio::test]
async fn a_type_other_than_text_map_array_or_xml_is_refused() {
    let app = with_text("x").await;
    for kind in ["Text", "xmltext", "string", ""] {
        let error = update(&app, "e", kind, json!("y")).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "type"]), "{error}");
    }
    assert_eq!(data(&app, "e").await, "x");
}

#[tokio::test]
async fn the_content_key_is_content_unless_another_is_sent() {
    let app = with_text("x").await;
    let sent = |key: &str| with(of("e"), json!({ "type": "text", "data": "y", "contentKey": key }));
    let error = app.call("editors.update", sent("default")).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "contentKey"]));
    assert_eq!(data(&app, "e").await, "x");
    app.call("editors.update", sent("content")).await.ok();
    let found = view(&app, "e").await;
    assert_eq!((&found["data"], &found["contentKey"]), (&json!("y"), &json!("content")));
}
