//! Large rooms.

use std::time::Duration;

use embedded::{Effect, Fault};
use futures_util::future::join;
use service::Table;

use super::peer::{Peer, relayed};
use crate::{
    app::{App, Options},
    end_users::{add_document, member, with_document, with_document_in_parts},
};

/// A room that is too large for direct relay.
async fn crowd(app: &App) -> Vec<Peer> {
    let mut peers = vec![];
    for users in (1..=53).collect::<Vec<_>>().chunks(18) {
        let user = member(app, &format!("user-{}", users[0]), "editor").await;
        for client in users {
            peers.push(Peer::join(app, *client, &user).await);
        }
    }
    peers
}

fn count(app: &App, operation: &str) -> usize {
    app.calls().iter().filter(|call| call.operation == operation).count()
}

fn units(app: &App, operation: &str) -> f64 {
    app.calls().iter().filter(|call| call.operation == operation).map(|call| call.units).sum()
}

/// Each peer sends a state and a sync step in one frame; the answer to the sync step shows that the
/// service has handled the state.
async fn all_say(peers: &mut [Peer]) {
    for (n, peer) in peers.iter_mut().enumerate() {
        let said = peer.awareness(&format!(r#"{{"name":{n}}}"#));
        peer.sync_and_say(vec![said]).await;
    }
}

/// The relay of the current window.
async fn relay(app: &App) {
    app.advance(Duration::from_secs(2));
    app.settle().await;
}

/// Waits for calls of the store.
async fn until(app: &App, operation: &str, calls: usize) {
    let made = async {
        while count(app, operation) < calls {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), made).await.expect("the calls");
}

#[tokio::test]
async fn a_worker_relays_updates_in_a_large_room() {
    let app = with_document_in_parts().await;
    let mut peers = crowd(&app).await;
    app.forget_calls();
    peers[0].types(0, "to all").await;
    relayed(&app).await;
    app.settle().await;
    for peer in &mut peers[1..] {
        peer.reads("to all").await;
    }
}

/// A deployment whose process has all connections.
async fn in_one_process() -> App {
    let app = App::start_with(Options { is_separate: false, ..Options::default() }).await;
    add_document(&app).await;
    app
}

#[tokio::test]
async fn updates_in_a_large_room_of_one_process_reach_all_before_any_worker_runs() {
    let app = in_one_process().await;
    let mut peers = crowd(&app).await;
    let words: Vec<String> = (0..8).map(|n| format!("<{n}>")).collect();
    for (peer, word) in peers.iter_mut().zip(&words) {
        peer.types(0, word).await;
    }
    let wanted: Vec<&str> = words.iter().map(String::as_str).collect();
    for peer in &mut peers {
        peer.reads_in_any_order(&wanted).await;
        assert_eq!(peer.text().len(), words.concat().len());
    }
}

#[tokio::test]
async fn an_update_in_a_large_room_of_one_process_is_left_to_a_worker_when_it_cannot_be_relayed() {
    let app = in_one_process().await;
    let mut peers = crowd(&app).await;
    // The first write adds the editor, and the second reads nothing but its head.
    peers[0].types(0, "kept").await;
    peers[1].reads("kept").await;
    // The row of the new member: the members are to be read again.
    let eve = member(&app, "eve", "editor").await;
    peers.push(Peer::join(&app, 99, &eve).await);
    app.settle().await;
    app.forget_calls();
    app.fault(Fault {
        operation: "Query".to_owned(),
        skip: 0,
        times: 1000,
        effect: Effect::InternalError,
    });
    peers[0].types(4, " too").await;
    relayed(&app).await;
    app.embedded().clear_faults();
    app.settle().await;
    for peer in &mut peers {
        peer.reads("kept too").await;
    }
}

#[tokio::test]
async fn changes_that_wait_together_in_a_large_room_are_one_frame_for_each_member() {
    let app = with_document_in_parts().await;
    let mut peers = crowd(&app).await;
    app.settle().await;
    app.forget_calls();
    let words: Vec<String> = (0..8).map(|n| format!("<{n}>")).collect();
    for (peer, word) in peers.iter_mut().zip(&words) {
        peer.types(0, word).await;
    }
    until(&app, "SendMessageBatch", words.len()).await;
    app.forget_calls();
    app.settle().await;
    // One by one they are 8 for each of 52 others.
    assert_eq!(count(&app, "PostToConnection"), 53);
    let rooms = roundtable::table_name(Table::Realtime);
    let calls = app.calls();
    let reads = calls.iter().filter(|call| call.operation == "Query" && call.target == rooms);
    assert!(reads.count() <= 1, "the members are read once");
    let wanted: Vec<&str> = words.iter().map(String::as_str).collect();
    for peer in &mut peers {
        peer.reads_in_any_order(&wanted).await;
        assert_eq!(peer.text().len(), words.concat().len());
    }
}

#[tokio::test]
async fn awareness_in_a_large_room_is_one_frame_per_member_and_second() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    app.settle().await;
    // The functions have forgotten the size of the room.
    app.advance(Duration::from_secs(11));
    app.forget_calls();
    all_say(&mut peers).await;
    relay(&app).await;
    // One frame per member and window; a slow machine has more windows. Direct relay needs 2,756.
    assert!(count(&app, "PostToConnection") < 52 * 53 / 2);
    for (client, peer) in (1..).zip(&mut peers) {
        let heard = peer.hears_of_all(52).await;
        assert!(heard.iter().all(|state| state.client != client), "{client} hears of itself");
    }
}

#[tokio::test]
async fn joining_a_large_room_reads_no_members_and_gets_all_states() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    all_say(&mut peers).await;
    relay(&app).await;
    let ada = member(&app, "eve", "editor").await;
    app.forget_calls();
    let mut newcomer = Peer::join(&app, 99, &ada).await;
    // The state of the editor and the user's own connections, and not the rows of the room.
    assert_eq!(count(&app, "Query"), 2);
    let said = newcomer.awareness("{}");
    newcomer.sync_and_say(vec![said]).await;
    assert_eq!(count(&app, "Query"), 3);
    assert!(units(&app, "Query") <= 3.0);
    relay(&app).await;
    assert_eq!(newcomer.hears_of_all(53).await.len(), 53);
}

#[tokio::test]
async fn a_member_whose_post_failed_gets_all_states_with_the_next_relay() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    app.settle().await;
    all_say(&mut peers).await;
    app.fault(Fault {
        operation: "PostToConnection".to_owned(),
        skip: 0,
        times: 1000,
        effect: Effect::Throttle,
    });
    relay(&app).await;
    app.embedded().clear_faults();
    relay(&app).await;
    for peer in &mut peers {
        peer.hears_of_all(52).await;
    }
}

/// The relay takes the states of the last second.
#[tokio::test]
async fn a_state_that_is_written_slowly_is_relayed_in_a_large_room() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    // All have answered what they were asked when others joined.
    all_say(&mut peers).await;
    relay(&app).await;
    let heard = peers[1].hears_of_all(52).await;
    let first = heard.iter().filter(|state| state.client == 1).map(|state| state.clock).max();
    relay(&app).await;

    app.forget_calls();
    app.fault(Fault {
        operation: "UpdateItem".to_owned(),
        skip: 0,
        times: 1,
        effect: Effect::LoseReply,
    });
    join(all_say(&mut peers[..1]), async {
        // The first attempt; the client repeats it.
        until(&app, "UpdateItem", 1).await;
        app.advance(Duration::from_secs(3));
    })
    .await;
    relay(&app).await;
    while Some(peers[1].hears_of(1).await.clock) <= first {}
}

#[tokio::test]
async fn a_state_under_the_client_of_another_user_is_dropped_in_a_large_room() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    all_say(&mut peers).await;
    relay(&app).await;
    let eve = member(&app, "eve", "editor").await;
    let mut impostor = Peer::join(&app, 1, &eve).await;
    let said = impostor.awareness(r#"{"name":"eve"}"#);
    impostor.sync_and_say(vec![said]).await;
    let said = peers[2].awareness(r#"{"name":"last"}"#);
    peers[2].sync_and_say(vec![said]).await;
    relay(&app).await;
    let is_last = |state: &dialects::State| state.json.contains("last");
    let mut heard = vec![];
    while !heard.iter().any(is_last) {
        heard.push(peers[1].hears_of_any().await);
    }
    assert!(heard.iter().all(|state| !state.json.contains("eve")), "{heard:?}");
}

#[tokio::test]
async fn a_client_of_a_user_who_is_away_from_a_large_room_is_not_taken_by_another_user() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    all_say(&mut peers).await;
    relay(&app).await;
    app.forget_calls();
    drop(peers.remove(0));
    relayed(&app).await;
    relay(&app).await;
    while !peers[1].hears_of(1).await.is_gone() {}
    let eve = member(&app, "eve", "editor").await;
    let mut thief = Peer::join(&app, 1, &eve).await;
    let said = thief.awareness(r#"{"name":"eve"}"#);
    thief.sync_and_say(vec![said]).await;
    relay(&app).await;
    let user = member(&app, "user-1", "editor").await;
    let mut back = Peer::join(&app, 1, &user).await;
    for (peer, name) in [(&mut back, "back"), (&mut thief, "eve again")] {
        let said = peer.awareness(&format!(r#"{{"name":"{name}"}}"#));
        peer.sync_and_say(vec![said]).await;
    }
    relay(&app).await;
    let mut heard = vec![];
    while !heard.iter().any(|state: &dialects::State| state.json.contains("back")) {
        heard.push(peers[1].hears_of_any().await);
    }
    assert!(heard.iter().all(|state| !state.json.contains("eve again")), "{heard:?}");
}

/// This holds also while the size of the room is cached, because somebody typed.
#[tokio::test]
async fn a_cursor_disappears_a_minute_after_its_client_was_last_heard() {
    let app = with_document().await;
    let mut peers = crowd(&app).await;
    all_say(&mut peers).await;
    relay(&app).await;
    app.advance(Duration::from_secs(43));
    app.forget_calls();
    for peer in &mut peers[1..] {
        peer.pings().await;
    }
    // Each renews its lease, after the pong.
    until(&app, "UpdateItem", 52).await;
    app.advance(Duration::from_secs(14));
    app.forget_calls();
    peers[2].types(0, "x").await;
    peers[2].is_stored().await;
    app.settle().await;
    app.advance(Duration::from_secs(2));
    peers[1].pings().await;
    loop {
        if peers[2].hears_of(1).await.is_gone() {
            return;
        }
    }
}
