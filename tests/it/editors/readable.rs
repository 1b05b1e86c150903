//! An editor can be read by its people, whatever was written: what it cannot keep is refused when it is
//! sent.

use std::collections::BTreeMap;

use futures_util::future::{join, join_all};
use serde_json::{Value, json};
use service::Table;
use simulator::Dice;
use yrs::{Any, Map, Out, Transact, updates::encoder::Encode};

use super::{Peer, base64, bytes, count, noise, push, with_text, work};
use crate::{
    app::{App, Reply},
    end_users::{at, member, with_document},
    schedule::put,
};

const MB: usize = 1_000_000;

/// Bytes that cannot be compressed.
pub(crate) fn random(seed: u64, len: usize) -> Vec<u8> {
    let mut dice = Dice::new(seed);
    (0..len).map(|_| dice.below(256) as u8).collect()
}

/// A picture as a page has it.
pub(crate) fn picture(seed: u64) -> String {
    base64(&random(seed, 3 * MB))
}

impl Peer {
    /// Sets values of a map; returns the update of it.
    fn set(&self, values: impl IntoIterator<Item = (String, Any)>) -> Vec<u8> {
        let map = self.0.get_or_insert_map("values");
        let mut txn = self.0.transact_mut();
        for (key, value) in values {
            map.insert(&mut txn, key, value);
        }
        txn.encode_update_v1()
    }

    fn values(&self) -> BTreeMap<String, Any> {
        let map = self.0.get_or_insert_map("values");
        let txn = self.0.transact();
        let value = |(key, value): (&str, Out)| match value {
            Out::Any(value) => (key.to_owned(), value),
            _ => panic!("no value"),
        };
        map.iter(&txn).map(value).collect()
    }

    /// Eight values of 300 KB, under names of its own.
    fn binaries(&self, name: &str) -> Vec<u8> {
        let seed = self.0.client_id().get();
        let value = |n: u64| (format!("{name}{n}"), Any::from(random(seed * 8 + n, 300_000)));
        self.set((0..8).map(value))
    }
}

fn appended(update: &[u8]) -> Value {
    at(json!({ "editorId": "e", "updates": [base64(update)] }))
}

async fn append(app: &App, token: &str, update: &[u8]) -> Reply {
    app.caller().end_user(token).call("editors.updates_add", appended(update)).await
}

/// The document that an end user reads, part by part.
async fn read_by(app: &App, token: &str) -> Peer {
    let (peer, mut is_complete) = (Peer::new(999), false);
    while !is_complete {
        let vector = base64(&peer.vector().encode_v1());
        let sent = at(json!({ "editorId": "e", "stateVector": vector }));
        let reply = app.caller().end_user(token).call("editors.state_get", sent).await;
        let state = reply.data();
        peer.apply(&bytes(&state["update"]));
        assert_eq!(
            base64(&peer.vector().encode_v1()).len(),
            state["stateVector"].as_str().unwrap().len()
        );
        is_complete = state["isComplete"].as_bool().expect("whether that is all");
    }
    peer
}

#[tokio::test]
async fn two_large_appends_at_once_leave_an_editor_that_can_be_read() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let peers = [Peer::new(1), Peer::new(2)];
    let updates = [peers[0].binaries("a"), peers[1].binaries("b")];
    let (first, second) =
        join(append(&app, &ada, &updates[0]), append(&app, &ada, &updates[1])).await;
    let is_stored = [first, second].map(|reply| match reply.json()["error"].is_object() {
        true => reply.error("RESOURCE_EXHAUSTED").is_null(),
        false => true,
    });
    let stored = is_stored.iter().position(|is_stored| *is_stored).expect("one is stored");
    assert!(!is_stored[1 - stored], "both are more than an editor may have");
    for _ in 0..2 {
        assert_eq!(read_by(&app, &ada).await.values(), peers[stored].values());
        app.settle().await;
    }
    assert_eq!((count(&app, "log"), count(&app, "snapshot")), (0, 7), "it is merged");
    append(&app, &ada, &peers[stored].set([("small".to_owned(), Any::from(1))])).await.ok();
    append(&app, &ada, &updates[1 - stored]).await.error("RESOURCE_EXHAUSTED");
    assert_eq!(read_by(&app, &ada).await.values(), peers[stored].values());
}

#[tokio::test]
async fn letters_of_15_mb_written_quickly_leave_an_editor_that_can_be_read() {
    let app = with_text("").await;
    let text = noise(340_000);
    let write = |from: u64| {
        let (app, text) = (&app, &text);
        async move {
            let updates: Vec<Vec<u8>> =
                (from..from + 4).map(|n| Peer::new(100 + n).insert(0, text)).collect();
            let reply = push(app, &updates).await;
            match reply.json()["error"].is_object() {
                true => drop(reply.error("RESOURCE_EXHAUSTED")),
                false => return 4,
            }
            0
        }
    };
    let mut accepted = 0;
    for n in 0..5 {
        let some = (2 * n..2 * n + 2).map(|n| write(4 * n));
        accepted += join_all(some).await.into_iter().sum::<usize>();
    }
    assert!((8..=16).contains(&accepted), "{accepted}");
    for _ in 0..2 {
        let reader = Peer::new(7);
        reader.pull(&app).await;
        assert_eq!(reader.text().len(), accepted * text.len());
        assert_eq!(super::data(&app, "e").await.as_str().unwrap().len(), accepted * text.len());
        app.settle().await;
    }
    push(&app, &[Peer::new(8).insert(0, "x")]).await.ok();
}

#[tokio::test]
async fn a_picture_of_4_mb_is_one_value_that_can_be_replaced() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let peer = Peer::new(1);
    let image = |seed| [("image".to_owned(), Any::from(picture(seed)))];
    assert_eq!(picture(0).len(), 4 * MB);
    let first = peer.set(image(0));
    append(&app, &ada, &first).await.ok();
    append(&app, &ada, &first).await.ok();
    assert!(read_by(&app, &ada).await.values() == peer.values());
    append(&app, &ada, &peer.set(image(1))).await.ok();
    let other = Peer::new(2).set([("other".to_owned(), Any::from(picture(2)))]);
    append(&app, &ada, &other).await.error("RESOURCE_EXHAUSTED");
    for _ in 0..2 {
        assert!(read_by(&app, &ada).await.values() == peer.values());
        app.settle().await;
    }
    let sent = at(json!({ "editorId": "e", "contentKey": "values" }));
    let data = app.call("editors.get", sent).await.data();
    assert!(data[0]["data"]["image"] == json!(picture(1)));
}

/// Stores an editor that earlier versions accepted, and could not merge any more.
async fn too_much(app: &App, own: &Peer) -> usize {
    append(app, &member(app, "ada", "editor").await, &own.binaries("own")).await.ok();
    let others = Peer::new(31).binaries("other");
    let sent = at(json!({ "editorId": "f", "type": "map", "contentKey": "values",
        "updates": [base64(&others)] }));
    app.call("editors.updates_add", sent).await.ok();
    let rows = app.items_of(Table::Crdt, &app.key);
    let sort = |row: &Value| row["SK"]["S"].as_str().unwrap().to_owned();
    let epoch = |editor: &str| {
        let head = rows.iter().find(|row| sort(row).ends_with(&format!("head#{editor}")));
        head.expect("a head")["epoch"]["S"].as_str().unwrap().to_owned()
    };
    let of_other = format!("log#f#epoch#{}", epoch("f"));
    for row in rows.iter().filter(|row| sort(row).contains(&of_other)) {
        let mut row = row.clone();
        row["SK"]["S"] =
            json!(sort(&row).replace(&of_other, &format!("log#e#epoch#{}", epoch("e"))));
        put(app, Table::Crdt, &row).await;
    }
    let mut head = rows.iter().find(|row| sort(row).ends_with("head#e")).expect("a head").clone();
    head["full"] = json!({ "S": "large" });
    put(app, Table::Crdt, &head).await;
    own.apply(&others);
    own.values().len()
}

#[tokio::test]
async fn an_editor_above_its_limit_is_read_in_parts_and_is_writable_when_it_is_smaller() {
    let app = with_document().await;
    let own = Peer::new(30);
    assert_eq!(too_much(&app, &own).await, 16);
    let ada = member(&app, "ada", "editor").await;
    let merge =
        json!({ "organizationId": "acme", "documentId": "d", "editorId": "e", "task": "merge" });
    for _ in 0..2 {
        assert_eq!(read_by(&app, &ada).await.values(), own.values());
        assert!(super::work_on(&app, merge.clone()).await);
    }
    assert!(count(&app, "snapshot") >= 14);
    let letter = Peer::new(32).set([("x".to_owned(), Any::from(1))]);
    append(&app, &ada, &letter).await.error("RESOURCE_EXHAUSTED");
    let removed = {
        let map = own.0.get_or_insert_map("values");
        let mut txn = own.0.transact_mut();
        (0..2).for_each(|n| drop(map.remove(&mut txn, &format!("own{n}"))));
        txn.encode_update_v1()
    };
    append(&app, &ada, &removed).await.ok();
    append(&app, &ada, &letter).await.ok();
    app.settle().await;
    let head = |row: &Value| row["SK"]["S"].as_str().unwrap().ends_with("head#e");
    let head = app.items_of(Table::Crdt, &app.key).into_iter().find(head).expect("a head");
    assert!(head["full"].is_null(), "{head}");
    assert_eq!(read_by(&app, &ada).await.values().len(), 15);
}

#[tokio::test]
async fn an_editor_that_an_earlier_version_marked_full_becomes_writable() {
    let app = with_text("").await;
    let rows = app.items_of(Table::Crdt, &app.key);
    let is_head = |row: &Value| row["SK"]["S"].as_str().unwrap().contains("#head#");
    let mut head = rows.into_iter().find(is_head).expect("a head");
    head["full"] = json!({ "S": "large" });
    put(&app, Table::Crdt, &head).await;
    push(&app, &[Peer::new(7).insert(0, "x")]).await.ok();
    app.settle().await;
    let rows = app.items_of(Table::Crdt, &app.key);
    let head = rows.into_iter().find(is_head).expect("a head");
    assert!(head["full"].is_null(), "{head}");
    assert!(work(&app, "merge").await);
}
