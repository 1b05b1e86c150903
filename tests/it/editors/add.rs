use serde_json::{Value, json};

use super::{add, count, data, events, noise, of, stored, view, with, with_text};
use crate::app::App;

#[tokio::test]
async fn content_of_each_type_is_read_back_as_it_was_added() {
    let app = App::start().await;
    for (kind, value) in [
        ("text", json!("Grüße 🦀\n")),
        ("text", json!("")),
        ("map", json!({ "a": [1, 2.5, null, { "b": true }], "": "x" })),
        ("map", json!({})),
        ("array", json!([{ "id": 1 }, "x", [], 1_700_000_000_000_u64])),
        ("array", json!([])),
        ("xml", json!("<paragraph>Hi <bold>you</bold></paragraph>")),
        ("xml", json!("")),
    ] {
        let id = format!("{kind}{value}");
        add(&app, &id, kind, value.clone()).await;
        let found = view(&app, &id).await;
        assert_eq!((&found["data"], &found["type"]), (&value, &json!(kind)));
        assert_eq!(found["contentKey"], "content");
    }
}

#[tokio::test]
async fn adding_an_existing_editor_is_refused_and_changes_nothing() {
    let app = with_text("first").await;
    let again = with(of("e"), json!({ "type": "text", "data": "second" }));
    let error = app.call("editors.add", again).await.error("ALREADY_EXISTS");
    assert_eq!(error["message"], "CRDT data already exists for this editor ID.");
    assert_eq!(data(&app, "e").await, "first");
    assert_eq!((events(&app).len(), count(&app, "log")), (1, 1));
}

#[tokio::test]
async fn neither_organization_nor_document_need_exist() {
    let app = with_text("x").await;
    let sent = json!({ "organizationId": "o" });
    assert_eq!(app.call("documents.get", sent).await.data(), json!([]));
    assert_eq!(data(&app, "e").await, "x");
}

#[tokio::test]
async fn data_that_does_not_match_its_type_is_refused() {
    let app = App::start().await;
    let values = [json!("x"), json!({}), json!([]), json!(1), json!(true), json!(null)];
    for kind in ["text", "map", "array", "xml"] {
        for value in &values {
            let fits = match kind {
                "map" => value.is_object(),
                "array" => value.is_array(),
                _ => value.is_string(),
            };
            if fits {
                continue;
            }
            let sent = with(of("e"), json!({ "type": kind, "data": value }));
            let error = app.call("editors.add", sent).await.error("INVALID_ARGUMENT");
            assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "data"]), "{error}");
        }
    }
    let sent = with(of("e"), json!({ "type": "text", "data": {} }));
    let error = app.call("editors.add", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(error["message"], "Data must be a string for type text.");
    assert_eq!(stored(&app), Vec::<String>::new());
}

#[tokio::test]
async fn an_unknown_type_or_an_empty_id_is_refused() {
    let app = App::start().await;
    let whole = with(of("e"), json!({ "type": "text", "data": "x" }));
    for (member, value) in [
        ("type", json!("Text")),
        ("type", json!("xmltext")),
        ("editorId", json!("")),
        ("contentKey", json!(" ")),
    ] {
        let mut sent = whole.clone();
        sent[member] = value;
        app.call("editors.add", sent).await.error("INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn the_user_the_time_and_the_content_key_of_an_addition_are_kept() {
    let app = App::start().await;
    // Packing it takes longer than a millisecond, and both times are the same nevertheless.
    let data = format!("<p>{}</p>", noise(200_000).replace(['<', '>'], ""));
    let sent = with(
        of("e"),
        json!({ "type": "xml", "data": data, "contentKey": "default", "userId": "ada" }),
    );
    app.call("editors.add", sent).await.ok();
    let found = view(&app, "e").await;
    assert_eq!(found["lastUpdatedBy"], "ada");
    assert_eq!(found["contentKey"], "default");
    let event = &events(&app)[0];
    assert_eq!(event["event"]["actor"], json!({ "userId": "ada" }));
    let data = &event["event"]["data"]["crdtData"];
    assert_eq!(data["id"], "e");
    assert_eq!(
        (&data["lastUpdatedBy"], &data["lastUpdate"]),
        (&json!("ada"), &found["lastUpdate"])
    );
    assert_eq!(
        app.call("editors.add", with(of("f"), json!({ "type": "text", "data": "x" }))).await.ok()["data"],
        Value::Null
    );
    assert_eq!(view(&app, "f").await["lastUpdatedBy"], Value::Null);
}
