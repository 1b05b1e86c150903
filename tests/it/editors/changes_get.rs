//! `/v2/crdt/changes/get`.

use std::time::Duration;

use serde_json::{Value, json};

use super::{Peer, bytes, of, push_by, with, with_text, work};
use crate::{app::App, workspace::field};

async fn changes(app: &App, members: Value) -> Value {
    app.call("editors.changes_get", with(of("e"), members)).await.data()
}

/// Ada writes, then Bob, then Ada deletes of Bob's; returns the times.
async fn with_changes() -> (App, [u64; 3]) {
    let app = with_text("").await;
    let (ada, bob) = (Peer::new(7), Peer::new(8));
    let mut times = [0; 3];
    for (n, at) in times.iter_mut().enumerate() {
        app.advance(Duration::from_secs(60));
        *at = app.now();
        // The clock goes on a little with each call.
        match n {
            0 => push_by(&app, "ada", ada.insert(0, "one ")).await,
            1 => {
                bob.pull(&app).await;
                push_by(&app, "bob", bob.insert(4, "two three")).await;
            }
            _ => {
                ada.pull(&app).await;
                push_by(&app, "ada", ada.remove(4, 4)).await;
            }
        }
    }
    (app, times)
}

#[tokio::test]
async fn the_changes_of_a_time_say_who_wrote_and_who_deleted_what() {
    let (app, [_, second, third]) = with_changes().await;
    for is_merged in [false, true] {
        if is_merged {
            super::add_version(&app, "merges").await;
        }
        let found = changes(&app, json!({ "from": second, "to": third + 1_000 })).await;
        let peer = Peer::new(9);
        peer.apply(&bytes(&found["before"]));
        assert_eq!(peer.text(), "one ");
        peer.apply(&bytes(&found["update"]));
        assert_eq!(peer.text(), "one three");
        let at = |n: usize| found["attributions"][n]["at"].clone();
        let expected = json!([
            { "userId": "bob", "at": at(0), "inserts": [[8, 0, 9]], "deletes": [] },
            { "userId": "ada", "at": at(1), "inserts": [], "deletes": [[8, 0, 4]] },
        ]);
        assert_eq!(found["attributions"], expected, "{is_merged}");
        assert!((second..second + 1_000).contains(&at(0).as_u64().unwrap()));
        let of_ada = changes(&app, json!({ "from": second, "userId": "ada" })).await;
        assert_eq!(of_ada["attributions"], json!([expected[1]]));
        assert_eq!(of_ada["update"], found["update"]);
        let one = changes(&app, json!({ "to": second + 1_000 })).await;
        assert_eq!(one["attributions"].as_array().unwrap().len(), 2, "{one}");
    }
}

#[tokio::test]
async fn a_time_that_ends_before_it_begins_and_an_unknown_editor_are_refused() {
    let (app, [first, second, _]) = with_changes().await;
    assert!(work(&app, "merge").await);
    for (members, named) in [
        (json!({ "from": second, "to": first }), "data.to"),
        (json!({ "from": "x" }), "data.from"),
        (json!({ "userId": "" }), "data.userId"),
    ] {
        let sent = with(of("e"), members);
        let error = app.call("editors.changes_get", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), named);
    }
    app.call("editors.changes_get", of("nope")).await.error("NOT_FOUND");
}
