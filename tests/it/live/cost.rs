//! Cost of messages: API Gateway, DynamoDB and SQS charge per call.

use std::{collections::BTreeMap, time::Duration};

use dialects::Message;
use embedded::{Call, Service};
use service::Table;

use super::peer::Peer;
use crate::{
    app::{App, Options},
    end_users::{add_document, member, with_document_in_parts},
};

/// Number of calls, and consumed units, per operation.
fn counted(app: &App) -> (BTreeMap<String, usize>, BTreeMap<String, f64>) {
    let (mut calls, mut units) = (BTreeMap::new(), BTreeMap::new());
    let is_ours = |call: &&Call| {
        matches!(call.service, Service::DynamoDb | Service::ExecuteApi | Service::Sqs)
            && call.operation != "ReceiveMessage"
    };
    for call in app.calls().iter().filter(is_ours) {
        *calls.entry(call.operation.clone()).or_default() += 1;
        *units.entry(call.operation.clone()).or_default() += call.units;
    }
    (calls, units)
}

fn of(counts: &[(&str, usize)]) -> BTreeMap<String, usize> {
    counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

const CURSOR: &str = r#"{"cursor":2}"#;

/// Waits for a state of the first client.
async fn sees(peer: &mut Peer, cursor: &str) {
    while peer.hears_of(1).await.json != cursor {}
}

/// Three members of a room, with awareness.
async fn three(app: &App) -> [Peer; 3] {
    let ada = member(app, "ada", "editor").await;
    let mut peers = vec![];
    for client in 1..=3 {
        let mut peer = Peer::join(app, client, &ada).await;
        peer.say_awareness("{}").await;
        peers.push(peer);
    }
    let mut peers: [Peer; 3] = peers.try_into().ok().expect("three");
    peers[0].types(0, "a").await;
    for peer in &mut peers[1..] {
        peer.reads("a").await;
    }
    // Joining members queried the others; their answers have come back.
    for (said, peer) in [3, 2, 1].into_iter().zip(&mut peers) {
        peer.is_heard(said).await;
    }
    app.forget_calls();
    peers
}

#[tokio::test]
async fn an_update_with_awareness_costs_one_write_and_one_post_per_member() {
    // The head of the editor, the update, the members; two others and the sender.
    let wanted = of(&[("GetItem", 1), ("PutItem", 1), ("Query", 1), ("PostToConnection", 3)]);
    let mut seen = vec![];
    // The calls of those who join may still be under way, so a call too many may be theirs.
    for _ in 0..3 {
        let (calls, units) = keystroke().await;
        if calls == wanted {
            let written = units["GetItem"] + units["PutItem"];
            assert!(written <= 2.0 && units["Query"] <= 1.0, "{units:?}");
            return;
        }
        seen.push(calls);
    }
    panic!("{seen:?}");
}

/// The calls and units of a change with its cursor in a room of three.
async fn keystroke() -> (BTreeMap<String, usize>, BTreeMap<String, f64>) {
    let app = with_document_in_parts().await;
    let [mut first, mut second, mut third] = three(&app).await;
    let update = Message::Update(first.insert(1, "b"));
    let cursor = first.awareness(CURSOR);
    first.say_together(&[update, cursor]).await;
    for peer in [&mut second, &mut third] {
        peer.reads("ab").await;
        sees(peer, CURSOR).await;
    }
    first.is_heard(4).await;
    counted(&app)
}

/// The process that renews it knows the row then.
#[tokio::test]
async fn a_renewed_lease_in_one_process_lets_nobody_read_the_members_again() {
    let app = App::start_with(Options { is_separate: false, ..Options::default() }).await;
    add_document(&app).await;
    let [mut first, mut second, _third] = three(&app).await;
    first.types(1, "b").await;
    second.reads("ab").await;
    app.advance(Duration::from_secs(21));
    app.forget_calls();
    let rooms = roundtable::table_name(Table::Realtime);
    let count = |operation: &str| {
        let calls = app.calls();
        calls.iter().filter(|call| call.operation == operation && call.target == rooms).count()
    };
    second.pings().await;
    // After the pong.
    let renewed = async {
        while count("UpdateItem") == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), renewed).await.expect("a renewal");
    first.types(2, "c").await;
    second.reads("abc").await;
    assert_eq!(count("Query"), 0);
}

#[tokio::test]
async fn awareness_costs_no_write_and_one_post_per_member() {
    let app = with_document_in_parts().await;
    let [mut first, mut second, mut third] = three(&app).await;
    first.say_awareness(CURSOR).await;
    for peer in [&mut second, &mut third] {
        sees(peer, CURSOR).await;
    }
    first.is_heard(4).await;
    let (calls, units) = counted(&app);
    assert_eq!(calls, of(&[("Query", 1), ("PostToConnection", 3)]));
    assert!(units["Query"] <= 1.0, "{units:?}");
}
