use serde_json::{Value, json};
use yrs::{
    Doc, OffsetKind, Options, ReadTxn, StateVector, Text, Transact, Update,
    updates::{decoder::Decode, encoder::Encode},
};

use super::{Peer, base64, bytes, noise, of, push, update, with, with_text, work};
use crate::app::App;

async fn state(app: &App) -> Value {
    app.call("editors.state_get", of("e")).await.data()
}

#[tokio::test]
async fn a_state_vector_gets_only_the_updates_that_the_peer_lacks() {
    let app = with_text(&"long ".repeat(1000)).await;
    let peer = Peer::new(7);
    let first = peer.pull(&app).await;
    assert!(bytes(&first["update"]).len() > 5000);
    push(&app, &[Peer::new(8).insert(0, "x")]).await.ok();
    let second = peer.pull(&app).await;
    assert!(bytes(&second["update"]).len() < 40);
    assert_eq!(peer.text(), format!("x{}", "long ".repeat(1000)));
    let third = peer.pull(&app).await;
    assert_eq!(bytes(&third["update"]), [0, 0]);
    let vector = StateVector::decode_v1(&bytes(&third["stateVector"])).unwrap();
    assert_eq!(vector, peer.vector());
}

#[tokio::test]
async fn without_a_state_vector_the_whole_state_is_returned() {
    let app = with_text("hello").await;
    let whole = bytes(&state(&app).await["update"]);
    let empty =
        with(of("e"), json!({ "stateVector": base64(&StateVector::default().encode_v1()) }));
    assert_eq!(bytes(&app.call("editors.state_get", empty).await.data()["update"]), whole);
    let peer = Peer::new(7);
    peer.apply(&whole);
    assert_eq!(peer.text(), "hello");
}

#[tokio::test]
async fn an_unknown_editor_is_not_found() {
    let app = with_text("x").await;
    let error = app.call("editors.state_get", of("f")).await.error("NOT_FOUND");
    assert_eq!(error["message"], "There is no CRDT data for editor f.");
}

#[tokio::test]
async fn a_state_vector_that_cannot_be_read_is_refused() {
    let app = with_text("x").await;
    for sent in [json!("no base64!"), json!(base64(&[9, 9])), json!("")] {
        let sent = with(of("e"), json!({ "stateVector": sent }));
        let error = app.call("editors.state_get", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "stateVector"]));
    }
}

/// The digest computed by a peer.
fn digest(doc: &Doc) -> String {
    let txn = doc.transact();
    let vector = txn.state_vector();
    let mut clocks: Vec<(u64, u32)> =
        vector.iter().map(|(client, clock)| (client.get(), *clock)).collect();
    clocks.sort_unstable();
    let clocks: Vec<String> = clocks.iter().map(|(id, clock)| format!("{id}:{clock}")).collect();
    let update = Update::decode_v1(&txn.encode_state_as_update_v1(&vector)).unwrap();
    let mut ranges: Vec<(u64, u32, u32)> = Vec::new();
    for (client, range) in update.delete_set().iter() {
        ranges.extend(range.iter().map(|part| (client.get(), part.start, part.end - part.start)));
    }
    ranges.sort_unstable();
    let ranges: Vec<String> =
        ranges.iter().map(|(id, clock, len)| format!("{id}:{clock}+{len}")).collect();
    keyring::sha256_hex(&format!("{}|{}", clocks.join(","), ranges.join(",")))
}

#[tokio::test]
async fn the_digest_is_that_of_a_peer_with_the_same_state() {
    let app = with_text("the quick fox").await;
    let peer = Peer::new(7);
    push(&app, &[peer.insert(0, "one ")]).await.ok();
    for text in ["the slow fox", "a fox", "the quick fox"] {
        update(&app, "e", "text", json!(text)).await.ok();
        let before = state(&app).await;
        assert_ne!(before["stateHash"], digest(&peer.0), "the peer has not seen it yet");
        peer.pull(&app).await;
        assert_eq!(state(&app).await["stateHash"], digest(&peer.0));
    }
    let hash = state(&app).await["stateHash"].clone();
    push(&app, &[Peer::new(9).insert(0, &"x".repeat(70_000))]).await.ok();
    peer.pull(&app).await;
    assert!(work(&app, "merge").await);
    let merged = state(&app).await["stateHash"].clone();
    assert_ne!(merged, hash);
    assert_eq!(merged, digest(&peer.0), "compaction changes nothing");
}

#[tokio::test]
async fn there_is_no_digest_while_an_update_is_missing() {
    let app = with_text("").await;
    let doc = Doc::with_options(Options { offset_kind: OffsetKind::Utf16, ..Options::default() });
    let content = doc.get_or_insert_text("content");
    let updates: Vec<Vec<u8>> = (0..2)
        .map(|at| {
            let mut txn = doc.transact_mut();
            content.insert(&mut txn, at, "x");
            txn.encode_update_v1()
        })
        .collect();
    push(&app, &updates[1..]).await.ok();
    assert_eq!(state(&app).await["stateHash"], Value::Null);
    push(&app, &updates[..1]).await.ok();
    assert_eq!(state(&app).await["stateHash"], digest(&doc));
}

#[tokio::test]
async fn a_state_of_6_mb_is_returned_in_two_parts() {
    let app = with_text("").await;
    let whole = "a sentence of a long document, ".repeat(200_000);
    for (client, part) in (8..).zip(whole.as_bytes().chunks(310_000)) {
        let part = std::str::from_utf8(part).unwrap();
        push(&app, &[Peer::new(client).insert(0, part)]).await.ok();
    }
    let (peer, mut vector) = (Peer::new(7), None);
    for is_last in [false, true] {
        let sent = vector.map_or(of("e"), |vector| with(of("e"), json!({ "stateVector": vector })));
        let state = app.call("editors.state_get", sent).await.data();
        assert_eq!(state["isComplete"], is_last);
        peer.apply(&bytes(&state["update"]));
        // The text of a client is divided where the part ends.
        let known = StateVector::decode_v1(&bytes(&state["stateVector"])).unwrap();
        assert_eq!(known, peer.vector());
        vector = Some(state["stateVector"].clone());
    }
    assert_eq!(peer.text().len(), whole.len());
    let gzip = app.caller().header("accept-encoding", "gzip");
    let reply = gzip.call("editors.state_get", of("e")).await;
    assert_eq!(reply.header("content-encoding").as_deref(), Some("gzip"));
}

#[tokio::test]
async fn a_state_that_did_not_change_is_not_read_again_and_one_that_did_is() {
    let app = with_text(&noise(1_000_000)).await;
    assert!(work(&app, "merge").await);
    let cost = async || app.cost_of(async { drop(state(&app).await) }).await.read_units;
    let first = cost().await;
    assert!(first > 80.0, "{first} units for a snapshot of some 750 KB");
    let second = cost().await;
    assert!(second < 5.0, "{second} units");
    let peer = Peer::new(7);
    peer.pull(&app).await;
    push(&app, &[peer.insert(0, "new ")]).await.ok();
    assert_eq!(state(&app).await["stateHash"], digest(&peer.0));
    // The same text, merged: other rows.
    assert!(work(&app, "merge").await);
    assert_eq!(state(&app).await["stateHash"], digest(&peer.0));
    let gone = json!({ "organizationId": "o", "documentId": "d", "editorIds": ["e"] });
    app.call("editors.delete", gone).await.ok();
    app.call("editors.state_get", of("e")).await.error("NOT_FOUND");
}

#[tokio::test]
async fn a_state_that_many_ask_for_at_one_time_is_read_for_several_of_them() {
    let app = with_text(&noise(1_000_000)).await;
    assert!(work(&app, "merge").await);
    let seen = with(of("e"), json!({ "stateVector": base64(&[1, 5, 1]) }));
    let ask = || async { app.call("editors.state_get", seen.clone()).await.data() };
    let one = app.cost_of(async { drop(ask().await) }).await.read_units;
    let all = async { drop(futures_util::future::join_all((0..12).map(|_| ask())).await) };
    let all = app.cost_of(all).await.read_units;
    // An account has some calls under way at a time.
    assert!(all < 7.0 * one, "{all} units for all, {one} for one");
}
