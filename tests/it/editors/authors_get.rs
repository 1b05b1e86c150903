//! `/v2/crdt/authors/get`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Peer, add_version, base64, of, push_by, update, with_text};
use crate::{
    app::App,
    end_users::{at, member, with_document},
};

async fn ranges(app: &App, sent: Value) -> Vec<Value> {
    let found = app.call("editors.authors_get", sent).await.data();
    found["ranges"].as_array().expect("ranges").clone()
}

fn range(client: u64, clock: u64, length: u64, user: &str) -> Value {
    json!({ "client": client, "clock": clock, "length": length, "userId": user })
}

#[tokio::test]
async fn the_author_is_who_first_delivered_it_also_after_merges() {
    let app = with_text("").await;
    let (ada, bob) = (Peer::new(7), Peer::new(8));
    let first = ada.insert(0, "one");
    push_by(&app, "ada", first.clone()).await;
    bob.pull(&app).await;
    let relayed = ada.insert(0, "x");
    // Bob repeats what Ada wrote, and relays what she did not send herself.
    for (user, update) in
        [("bob", bob.insert(3, "two")), ("bob", first), ("bob", relayed.clone()), ("ada", relayed)]
    {
        // Edits of one time have no order.
        app.advance(Duration::from_millis(1));
        push_by(&app, user, update).await;
    }
    for merges in 0..3 {
        let found = ranges(&app, of("e")).await;
        let expected = [range(7, 0, 3, "ada"), range(7, 3, 1, "bob"), range(8, 0, 3, "bob")];
        let of_peers: Vec<&Value> =
            found.iter().filter(|range| range["client"].as_u64().unwrap() < 10).collect();
        assert_eq!(of_peers, expected.iter().collect::<Vec<_>>(), "after {merges} merges");
        update(&app, "e", "text", json!(format!("one{merges}two"))).await.ok();
        add_version(&app, "merges").await;
    }
    app.call("editors.authors_get", of("nope")).await.error("NOT_FOUND");
}

#[tokio::test]
async fn an_end_user_is_the_author_of_what_the_token_sends() {
    let app = with_document().await;
    let ada = member(&app, "ada", "editor").await;
    let sent = json!({ "editorId": "e", "updates": [base64(&Peer::new(7).insert(0, "x"))] });
    app.caller().end_user(&ada).call("editors.updates_add", at(sent)).await.ok();
    let found = ranges(&app, at(json!({ "editorId": "e" }))).await;
    assert_eq!(found, [range(7, 0, 1, "ada")]);
}
