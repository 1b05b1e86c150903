use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{Peer, base64, count, data, events, noise, of, push, stored, view, with, with_text};
use crate::app::App;

#[tokio::test]
async fn updates_that_arrive_out_of_order_or_twice_are_merged_once_and_in_order() {
    let app = with_text("").await;
    let peer = Peer::new(7);
    let updates: Vec<Vec<u8>> =
        ["a", "b", "c"].iter().zip(0..).map(|(t, at)| peer.insert(at, t)).collect();
    push(&app, &updates[2..]).await.ok();
    assert_eq!(data(&app, "e").await, "", "it waits for those before it");
    push(&app, &updates[..1]).await.ok();
    push(&app, &updates[..2]).await.ok();
    assert_eq!(data(&app, "e").await, "abc", "and twice is once");
    let other = Peer::new(8);
    other.pull(&app).await;
    assert_eq!(other.text(), "abc");
}

#[tokio::test]
async fn simultaneous_updates_of_twenty_peers_all_succeed_and_are_kept() {
    let app = with_text("").await;
    let peers: Vec<Peer> = (0..20).map(|n| Peer::new(100 + n)).collect();
    let updates: Vec<Vec<u8>> = peers.iter().map(|peer| peer.insert(0, "x")).collect();
    for reply in join_all(updates.chunks(1).map(|update| push(&app, update))).await {
        reply.ok();
    }
    assert_eq!(data(&app, "e").await, "x".repeat(20));
    assert_eq!((events(&app).len(), app.last_number("d").await), (21, 21));
}

#[tokio::test]
async fn a_batch_of_500_is_one_row_and_one_event() {
    let app = with_text("").await;
    let peer = Peer::new(7);
    let updates: Vec<Vec<u8>> = (0..500).map(|at| peer.insert(at, "x")).collect();
    push(&app, &updates).await.ok();
    assert_eq!(data(&app, "e").await, "x".repeat(500));
    assert_eq!((count(&app, "log"), events(&app).len()), (1, 2));
    push(&app, &vec![updates[0].clone(); 501]).await.error("INVALID_ARGUMENT");
    push(&app, &[]).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn an_empty_update_writes_no_row_and_no_event() {
    let app = with_text("x").await;
    push(&app, &[vec![0, 0], vec![0, 0]]).await.ok();
    assert_eq!((count(&app, "log"), events(&app).len()), (1, 1));
}

#[tokio::test]
async fn a_batch_with_an_unreadable_update_is_refused_and_changes_nothing() {
    let app = with_text("x").await;
    let good = Peer::new(7).insert(0, "y");
    for broken in [vec![], vec![1], vec![255; 20], good[..good.len() - 1].to_vec()] {
        let error = push(&app, &[good.clone(), broken]).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "updates", 1]), "{error}");
    }
    let sent = with(of("e"), json!({ "updates": [base64(&good), "no base64!"] }));
    let error = app.call("editors.updates_add", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "updates", 1]));
    assert_eq!(data(&app, "e").await, "x");
}

#[tokio::test]
async fn an_update_has_at_most_4_100_000_bytes() {
    let app = with_text("").await;
    let max = 4_100_000;
    let peer = Peer::new(7);
    let long = "long ".repeat(max / 5);
    let head = peer.insert(0, &long[..max - 100]).len() - (max - 100);
    for (len, fits) in [(max - head, true), (max - head + 1, false)] {
        let update = Peer::new(8).insert(0, &long[..len]);
        assert_eq!(update.len() <= max, fits, "{}", update.len());
        let reply = push(&app, &[update]).await;
        match fits {
            true => drop(reply.ok()),
            false => drop(reply.error("INVALID_ARGUMENT")),
        }
    }
    let many: Vec<Vec<u8>> = (0..4).map(|n| Peer::new(20 + n).insert(0, &noise(330_000))).collect();
    push(&app, &many).await.ok();
    assert_eq!(data(&app, "e").await.as_str().unwrap().len(), max - head + 4 * 330_000);
}

#[tokio::test]
async fn an_unknown_editor_is_added_only_when_the_call_names_its_type() {
    let app = App::start().await;
    let update = Peer::new(7).insert(0, "hello");
    let error = push(&app, std::slice::from_ref(&update)).await.error("NOT_FOUND");
    assert_eq!(error["message"], "There is no CRDT data for editor e.");
    assert_eq!(stored(&app), Vec::<String>::new());

    let sent =
        with(of("e"), json!({ "updates": [base64(&update)], "type": "text", "userId": "ada" }));
    for _ in 0..2 {
        app.call("editors.updates_add", sent.clone()).await.ok();
        let found = view(&app, "e").await;
        assert_eq!((&found["data"], &found["lastUpdatedBy"]), (&json!("hello"), &json!("ada")));
    }
    let wrong = with(sent, json!({ "type": "map" }));
    app.call("editors.updates_add", wrong).await.error("INVALID_ARGUMENT");
    super::update(&app, "e", "text", json!("hello, you")).await.ok();
    assert_eq!(data(&app, "e").await, "hello, you");
}

#[tokio::test]
async fn simultaneous_updates_of_an_unknown_editor_add_it_and_are_all_kept() {
    let app = App::start().await;
    let calls = (0..8).map(|n| {
        let update = base64(&Peer::new(100 + n).insert(0, "x"));
        app.call("editors.updates_add", {
            let mut sent = of("e");
            sent["updates"] = json!([update]);
            sent["type"] = json!("text");
            sent
        })
    });
    for reply in join_all(calls.collect::<Vec<_>>()).await {
        reply.ok();
    }
    assert_eq!(data(&app, "e").await, "x".repeat(8));
}

#[tokio::test]
async fn an_update_sent_again_after_a_lost_reply_is_kept_once() {
    let app = with_text("").await;
    let update = Peer::new(7).insert(0, "x");
    let lost = embedded::Fault {
        operation: "TransactWriteItems".to_owned(),
        skip: 0,
        times: 1,
        effect: embedded::Effect::LoseReply,
    };
    app.fault(lost);
    push(&app, std::slice::from_ref(&update)).await.ok();
    push(&app, &[update]).await.ok();
    app.advance(Duration::from_secs(1));
    assert_eq!(data(&app, "e").await, Value::from("x"));
}
