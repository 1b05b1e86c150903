//! Updates that no editor writes: whatever is accepted, the editor stays readable.

#[path = "../../../shared/crdt/tests/generated/mod.rs"]
#[expect(dead_code, reason = "some of it is for the judge")]
pub(crate) mod generated;

use proptest::strategy::ValueTree;
use serde_json::{Value, json};
use service::Table;
use yrs::{StateVector, updates::decoder::Decode};

use super::{Peer, base64, bytes, count, data, noise, of, push, update, view, with, work};
use crate::{app::App, schedule::put};

/// A character inside another character, which cannot contain anything.
const IN_A_CHARACTER: &str = "AQJNAAQBB2RlZmF1bHQBYQQATQABYgA=";
/// An item whose neighbour is the item itself.
const BESIDE_ITSELF: &str = "AQFNAIRNAAF4AA==";
/// A subdocument.
const SUBDOCUMENT: &str = "AQFOAAkBB2RlZmF1bHQBZ3YAAA==";

fn sent(update: &str) -> Vec<u8> {
    bytes(&json!(update))
}

/// The editor is read, written and merged like any other; its text is under `content`.
async fn works(app: &App, text: &str) {
    assert_eq!(data(app, "e").await, text);
    let peer = Peer::new(9);
    peer.pull(app).await;
    assert_eq!(peer.text(), text);
    let longer = format!("{text}, longer");
    update(app, "e", "text", json!(longer)).await.ok();
    // So much that it is merged.
    let typed = noise(70_000);
    push(app, &[peer.insert(0, &typed)]).await.ok();
    for _ in 0..2 {
        assert_eq!(data(app, "e").await, format!("{typed}{longer}"));
        assert!(work(app, "merge").await);
        assert!(count(app, "log") <= 1, "it is merged, but what waits for ever");
    }
    let late = Peer::new(10);
    late.pull(app).await;
    assert_eq!(late.text(), format!("{typed}{longer}"));
}

/// A text editor whose text peers edit, too.
async fn with_content() -> App {
    let app = App::start().await;
    let peer = Peer::new(7);
    let added = json!({ "updates": [base64(&peer.insert(0, "text"))], "type": "text", "contentKey": "content" });
    app.call("editors.updates_add", with(of("e"), added)).await.ok();
    app
}

#[tokio::test]
async fn an_item_in_a_character_is_merged_as_yjs_merges_it() {
    let app = with_content().await;
    push(&app, &[sent(IN_A_CHARACTER)]).await.ok();
    let key = with(of("e"), json!({ "contentKey": "default" }));
    assert_eq!(app.call("editors.get", key).await.data()[0]["data"], "a");
    works(&app, "text").await;
    assert_eq!(count(&app, "log"), 0);
}

#[tokio::test]
async fn unreadable_updates_and_subdocuments_are_refused() {
    let app = with_content().await;
    for (update, message) in [
        (BESIDE_ITSELF, "The update cannot be read."),
        (SUBDOCUMENT, "Subdocuments are not supported."),
    ] {
        let error = push(&app, &[sent(update)]).await.error("INVALID_ARGUMENT");
        assert!(error["message"].as_str().unwrap().contains(message), "{error}");
    }
    works(&app, "text").await;
}

/// Puts an update in place of the last one, as an earlier version stored it.
async fn replace_last(app: &App, update: &[u8]) {
    let rows = app.items_of(Table::Crdt, &app.key);
    let log = |row: &Value| row["SK"]["S"].as_str().unwrap().split('#').nth(2) == Some("log");
    let mut row = rows.into_iter().rfind(log).expect("a row");
    let len = u32::try_from(update.len()).unwrap().to_be_bytes();
    row["data"] = json!({ "B": base64(&[&[0], &len[..], update].concat()) });
    put(app, Table::Crdt, &row).await;
}

#[tokio::test]
async fn an_editor_that_became_unreadable_is_readable_again() {
    for stored in [IN_A_CHARACTER, BESIDE_ITSELF, SUBDOCUMENT] {
        let app = with_content().await;
        app.advance(std::time::Duration::from_millis(1));
        push(&app, &[Peer::new(8).insert(0, "x")]).await.ok();
        replace_last(&app, &sent(stored)).await;
        works(&app, "text").await;
    }
}

#[tokio::test]
async fn generated_updates_leave_every_editor_readable() {
    #[expect(clippy::disallowed_methods, reason = "as in the simulators")]
    let number = std::env::var("SIMULATOR_SEEDS").ok().and_then(|number| number.parse().ok());
    let app = App::start().await;
    // As many as one asks for.
    super::many::allow(&app, 0).await;
    let (mut accepted, mut refused) = (0, 0);
    let mut runner = generated::runner(1);
    for at in 0..number.unwrap_or(2_000) / 100 {
        let editor = format!("e{at}");
        let long = Peer::new(9).insert(0, &noise(70_000));
        let long = json!({ "updates": [base64(&long)], "type": "text" });
        app.call("editors.updates_add", with(of(&editor), long)).await.ok();
        let made = generated::made(&generated::tree(&mut runner).current());
        for update in made.updates {
            let sent = with(of(&editor), json!({ "updates": [base64(&update)] }));
            let reply = app.call("editors.updates_add", sent).await;
            if reply.status() == 200 {
                accepted += 1;
            } else {
                reply.error("INVALID_ARGUMENT");
                refused += 1;
            }
        }
        let mut vectors = Vec::new();
        for _ in 0..2 {
            view(&app, &editor).await;
            let state = app.call("editors.state_get", of(&editor)).await.data();
            let vector = StateVector::decode_v1(&bytes(&state["stateVector"]));
            vectors.push(vector.expect("a state vector"));
            let merge = with(of(&editor), json!({ "task": "merge" }));
            assert!(super::work_on(&app, merge).await, "editor {at} is not merged");
        }
        // Waiting structs are found to be there already at the next load, if their client wrote
        // them twice.
        let is_there = vectors[0].iter().all(|(client, clock)| vectors[1].get(client) >= *clock);
        assert!(is_there, "editor {at}: {vectors:?}");
        assert!(made.is_double || vectors[0] == vectors[1], "editor {at}: {vectors:?}");
    }
    println!("{accepted} accepted, {refused} refused");
    assert!(accepted > 5 * refused);
}
