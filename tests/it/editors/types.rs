//! The type of an editor that peers add: what they edit decides it.

use serde_json::{Value, json};
use service::Table;
use yrs::{
    Array, Doc, Map, MapPrelim, ReadTxn, StateVector, Text, Transact, TransactionMut, WriteTxn,
    Xml, XmlElementPrelim, XmlFragment, XmlTextPrelim,
};

use super::{base64, events};
use crate::{
    app::{App, Reply},
    end_users::{at, member, with_document},
    schedule::put,
};

/// A deployment, the token of a user, and the document in the user's browser.
struct Browser {
    app: App,
    token: String,
    doc: Doc,
}

impl Browser {
    async fn open() -> Self {
        let app = with_document().await;
        let token = member(&app, "ada", "editor").await;
        Self { app, token, doc: Doc::with_client_id(7) }
    }

    /// The update of an edit that is not sent.
    fn edit<T>(&self, edit: impl FnOnce(&mut TransactionMut<'_>) -> T) -> Vec<u8> {
        let mut txn = self.doc.transact_mut();
        edit(&mut txn);
        txn.encode_update_v1()
    }

    /// Everything as one update, as a browser sends it after an outage.
    fn everything(&self) -> Vec<u8> {
        self.doc.transact().encode_state_as_update_v1(&StateVector::default())
    }

    async fn send(&self, update: Vec<u8>) {
        let sent = at(json!({ "editorId": "e", "updates": [base64(&update)] }));
        self.app.caller().end_user(&self.token).call("editors.updates_add", sent).await.ok();
    }

    async fn does<T>(&self, edit: impl FnOnce(&mut TransactionMut<'_>) -> T) {
        self.send(self.edit(edit)).await;
    }

    async fn call(&self, operation: &str, members: Value) -> Reply {
        let mut sent = at(json!({ "editorId": "e" }));
        sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        self.app.call(operation, sent).await
    }

    /// Type, name and content of the editor.
    async fn reads(&self) -> (String, String, Value) {
        of(self.call("editors.get", json!({})).await.data()[0].take())
    }

    /// Type, name and content of one root; none when it is not listed.
    async fn reads_root(&self, key: &str) -> Option<(String, String, Value)> {
        let mut found = self.call("editors.get", json!({ "contentKey": key })).await.data();
        found.as_array_mut().unwrap().pop().map(of)
    }

    async fn replaces(&self, kind: &str, data: Value) -> Reply {
        self.call("editors.update", json!({ "type": kind, "data": data })).await
    }

    async fn replaces_root(&self, kind: &str, key: &str, data: Value) -> Reply {
        let sent = json!({ "type": kind, "data": data, "contentKey": key });
        self.call("editors.update", sent).await
    }

    fn head(&self) -> Value {
        let mut rows = self.app.items_of(Table::Crdt, &self.app.key).into_iter();
        rows.find(|row| row["SK"]["S"].as_str().unwrap().contains("#head#")).expect("a head")
    }

    /// The type and the name in the stored row.
    fn stored(&self) -> (String, String) {
        let head = self.head();
        let text = |name: &str| head[name]["S"].as_str().expect("a text").to_owned();
        (text("type"), text("contentKey"))
    }

    /// Makes the row one of an earlier version, which took the type of the first update.
    async fn becomes_old(&self, kind: &str, key: &str) {
        let mut head = self.head();
        head.as_object_mut().unwrap().remove("isOpen");
        head["type"]["S"] = json!(kind);
        head["contentKey"]["S"] = json!(key);
        put(&self.app, Table::Crdt, &head).await;
    }

    async fn merges(&self) {
        let message = at(json!({ "editorId": "e", "task": "merge" }));
        let body = json!({ "tenant": self.app.key.api_key, "message": message }).to_string();
        let event = json!({ "Records": [{ "messageId": "merge", "body": body }] });
        let answer = self.app.stack().run_worker("editors.compact", event).await.expect("run");
        assert_eq!(answer["batchItemFailures"], json!([]));
    }

    /// The calls of one update, by operation.
    async fn calls_of(&self, update: Vec<u8>) -> Vec<String> {
        self.app.forget_calls();
        self.send(update).await;
        let calls = self.app.calls().into_iter().filter(|call| call.target.ends_with("Crdt"));
        calls.map(|call| call.operation).collect()
    }
}

fn of(view: Value) -> (String, String, Value) {
    let text = |name: &str| view[name].as_str().expect("a text").to_owned();
    (text("type"), text("contentKey"), view["data"].clone())
}

fn seen(kind: &str, key: &str, data: Value) -> (String, String, Value) {
    (kind.to_owned(), key.to_owned(), data)
}

/// The flag that a page sets before it inserts its initial content.
fn flag(txn: &mut TransactionMut<'_>) {
    txn.get_or_insert_map("config").insert(txn, "initialContentLoaded", true);
}

fn paragraph(txn: &mut TransactionMut<'_>, key: &str, text: &str) {
    let root = txn.get_or_insert_xml_fragment(key);
    let element = root.push_back(txn, XmlElementPrelim::empty("paragraph"));
    element.push_back(txn, XmlTextPrelim::new(text));
}

fn text(txn: &mut TransactionMut<'_>, key: &str, text: &str) {
    txn.get_or_insert_text(key).insert(txn, 0, text);
}

/// A paragraph of Lexical.
fn nested(txn: &mut TransactionMut<'_>, key: &str) {
    let root = txn.get_or_insert_xml_fragment(key);
    let paragraph = root.push_back(txn, XmlTextPrelim::new(""));
    paragraph.insert_attribute(txn, "__type", "paragraph");
    paragraph.insert_embed(txn, 0, MapPrelim::from([("__type", "text")]));
    paragraph.insert(txn, 1, "words");
}

const HELLO: &str = "<paragraph>Hello</paragraph>";

#[tokio::test]
async fn a_map_entry_before_the_text_does_not_make_the_editor_a_map() {
    for in_one_update in [false, true] {
        let browser = Browser::open().await;
        if in_one_update {
            browser.edit(flag);
            browser.edit(|txn| paragraph(txn, "default", "Hello"));
            browser.send(browser.everything()).await;
        } else {
            browser.does(flag).await;
            let flagged = seen("map", "config", json!({ "initialContentLoaded": true }));
            assert_eq!(browser.reads().await, flagged);
            browser.does(|txn| paragraph(txn, "default", "Hello")).await;
        }
        assert_eq!(browser.reads().await, seen("xml", "default", json!(HELLO)));
        browser.replaces("xml", json!("<paragraph>Bye</paragraph>")).await.ok();
        let bye = seen("xml", "default", json!("<paragraph>Bye</paragraph>"));
        assert_eq!(browser.reads().await, bye);
        browser.replaces("map", json!({})).await.error("INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn of_several_roots_default_then_content_then_xml_then_the_first_name_gives_the_type() {
    let wanted = [
        (vec!["default", "content", "body", "abstract"], vec!["alpha"], "default"),
        (vec!["content", "body"], vec!["alpha"], "content"),
        (vec!["body"], vec!["alpha"], "alpha"),
        (vec!["body", "abstract"], vec![], "abstract"),
    ];
    for (texts, fragments, key) in wanted {
        let browser = Browser::open().await;
        browser
            .does(|txn| {
                flag(txn);
                texts.iter().for_each(|key| text(txn, key, "a text"));
                fragments.iter().for_each(|key| paragraph(txn, key, "a paragraph"));
                txn.get_or_insert_array("anything").push_back(txn, 1);
            })
            .await;
        let kind = if fragments.contains(&key) { "xml" } else { "text" };
        let (found, name, _) = browser.reads().await;
        assert_eq!((found.as_str(), name.as_str()), (kind, key), "{texts:?} {fragments:?}");
    }
}

#[tokio::test]
async fn the_first_text_sets_the_type_and_later_texts_do_not_change_it() {
    let browser = Browser::open().await;
    browser.does(flag).await;
    browser.does(|txn| text(txn, "title", "Title")).await;
    for later in ["default", "content", "abstract"] {
        browser.does(|txn| paragraph(txn, later, "Hello")).await;
        assert_eq!(browser.reads().await, seen("text", "title", json!("Title")));
        browser.merges().await;
    }
    // Nor when it is empty for a while.
    browser.does(|txn| txn.get_or_insert_text("title").remove_range(txn, 0, 5)).await;
    assert_eq!(browser.reads().await, seen("text", "title", json!("")));
    browser.replaces("text", json!("Again")).await.ok();
    assert_eq!(browser.reads().await, seen("text", "title", json!("Again")));
}

#[tokio::test]
async fn a_map_stays_the_content_when_other_roots_arrive_until_one_has_text() {
    let browser = Browser::open().await;
    browser.does(|txn| txn.get_or_insert_map("state").insert(txn, "a", 1)).await;
    browser.does(|txn| txn.get_or_insert_map("config").insert(txn, "b", 2)).await;
    browser.does(|txn| txn.get_or_insert_array("default").push_back(txn, 3)).await;
    assert_eq!(browser.reads().await, seen("map", "state", json!({ "a": 1 })));
    // Text in a map is no text of the document.
    browser
        .does(|txn| {
            let state = txn.get_or_insert_map("state");
            state.insert(txn, "title", yrs::TextPrelim::new("words"));
        })
        .await;
    browser.replaces("map", json!({ "title": "new words" })).await.ok();
    assert_eq!(browser.reads().await, seen("map", "state", json!({ "title": "new words" })));
    browser.does(|txn| text(txn, "notes", "words")).await;
    assert_eq!(browser.reads().await, seen("text", "notes", json!("words")));
}

#[tokio::test]
async fn nested_text_as_lexical_writes_it_makes_the_editor_xml() {
    let browser = Browser::open().await;
    browser.does(flag).await;
    browser.does(|txn| nested(txn, "root")).await;
    let (kind, key, data) = browser.reads().await;
    assert_eq!((kind.as_str(), key.as_str()), ("xml", "root"));
    assert!(data.as_str().unwrap().contains("words"), "{data}");
}

/// A batch may begin with an update whose dependencies are under way.
#[tokio::test]
async fn a_pending_text_gives_the_editor_its_type() {
    let browser = Browser::open().await;
    let other = Doc::with_client_id(8);
    let begun = {
        let mut txn = other.transact_mut();
        flag(&mut txn);
        txn.encode_update_v1()
    };
    browser.send(begun).await;
    let first = browser.edit(flag);
    browser.does(|txn| text(txn, "notes", "words")).await;
    assert_eq!(browser.reads().await, seen("text", "notes", json!("")));
    browser.send(first).await;
    assert_eq!(browser.reads().await, seen("text", "notes", json!("words")));
}

#[tokio::test]
async fn a_first_update_without_content_leaves_the_type_open() {
    let browser = Browser::open().await;
    browser.edit(|txn| text(txn, "gone", "x"));
    browser.edit(|txn| txn.get_or_insert_text("gone").remove_range(txn, 0, 1));
    browser.send(browser.everything()).await;
    browser.does(|txn| txn.get_or_insert_map("config").insert(txn, "a", 1)).await;
    assert_eq!(browser.reads().await, seen("map", "config", json!({ "a": 1 })));
    browser.does(|txn| text(txn, "notes", "words")).await;
    assert_eq!(browser.reads().await, seen("text", "notes", json!("words")));
}

#[tokio::test]
async fn simultaneous_first_updates_leave_one_type_with_all_their_text() {
    let browser = Browser::open().await;
    let (one, two) = (Doc::with_client_id(8), Doc::with_client_id(9));
    let update = |doc: &Doc, edit: &dyn Fn(&mut TransactionMut<'_>)| {
        let mut txn = doc.transact_mut();
        edit(&mut txn);
        txn.encode_update_v1()
    };
    let updates = [
        browser.edit(flag),
        update(&one, &|txn| text(txn, "body", "words")),
        update(&two, &|txn| text(txn, "body", "more ")),
    ];
    futures_util::future::join_all(updates.map(|update| browser.send(update))).await;
    let (kind, key, data) = browser.reads().await;
    assert_eq!((kind.as_str(), key.as_str()), ("text", "body"));
    assert_eq!(data.as_str().unwrap().len(), 10);
    assert_eq!(browser.stored(), ("text".to_owned(), "body".to_owned()));
}

#[tokio::test]
async fn an_update_is_one_put_and_the_first_text_is_one_transaction() {
    let mut seen = vec![];
    // An append checks the log by chance, once in 64 (`editors/limits.rs`): of a few attempts, one
    // has no such check.
    for _ in 0..8 {
        let browser = Browser::open().await;
        browser.does(flag).await;
        let more = browser.edit(|txn| txn.get_or_insert_map("config").insert(txn, "a", 1));
        let more = browser.calls_of(more).await;
        let first = browser.edit(|txn| text(txn, "notes", "words"));
        let first = browser.calls_of(first).await;
        let next = browser.edit(|txn| text(txn, "notes", "more "));
        let next = browser.calls_of(next).await;
        assert_eq!(browser.stored(), ("text".to_owned(), "notes".to_owned()));
        let is_checked = |calls: &Vec<String>| calls.iter().any(|call| call == "Query");
        seen = vec![more, first, next];
        if !seen.iter().any(is_checked) {
            break;
        }
    }
    let (append, first) = (["GetItem", "PutItem"], ["GetItem", "TransactWriteItems"]);
    assert_eq!(seen, [append, first, append]);
}

#[tokio::test]
async fn an_editor_of_an_earlier_version_gets_the_type_of_its_text() {
    for repairs in ["peer", "caller", "merge"] {
        let browser = Browser::open().await;
        browser
            .does(|txn| {
                flag(txn);
                paragraph(txn, "default", "Hello");
            })
            .await;
        browser.becomes_old("map", "config").await;
        assert_eq!(browser.reads().await, seen("xml", "default", json!(HELLO)));
        let mut expected = HELLO.to_owned();
        match repairs {
            // Next to what is there, so that the update does not name its root.
            "peer" => {
                browser.does(|txn| paragraph(txn, "default", "more")).await;
                expected.push_str("<paragraph>more</paragraph>");
            }
            "caller" => {
                expected = "<paragraph>Bye</paragraph>".to_owned();
                browser.replaces("xml", json!(expected)).await.ok();
                assert_eq!(browser.stored(), ("xml".to_owned(), "default".to_owned()));
            }
            _ => {
                let long: Vec<u8> =
                    browser.edit(|txn| paragraph(txn, "default", &"x".repeat(70_000)));
                browser.send(long).await;
                browser.merges().await;
                expected.push_str(&format!("<paragraph>{}</paragraph>", "x".repeat(70_000)));
                assert_eq!(browser.stored(), ("xml".to_owned(), "default".to_owned()));
            }
        }
        assert!(browser.reads().await == seen("xml", "default", json!(expected)), "{repairs}");
        browser.replaces("xml", json!(HELLO)).await.ok();
        browser.does(|txn| text(txn, "abstract", "later")).await;
        assert_eq!(browser.reads().await, seen("xml", "default", json!(HELLO)), "{repairs}");
    }
}

/// The row of an editor of an earlier version does not say whether a caller chose the type.
#[tokio::test]
async fn an_editor_of_an_earlier_version_that_callers_use_keeps_its_type() {
    for (key, is_written) in [("content", false), ("state", true)] {
        let browser = Browser::open().await;
        let data = if is_written { json!({ "a": 1 }) } else { json!({}) };
        let sent = json!({ "type": "map", "data": data, "contentKey": key });
        browser.call("editors.add", sent).await.ok();
        browser.becomes_old("map", key).await;
        browser.does(|txn| text(txn, "notes", "words")).await;
        assert_eq!(browser.reads().await, seen("map", key, data));
        browser.replaces("map", json!({ "b": 2 })).await.ok();
        assert_eq!(browser.reads().await, seen("map", key, json!({ "b": 2 })));
    }
    for (kind, key) in [("text", "title"), ("xml", "empty")] {
        let browser = Browser::open().await;
        browser.does(|txn| text(txn, "title", "Title")).await;
        browser.does(|txn| paragraph(txn, "default", "Hello")).await;
        browser.becomes_old(kind, key).await;
        browser.does(|txn| paragraph(txn, "default", "more")).await;
        let (found, name, _) = browser.reads().await;
        assert_eq!((found.as_str(), name.as_str()), (kind, key));
    }
}

#[tokio::test]
async fn a_type_that_a_caller_chose_stays_until_a_call_names_another_root() {
    let browser = Browser::open().await;
    browser.call("editors.add", json!({ "type": "map", "data": { "a": 1 } })).await.ok();
    browser.does(|txn| paragraph(txn, "default", "Hello")).await;
    assert_eq!(browser.reads().await, seen("map", "content", json!({ "a": 1 })));
    let error = browser.replaces("xml", json!("<p>x</p>")).await.error("INVALID_ARGUMENT");
    assert!(error["message"].as_str().unwrap().contains("content"), "{error}");
    // An empty root, and a root of another type.
    for (kind, key, member) in [("xml", "other", "contentKey"), ("text", "default", "type")] {
        let error = browser.replaces_root(kind, key, json!("x")).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", member]), "{error}");
    }
    assert_eq!(browser.reads().await, seen("map", "content", json!({ "a": 1 })));

    // Equal content names it as well, and is no change.
    let emitted = events(&browser.app).len();
    browser.replaces_root("xml", "default", json!(HELLO)).await.ok();
    assert_eq!(browser.reads().await, seen("xml", "default", json!(HELLO)));
    assert_eq!(events(&browser.app).len(), emitted);
    browser.replaces("xml", json!("<paragraph>Bye</paragraph>")).await.ok();
    // Text does not give way to a map.
    let error = browser.replaces_root("map", "content", json!({})).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "contentKey"]), "{error}");
    let bye = seen("xml", "default", json!("<paragraph>Bye</paragraph>"));
    assert_eq!(browser.reads().await, bye);
}

#[tokio::test]
async fn a_call_may_set_the_type_before_text_arrives_and_another_call_may_change_it() {
    let browser = Browser::open().await;
    browser.does(flag).await;
    browser.replaces("xml", json!("<p>x</p>")).await.error("INVALID_ARGUMENT");
    browser.replaces_root("xml", "default", json!("<p>x</p>")).await.ok();
    assert_eq!(browser.reads().await, seen("xml", "default", json!("<p>x</p>")));
    browser.does(|txn| text(txn, "title", "Title")).await;
    assert_eq!(browser.reads().await, seen("xml", "default", json!("<p>x</p>")));
    browser.replaces_root("text", "title", json!("New")).await.ok();
    assert_eq!(browser.reads().await, seen("text", "title", json!("New")));
}

#[tokio::test]
async fn a_call_that_names_a_map_keeps_the_editor_a_map() {
    let browser = Browser::open().await;
    browser.does(flag).await;
    browser.replaces_root("map", "config", json!({ "a": 1 })).await.ok();
    browser.does(|txn| text(txn, "notes", "words")).await;
    assert_eq!(browser.reads().await, seen("map", "config", json!({ "a": 1 })));
    let notes = seen("text", "notes", json!("words"));
    assert_eq!(browser.reads_root("notes").await, Some(notes));
}

#[tokio::test]
async fn updates_may_name_the_type_of_an_open_editor() {
    let browser = Browser::open().await;
    browser.does(flag).await;
    let named = |members: Value, edit: &dyn Fn(&mut TransactionMut<'_>)| {
        let mut sent = json!({ "updates": [base64(&browser.edit(edit))] });
        sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        browser.call("editors.updates_add", sent)
    };
    // The type alone does not say which root.
    named(json!({ "type": "text" }), &|txn| {
        let _ = txn.get_or_insert_map("m").insert(txn, "a", 1);
    })
    .await
    .ok();
    assert_eq!(browser.reads().await.1, "config");
    let both = json!({ "type": "text", "contentKey": "body" });
    named(both.clone(), &|txn| text(txn, "title", "Title")).await.ok();
    assert_eq!(browser.reads().await, seen("text", "body", json!("")));
    named(both, &|txn| text(txn, "body", "words")).await.ok();
    assert_eq!(browser.reads().await, seen("text", "body", json!("words")));
    named(json!({ "type": "map" }), &|txn| text(txn, "body", "more "))
        .await
        .error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn content_of_any_root_is_returned_by_its_content_key() {
    let browser = Browser::open().await;
    browser
        .does(|txn| {
            flag(txn);
            paragraph(txn, "default", "Hello");
            text(txn, "title", "Title");
            txn.get_or_insert_array("list").push_back(txn, 1);
            nested(txn, "root");
        })
        .await;
    for found in [
        seen("map", "config", json!({ "initialContentLoaded": true })),
        seen("xml", "default", json!(HELLO)),
        seen("text", "title", json!("Title")),
        seen("array", "list", json!([1])),
    ] {
        assert_eq!(browser.reads_root(&found.1).await, Some(found));
    }
    assert_eq!(browser.reads_root("root").await.unwrap().0, "xml");
    assert_eq!(browser.reads_root("defualt").await, None);
    // Without an editor: those that have it.
    browser
        .app
        .call("editors.add", at(json!({ "editorId": "f", "type": "text", "data": "x" })))
        .await
        .ok();
    for (key, ids) in [("title", json!(["e"])), ("content", json!(["f"])), ("other", json!([]))] {
        let found = browser.app.call("editors.get", at(json!({ "contentKey": key }))).await.data();
        let found: Value =
            found.as_array().unwrap().iter().map(|view| view["id"].clone()).collect();
        assert_eq!(found, ids, "{key}");
    }
    // The editor's own root is there even when it is empty.
    browser
        .app
        .call("editors.update", at(json!({ "editorId": "f", "type": "text", "data": "" })))
        .await
        .ok();
    let sent = at(json!({ "editorId": "f", "contentKey": "content" }));
    assert_eq!(
        of(browser.app.call("editors.get", sent).await.data()[0].take()),
        seen("text", "content", json!(""))
    );
    let sent = at(json!({ "editorId": "e", "contentKey": "title" }));
    let found =
        browser.app.caller().end_user(&browser.token).call("editors.get", sent).await.data();
    assert_eq!(found[0]["data"], "Title", "an end user as well");
    browser.call("editors.get", json!({ "contentKey": "" })).await.error("INVALID_ARGUMENT");
}
