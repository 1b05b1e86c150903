//! Large rooms.

use std::time::Duration;

use super::peer::{Peer, relayed};
use crate::{
    app::App,
    end_users::{member, with_document},
};

/// A room that is too large for direct relay.
async fn crowd(app: &App) -> Vec<Peer> {
    let ada = member(app, "ada", "editor").await;
    let mut peers = vec![];
    for client in 1..=53 {
        peers.push(Peer::join(app, client, &ada).await);
    }
    peers
}

fn count(app: &App, operation: &str) -> usize {
    app.calls().iter().filter(|call| call.operation == operation).count()
}

#[tokio::test]
async fn a_large_room_is_told_by_a_worker() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    app.forget_calls();
    peers[0].types(0, "to all").await;
    relayed(&app).await;
    app.settle().await;
    for peer in &mut peers[1..] {
        peer.reads("to all").await;
    }
}

#[tokio::test]
async fn what_many_say_of_themselves_is_one_message_to_each() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    app.settle().await;
    // The functions have forgotten the size of the room.
    app.advance(Duration::from_secs(11));
    app.forget_calls();
    for (n, peer) in peers.iter_mut().enumerate() {
        let said = peer.awareness(&format!(r#"{{"name":{n}}}"#));
        // The answer to what else is in the frame comes when all of it is handled.
        peer.sync_and_say(vec![said]).await;
    }
    app.advance(Duration::from_secs(2));
    app.settle().await;
    // One frame per member and window; a slow machine has more windows. Direct relay needs 2,756.
    assert!(count(&app, "PostToConnection") < 52 * 53 / 2);
    for (client, peer) in (1..).zip(&mut peers) {
        let heard = peer.hears_of_all(52).await;
        assert!(heard.iter().all(|state| state.client != client), "{client} hears of itself");
    }
}

#[tokio::test]
async fn a_newcomer_costs_a_large_room_no_read_of_all_and_hears_of_all() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    for (n, peer) in peers.iter_mut().enumerate() {
        let said = peer.awareness(&format!(r#"{{"name":{n}}}"#));
        peer.sync_and_say(vec![said]).await;
    }
    app.advance(Duration::from_secs(2));
    app.settle().await;
    let ada = member(&app, "eve", "editor").await;
    app.forget_calls();
    let mut newcomer = Peer::join(&app, 99, &ada).await;
    // The state of the editor, and not the rows of the room.
    assert_eq!(count(&app, "Query"), 1);
    app.advance(Duration::from_secs(2));
    app.settle().await;
    assert_eq!(newcomer.hears_of_all(53).await.len(), 53);
}
